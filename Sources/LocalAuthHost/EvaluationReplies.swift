import LocalAuthCore
import LocalAuthService
import LocalAuthToken
import LocalAuthWire

extension AuthenticationMessages.Result {
  /// The wire form of a result.
  init(_ result: EvaluationResult) {
    self.init()
    let code = result.outcome.code
    outcome = code.rawValue
    exit = Int64(code.exit)
    laError = code.laError.map(Int64.init)
    message = result.outcome.detail ?? code.sentence
    policy = result.policy
    device = result.device
    method = result.method
    finger = result.finger?.rawValue
    attempts = Int64(result.attempts)
    remainingAttempts = result.attemptsLeft.map(Int64.init)
    retryAfterSeconds = result.outcome.retryAfter?.secondsRoundedUp
    evaluation = result.id.text
    simulated = result.isSimulated
    scriptEventsLeft = Int64(result.scriptEventsLeft)
    grant = result.grant?.id.text
    ageSeconds = result.grant?.age.secondsRoundedUp
    actionDigest = result.actionDigest.map { String(hexadecimal: $0) }
    assertion = result.assertion
  }
}

extension AuthenticationMessages.FactorState {
  /// The wire form of a factor's state.
  init(_ state: Preflight.FactorState) {
    self.init()
    factor = state.factor.rawValue
    self.state = state.hindrance?.code.rawValue ?? "usable"
    message = state.hindrance.map { $0.detail ?? $0.code.sentence }
    attemptsLeft = state.attemptsLeft.map(Int64.init)
    retryAfterSeconds = state.hindrance?.retryAfter?.secondsRoundedUp
  }
}

/// A reply that carries what a running evaluation shows a person.
protocol EvaluatingReply: PromptingReply {
  var queued: Int64? { get set }
  var prompt: AuthenticationMessages.Prompt? { get set }
  var notice: AuthenticationMessages.Notice? { get set }

  init()
}

extension EvaluatingReply {
  /// The wire form of an evaluation's event; its end is for the last reply.
  init(_ event: SessionEvent, _ request: EvaluationRequest, _ caller: Caller) {
    self.init()
    let reply = AuthenticationMessages.EvaluateReply(event, request, caller)
    queued = reply.queued
    prompt = reply.prompt
    notice = reply.notice
  }
}

extension AuthenticationMessages.EvaluateReply {
  /// The wire form of an evaluation's event.
  init(_ event: SessionEvent, _ request: EvaluationRequest, _ caller: Caller) {
    self.init()
    switch event {
    case .queued(let ahead): queued = Int64(ahead)
    case .prompt(let state): prompt = AuthenticationMessages.Prompt(state, request, caller)
    case .miss(let factor, let locks): notice = .miss(factor, locks)
    case .retry(let acquisition):
      notice = AuthenticationMessages.Notice(kind: "retry", text: acquisition.advice)
      notice?.code = acquisition.word
    case .message(let isError, let text):
      notice = AuthenticationMessages.Notice(kind: isError ? "error" : "info", text: text)
    case .finished(let result): self.result = AuthenticationMessages.Result(result)
    }
  }
}

extension AuthenticationMessages.Notice {
  fileprivate init(kind: String, text: String) {
    self.init()
    self.kind = kind
    self.text = text
  }

  fileprivate static func miss(_ factor: Factor, _ locks: Bool) -> Self {
    let text =
      switch factor {
      case .biometry where locks: "That finger does not match, and fingers are locked now."
      case .biometry: "That finger does not match."
      case .applicationPassword: "That application password is wrong."
      case .passcode, .companion: "That passcode is wrong."
      case .possession: "That was not accepted."
      }
    var notice = Self(kind: "miss", text: text)
    notice.factor = factor.rawValue
    return notice
  }
}

extension AuthenticationMessages.Authenticator {
  /// The wire form of an authenticator.
  init(_ description: AuthenticatorDescription) {
    self.init()
    name = description.name
    kind = description.kind.name
    evidence = description.kind.evidence.rawValue
    asking = description.asking.rawValue
    instruction = description.instruction
    simulated = description.isSimulated
  }
}

extension AuthenticationMessages.Prompt {
  fileprivate init(_ state: ShownPrompt, _ request: EvaluationRequest, _ caller: Caller) {
    self.init()
    nonce = state.nonce.text
    evaluation = state.id.text
    policy = request.policy
    items = state.items.map { AuthenticationMessages.Items($0) }
    reason = request.reason
    // If the program gives no reason, the sentence about the items takes its place.
    if let items, reason == EvaluationRequest.keychainReason { reason = items.text }
    action = request.action?.text
    audience = request.assertion?.audience
    self.caller = caller.shown()
    device = request.device ?? DeviceIdentity.defaultName
    simulated = state.isSimulated
    biometry = state.live.contains(.biometry)
    passcode = state.live.contains(.passcode)
    applicationPassword = state.live.contains(.applicationPassword) ? true : nil
    authenticators = state.authenticators.map { AuthenticationMessages.Authenticator($0) }
    passcodePrompt = state.passcodePrompt
    passcodeEchoes = state.passcodeEchoes
    fallback = state.offersFallback
    fallbackTitle = state.fallbackTitle
    fallbackEnds = state.offersFallback && state.fallbackEnds ? true : nil
    cancelTitle = request.cancelTitle
    attemptsLeft = state.attemptsLeft.map(Int64.init)
    passcodeAttemptsLeft = state.passcodesLeft.map(Int64.init)
    secondsLeft = state.timeLeft?.secondsRoundedUp
    remembersSeconds = state.remembers?.secondsRoundedUp
  }
}
