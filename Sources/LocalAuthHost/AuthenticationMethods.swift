import LocalAuthCore
import LocalAuthPolicies
import LocalAuthSecret
import LocalAuthService
import LocalAuthWire

extension Methods {
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
    request.isInteractive = responder.more && call.interactive ?? true
    request.timeout = try timeout(call.timeoutMilliseconds, server.limits)
    request.script = try script(
      call.script,
      isArgument: call.scriptIsArgument,
      parameters
    )
    request.allowsSimulated = call.allowSimulated ?? false
    request.reuse = .seconds(max(0, call.reuseSeconds ?? 0))
    request.fallbackTitle = call.fallbackTitle
    request.cancelTitle = call.cancelTitle
    stream(responder, request) { (onEvent) throws(EngineError) in
      try server.engine.evaluate(request, caller: responder.callerWithProcess, onEvent: onEvent)
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
    let answer: PromptAnswer
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
      responder.reply(reply)
    } catch {
      responder.fail(error)
    }
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
        let reply = AuthenticationMessages.EvaluateReply(event, request, responder.caller)
        if case .finished = event {
          responder.reply(reply)
        } else {
          responder.replyContinuing(reply)
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
