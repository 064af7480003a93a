import LocalAuthCore
import LocalAuthPolicies
import LocalAuthSecret
import LocalAuthService
import LocalAuthWire

/// The methods of `io.localauth.Authentication`.
enum AuthenticationMethods {
  static let handlers = [
    Handler(Methods.evaluate, evaluate),
    Handler(Methods.respond, respond),
    Handler(Methods.canEvaluate, canEvaluate),
  ]

  private static func evaluate(
    _ parameters: AuthenticationMessages.EvaluateCall,
    _ call: borrowing Call
  ) throws(WireError) {
    guard parameters.reason.utf8.count <= call.limits.reasonBytesMax else {
      throw .invalidParameter("reason")
    }
    var request = EvaluationRequest(
      policy: parameters.policy,
      reason: parameters.reason,
      device: parameters.device
    )
    if let action = parameters.action {
      guard let action = ActionText(action) else { throw .invalidParameter("action") }
      request.action = action
    }
    request.assertion = try AssertionMethods.assertion(parameters.assertion)
    request.asksAgent = parameters.agent ?? false
    guard !request.asksAgent || parameters.script == nil else { throw .invalidParameter("agent") }
    let canAsk = call.responder.more || request.asksAgent
    request.isInteractive = canAsk && parameters.interactive ?? true
    request.timeout = try call.timeout(parameters.timeoutMilliseconds)
    request.script = try call.script(parameters.script, isArgument: parameters.scriptIsArgument)
    request.allowsSimulated = parameters.allowSimulated ?? false
    request.reuse = .seconds(max(0, parameters.reuseSeconds ?? 0))
    request.grant = try GrantMethods.grantRequest(parameters, call)
    request.passcodeTries = try parameters.passcodeTries.map { tries throws(WireError) in
      guard tries > 0 else { throw .invalidParameter("passcodeTries") }
      return UInt32(clamping: tries)
    }
    request.fallbackTitle = parameters.fallbackTitle
    request.cancelTitle = parameters.cancelTitle
    let caller = call.responder.caller(of: request)
    stream(request, call) { (onEvent) throws(EngineError) in
      try call.engine.evaluate(request, caller: caller, onEvent: onEvent)
    }
  }

  private static func respond(
    _ parameters: AuthenticationMessages.RespondCall,
    _ call: borrowing Call
  ) throws(WireError) {
    guard let nonce = EvaluationID(text: parameters.nonce) else { throw .invalidParameter("nonce") }
    let passcode = try call.secret(parameters.passcode, "passcode")
    let answer: PromptResponse
    switch (passcode, parameters.action) {
    case (let passcode?, nil): answer = .passcode(passcode)
    case (nil, "cancel"): answer = .cancel
    case (nil, "fallback"): answer = .fallback
    default: throw .invalidParameter("action")
    }
    call.reply { () throws(EngineError) in
      let caller = call.responder.callerWithProcess
      try call.engine.respond(nonce: nonce, caller: caller, answer: answer)
      return ServiceMessages.Empty()
    }
  }

  private static func canEvaluate(
    _ parameters: AuthenticationMessages.CanEvaluateCall,
    _ call: borrowing Call
  ) {
    call.reply { () throws(EngineError) in
      let answer = try call.engine.canEvaluate(
        policy: parameters.policy,
        device: parameters.device,
        allowsSimulated: parameters.allowSimulated ?? false,
        caller: call.caller
      )
      var reply = AuthenticationMessages.CanEvaluateReply()
      reply.result = AuthenticationMessages.Result(answer.result)
      reply.biometryType = answer.hasSensor ? "fingerprint" : "none"
      reply.domainState = answer.domainState.map(String.init(hexadecimal:))
      reply.factors = answer.factors.map(AuthenticationMessages.FactorState.init)
      return reply
    }
  }

  // MARK: Streams

  /// Starts an evaluation and sends its events as replies.
  static func stream(
    _ request: EvaluationRequest,
    _ call: borrowing Call,
    start: (@escaping (SessionEvent) -> Void) throws(EngineError) -> EvaluationID
  ) {
    let (engine, responder) = (call.engine, call.responder)
    do throws(EngineError) {
      let id = try start { event in
        if case .finished(let result) = event {
          var reply = AuthenticationMessages.LastReply()
          reply.result = AuthenticationMessages.Result(result)
          responder.reply(reply)
        } else {
          responder.replyContinuing(
            AuthenticationMessages.EvaluateReply(event, request, responder.caller)
          )
        }
      }
      responder.onCancel = { engine.cancel(id) }
    } catch {
      responder.fail(error)
    }
  }
}
