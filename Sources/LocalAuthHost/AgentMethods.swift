import LocalAuthCore
import LocalAuthService
import LocalAuthWire

extension MethodHandlers {
  /// `io.localauth.Agents`.
  static var agentMethods: [(String, MethodHandler)] { [("Register", register)] }

  private static func register(
    _ server: Server,
    _ parameters: CallParameters,
    _ responder: Responder
  ) throws(WireError) {
    _ = try parameters.read(ServiceMessages.Empty.self)
    let unreadMax = server.limits.agentUnreadBytesMax
    do throws(EngineError) {
      guard responder.more else { throw .invalidArgument("Call it with more.") }
      let id = try server.engine.registerAgent(responder.callerInSession) { event in
        responder.replyContinuing(AgentMessages.RegisterReply(event))
        // Whoever does not read shows nothing; the prompt goes to somebody who does.
        if responder.unreadBytes > unreadMax { responder.drop() }
      }
      responder.onCancel = { server.engine.agentLeft(id) }
      var reply = AgentMessages.RegisterReply()
      reply.registered = true
      responder.replyContinuing(reply)
    } catch {
      responder.fail(error)
    }
  }
}

extension AgentMessages.RegisterReply {
  /// What an agent hears, as the wire has it.
  fileprivate init(_ event: AgentEvent) {
    self.init()
    switch event {
    case .asking(let event, let request, let caller):
      let told = AuthenticationMessages.EvaluateReply(event, request, caller)
      notice = told.notice
      prompt = told.prompt
      prompt?.caller = caller.shown(withUser: true)
    case .dismissed(let result):
      var dismissal = AgentMessages.Dismissal()
      dismissal.evaluation = result.id.text
      dismissal.outcome = result.outcome.code.rawValue
      dismissal.message = result.outcome.detail ?? result.outcome.code.sentence
      dismissed = dismissal
    }
  }
}
