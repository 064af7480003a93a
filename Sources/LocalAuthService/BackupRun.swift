public import LocalAuthBackup
import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret

/// One backup that is being made.
///
/// Items are read in the order of their identifiers, oldest first, a page for each piece that is asked for, and then
/// documents and key-value stores. So a backup takes constant memory, each item is whole, and an item that is
/// changed meanwhile is in it as it was or as it is. Nothing waits for whoever does not ask for the next piece.
final class BackupRun: BackupExchange {
  let device: LiveDevice
  let caller: Caller
  private let plan: BackupPlan
  private let isPartial: Bool
  private let writer: any BackupSealing
  private var counts = BackupCounts()
  private var classes = ItemClass.stored[...]
  private var cursor: ItemIdentifier?
  private var groupBackup: GroupBackup
  private var fileKeys: FileKeyBackup
  /// What is left of a backup that was ended, and its header.
  private var end: (rest: ArraySlice<[UInt8]>, header: BackupHeader)?

  /// The rows that are looked at for one piece.
  private static let rowsAtOnce = 128

  init(_ request: BackupRequest, of device: LiveDevice, caller: Caller, _ writer: any BackupSealing)
  {
    self.device = device
    self.caller = caller
    self.writer = writer
    plan = BackupPlan(groups: request.groups, request.scope)
    isPartial = request.isPartial
    groupBackup = GroupBackup(of: device, plan, isPartial: request.isPartial)
    fileKeys = FileKeyBackup(isWanted: request.hasFileKeys, request.scope)
  }

  /// Reads on, and returns the next piece.
  func next(of engine: Engine) throws(EngineError) -> BackupPiece {
    if end == nil, let chunk = writer.takeChunk() { return BackupPiece(bytes: chunk) }
    if end == nil {
      if !classes.isEmpty {
        try readPage(of: engine.items, at: device.now(engine.clock.now()).boot)
      } else if !groupBackup.isDone {
        try groupBackup.step(engine, writer, &counts)
      } else {
        try fileKeys.step(of: device, isPartial: isPartial, engine, writer, &counts)
      }
      guard classes.isEmpty, groupBackup.isDone, fileKeys.isDone else {
        return BackupPiece(bytes: writer.takeChunk() ?? [])
      }
      let (rest, header) = writer.finish(counts)
      end = (rest[...], header)
    }
    guard var ending = end, let bytes = ending.rest.popFirst() else { throw Engine.noBackup }
    end = ending
    return BackupPiece(bytes: bytes, header: ending.rest.isEmpty ? ending.header : nil)
  }

  private func readPage(of store: any ItemReading, at now: BootInstant) throws(EngineError) {
    guard let itemClass = classes.first else { return }
    var isLocked = false
    let page: ItemAgePage
    do throws(StorageError) {
      page = try store.eachItem(
        itemClass,
        of: device.identity,
        after: cursor,
        limit: Self.rowsAtOnce
      ) { stored in
        let decision = add(stored, at: now)
        counts.add(decision, stored.header.protection)
        isLocked = isLocked || decision == .leftOut(.locked)
        // What fills a chunk is handed out before more is read.
        return !writer.hasChunk && (isPartial || !isLocked)
      }
    } catch { throw EngineError(error) }
    guard isPartial || !isLocked else {
      throw .refused(Outcome(.itemLocked, detail: Engine.lockedMeanwhile))
    }
    for _ in 0..<page.damaged { counts.add(.leftOut(.otherDevice), .always) }
    cursor = page.next
    if page.next == nil { classes.removeFirst() }
  }

  /// Adds an item, if it goes into the backup.
  private func add(_ stored: borrowing StoredItem, at now: BootInstant) -> BackupDecision {
    let header = stored.header
    let access = device.keybag.access(to: header.protection, key: header.classKey, at: now)
    if let decision = plan.decide(header, access) { return decision }
    let item = device.vault.item(stored)
    let decision = plan.decide(item)
    guard case .included(let protection) = decision, let item else { return decision }
    // Without the data of an item that has some, nothing is added.
    let data = device.vault.data(of: stored)
    let isAdded = writer.add(item, data: data, under: protection)
    return isAdded ? decision : .leftOut(.otherDevice)
  }
}

extension Engine {
  static let lockedMeanwhile = "The device was locked meanwhile; nothing more is read."

  /// Begins a backup of the caller's items, which ``readBackup(on:)`` then returns piece by piece.
  ///
  /// - Parameters:
  ///   - request: What is wanted.
  ///   - connection: The connection that will read it; it has one backup at a time, and so has its user.
  ///   - caller: Who asks.
  ///   - body: Called once, with the header as it is so far.
  public func beginBackup(
    _ request: BackupRequest,
    on connection: UInt64,
    caller: Caller,
    then body: @escaping (Result<BackupHeader, EngineError>) -> Void
  ) {
    do throws(EngineError) {
      let device = try keyedDevice(named: request.device, request.allowsSimulated, caller)
      try request.scope.require(request.groups)
      if !request.isPartial {
        let detail = "The device is locked, so items would be missing."
        try requireUnlocked(device, detail, for: request.scope)
      }
      try Self.check(request.password)
      guard request.hasFileKeys else {
        let act = act("backup create", on: device, caller: caller)
        return beginBackup(request, by: act, on: connection, caller, then: body)
      }
      // Whoever knows the password of the file can open all protected files, also locked ones and those to come.
      authorize("backup create", on: device, passcode: request.passcode, caller: caller) {
        [self] in
        whenProven($0, body) {
          beginBackup(request, by: $0, on: connection, caller, then: $1)
        }
      }
    } catch { body(.failure(error)) }
  }

  private func beginBackup(
    _ request: BackupRequest,
    by act: DeviceAct,
    on connection: UInt64,
    _ caller: Caller,
    then body: @escaping (Result<BackupHeader, EngineError>) -> Void
  ) {
    let device = act.device
    do throws(EngineError) { try beginExchange(caller, on: connection) } catch {
      return body(.failure(error))
    }
    runner.beginBackup(of: device, password: request.password) { [self] result in
      guard endBeginning(caller, on: connection) else { return body(.failure(Self.noBackup)) }
      switch result {
      case .failure(let error): body(.failure(EngineError(error)))
      case .success(let writer):
        let run = BackupRun(request, of: device, caller: caller, writer)
        note(run, request, act, on: connection, writer.unfinished, body)
      }
    }
  }

  /// Writes to the audit, durably, that a backup is made, before any of it is handed out.
  private func note(
    _ run: BackupRun,
    _ request: BackupRequest,
    _ act: DeviceAct,
    on connection: UInt64,
    _ header: BackupHeader,
    _ body: @escaping (Result<BackupHeader, EngineError>) -> Void
  ) {
    let device = run.device
    guard !device.machine.isRemoved else { return body(.failure(.gone(device))) }
    let detail =
      (request.password == nil ? "for this device alone" : "with a password")
      + (request.hasFileKeys ? ", opening its files" : "")
    backupRuns[connection] = run
    complete(act, detail: detail) { [self] result in
      switch result {
      case .success: body(.success(header))
      case .failure(let error):
        backupRuns[connection] = nil
        body(.failure(error))
      }
    }
  }

  /// The next piece of the backup that a connection makes.
  ///
  /// - Throws: ``EngineError``; the backup is over then.
  public func readBackup(on connection: UInt64) throws(EngineError) -> BackupPiece {
    let piece = try proceed(BackupRun.self, on: connection) { (run) throws(EngineError) in
      try run.next(of: self)
    }
    if piece.header != nil { backupRuns[connection] = nil }
    return piece
  }

  /// Refuses a password that is too short for a new backup, or too long.
  private static func check(_ password: SecretBox?) throws(EngineError) {
    guard let password else { return }
    let least = BackupFormat.passwordCharactersMin
    guard password.count <= BackupFormat.passwordBytesMax, let copy = password.copied()?.take(),
      copy.characterCount >= least
    else {
      throw .invalidArgument(
        "A backup's password has \(least) characters or more, and at most \(BackupFormat.passwordBytesMax) bytes."
      )
    }
  }
}
