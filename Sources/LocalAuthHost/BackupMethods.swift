import LocalAuthBackup
import LocalAuthKeychain
import LocalAuthService
import LocalAuthWire

/// The methods of `io.localauth.Backups`.
enum BackupMethods {
  static let handlers = [
    Handler(Methods.createBackup, create),
    Handler(Methods.readBackup, read),
    Handler(Methods.openBackup, open),
    Handler(Methods.writeBackup, write),
    Handler(Methods.readDeletions, deletions),
    Handler(Methods.finishBackup, finish),
  ]

  private static func create(
    _ parameters: BackupMessages.CreateCall,
    _ call: borrowing Call
  ) throws(WireError) {
    let responder = call.responder
    var request = BackupRequest(
      of: parameters.device,
      groups: responder.entitlement.accessGroups
    )
    request.allowsSimulated = parameters.allowSimulated ?? false
    request.password = try call.secret(parameters.password, "password")
    request.isPartial = parameters.partial ?? false
    request.hasFileKeys = parameters.fileKeys ?? false
    request.passcode = try call.secret(parameters.passcode, "passcode")
    request.scope = try scope(parameters.groups, parameters.classes)
    call.engine.beginBackup(
      request,
      on: responder.connection,
      caller: call.caller,
      then: responder.reply(withHeader:)
    )
  }

  private static func read(_: Methods.Empty, _ call: borrowing Call) {
    let connection = call.responder.connection
    let engine = call.engine
    call.reply { () throws(EngineError) in
      let piece = try engine.readBackup(on: connection)
      var reply = BackupMessages.ReadReply()
      reply.bytes = WireBytes(piece.bytes)
      reply.header = piece.header.map { WireBytes($0.bytes) }
      return reply
    }
  }

  private static func open(
    _ parameters: BackupMessages.OpenCall,
    _ call: borrowing Call
  ) throws(WireError) {
    let responder = call.responder
    let header = parameters.header.bytes
    guard header.count <= BackupFormat.headerSize else { throw .invalidParameter("header") }
    var request = RestoreRequest(
      header,
      on: parameters.device,
      for: try purpose(parameters),
      groups: responder.entitlement.accessGroups
    )
    request.allowsSimulated = parameters.allowSimulated ?? false
    request.password = try call.secret(parameters.password, "password")
    request.scope = try scope(parameters.groups, parameters.classes)
    call.engine.beginRestore(
      request,
      on: responder.connection,
      caller: call.caller,
      then: responder.reply(withHeader:)
    )
  }

  /// The most groups that a call names: each item is compared with all of them.
  private static let groupsMax = 64

  private static func scope(
    _ groups: [String]?,
    _ classes: [String]?
  ) throws(WireError) -> BackupScope {
    var scope = BackupScope()
    if let groups {
      guard (1...groupsMax).contains(groups.count) else { throw .invalidParameter("groups") }
      scope.groups = AccessGroups(groups)
    }
    if let classes {
      guard !classes.isEmpty else { throw .invalidParameter("classes") }
      scope.classes = []
      for name in classes {
        guard let found = ProtectionClass(name: name) else { throw .invalidParameter("classes") }
        scope.classes.insert(found.alone)
      }
    }
    return scope
  }

  private static func purpose(
    _ parameters: BackupMessages.OpenCall
  ) throws(WireError) -> RestorePurpose {
    guard parameters.purpose != "verify" else { return .verify }
    guard let mode = RestoreMode(rawValue: parameters.purpose) else {
      throw .invalidParameter("purpose")
    }
    return parameters.dryRun ?? false ? .preview(mode) : .restore(mode)
  }

  private static func write(
    _ parameters: BackupMessages.WriteCall,
    _ call: borrowing Call
  ) throws(WireError) {
    guard parameters.chunk.bytes.count <= BackupFormat.chunkSize else {
      throw .invalidParameter("chunk")
    }
    let connection = call.responder.connection
    let engine = call.engine
    call.reply { () throws(EngineError) in
      var reply = BackupMessages.WriteReply()
      reply.items = try engine.writeRestore(parameters.chunk.bytes, on: connection).map {
        BackupMessages.Item($0)
      }
      return reply
    }
  }

  private static func deletions(_: Methods.Empty, _ call: borrowing Call) {
    let connection = call.responder.connection
    let engine = call.engine
    call.reply { () throws(EngineError) in
      let found = try engine.readDeletions(on: connection)
      var reply = BackupMessages.DeletionsReply()
      reply.items = found.items.map { BackupMessages.Item($0) }
      reply.last = found.isLast
      return reply
    }
  }

  private static func finish(
    _ parameters: BackupMessages.FinishCall,
    _ call: borrowing Call
  ) throws(WireError) {
    var ending = RestoreEnding(trailer: parameters.trailer.bytes)
    if let chunks = parameters.skippedChunks {
      guard let count = UInt64(exactly: chunks) else { throw .invalidParameter("skippedChunks") }
      ending.skippedChunks = count
    }
    ending.passcode = try call.secret(parameters.passcode, "passcode")
    ending.deaths = parameters.deaths.flatMap { Int(exactly: $0) }
    let responder = call.responder
    call.engine.endRestore(ending, on: responder.connection) { result in
      switch result {
      case .failure(let error): responder.fail(error)
      case .success(let report): responder.reply(BackupMessages.FinishReply(report))
      }
    }
  }
}

extension Responder {
  /// Answers with the header of a backup that was begun or opened.
  fileprivate func reply(withHeader result: Result<BackupHeader, EngineError>) {
    switch result {
    case .failure(let error): fail(error)
    case .success(let header):
      var reply = BackupMessages.HeaderReply()
      reply.header = WireBytes(header.bytes)
      self.reply(reply)
    }
  }
}

extension BackupMessages.Item {
  /// The wire form of what becomes of an item.
  fileprivate init(_ found: RestoredItem) {
    self.init()
    name = found.name
    identifier = found.identifier?.text
    fate = found.fate?.rawValue
  }
}

extension BackupMessages.FinishReply {
  /// The wire form of what a restore did.
  fileprivate init(_ report: RestoreReport) {
    self.init()
    func count(_ fate: RestoreFate) -> Int64 { Int64(report.fates[fate] ?? 0) }
    restored = count(.restored)
    older = count(.older)
    otherDevice = count(.otherDevice)
    damaged = count(.damaged)
    unknownClass = count(.unknownClass)
    skipped = count(.skipped)
    deaths = Int64(report.deaths)
  }
}
