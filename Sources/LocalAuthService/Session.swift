import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthSensor

/// One evaluation in progress: the part that the device's machine does not know, such as its
/// caller, its script and its prompt.
///
/// It reports events to its device's machine and performs the effects the machine asks for.
final class Session {
  let id: EvaluationID
  let caller: Caller
  let request: EvaluationRequest
  let device: LiveDevice
  let policy: Policy
  let policyProfile: LockoutProfile?
  /// Unowned because the engine owns all sessions and ends them with itself.
  unowned let engine: Engine
  let onEvent: (SessionEvent) -> Void
  /// The agent's conversation, if the caller does not show the prompt itself.
  let conversation: AgentConversation?
  var script: ScriptPlayer?
  /// The audit line at the start.
  let audit: AuditRecord
  /// Whether a line of it was given to the store, as with each charge but those of ``isLinePutOff``.
  var hasLine = false
  /// Whether the last of them does not say how it ended.
  var isLineOpen = false
  /// Whether its line waits until there is something to judge.
  var isLinePutOff = false
  /// Whether a prompt of this evaluation showed the action.
  var wasActionShown = false
  /// SHA-256 of the action.
  let actionDigest: [UInt8]?
  /// The grants that may answer the evaluation or result from it.
  let remembering: DeviceRequest.Remembering?
  /// The grant that answers, and the age of its proof.
  var redemption: (grant: Grant, age: Duration)?
  /// The keybag's ticket for the unlock, taken when the session began.
  let ticket: Keybag.Ticket
  /// The evidence of the last passcode, for an unlock; it holds the keys that the passcode opened.
  private(set) var passcodeEvidence: Evidence?
  /// The questions of the authenticators that ask for a text.
  var questions: [Factor: Question] = [:]
  /// The question that the prompt shows and an answer goes to; nil while no answer is accepted.
  var question: Question?
  /// The authenticators that were started for it, the last one for each factor.
  private(set) var started: [Factor: any Authenticator] = [:]
  /// The final answer, once it is decided.
  private(set) var answered: DeviceMachine.Answer?
  /// The outcome, once the evaluation is over.
  private var ended: Outcome?
  let deadline: BootInstant
  private var timeoutToken: UInt64?

  /// A question for a text.
  struct Question {
    let factor: Factor
    let text: String
    /// Whether the answer is shown while it is typed.
    let echoes: Bool
  }

  init(
    id: EvaluationID,
    caller: Caller,
    request: EvaluationRequest,
    device: LiveDevice,
    policy: Policy,
    policyProfile: LockoutProfile?,
    script: ScriptPlayer?,
    engine: Engine,
    conversation: AgentConversation? = nil,
    onEvent: @escaping (SessionEvent) -> Void
  ) {
    self.id = id
    self.caller = caller
    self.request = request
    self.device = device
    self.policy = policy
    self.policyProfile = policyProfile
    self.engine = engine
    self.onEvent = onEvent
    self.conversation = conversation
    self.script = script
    actionDigest = request.action.map { engine.hash.sha256(of: $0.bytes) }
    remembering = engine.remembering(request, under: policy, action: actionDigest)
    ticket = device.keybag.beginUnlock()
    let now = device.now(engine.clock.now())
    deadline = now.boot + min(request.timeout, policy.timeLimit ?? request.timeout)
    var audit = AuditRecord(
      id: id,
      action: request.purpose.rawValue,
      device: device.identity,
      callerUID: caller.uid,
      callerPID: caller.pid,
      policy: policy.name,
      reason: request.reason,
      isSimulated: device.record.isSimulated,
      began: now.wall
    )
    caller.sign(&audit)
    self.audit = audit
    conversation?.session = self
  }

  /// The evaluation's run in the machine; nil before it begins and after it is answered.
  private var run: DeviceMachine.EvaluationRun? { device.machine[evaluation: id] }

  /// The evaluation's state machine; it is over once ``outcome`` is set.
  var evaluation: EvaluationMachine {
    answered?.evaluation ?? run?.machine ?? EvaluationMachine(rules: rules)
  }

  /// The outcome, once there is one.
  var outcome: Outcome? { ended ?? run?.machine.outcome }

  /// Whether the sensor waits for a finger.
  var isWaitingForFinger: Bool {
    outcome == nil && device.sensor?.armedFor == id && run?.finger == nil
  }

  /// Whether an attempt is being charged, judged or settled, or the next question of one that asks
  /// for a text is pending.
  var isJudging: Bool {
    run?.finger != nil || (run?.passcode != nil || run?.possession != nil) && question == nil
  }

  /// Whether the verdict on a submitted sample is pending.
  var isDeciding: Bool {
    guard run?.finger == nil else { return true }
    let others = [run?.passcode, run?.possession].compactMap(\.self)
    return question == nil && others.contains { $0.wasSubmitted }
  }

  /// Whether everything submitted so far has been refused.
  var isUntouched: Bool {
    outcome == nil && evaluation.proven.factors.isEmpty && !isDeciding && script == nil
  }

  /// The factors that would answer now, even if no answer is accepted at the moment.
  var live: FactorSet { run?.machine.live(conditions) ?? [] }

  /// Whether the passcode is asked for, even if no answer is accepted at the moment.
  var asksForPasscode: Bool { live.contains(.passcode) }

  /// Whether the person could choose the passcode instead of the finger.
  var canSkipToPasscode: Bool {
    evaluation.offersFallback && canSkipBiometry
  }

  /// Whether the evaluation could still succeed without a finger.
  var canSkipBiometry: Bool { run?.machine.canSkipBiometry(conditions: conditions) ?? false }

  private var conditions: Conditions {
    let machine = device.current(engine.clock.now())
    guard let index = machine.index(of: id) else {
      return machine.conditions(for: policy, at: device.now(engine.clock.now()))
    }
    return machine.conditions(ofEvaluation: index, at: device.now(engine.clock.now()))
  }

  // MARK: Events

  @discardableResult
  func meet<Answer>(_ event: (inout DeviceMachine, Moment) -> Answer) -> Answer {
    engine.runner.meet(device, event)
  }

  func begin() {
    let request = deviceRequest
    meet { $0.requested(request, at: $1) }
  }

  /// Ends the evaluation from outside.
  func end(_ outcome: Outcome) { meet { $0.ended(id, outcome, at: $1) } }

  /// Handles the person's choice of the passcode instead of the finger; returns false if that is
  /// not offered.
  @discardableResult
  func fallback() -> Bool { meet { $0.fellBack(id, at: $1) } }

  /// Submits a passcode from a person or a script; returns false if none was asked for.
  func submit(_ passcode: SecretBox) -> Bool {
    script?.personAnswered()
    if let asking = request.password { return collect(passcode, asking) }
    if let question, question.factor != .passcode { return answer(question, with: passcode) }
    let attempt = AttemptID(id, .passcode)
    if engine.runner.evidence[attempt] != nil {
      return question.map { answer($0, with: passcode) } ?? false
    }
    guard case .device = device.record.passcode else { return false }
    engine.runner.evidence[attempt] = passcodeEvidence(.text(passcode))
    let isTaken = meet { $0.answered(id, at: $1) }
    if !isTaken { engine.runner.evidence[attempt] = nil }
    return isTaken
  }

  private func answer(_ question: Question, with text: SecretBox) -> Bool {
    guard let evidence = engine.runner.evidence[AttemptID(id, question.factor)],
      evidence.judgment != nil
    else { return false }
    // Only a passcode may be one that opens the keybag.
    evidence.give(text, echoes: question.echoes || question.factor != .passcode)
    questions[question.factor] = nil
    self.question = nil
    return meet { $0.answered(id, question.factor, at: $1) }
  }

  /// Makes the evidence of an attempt at `factor` whose authenticator captures its own sample; nil
  /// if `factor` has no such authenticator.
  func starting(_ factor: Factor) -> Evidence? {
    let chosen = authenticator(of: factor)
    guard let authenticator = chosen, authenticator.description.judging == .byItself
    else { return nil }
    started[factor] = authenticator
    let evidence =
      factor == .passcode ? passcodeEvidence(.none) : Evidence(authenticator, on: device)
    evidence.onEvent = { [weak self] in self?.heard($0, of: factor) }
    return evidence
  }

  private func authenticator(of factor: Factor) -> (any Authenticator)? {
    engine.runner.authenticator(of: factor, for: policy, on: device, from: caller.origin)
  }

  private func passcodeEvidence(_ sample: Submission) -> Evidence {
    let wantsKeys = request.purpose == .unlock
    let judge = engine.runner.passcode(of: device, from: caller.origin)
    let evidence = Evidence(judge, sample, on: device, wantsKeys: wantsKeys)
    if wantsKeys { passcodeEvidence = evidence }
    return evidence
  }

  private func heard(_ event: AuthenticatorEvent, of factor: Factor) {
    guard outcome == nil else { return }
    switch event {
    case .prompt(let text, let echoes):
      // A question of a program says whose it is, or it could look like that for the passcode.
      let asker =
        factor == .passcode ? nil : started[factor].map { "\($0.description.name) asks: " }
      questions[factor] = Question(factor: factor, text: (asker ?? "") + text, echoes: echoes)
    case .info(let text): onEvent(.message(isError: false, text: text))
    case .error(let text): onEvent(.message(isError: true, text: text))
    case .retry(let acquisition): retry(acquisition)
    case .submitted, .opened: break
    case .turnedAway, .ended:
      questions[factor] = nil
      if question?.factor == factor { question = nil }
    }
  }

  /// The description of the authenticator that proves `factor`; nil if there is none.
  func describing(_ factor: Factor) -> AuthenticatorDescription? {
    switch factor {
    case .applicationPassword: .itemPassword(isSimulated: device.record.isSimulated)
    // The one that was asked, even if it is gone by now.
    case .biometry, .passcode, .companion, .possession:
      (started[factor] ?? authenticator(of: factor))?.description
    }
  }

  /// Submits a captured sample of a finger; returns false if it is not wanted.
  ///
  /// `body` receives its effect.
  func captured(_ capture: Capture, then body: @escaping (SensorEffect) -> Void) -> Bool {
    let attempt = AttemptID(id, .biometry)
    guard engine.runner.evidence[attempt] == nil else { return false }
    guard let sensor = device.sensor else { return false }
    let evidence = Evidence(sensor, .capture(capture), on: device)
    evidence.onReport = { body(SensorEffect($0)) }
    engine.runner.evidence[attempt] = evidence
    let isTaken = meet { $0.touched(id, at: $1) }
    if !isTaken { engine.runner.evidence[attempt] = nil }
    return isTaken
  }

  /// Reports a sample that cannot be judged.
  func retry(_ acquisition: Acquisition) {
    guard outcome == nil else { return }
    onEvent(.retry(acquisition))
    continueScript()
  }

  /// Reports a touch that was noticed but not judged.
  func noticed() {
    onEvent(.message(isError: false, text: "The sensor noticed a touch."))
    continueScript()
  }

  /// Reports that the sensor failed.
  func faulted(_ fault: SensorFault) { faulted(Outcome.sensor(fault)) }

  /// Reports that the sensor itself is locked, whatever the device's lockout says.
  func sensorLocked(retryAfter: Duration?) {
    faulted(Outcome(.biometryLockout, retryAfter: retryAfter, detail: "sensor: locked"))
  }

  private func faulted(_ outcome: Outcome) {
    meet { $0.faulted(id, .biometry, outcome, at: $1) }
  }

  // MARK: Effects

  /// Performs an effect of the machine that concerns this evaluation.
  func perform(_ effect: DeviceMachine.Effect) {
    switch effect {
    case .prepare: engine.prepare(self)
    case .limit: limit()
    case .admit:
      let refusal = engine.agentDesk.refusal(of: self)
      meet { $0.admitted(id, refusal, at: $1) }
    case .place: engine.agentDesk.place(id)
    case .show(_, let live): show(live)
    case .wait(_, let ahead): onEvent(.queued(ahead: ahead))
    case .miss(_, let factor):
      onEvent(.miss(factor, locks: factor == .biometry && attemptsLeft == 0))
    case .hide: hide()
    case .unlock(_, let proven):
      let outcome = unlock(proven)
      meet { $0.unlocked(id, outcome, at: $1) }
    case .over(_, let outcome): over(outcome)
    case .answer(_, let answer):
      answered = answer
      engine.forget(self)
      endLineOfTheGone(answer)
      finish(answer)
    case .commit, .commitWithAccount, .judge, .respond, .respondWithAccount, .abort, .reported,
      .revokeFingers, .passcodeProven, .authorized, .refused, .stored, .storageChecked:
      break
    }
  }

  private func limit() {
    timeoutToken = device.timers.add(at: deadline) { [weak self] in self?.end(Outcome(.timeout)) }
  }

  private func over(_ outcome: Outcome) {
    ended = outcome
    if let timeoutToken { device.timers.cancel(timeoutToken) }
    // A keychain call may have more to prove, and stops its script itself.
    if outcome != .success || request.purpose != .keychain { script?.stop() }
    device.sensor?.disarm(for: id)
    engine.forgetPrompt(of: self)
  }

  /// The request to the device's machine.
  private var deviceRequest: DeviceRequest {
    var asked = DeviceRequest(id, of: policy, and: policyProfile, under: rules, for: caller.uid)
    asked.origin = caller.origin
    asked.allowsSimulated = request.allowsSimulated
    // Prepare before prompting: a proof that cannot be signed would be wasted.
    asked.needsPreparation =
      request.assertion != nil
      || policy.requirement.factors.contains(.possession) && !device.pluggedIn.isEmpty
      || policy.requirement.factors.contains(.biometry) && device.reader != nil
    asked.asksAgent = conversation != nil
    asked.isUnlock = request.purpose == .unlock
    asked.reuse = request.takesReuse ? min(request.reuse, policy.reuseLimit) : .zero
    asked.remembering = remembering
    asked.grantOrigin = Grant.Origin(
      policy: policy.name,
      action: request.action?.text,
      callerPID: caller.pid,
      program: caller.program
    )
    return asked
  }

  private var rules: EvaluationMachine.Rules {
    var rules = EvaluationMachine.Rules(
      policy: policy,
      profile: device.machine.rules.lockout,
      and: policyProfile,
      isInteractive: request.isInteractive
    )
    rules.given = request.given
    rules.passcodeTries = min(rules.passcodeTries, request.passcodeTries ?? .max)
    // An empty title hides the fallback button; what is not offered is not accepted either.
    if rules.fallback == .allowed, (request.fallbackTitle ?? policy.fallbackTitle) == "" {
      rules.fallback = .forbidden
    }
    if request.password != nil {
      rules.asked = .applicationPassword
      rules.fallback = .forbidden
    }
    return rules
  }
}
