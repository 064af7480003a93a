import LocalAuthCore
import LocalAuthService
import LocalAuthUnix
import LocalAuthWire

/// The methods of `io.localauth.Grants`.
enum GrantMethods {
  static let handlers = [
    Handler(Methods.listGrants, listGrants),
    Handler(Methods.revokeGrants, revokeGrants),
  ]

  private static func listGrants(_ parameters: GrantMessages.ListCall, _ call: borrowing Call) {
    call.reply { () throws(EngineError) in
      let grants = try call.engine.grants(on: parameters.device, caller: call.caller)
        .filter { !$0.grant.isOfAnEndedProcess }
      var reply = GrantMessages.ListReply()
      let listed = grants.suffix(call.limits.grantsListedMax)
      reply.grants = listed.map(GrantMessages.Grant.init)
      reply.omitted = Int64(grants.count - listed.count)
      return reply
    }
  }

  private static func revokeGrants(
    _ parameters: GrantMessages.RevokeCall,
    _ call: borrowing Call
  ) throws(WireError) {
    let id = try parameters.grant.map { text throws(WireError) in
      guard let id = EvaluationID(text: text) else { throw .invalidParameter("grant") }
      return id
    }
    call.engine.revokeGrants(id, on: parameters.device, caller: call.caller) {
      [responder = call.responder] in
      responder.finish($0) { count in
        var reply = GrantMessages.RevokeReply()
        reply.revoked = Int64(count)
        return reply
      }
    }
  }

  /// The grant that a call asks for; nil if it asks for none or the caller's scope is unknown.
  static func grantRequest(
    _ parameters: AuthenticationMessages.EvaluateCall,
    _ call: borrowing Call
  ) throws(WireError) -> GrantRequest? {
    guard let maxAge = parameters.maxAgeSeconds else {
      guard parameters.maxUses == nil else { throw .invalidParameter("maxUses") }
      return nil
    }
    guard maxAge >= 0 else { throw .invalidParameter("maxAgeSeconds") }
    let uses = try parameters.maxUses.map { count throws(WireError) in
      guard count > 0, let uses = UInt32(exactly: count) else {
        throw .invalidParameter("maxUses")
      }
      return uses
    }
    guard maxAge > 0, let caller = call.responder.callerScope else { return nil }
    return GrantRequest(caller: caller, maxAge: .seconds(min(maxAge, 1 << 32)), uses: uses)
  }
}

extension Grant {
  /// Whether it can answer nobody any more, because the process or the session that it is for has
  /// ended.
  fileprivate var isOfAnEndedProcess: Bool {
    switch scope?.caller.bounds {
    case nil: false
    case .process(let process)?, .session(let process, _)?:
      ProcessReference.hasEnded(process.id, begunAt: process.start)
    }
  }
}

extension GrantMessages.Grant {
  fileprivate init(_ description: GrantDescription) {
    self.init()
    let grant = description.grant
    self.grant = grant.id.text
    device = description.device.name
    simulated = description.isSimulated
    kind = grant.scope == nil ? "unlock" : "caller"
    policy = grant.origin.policy
    action = grant.origin.action
    audience = grant.scope?.audience
    uid = (grant.scope?.caller.uid).map(Int64.init)
    pid = Int64(grant.origin.callerPID)
    program = grant.origin.program
    switch grant.scope?.caller.bounds {
    case nil: break
    case .process(let process):
      bounds = "process"
      leader = Int64(process.id)
    case .session(let session, let device):
      bounds = "session"
      leader = Int64(session.id)
      terminal = Int64(device)
    }
    ageSeconds = description.age.components.seconds
    secondsLeft = description.timeLeft.secondsRoundedUp
    usesLeft = grant.usesLeft.map(Int64.init)
  }
}
