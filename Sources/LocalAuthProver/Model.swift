import LocalAuthCore

/// The daemon's state machine in an environment that performs its effects: disk, judges and people.
public struct Model: Sendable {
  /// The policy and the device's rules.
  public var setup: Setup { shared.value }
  /// The current situation.
  public var state: ModelState
  /// The properties that the last event put at risk.
  var premises: Premises = []

  /// Whether one situation stands for all that nothing can tell from it.
  let isReduced: Bool
  private let shared: Shared<Setup>

  /// Creates the model of `state` under `setup`.
  public init(_ setup: Setup, _ state: ModelState, isReduced: Bool = true) {
    shared = Shared(setup)
    self.state = state
    self.isReduced = isReduced
  }

  /// Creates the model of a fresh device, or of one whose state is distrusted.
  init(
    _ setup: Setup,
    _ kind: PasscodeKind = .own,
    isDistrusted: Bool = false,
    isReduced: Bool = true
  ) {
    let state = ModelState(setup, kind, isDistrusted: isDistrusted)
    self.init(setup, state, isReduced: isReduced)
  }

  var now: Moment {
    var now = ModelState.now
    now.wall.milliseconds += state.wallAhead
    return now
  }

  /// Records that `property` is violated unless it holds.
  mutating func check(_ property: Property, _ holds: Bool) {
    if !holds, state.history.violated == nil { state.history.violated = property }
  }

  // MARK: Running the machine

  /// Feeds an event to the machine and performs the effects it requests.
  mutating func run(_ event: (inout DeviceMachine, Moment) -> Void) {
    event(&state.machine, now)
    observe()
    var effects = state.machine.takeEffects()
    var next = 0
    while next < effects.count {
      perform(effects[next])
      next += 1
      effects += state.machine.takeEffects()
    }
    forgetEnded()
  }

  private mutating func perform(_ effect: DeviceMachine.Effect) {
    switch effect {
    case .commit(let commit): write(commit)
    case .judge(let charge): judge(charge)
    case .show(let id, _): if let index = state.index(of: id) { state.asked[index].isShown = true }
    case .answer(let id, let answer): answered(id, answer)
    case .authorized: carryOut()
    case .refused: state.acting = nil
    case .stored(let act, _): stored(act)
    case .unlock(let id, _): tell { $0.unlocked(id, .success, at: $1) }
    case .abort(let attempt) where setup.byThemselves.contains(attempt.factor.alone):
      // It may come before the charge, while the storage is opened again.
      if state[attempt] == nil { state[attempt] = ModelState.Truth() }
      state[attempt]?.isAborted = true
    case .reported(let attempt, _) where setup.byThemselves.contains(attempt.factor.alone):
      state[attempt] = nil
    case .respond(let attempt): answerHanded(attempt)
    case .admit(let id): agent(of: id, is: .wanted)
    case .place(let id): agent(of: id, is: .placed)
    case .hide(let id): agent(of: id, is: .placed)
    case .abort, .wait, .miss, .limit, .over, .reported, .revokeFingers,
      .passcodeProven:
      break
    // No request in this model causes any of these effects.
    case .commitWithAccount, .respondWithAccount, .prepare, .storageChecked: break
    }
  }

  /// Feeds an event to the machine while effects are performed; it may cause more of them.
  private mutating func tell(_ event: (inout DeviceMachine, Moment) -> Void) {
    event(&state.machine, now)
    observe()
  }

  /// What the agent of the evaluation `id` is doing.
  private mutating func agent(of id: EvaluationID, is agent: ModelState.Agent) {
    if let index = state.index(of: id) { state.asked[index].agent = agent }
  }

  private mutating func forgetEnded() {
    for index in state.asked.indices.reversed() {
      guard let run = state.machine.index(of: state.asked[index].id) else {
        state.asked.remove(at: index)
        continue
      }
      if state.machine.evaluations[run].finger == nil { state.asked[index].finger = nil }
      if state.machine.evaluations[run].passcode == nil { state.asked[index].passcode = nil }
      if state.machine.evaluations[run].possession == nil { state.asked[index].possession = nil }
    }
  }

  // MARK: The disk

  private mutating func write(_ commit: DeviceMachine.Commit) {
    if case .charge(let attempt) = commit.purpose { charged(attempt) }
    if case .answer(let attempt) = commit.purpose { chargedAgain(attempt) }
    // Whether the audit line of a denial is durable does not affect any answer.
    if case .close(let id) = commit.purpose, outcome(of: id) != .success {
      return tell { $0.committed(commit, .success(()), at: $1) }
    }
    state.writes.append(commit)
  }

  private func outcome(of id: EvaluationID) -> Outcome? {
    state.machine.index(of: id).flatMap { state.machine.evaluations[$0].machine.outcome }
  }

  private mutating func charged(_ attempt: AttemptID) {
    witnessCharge(attempt)
    witnessPrompt(attempt.owner)
    // A PAM conversation is charged before anyone answers it.
    if !(state.machine[attempt]?.wasSubmitted ?? true) {
      let isAborted = state[attempt]?.isAborted ?? false
      state[attempt] = ModelState.Truth()
      state[attempt]?.isAborted = isAborted
    }
    noteCount(of: attempt)
    if let index = state.index(of: attempt.owner) { state.asked[index].isRecorded = false }
  }

  /// One more answer of a conversation was charged.
  private mutating func chargedAgain(_ attempt: AttemptID) {
    witnessCharge(attempt)
    state[attempt]?.isChargeDurable = false
    state[attempt]?.isCleared = false
    state[attempt]?.age = 0
    noteCount(of: attempt)
  }

  private mutating func noteCount(of attempt: AttemptID) {
    let count = state.counted(attempt)
    let failures = failures(count)
    state[attempt]?.count = failures
    guard setup.tables(of: count).contains(where: { $0.forgets != nil }) else { return }
    state.history[count].last = charge(ModelState.Truth(count: failures), as: count)
  }

  /// When a charge was, and the refusal that it led to.
  private func charge(_ truth: ModelState.Truth, as count: Counted) -> History.Charge {
    let lengths = setup.tables(of: count).map { $0.promisedWait(after: truth.count) }
    return History.Charge(age: truth.age, length: lengths.max() ?? 0)
  }

  /// A conversation is handed an answer; one after the first says that the one before was judged.
  private mutating func answerHanded(_ attempt: AttemptID) {
    guard let truth = state[attempt] else { return }
    check(.chargedFirst, truth.isChargeDurable)
    if truth.hasAskedAgain {
      premises.insert(Premises(.chargedFirst))
      witnessMiss(attempt, truth)
    }
  }

  /// Ends the oldest pending commit.
  mutating func commitEnds(_ end: CommitEnd) {
    guard !state.writes.isEmpty else { return }
    let write = state.writes.removeFirst()
    if let owner = write.purpose.owner { reached(owner) }
    let isDurable = end == .durable
    if end != .failed { store(write) }
    state.history.committed(isDurable: isDurable)
    noteEnd(of: write.purpose, isDurable: isDurable)
    let success = isDurable ? proven(by: write.purpose) : nil
    run { $0.committed(write, isDurable ? .success(()) : .failure(.full), at: $1) }
    if let success { checkCleared(success) }
  }

  /// The count whose success is reported once the commit is durable.
  private func proven(by purpose: DeviceMachine.Purpose) -> Counted? {
    guard case .settle(let attempt) = purpose, state[attempt]?.isProven ?? false else { return nil }
    return state.counted(attempt)
  }

  private mutating func noteEnd(of purpose: DeviceMachine.Purpose, isDurable: Bool) {
    if case .reopen = purpose { return }
    guard let owner = purpose.owner, let index = state.index(of: owner) else { return }
    state.asked[index].isRecorded = isDurable
    // An attempt that could not be settled does not count; the evaluation may continue without it.
    guard case .settle(let attempt) = purpose, !isDurable else { return }
    state.asked[index].witnessed.factors.remove(attempt.factor.alone)
    if attempt.factor == .biometry { state.asked[index].witnessed.biometryGeneration = nil }
  }

  /// Puts a commit on the disk.
  mutating func store(_ write: DeviceMachine.Commit) {
    guard let record = write.record else { return }
    state.disk = record
    // A passcode stamp can only have been made after the state was distrusted.
    if record.attempts.freshness.passcode != nil { state.isDiskDistrusted = false }
    switch write.purpose {
    case .charge(let attempt), .answer(let attempt):
      state[attempt]?.isChargeDurable = true
      let count = state.counted(attempt)
      if let truth = state[attempt], state.history[count].last != nil {
        state.history[count].stored = charge(truth, as: count)
      }
    case .settle, .redeem, .remember, .close, .act, .housekeeping, .reopen: break
    }
  }

  // MARK: The judges

  /// Judges an attempt: the sensor answers at once, PAM asks, and other judges answer when the
  /// environment lets them.
  private mutating func judge(_ charge: DurableCharge) {
    let attempt = charge.attempt
    guard !setup.byThemselves.contains(attempt.factor.alone) else { return start(charge) }
    state[attempt]?.charge = charge
    guard attempt.factor == .passcode else {
      let generation = state.machine.record.enrolment.generation
      let isRight = state[attempt]?.isRight ?? false
      let verdict = isRight ? Verdict.proven(finger: .rightIndex, generation: generation) : .miss
      return judged(attempt, verdict) { model, event in model.tell(event) }
    }
    if state[attempt]?.isRight == nil { tell { $0.asked(attempt, at: $1) } }
  }

  /// Reports the verdict of a judge.
  mutating func judged(_ attempt: AttemptID, _ verdict: Verdict) {
    judged(attempt, verdict) { model, event in model.run(event) }
  }

  private mutating func judged(
    _ attempt: AttemptID,
    _ verdict: Verdict,
    _ hand: (inout Model, (inout DeviceMachine, Moment) -> Void) -> Void
  ) {
    reached(attempt.owner)
    witness(attempt, verdict)
    if case .proven = verdict { state[attempt]?.isProven = true }
    guard let charge = state[attempt]?.charge else { return }
    hand(&self) { $0.judged(charge, verdict, at: $1) }
  }

  /// Ends the judging of a passcode: it was right, wrong, or never given.
  mutating func passcodeJudged(_ attempt: AttemptID) {
    switch state[attempt]?.isRight {
    case true?: judged(attempt, .proven(finger: nil, generation: nil))
    case false?: judged(attempt, .miss)
    case nil:
      checkGivenBack(attempt) { $0.judged(attempt, .unjudged(Outcome(.systemCancel))) }
    }
  }

  // MARK: Programs

  private mutating func answered(_ id: EvaluationID, _ answer: DeviceMachine.Answer) {
    guard let index = state.index(of: id) else { return }
    let asked = state.asked[index]
    check(.oneAnswer, !asked.isAnswered)
    if answer.outcome == .success { checkSuccess(asked) }
    state.asked[index].isAnswered = true
    state.answers.append(
      ModelState.Answer(client: asked.client, id: id, outcome: answer.outcome)
    )
  }

  // MARK: Counts

  func failures(_ count: Counted) -> UInt32 { tally(count).failures }

  /// How long attempts are still refused by this count; nil when they are not.
  func wait(at count: Counted) -> Duration? {
    guard let wait = tally(count).refusal?.remaining(at: now), wait > .zero else { return nil }
    return wait
  }

  private func tally(_ count: Counted) -> Tally { state.machine.record.tally(of: count) }
}
