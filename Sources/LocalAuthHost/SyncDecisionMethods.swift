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
    let (engine, caller, groups) = (call.engine, call.caller, call.groups)
    let skipped = try skipped(parameters)
    call.reply { () throws(EngineError) in
      let all = try engine.syncConflicts(
        of: parameters.device,
        allowsSimulated: parameters.allowSimulated ?? false,
        groups: groups,
        caller: caller
      )
      var reply = SyncMessages.ConflictsReply()
      reply.conflicts = page(all, skipped).map { SyncMessages.Conflict($0) }
      reply.total = Int64(all.count)
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
      parameters.device,
      allowsSimulated: parameters.allowSimulated ?? false,
      groups: call.groups,
      caller: call.caller,
      then: call.responder.finish
    )
  }

  private static func exposed(
    _ parameters: SyncMessages.ListCall,
    _ call: borrowing Call
  ) throws(WireError) {
    let (engine, caller, groups) = (call.engine, call.caller, call.groups)
    let skipped = try skipped(parameters)
    call.reply { () throws(EngineError) in
      let all = try engine.exposedSecrets(
        of: parameters.device,
        allowsSimulated: parameters.allowSimulated ?? false,
        groups: groups,
        caller: caller
      )
      var reply = SyncMessages.ExposedReply()
      reply.secrets = page(all, skipped).map { SyncMessages.Exposed($0) }
      reply.total = Int64(all.count)
      return reply
    }
  }

  private static func skipped(_ parameters: SyncMessages.ListCall) throws(WireError) -> Int {
    guard let count = Int(exactly: parameters.after ?? 0), count >= 0 else {
      throw .invalidParameter("after")
    }
    return count
  }

  private static func page<Element>(_ all: [Element], _ skipped: Int) -> ArraySlice<Element> {
    all.dropFirst(skipped).prefix(SyncMessages.pageMax)
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
    item = conflict.item.map { AuthenticationMessages.NamedItem($0) }
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
    item = AuthenticationMessages.NamedItem(secret.item)
  }
}
