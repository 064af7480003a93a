import LocalAuthCore
import LocalAuthService
import LocalAuthWire

extension MethodHandlers {
  /// `io.localauth.Grants`.
  static var grantMethods: [(String, MethodHandler)] {
    [("List", listGrants), ("Revoke", revokeGrants)]
  }

  private static func listGrants(
    _ server: Server,
    _ parameters: CallParameters,
    _ responder: Responder
  ) throws(WireError) {
    let call = try parameters.read(GrantMessages.ListCall.self)
    do throws(EngineError) {
      let grants = try server.engine.grants(on: call.device, caller: responder.caller)
      var reply = GrantMessages.ListReply()
      let listed = grants.suffix(server.limits.grantsListedMax)
      reply.grants = listed.map(GrantMessages.Grant.init)
      reply.omitted = Int64(grants.count - listed.count)
      responder.reply(reply)
    } catch {
      responder.fail(error)
    }
  }

  private static func revokeGrants(
    _ server: Server,
    _ parameters: CallParameters,
    _ responder: Responder
  ) throws(WireError) {
    let call = try parameters.read(GrantMessages.RevokeCall.self)
    let id = try call.grant.map { text throws(WireError) in
      guard let id = EvaluationID(text: text) else { throw .invalidParameter("grant") }
      return id
    }
    server.engine.revokeGrants(id, on: call.device, caller: responder.caller) { result in
      switch result {
      case .failure(let error): responder.fail(error)
      case .success(let count):
        var reply = GrantMessages.RevokeReply()
        reply.revoked = Int64(count)
        responder.reply(reply)
      }
    }
  }

  /// What a call wishes of grants: nothing for a caller whom the kernel does not describe.
  static func grantRequest(
    _ call: AuthenticationMessages.EvaluateCall,
    _ server: Server,
    _ responder: Responder
  ) throws(WireError) -> GrantRequest? {
    guard let maxAge = call.maxAgeSeconds else {
      guard call.maxUses == nil else { throw .invalidParameter("maxUses") }
      return nil
    }
    guard maxAge >= 0 else { throw .invalidParameter("maxAgeSeconds") }
    let uses = try call.maxUses.map { count throws(WireError) in
      guard count > 0, let uses = UInt32(exactly: count) else {
        throw .invalidParameter("maxUses")
      }
      return uses
    }
    guard maxAge > 0, let caller = responder.callerScope else { return nil }
    return GrantRequest(caller: caller, maxAge: .seconds(min(maxAge, 1 << 32)), uses: uses)
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
