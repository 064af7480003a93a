import LocalAuthCore
import LocalAuthService
import LocalAuthWire

/// The methods of `io.localauth.Agents`.
enum AgentMethods {
  static let handlers = [
    Handler(Methods.registerAgent, register)
  ]

  private static func register(_: ServiceMessages.Empty, _ call: borrowing Call) {
    let unreadMax = call.limits.unreadEventBytesMax
    let (engine, responder) = (call.engine, call.responder)
    do throws(EngineError) {
      guard responder.more else { throw .invalidArgument("Call it with more.") }
      let id = try engine.registerAgent(responder.callerInSession) { event in
        responder.replyContinuing(AgentMessages.RegisterReply(event))
        // An agent that does not read shows nothing. Dropping it lets another agent show the
        // prompt.
        if responder.unreadBytes > unreadMax { responder.drop() }
      }
      responder.onCancel = { engine.agentLeft(id) }
      var reply = AgentMessages.RegisterReply()
      reply.registered = true
      responder.replyContinuing(reply)
    } catch {
      responder.fail(error)
    }
  }
}

extension AgentMessages.RegisterReply {
  /// The wire form of an event for an agent.
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
