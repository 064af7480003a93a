/// One device: everything that is decided between a request and its answer.
///
/// Each event is a method and may leave ``Effect``s behind, which ``takeEffects()`` hands out in order. An effect that
/// completes is reported by an event of its own, exactly once. The machine holds no secret and no closure: what is
/// judged stays with whoever runs the effects, under the same ``AttemptID``.
///
/// A crash is the machine begun anew from the last record that was durable.
public struct DeviceMachine: Sendable {
  /// The rules that attempts are counted by.
  public package(set) var rules: DeviceAttempts.Rules
  /// The delays of what must never be locked for good: passwords of single items, and of PAM's keybags.
  public let lasting: PasscodeDelays
  /// What is connected where the device's sensor should be.
  public var sensor: SensorPresence
  /// The authenticators that are plugged in besides and can be asked now, at most one for each factor.
  public var authenticators: [AuthenticatorDescription] = []
  /// The record as memory has it: never laxer than the durable one.
  public package(set) var record: DeviceRecord
  /// Whether the durable state did not authenticate; only a proven passcode ends it.
  public package(set) var isDistrusted: Bool
  /// Why the last commit failed: memory and disk may differ, and nothing is allowed that must be stored.
  public package(set) var failure: StorageError?
  /// Whether it was deleted: from then on nothing of it is written.
  public package(set) var isRemoved = false
  /// The user's own machine, where the passcode of this device is counted; nil where it is counted here.
  public var account: Account?
  /// The last unlock by finger, which stands in for a touch for a while.
  public package(set) var unlock: Grant?
  package var arbiter: Arbiter
  package var evaluations: [EvaluationRun] = []
  package var acts: [ActRun] = []
  private var effects: [Effect] = []

  /// A device that just started, with the record that the disk has.
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
    self.rules = rules
    self.lasting = lasting ?? rules.delays
    arbiter = Arbiter(limits: queue)
  }

  /// How long an unlock by finger may stand in for a touch, at most: what Apple allows.
  public static let unlockReuseMax = Duration.seconds(300)

  /// Hands out what is to be done, in order, and forgets evaluations that are over.
  public mutating func takeEffects() -> [Effect] {
    evaluations.removeAll(where: \.isOver)
    defer { effects.removeAll(keepingCapacity: true) }
    return effects
  }

  /// Where an account's password is counted, as it is now.
  public struct Account: Hashable, Sendable {
    /// The record of the machine that counts it.
    public var record: DeviceRecord
    /// The rules that it counts by.
    public var rules: DeviceAttempts.Rules
    /// What its clock says.
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

  /// One attempt on its way from its charge to its report.
  package struct AttemptRun: Hashable, Sendable {
    package var machine: Attempt
    /// What is tried.
    package let guess: Guess
    /// Whether there was anything to judge, which makes the charge final.
    package var wasSubmitted: Bool
    /// Whether a conversation waits for an answer.
    package var isAsking = false
    /// Whether the conversation was broken off.
    package var isAborted = false
    /// Whether nothing was counted or cleared since its charge, so that it can be given back.
    package var isLastCount = false
    /// Whether the device forgot its grants since it began.
    package var isForgotten = false
    /// Whether its judge was a simulated one when it began: that one may be gone when its verdict comes.
    package let isSimulated: Bool

    init(at guess: Guess, wasSubmitted: Bool, isSimulated: Bool = false) {
      machine = Attempt(at: guess.factor)
      self.guess = guess
      self.wasSubmitted = wasSubmitted
      self.isSimulated = isSimulated
    }
  }

  /// An evaluation in progress, or one that has ended and whose attempts are still under way.
  package struct EvaluationRun: Hashable, Sendable {
    package enum Phase: Hashable, Sendable {
      /// Waits for the storage to work again.
      case opening
      /// Waits for what it needs.
      case preparing
      case running
      /// Was proven, and waits for the keys to open.
      case unlocking
      /// Has its outcome.
      case closing
    }

    package let request: DeviceRequest
    package var machine: EvaluationMachine
    package var phase = Phase.opening
    package var finger: AttemptRun?
    package var passcode: AttemptRun?
    package var possession: AttemptRun?
    /// The outcome that the audit line already has, written together with the verdict.
    package var auditedOutcome: Outcome?
    /// When the first factor was proven.
    package var provenAt: Moment?
    /// Whether the device forgot its grants since the attempt that proved it began.
    package var isForgotten = false
    /// The grant whose use is being counted, or that answered.
    package var redeemed: EvaluationID?
    /// The finger that matched.
    package var matched: Finger?
    /// Whether something was proven by an authenticator that is simulated.
    package var isSimulated = false
    /// Whether nobody shows the prompt: an agent has yet to, or has left.
    package var isHidden: Bool
    package var isAnswered = false

    init(_ request: DeviceRequest) {
      self.request = request
      isHidden = request.asksAgent
      machine = EvaluationMachine(rules: request.rules)
    }

    package var id: EvaluationID { request.id }
    var isOver: Bool { isAnswered && finger == nil && passcode == nil && possession == nil }

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

  /// Something besides an evaluation whose guess is being judged: an administrative act, or an item that is opened.
  package struct ActRun: Hashable, Sendable {
    package let id: EvaluationID
    package var attempt: AttemptRun?
  }

  /// The evaluation of this name; nil once it was answered and nothing of it is under way.
  package subscript(evaluation id: EvaluationID) -> EvaluationRun? {
    index(of: id).map { evaluations[$0] }
  }

  package func index(of id: EvaluationID) -> Int? { evaluations.firstIndex { $0.id == id } }

  /// The evaluation that has the prompt.
  package var armed: EvaluationRun? {
    guard let id = arbiter.armed else { return nil }
    return evaluations.first { $0.id == id && $0.machine.outcome == nil }
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
  /// Leaves out what no event changes: millions of situations are told apart by it.
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
  /// Hashes what events change of it, and nothing that only names it.
  package func hashDecisive(into hasher: inout Hasher) {
    hasher.combine(enrolment.generation)
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
