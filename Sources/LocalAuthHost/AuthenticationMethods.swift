import LocalAuthCore
import LocalAuthPolicies
import LocalAuthSecret
import LocalAuthService
import LocalAuthWire

extension MethodHandlers {
  /// `io.localauth.Authentication`.
  static var authenticationMethods: [(String, MethodHandler)] {
    [("Evaluate", evaluate), ("Respond", respond), ("CanEvaluate", canEvaluate)]
  }

  private static func evaluate(
    _ server: Server,
    _ parameters: CallParameters,
    _ responder: Responder
  ) throws(WireError) {
    let call = try parameters.read(AuthenticationMessages.EvaluateCall.self)
    guard call.reason.utf8.count <= server.limits.reasonBytesMax else {
      throw .invalidParameter("reason")
    }
    var request = EvaluationRequest(
      policy: call.policy,
      reason: call.reason,
      device: call.device
    )
    if let action = call.action {
      guard let action = ActionText(action) else { throw .invalidParameter("action") }
      request.action = action
    }
    request.assertion = try assertion(call.assertion)
    request.asksAgent = call.agent ?? false
    guard !request.asksAgent || call.script == nil else { throw .invalidParameter("agent") }
    request.isInteractive = (responder.more || request.asksAgent) && call.interactive ?? true
    request.timeout = try timeout(call.timeoutMilliseconds, server.limits)
    request.script = try script(
      call.script,
      isArgument: call.scriptIsArgument,
      parameters
    )
    request.allowsSimulated = call.allowSimulated ?? false
    request.reuse = .seconds(max(0, call.reuseSeconds ?? 0))
    request.grant = try grantRequest(call, server, responder)
    request.passcodeTries = try call.passcodeTries.map { tries throws(WireError) in
      guard tries > 0 else { throw .invalidParameter("passcodeTries") }
      return UInt32(clamping: tries)
    }
    request.fallbackTitle = call.fallbackTitle
    request.cancelTitle = call.cancelTitle
    let caller = caller(of: request, responder)
    stream(responder, request) { (onEvent) throws(EngineError) in
      try server.engine.evaluate(request, caller: caller, onEvent: onEvent)
    } cancel: {
      server.engine.cancel($0)
    }
  }

  private static func respond(
    _ server: Server,
    _ parameters: CallParameters,
    _ responder: Responder
  ) throws(WireError) {
    let call = try parameters.read(AuthenticationMessages.RespondCall.self)
    guard let nonce = EvaluationID(text: call.nonce) else { throw .invalidParameter("nonce") }
    let passcode = try parameters.secret(call.passcode, "passcode")
    let answer: PromptResponse
    switch (passcode, call.action) {
    case (let passcode?, nil): answer = .passcode(passcode)
    case (nil, "cancel"): answer = .cancel
    case (nil, "fallback"): answer = .fallback
    default: throw .invalidParameter("action")
    }
    do throws(EngineError) {
      let caller = responder.callerWithProcess
      try server.engine.respond(nonce: nonce, caller: caller, answer: answer)
      responder.reply(ServiceMessages.Empty())
    } catch {
      responder.fail(error)
    }
  }

  private static func canEvaluate(
    _ server: Server,
    _ parameters: CallParameters,
    _ responder: Responder
  ) throws(WireError) {
    let call = try parameters.read(AuthenticationMessages.CanEvaluateCall.self)
    do throws(EngineError) {
      let answer = try server.engine.canEvaluate(
        policy: call.policy,
        device: call.device,
        allowsSimulated: call.allowSimulated ?? false,
        caller: responder.caller
      )
      var reply = AuthenticationMessages.CanEvaluateReply()
      reply.result = AuthenticationMessages.Result(answer.result)
      reply.biometryType = answer.hasSensor ? "fingerprint" : "none"
      reply.domainState = answer.domainState.map(String.init(hexadecimal:))
      reply.factors = answer.factors.map(AuthenticationMessages.FactorState.init)
      responder.reply(reply)
    } catch {
      responder.fail(error)
    }
  }

  /// The caller with as much of its process as the request needs: nobody answers a prompt that is not
  /// shown, so a request that can show none holds no process.
  private static func caller(of request: EvaluationRequest, _ responder: Responder) -> Caller {
    if request.asksAgent { return responder.callerInSession }
    return request.isInteractive ? responder.callerWithProcess : responder.caller
  }

  // MARK: Streams

  /// Starts an evaluation and turns what it says into replies.
  static func stream(
    _ responder: Responder,
    _ request: EvaluationRequest,
    start: (@escaping (SessionEvent) -> Void) throws(EngineError) -> EvaluationID,
    cancel: @escaping (EvaluationID) -> Void
  ) {
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
      responder.onCancel = { cancel(id) }
    } catch {
      responder.fail(error)
    }
  }

  static func timeout(
    _ milliseconds: Int64?,
    _ limits: WireLimits
  ) throws(WireError) -> Duration {
    let timeout = Duration.milliseconds(milliseconds ?? 30_000)
    guard timeout > .zero, timeout <= limits.timeoutMax else {
      throw .invalidParameter("timeoutMilliseconds")
    }
    return timeout
  }

  static func script(
    _ text: WireSecret?,
    isArgument: Bool?,
    _ parameters: CallParameters
  ) throws(WireError) -> ScriptSource? {
    guard let text = try parameters.secret(text, "script") else { return nil }
    try parameters.require(.drive)
    return ScriptSource(text: text, isArgument: isArgument ?? true)
  }
}
