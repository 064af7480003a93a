import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthSensor

/// One evaluation in progress: the pure ``EvaluationMachine``, its prompt, its attempts and its script.
///
/// It performs the actions of its machine; whatever is durable or judged goes to ``Interpreter``.
final class Session {
  let id: EvaluationID
  let caller: Caller
  let request: EvaluationRequest
  let device: LiveDevice
  let policy: Policy
  let policyProfile: LockoutProfile?
  /// It ends with the engine, which keeps all sessions and lets nobody answer them later.
  unowned let engine: Engine
  let onEvent: (SessionEvent) -> Void
  /// How an agent asks, where the caller does not do so itself.
  let conversation: AgentConversation?
  var machine: EvaluationMachine
  var script: ScriptPlayer?
  var audit: AuditRecord
  /// The outcome that the audit line already has, written together with the verdict.
  var auditedOutcome: Outcome?
  var finger: Finger?
  /// SHA-256 of the action.
  let actionDigest: [UInt8]?
  /// When the first factor was proven, by the machine's clocks and by the device's, and in which era of
  /// the device's grants.
  private(set) var provenAt: (machine: Moment, device: Moment, era: UInt64)?
  /// What a grant for this request covers.
  let grantScope: Grant.Scope?
  /// The grant that answered, and the age of its proof.
  var redeemed: (grant: Grant, age: Duration)?
  var passcodeRun: AttemptRun?
  /// When an unlock began.
  let ticket: Keybag.Ticket
  /// The class keys that the passcode opened, for an unlock.
  private(set) var opened: (any OpenedKeys)?
  private var fingerRun: AttemptRun?
  var passcodeQuestion: (text: String, echoes: Bool)?
  private(set) var deadline: BootInstant
  var timeoutToken: UInt64?

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
    grantScope = Self.grantScope(of: request, policy, action: actionDigest, engine)
    ticket = device.keybag.beginUnlock()
    var rules = EvaluationMachine.Rules(
      policy: policy,
      profile: device.profile,
      and: policyProfile,
      isInteractive: request.isInteractive
    )
    rules.given = request.given
    rules.passcodeTries = min(rules.passcodeTries, request.passcodeTries ?? .max)
    // Who hides the button wants no other way: what is not offered is not taken either.
    if rules.fallback == .allowed, (request.fallbackTitle ?? policy.fallbackTitle) == "" {
      rules.fallback = .forbidden
    }
    if request.password != nil {
      rules.asked = .applicationPassword
      rules.fallback = .forbidden
    }
    machine = EvaluationMachine(rules: rules)
    let now = device.now(engine.clock.now())
    deadline = now.boot + min(request.timeout, policy.timeLimit ?? request.timeout)
    audit = AuditRecord(
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
    conversation?.session = self
  }

  /// Whether a finger is being waited for.
  var isWaitingForFinger: Bool {
    machine.outcome == nil && device.sensor?.armedFor == id && fingerRun == nil
  }

  /// How it ended, once it has.
  var outcome: Outcome? { machine.outcome }

  /// Whether an attempt is being charged, judged or settled, or a question of PAM's is due.
  var isJudging: Bool { fingerRun != nil || passcodeRun != nil && passcodeQuestion == nil }

  /// Whether the verdict on something that was offered is still to come.
  var isDeciding: Bool {
    fingerRun != nil || passcodeRun.map { $0.wasSubmitted && passcodeQuestion == nil } ?? false
  }

  /// Whether the passcode is asked for, if not at this moment.
  var asksForPasscode: Bool { machine.live(conditions).contains(.passcode) }

  /// Whether the person could go on with the passcode instead of the finger.
  var canSkipToPasscode: Bool {
    machine.offersFallback && machine.canSkipBiometry(conditions: conditions)
  }

  // MARK: Events

  func begin() {
    if device.record.isSimulated, !request.allowsSimulated {
      return perform(machine.end(Outcome(.simulatedNotAllowed)))
    }
    perform(machine.begin(conditions: conditions))
  }

  /// Ends the evaluation from outside.
  func end(_ outcome: Outcome) { perform(machine.end(outcome)) }

  /// Something about the device changed.
  func deviceChanged() { perform(machine.changed(conditions: conditions)) }

  /// The person asks for the passcode instead of the finger; false when that is not offered.
  @discardableResult
  func fallback() -> Bool {
    let action = machine.fallback(conditions: conditions)
    perform(action)
    return action != .ignore
  }

  /// A person or a script gave a passcode; false when none was asked for.
  func submit(_ passcode: SecretBox) -> Bool {
    script?.personAnswered()
    if let asking = request.password { return collect(passcode, asking) }
    if let run = passcodeRun {
      guard passcodeQuestion != nil, let conversation = run.conversation else { return false }
      answer(run, conversation, with: passcode)
      return true
    }
    guard case .device = device.record.passcode, offerPasscode(.passcode(passcode)) else {
      return false
    }
    // A prompt without a question, whose nonce can cancel while the passcode is judged.
    present()
    return true
  }

  /// A good sample of a finger was captured; false when it is not wanted.
  ///
  /// `body` hears its effect.
  func captured(_ capture: Capture, then body: @escaping (SensorEffect) -> Void) -> Bool {
    let action = machine.offered(.biometry, conditions: conditions)
    guard case .attempt = action else { return false }
    let run = AttemptRun(
      at: .touch(caller.origin),
      on: device,
      evidence: .finger(capture),
      and: policyProfile,
      audit: auditLine(.biometry),
      onReport: { [self] verdict in
        reported(.biometry, verdict)
        body(SensorEffect(verdict))
      }
    )
    run.hindrance = { [self] in conditions.biometry.outcome }
    fingerRun = run
    engine.interpreter.start(run)
    return true
  }

  /// The sensor delivered a sample that cannot be judged.
  func retry(_ acquisition: Acquisition) {
    guard machine.outcome == nil else { return }
    onEvent(.retry(acquisition))
    continueScript()
  }

  /// Somebody was noticed at the sensor, nobody was judged.
  func noticed() {
    onEvent(.message(isError: false, text: "The sensor noticed a touch."))
    continueScript()
  }

  /// The sensor gave up.
  func faulted(_ fault: SensorFault) {
    perform(machine.faulted(.biometry, .sensor(fault), conditions: conditions))
  }

  /// The sensor itself is locked, whatever the device's lockout says.
  func sensorLocked(retryAfter: Duration?) {
    let outcome = Outcome(
      .biometryLockout,
      retryAfter: retryAfter,
      detail: "sensor: locked"
    )
    perform(machine.faulted(.biometry, outcome, conditions: conditions))
  }

  // MARK: Actions

  func perform(_ action: EvaluationMachine.Action) {
    switch action {
    case .enqueue: enqueue()
    case .redeem: redeem()
    case .present: present()
    case .finish: finish(machine.outcome ?? Outcome(.internalError))
    case .attempt, .ignore: break
    }
  }

  private func enqueue() {
    timeoutToken = device.timers.add(at: deadline) { [weak self] in self?.end(Outcome(.timeout)) }
    if conversation != nil, let refusal = engine.agentDesk.refusal(of: self) { return end(refusal) }
    switch device.arbiter.request(id, uid: caller.uid) {
    case .armed: tookDevice()
    case .waiting(let ahead): onEvent(.queued(ahead: ahead))
    case .refused: end(Outcome(.busy))
    }
  }

  /// Shows the prompt anew, with a nonce of its own, and lets script and waiting touches go on.
  func present() {
    guard answerer != nil else { return }
    let live = machine.live(conditions)
    if live.contains(.biometry) {
      // A touch that is being judged needs no sensor, which may be another's or gone by now.
      guard fingerRun != nil || arm() else { return }
    } else if device.sensor?.armedFor == id {
      device.sensor?.disarm(for: id)
    }
    if live.contains(.passcode) { openPasscode() }
    if let asking = request.password { passcodeQuestion = (asking.question, false) }
    onEvent(.prompt(promptState(live)))
    continueScript()
    if isWaitingForFinger { engine.fingerIsAwaited(on: device) }
  }

  private func continueScript() {
    guard machine.outcome == nil else { return }
    script?.step(self)
  }

  /// Makes the sensor wait for a finger; false when it refused and the evaluation went on without.
  private func arm() -> Bool {
    guard let sensor = device.sensor, sensor.armedFor != id else { return true }
    switch sensor.arm(for: id) {
    case .ready(let liftFinger):
      if liftFinger { onEvent(.retry(.removeFinger)) }
      return true
    case .refused(let fault):
      faulted(fault)
      return false
    case .lockedOut(let retryAfter):
      sensorLocked(retryAfter: retryAfter)
      return false
    }
  }

  // MARK: Passcode

  private func openPasscode() {
    guard passcodeRun == nil else { return }
    switch device.record.passcode {
    case .none: break
    case .device: passcodeQuestion = ("Passcode:", false)
    case .pam(let service, let directory):
      passcodeQuestion = nil
      _ = offerPasscode(.conversation(service: service, directory: directory))
    }
  }

  private func offerPasscode(_ evidence: AttemptRun.Evidence) -> Bool {
    guard case .attempt = machine.offered(.passcode, conditions: conditions) else { return false }
    passcodeQuestion = nil
    let run = AttemptRun(
      at: .passcode(caller.origin),
      on: device,
      evidence: evidence,
      audit: auditLine(.passcode),
      onReport: { [self] in reported(.passcode, $0) }
    )
    run.wantsKeys = request.purpose == .unlock
    run.onConversation = { [self] in conversed($0) }
    passcodeRun = run
    engine.interpreter.start(run)
    return true
  }

  /// Gives PAM an answer: the first is what the conversation was charged for, any other costs more.
  private func answer(
    _ run: AttemptRun,
    _ conversation: any PasscodeConversation,
    with passcode: SecretBox
  ) {
    let isFirst = !run.wasSubmitted
    run.wasSubmitted = true
    run.keep(passcode, echoes: passcodeQuestion?.echoes ?? false)
    passcodeQuestion = nil
    present()
    guard !isFirst else { return conversation.respond(passcode) }
    engine.interpreter.chargeAnswer(of: run) { isCharged in
      if isCharged { conversation.respond(passcode) } else { conversation.abort() }
    }
  }

  private func conversed(_ event: ConversationEvent) {
    guard machine.outcome == nil else { return }
    switch event {
    case .prompt(let text, let echoes):
      passcodeQuestion = (text, echoes)
      present()
    case .info(let text): onEvent(.message(isError: false, text: text))
    case .error(let text): onEvent(.message(isError: true, text: text))
    case .ended: passcodeQuestion = nil
    }
  }

  // MARK: Verdicts

  /// Applies a verdict to `machine` or to a copy of it.
  ///
  /// A judge that refuses without having asked anything would refuse again at once, so its word
  /// ends the use of the passcode in this evaluation.
  func apply(
    verdict: Verdict,
    of factor: Factor,
    on machine: inout EvaluationMachine
  ) -> EvaluationMachine.Action {
    let wasAsked = factor == .biometry || passcodeRun?.wasSubmitted ?? true
    let action = machine.judged(factor, verdict, conditions: conditions)
    guard case .present = action, verdict == .miss, !wasAsked else { return action }
    let refused = Outcome(.authenticationFailed)
    return machine.faulted(factor, refused, conditions: conditions)
  }

  private func reported(_ factor: Factor, _ verdict: Verdict) {
    let run = factor == .passcode ? passcodeRun : fingerRun
    if case .proven = verdict, provenAt == nil, let run {
      let now = engine.clock.now()
      provenAt = (now, device.now(now), run.grantEra)
    }
    if case .proven(let finger?, _) = verdict { self.finger = finger }
    if factor == .passcode, case .proven = verdict { opened = passcodeRun?.opened }
    let action = apply(verdict: verdict, of: factor, on: &machine)
    if factor == .passcode { passcodeRun = nil } else { fingerRun = nil }
    if case .present = action, verdict == .miss { onEvent(.miss(factor)) }
    perform(action)
  }

  var conditions: Conditions {
    let now = device.now(engine.clock.now())
    var conditions = device.conditions(
      for: policy,
      and: policyProfile,
      from: caller.origin,
      at: now
    )
    conditions.reusableUnlock = engine.reusableUnlock(
      on: device,
      within: request.takesReuse ? min(request.reuse, policy.reuseLimit) : .zero,
      at: now
    )
    conditions.granted = answeringGrant(at: now)?.proven
    return conditions
  }
}
