import LocalAuthCore
import LocalAuthKeychain
import LocalAuthService
import LocalAuthSync
import LocalAuthWire

/// The methods of `io.localauth.Documents`.
enum DocumentMethods {
  static let handlers = [
    Handler(Methods.listDocuments, list),
    Handler(Methods.readDocument, read),
    Handler(Methods.writeDocument, write),
    Handler(Methods.removeDocument, remove),
    Handler(Methods.documentVersions, versions),
    Handler(Methods.settleDocument, settle),
    Handler(Methods.watchDocuments, watch),
  ]

  private static func list(
    _ parameters: DocumentMessages.ListCall,
    _ call: borrowing Call
  ) throws(WireError) {
    var cursor: ItemHash?
    if let bytes = parameters.cursor?.bytes {
      guard let place = ItemHash(bytes: bytes) else { throw .invalidParameter("cursor") }
      cursor = place
    }
    let request = try call.request(parameters.target)
    let (engine, caller) = (call.engine, call.caller)
    call.reply { [cursor] () throws(EngineError) in
      let page = try engine.documents(request, after: cursor, caller: caller)
      var reply = DocumentMessages.ListReply()
      reply.documents = page.documents.map { DocumentMessages.Listed($0) }
      reply.next = page.next.map { WireBytes($0.bytes) }
      return reply
    }
  }

  private static func read(
    _ parameters: DocumentMessages.ReadCall,
    _ call: borrowing Call
  ) throws(WireError) {
    guard let offset = UInt64(exactly: parameters.offset ?? 0) else {
      throw .invalidParameter("offset")
    }
    let request = DocumentRequest(in: try call.request(parameters.target))
    let (engine, caller) = (call.engine, call.caller)
    call.reply { () throws(EngineError) in
      let part = try engine.readDocument(
        parameters.name,
        version: parameters.version,
        from: offset,
        request,
        caller: caller
      )
      var reply = DocumentMessages.ReadReply()
      reply.version = part.version
      reply.size = Int64(clamping: part.content.size)
      reply.modified = part.content.date.milliseconds
      reply.bytes = WireBytes(part.bytes)
      return reply
    }
  }

  private static func write(
    _ parameters: DocumentMessages.WriteCall,
    _ call: borrowing Call
  ) throws(WireError) {
    let (engine, responder, caller) = (call.engine, call.responder, call.caller)
    let request = try request(parameters, call)
    guard parameters.continues != true else {
      return call.reply { () throws(EngineError) in
        try engine.collectDocument(
          parameters.bytes.bytes,
          of: parameters.name,
          request,
          on: responder.connection,
          caller: caller
        )
        return DocumentMessages.WriteReply()
      }
    }
    engine.writeDocument(
      parameters.bytes.bytes,
      of: parameters.name,
      request,
      on: responder.connection,
      caller: caller
    ) { result in
      responder.finish(result) { written in
        var reply = DocumentMessages.WriteReply()
        reply.version = written.version
        reply.size = Int64(clamping: written.size)
        reply.changed = written.isChange
        return reply
      }
    }
  }

  private static func remove(
    _ parameters: DocumentMessages.RemoveCall,
    _ call: borrowing Call
  ) throws(WireError) {
    let responder = call.responder
    let request = try request(parameters, call)
    call.engine.removeDocument(parameters.name, request, caller: call.caller) {
      responder.finish($0)
    }
  }

  private static func versions(
    _ parameters: DocumentMessages.VersionsCall,
    _ call: borrowing Call
  ) throws(WireError) {
    let request = DocumentRequest(in: try call.request(parameters.target))
    let (engine, caller) = (call.engine, call.caller)
    call.reply { () throws(EngineError) in
      let versions = try engine.documentVersions(parameters.name, request, caller: caller)
      var reply = DocumentMessages.VersionsReply()
      reply.versions = versions.map { DocumentMessages.Version($0) }
      return reply
    }
  }

  private static func settle(
    _ parameters: DocumentMessages.SettleCall,
    _ call: borrowing Call
  ) throws(WireError) {
    let responder = call.responder
    let request = try request(parameters, call)
    call.engine.settleDocument(
      parameters.versions,
      of: parameters.name,
      request,
      caller: call.caller
    ) { responder.finish($0) }
  }

  private static func watch(
    _ parameters: DocumentMessages.WatchCall,
    _ call: borrowing Call
  ) throws(WireError) {
    let request = try call.request(parameters.target)
    let (engine, caller) = (call.engine, call.caller)
    call.watch(parameters.target.device) { () throws(EngineError) in
      // Whoever may not watch is told so.
      try engine.watchDocuments(request, caller: caller) { _ in }.end()
      return DocumentMessages.WatchReply()
    } reply: {
      DocumentMessages.WatchReply($0)
    } begin: { (onReport) throws(EngineError) in
      let watch = try engine.watchDocuments(request, caller: caller, onReport: onReport)
      return { watch.end() }
    }
  }

  private static func request(
    _ parameters: some DocumentChangeCall,
    _ call: borrowing Call
  ) throws(WireError) -> DocumentRequest {
    DocumentRequest(in: try call.request(parameters.target), over: parameters.over)
  }
}

extension DocumentMessages.Listed {
  /// The wire form of what a list says.
  fileprivate init(_ document: ListedDocument) {
    self.init()
    name = document.name.text
    version = document.version
    size = document.content.map { Int64(clamping: $0.size) }
    modified = document.content?.date.milliseconds
    conflicts = Int64(document.conflicts)
    complete = document.isComplete
  }
}

extension DocumentMessages.WatchReply {
  /// The wire form of a report.
  fileprivate init(_ report: DocumentReport) {
    self.init()
    switch report {
    case .changed(let document): changed = DocumentMessages.Listed(document)
    case .removed(let name): removed = name.text
    case .anything: break
    }
  }
}

extension DocumentMessages.Version {
  /// The wire form of a version.
  fileprivate init(_ listed: ListedVersion) {
    self.init()
    version = listed.version
    size = Int64(clamping: listed.content.size)
    modified = listed.content.date.milliseconds
    current = listed.isCurrent
    peerName = listed.author
  }
}
