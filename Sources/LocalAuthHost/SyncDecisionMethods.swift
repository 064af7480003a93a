import LocalAuthCore
import LocalAuthKeychain
import LocalAuthService
import LocalAuthSync
import LocalAuthWire

/// The methods of `io.localauth.Sync` about items: what was overruled, and what removed devices know.
enum SyncDecisionMethods {
  static let handlers = [
    Handler(Methods.syncConflicts, conflicts),
    Handler(Methods.resolveConflict, resolve),
    Handler(Methods.exposedSecrets, exposed),
  ]

  private static func conflicts(
    _ parameters: SyncMessages.ListCall,
    _ call: borrowing Call
  ) throws(WireError) {
    try list(parameters, call, Engine.syncConflicts) { page, total, _ in
      var reply = SyncMessages.ConflictsReply()
      reply.conflicts = page.map { SyncMessages.Conflict($0) }
      reply.total = total
      return reply
    }
  }

  private static func resolve(
    _ parameters: SyncMessages.ResolveCall,
    _ call: borrowing Call
  ) throws(WireError) {
    guard let conflict = [UInt8](hexadecimal: parameters.conflict).flatMap({ SyncDigest($0) })
    else { throw .invalidParameter("conflict") }
    let decision: ConflictDecision
    switch parameters.decision {
    case "restore": decision = .restore
    case "discard": decision = .discard
    default: throw .invalidParameter("decision")
    }
    call.engine.resolveConflict(
      conflict,
      decision,
      call.device(parameters.device, parameters.allowSimulated),
      groups: call.groups,
      then: call.responder.finish
    )
  }

  private static func exposed(
    _ parameters: SyncMessages.ListCall,
    _ call: borrowing Call
  ) throws(WireError) {
    let engine = call.engine
    try list(parameters, call, Engine.exposedSecrets) { (page, total, device) throws(EngineError) in
      var reply = SyncMessages.ExposedReply()
      reply.secrets = page.map { SyncMessages.Exposed($0) }
      reply.unlisted = try engine.unlistedPeers(of: device).map { SyncMessages.UnlistedPeer($0) }
      reply.total = total
      return reply
    }
  }

  private typealias Listing<Element> = (Engine) -> (
    CallerDevice, AccessGroups
  ) throws(EngineError) -> [Element]

  /// Replies with a page of a list, and how much there is in all.
  private static func list<Element>(
    _ parameters: SyncMessages.ListCall,
    _ call: borrowing Call,
    _ listing: @escaping Listing<Element>,
    _ compose:
      @escaping (
        ArraySlice<Element>, _ total: Int64, CallerDevice
      ) throws(EngineError) -> some WireObject
  ) throws(WireError) {
    guard let skipped = Int(exactly: parameters.after ?? 0), skipped >= 0 else {
      throw .invalidParameter("after")
    }
    let (engine, groups) = (call.engine, call.groups)
    let device = call.device(parameters.device, parameters.allowSimulated)
    call.reply { () throws(EngineError) in
      let all = try listing(engine)(device, groups)
      let page = all.dropFirst(skipped).prefix(SyncMessages.pageMax)
      return try compose(page, Int64(all.count), device)
    }
  }
}

extension Call {
  /// The access groups of who calls.
  fileprivate var groups: AccessGroups { responder.entitlement.accessGroups }
}

extension SyncMessages.Conflict {
  fileprivate init(_ conflict: SyncConflict) {
    self.init()
    id = String(hexadecimal: conflict.identifier.bytes)
    switch conflict.subject {
    case .item(let name): item = AuthenticationMessages.NamedItem(name)
    case .value(let store, let key):
      self.store = store
      self.key = key.text
    case .row(let key):
      (store, table, row) = (key.store.text, key.table.text, key.row.text)
    case nil: break
    }
    peerName = conflict.author
    modifiedAt = conflict.modified.milliseconds
    since = conflict.since.milliseconds
    isDeleted = conflict.isDeleted
  }
}

extension SyncMessages.Exposed {
  fileprivate init(_ secret: ExposedSecret) {
    self.init()
    peer = secret.peer.text
    peerName = secret.peerName
    item = secret.item.map { AuthenticationMessages.NamedItem($0) }
  }
}

extension SyncMessages.UnlistedPeer {
  fileprivate init(_ unlisted: UnlistedPeer) {
    self.init()
    peer = unlisted.peer.text
    peerName = unlisted.peerName
    wasRemovedBefore = unlisted.wasRemovedBefore
  }
}
