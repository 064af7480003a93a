/// One device: every decision between a request and its answer.
///
/// Each event is a method and may queue ``Effect``s, which ``takeEffects()`` returns in order. The
/// completion of an effect is reported by an event of its own, exactly once. The machine holds no
/// secret and no closure: the data to judge stays with the code that runs the effects, under the
/// same ``AttemptID``.
///
/// A crash is equivalent to a new machine that starts from the last durable record.
public struct DeviceMachine: Sendable {
  /// The rules that attempts are counted by.
  public package(set) var rules: DeviceAttempts.Rules {
    get { sharedRules.value }
    set { sharedRules.value = newValue }
  }
  /// The delays of counts that must never lock for good: passwords of single items, and of keybags
  /// if PAM judges the passcode.
  public package(set) var lasting: PasscodeDelays {
    get { sharedLasting.value }
    set { sharedLasting.value = newValue }
  }
  /// The state of the device's sensor.
  public var sensor: SensorPresence
  /// The plugged-in authenticators that can be asked now.
  public var authenticators: [AuthenticatorDescription] = []
  /// Stands for the programs that judge for the device, as in ``DeviceRecord/programs``.
  public var programs: UInt64 = 0
  /// The record in memory, never laxer than the durable one.
  public package(set) var record: DeviceRecord
  /// Whether the durable state failed authentication; a passcode that is proven or set, or erasing
  /// the device, ends this.
  public package(set) var isDistrusted: Bool
  /// Why the last commit failed; memory and disk may then differ, and nothing that must be stored
  /// is allowed.
  public package(set) var failure: StorageError?
  /// Whether the device was deleted; nothing of it is written from then on.
  public package(set) var isRemoved = false
  /// The user's own machine, if it counts the passcode of this device; nil if this device does.
  public var account: Account? {
    get { sharedAccount?.value }
    set { sharedAccount = newValue.map { Shared($0) } }
  }
  /// The last unlock by finger, which stands in for a touch for a while.
  public package(set) var unlock: Grant?
  package var arbiter: Arbiter
  package var evaluations: [EvaluationRun] = []
  package var acts: [ActRun] = []
  private var effects: [Effect] = []
  private var sharedRules: Shared<DeviceAttempts.Rules>
  private var sharedLasting: Shared<PasscodeDelays>
  private var sharedAccount: Shared<Account>?

  /// A device that has started with the record on disk.
  public init(
    _ record: DeviceRecord,
    isDistrusted: Bool,
    sensor: SensorPresence,
    rules: DeviceAttempts.Rules,
    lasting: PasscodeDelays? = nil,
    queue: Arbiter.Limits = Arbiter.Limits()
  ) {
    self.record = record
    self.isDistrusted = isDistrusted
    self.sensor = sensor
    sharedRules = Shared(rules)
    sharedLasting = Shared(lasting ?? rules.delays)
    arbiter = Arbiter(limits: queue)
  }

  /// The longest time an unlock by finger may stand in for a touch, which is Apple's limit.
  public static let unlockReuseMax = Duration.seconds(300)

  /// Returns the pending effects in order and removes finished evaluations.
  public mutating func takeEffects() -> [Effect] {
    for index in evaluations.indices.reversed() where evaluations[index].isOver {
      evaluations.remove(at: index)
    }
    // Keeping the capacity would allocate, because the caller has the storage now.
    defer { effects = [] }
    return effects
  }

  /// The machine that counts an account's password, in its current state.
  public struct Account: Hashable, Sendable {
    /// The record of the machine that counts it.
    public var record: DeviceRecord
    /// The rules that it counts by.
    public var rules: DeviceAttempts.Rules
    /// The time on its clock.
    public var now: Moment

    /// The counts of `record` at `now`.
    public init(record: DeviceRecord, rules: DeviceAttempts.Rules, now: Moment) {
      self.record = record
      self.rules = rules
      self.now = now
    }
  }

  mutating func emit(_ effect: Effect) { effects.append(effect) }

  // MARK: What is under way

  /// One attempt, from its charge to its report.
  package struct AttemptRun: Hashable, Sendable {
    package var machine: Attempt
    package let guess: Guess
    /// Whether there was anything to judge, which makes the charge final.
    package var wasSubmitted: Bool
    /// Whether a conversation waits for an answer.
    package var isAsking = false
    /// Whether the conversation was aborted.
    package var isAborted = false
    /// What of its last charge can be given back.
    package var refund = Tally.Refund.nothing
    /// Whether the device forgot its grants after the attempt began.
    package var isForgotten = false
    /// Whether its judge was simulated when it began; the judge may be gone when its verdict
    /// arrives.
    package let isSimulated: Bool
    /// Whether its judge says when it has something to judge.
    package let reportsPresence: Bool
    /// Whether its judge captures by itself, so that it must be told when to stop.
    package let capturesItself: Bool

    /// Whether something that a person gave is being judged.
    ///
    /// A judge that does not report presence may have nothing yet.
    var isDeciding: Bool { wasSubmitted && reportsPresence && !isAsking }

    /// Whether it was broken off before there was anything to judge, and its judge has not ended.
    var isUnsettled: Bool { isAborted && !wasSubmitted }

    /// What of its charge can be given back after `verdict`: nothing of a guess that was submitted, unless it was right.
    func refund(after verdict: Verdict) -> Tally.Refund {
      if case .proven = verdict { refund } else { wasSubmitted ? .nothing : refund }
    }

    /// `guess` was charged after it: if one count has both, `left` can still be given back at most.
    mutating func followed(by guess: Guess, of owner: UInt32, leaving left: Tally.Refund) {
      guard refund != .nothing, guess.sharesCount(with: self.guess, of: owner) else { return }
      refund = left
    }

    /// `guess` was proven: what it cleared cannot be given back.
    mutating func cleared(by guess: Guess, of owner: UInt32) {
      if guess.clears(self.guess, of: owner) { refund = .nothing }
    }

    init(
      at guess: Guess,
      wasSubmitted: Bool,
      isSimulated: Bool = false,
      reportsPresence: Bool = true,
      capturesItself: Bool = false
    ) {
      machine = Attempt(at: guess.factor)
      self.guess = guess
      self.wasSubmitted = wasSubmitted
      self.isSimulated = isSimulated
      self.reportsPresence = reportsPresence
      self.capturesItself = capturesItself
    }
  }

  /// An evaluation in progress, or one that has ended while its attempts are still under way.
  package struct EvaluationRun: Hashable, Sendable {
    package enum Phase: Hashable, Sendable {
      /// Waits for the storage to work again.
      case opening
      /// Waits for its preparation.
      case preparing
      case running
      /// Is proven and waits for the keys to be opened.
      case unlocking
      /// Has its outcome.
      case closing
      /// Has its outcome, and frees the prompt once what was broken off is settled.
      case leaving
    }

    @usableFromInline let shared: Shared<DeviceRequest>
    package var machine: EvaluationMachine
    package var phase = Phase.opening
    package var finger: AttemptRun?
    package var passcode: AttemptRun?
    package var possession: AttemptRun?
    /// The outcome already in the audit line, which was written together with the verdict.
    package var auditedOutcome: Outcome?
    /// When the first factor was proven.
    package var provenAt: Moment?
    /// Whether the device forgot its grants after the attempt that proved that factor began.
    package var isForgotten = false
    /// The grant whose use is being counted, or that answered.
    package var redeemed: EvaluationID?
    /// The finger that matched.
    package var matched: Finger?
    /// Whether a simulated authenticator proved anything.
    package var isSimulated = false
    /// Whether no agent shows the prompt, not yet or no longer.
    package var isHidden: Bool
    package var isAnswered = false

    init(_ request: DeviceRequest) {
      shared = Shared(request)
      isHidden = request.asksAgent
      machine = EvaluationMachine(rules: request.rules)
    }

    // These are inlined, because a call would copy the whole run.
    /// The request.
    @inlinable package var request: DeviceRequest {
      @inline(__always) get { shared.value }
    }
    @inlinable package var id: EvaluationID {
      @inline(__always) get { shared.value.id }
    }
    @inline(__always)
    var isOver: Bool { isAnswered && finger == nil && passcode == nil && possession == nil }
    /// Whether an attempt that was broken off unanswered has not been given back yet.
    var isUnsettled: Bool {
      finger?.isUnsettled == true || passcode?.isUnsettled == true
        || possession?.isUnsettled == true
    }
    /// Whether something that a person gave is being judged.
    var isDeciding: Bool {
      [finger, passcode, possession].contains { $0?.isDeciding == true }
    }

    /// The attempt at `factor`.
    package subscript(factor: Factor) -> AttemptRun? {
      get {
        switch factor {
        case .passcode: passcode
        case .possession: possession
        case .biometry, .applicationPassword, .companion: finger
        }
      }
      set {
        switch factor {
        case .passcode: passcode = newValue
        case .possession: possession = newValue
        case .biometry, .applicationPassword, .companion: finger = newValue
        }
      }
    }
  }

  /// An attempt outside an evaluation: for an administrative act, or to open an item.
  package struct ActRun: Hashable, Sendable {
    package let id: EvaluationID
    package var attempt: AttemptRun?
  }

  /// The evaluation `id`; nil once it was answered and has no attempt under way.
  package subscript(evaluation id: EvaluationID) -> EvaluationRun? {
    index(of: id).map { evaluations[$0] }
  }

  package func index(of id: EvaluationID) -> Int? { evaluations.firstIndex { $0.id == id } }

  /// The evaluation that has the prompt.
  package var armed: EvaluationRun? { armedIndex.map { evaluations[$0] } }

  /// The index of the evaluation that has the prompt.
  package var armedIndex: Int? {
    guard let id = arbiter.armed, let index = index(of: id),
      evaluations[index].machine.outcome == nil
    else { return nil }
    return index
  }

  /// The attempt of this name.
  package subscript(attempt: AttemptID) -> AttemptRun? {
    get {
      if let index = index(of: attempt.owner) { return evaluations[index][attempt.factor] }
      return acts.first { $0.id == attempt.owner }?.attempt
    }
    set {
      if let index = index(of: attempt.owner) {
        evaluations[index][attempt.factor] = newValue
      } else if let index = acts.firstIndex(where: { $0.id == attempt.owner }) {
        acts[index].attempt = newValue
      }
    }
  }
}

extension DeviceMachine: Hashable {
  /// Hashes only what events change, since a search tells millions of states apart by it.
  public func hash(into hasher: inout Hasher) {
    record.hashDecisive(into: &hasher)
    hasher.combine((isDistrusted ? 1 : 0) | (failure == nil ? 0 : 2) | (isRemoved ? 4 : 0))
    hasher.combine(unlock)
    hasher.combine(arbiter)
    hasher.combine(evaluations)
    hasher.combine(acts)
  }
}

extension DeviceRecord {
  /// Hashes what events change, and nothing that only names the device.
  package func hashDecisive(into hasher: inout Hasher) {
    hasher.combine(enrolment.generation)
    hasher.combine(enrolment.fingers.isEmpty)
    switch passcode {
    case .none: hasher.combine(0)
    case .device: hasher.combine(1)
    case .pam: hasher.combine(2)
    }
    hasher.combine(attempts)
    hasher.combine(others)
    hasher.combine(grants)
  }
}
