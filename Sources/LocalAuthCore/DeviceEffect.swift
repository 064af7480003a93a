/// Names an attempt under way: at most one for each factor of an evaluation or an act.
public struct AttemptID: Hashable, Sendable {
  /// The evaluation or act that it belongs to.
  public var owner: EvaluationID
  /// The factor that is tried.
  public var factor: Factor

  /// The attempt at `factor` for `owner`.
  public init(_ owner: EvaluationID, _ factor: Factor) {
    self.owner = owner
    self.factor = factor
  }
}

extension DeviceMachine {
  /// What to do next; the code that runs an effect decides nothing.
  public enum Effect: Hashable, Sendable {
    /// Make this durable and report it to ``DeviceMachine/committed(_:_:at:)``.
    indirect case commit(Commit)
    /// Have the account's machine do this, and make both durable together.
    indirect case commitWithAccount(Commit, AccountAct)
    /// Ask the judge, and report its verdict to ``DeviceMachine/judged(_:_:at:)``.
    case judge(DurableCharge)
    /// Hand the answer to the conversation that waits for it.
    case respond(AttemptID)
    /// Have the account's machine count the answer and then hand it to the conversation.
    case respondWithAccount(AttemptID)
    /// Abort the conversation; its verdict still follows.
    case abort(AttemptID)
    /// Prepare what the evaluation needs, and report to ``DeviceMachine/prepared(_:_:at:)``.
    case prepare(EvaluationID)
    /// Start the time limit: the evaluation begins to wait for a person.
    case limit(EvaluationID)
    /// Ask whether an agent is available, and report to ``DeviceMachine/admitted(_:_:at:)``.
    case admit(EvaluationID)
    /// Give the evaluation to an agent; ``DeviceMachine/shown(_:at:)`` follows when one shows it.
    case place(EvaluationID)
    /// Open the keys for an unlock, and report to ``DeviceMachine/unlocked(_:_:at:)``.
    case unlock(EvaluationID, Proven)
    /// Show the prompt, or show it anew, with these factors live.
    case show(EvaluationID, FactorSet)
    /// Tell the caller that it waits behind others.
    case wait(EvaluationID, ahead: Int)
    /// Tell the person that an attempt missed and the prompt stays.
    case miss(EvaluationID, Factor)
    /// The prompt is no longer shown: neither a nonce nor a finger answers it.
    case hide(EvaluationID)
    /// Stop fingers from restoring the keys: too many touches missed.
    case revokeFingers
    /// The passcode was proven, which also ends the sensor's own lock.
    case passcodeProven
    /// The attempt is over, and its verdict counts from now on.
    case reported(AttemptID, Verdict)
    /// The evaluation is over and its prompt, sensor and time limit are free; its answer may follow
    /// later.
    case over(EvaluationID, Outcome)
    /// Answer the caller; nothing follows for this evaluation.
    indirect case answer(EvaluationID, Answer)
    /// The act may be carried out.
    case authorized(EvaluationID)
    /// The act is refused, because its passcode was not proven.
    case refused(EvaluationID, Verdict)
    /// The changes of the act are durable, or could not be stored.
    case stored(EvaluationID, isDurable: Bool)
    /// The storage can be written, or nothing can be stored because of this error.
    case storageChecked(EvaluationID, StorageError?)
  }

  /// What an account's machine does for an attempt of another device of that account.
  public enum AccountAct: Hashable, Sendable {
    /// Count it as failed.
    case charge(Guess, isSubmitted: Bool)
    /// Settle it with this verdict.
    case settle(Verdict)
  }

  /// How an evaluation ended.
  public struct Answer: Hashable, Sendable {
    /// The outcome.
    public var outcome: Outcome
    /// The evaluation in its final state.
    public var evaluation: EvaluationMachine
    /// The finger that matched, if one did.
    public var finger: Finger?
    /// When the first factor was proven.
    public var provenAt: Moment?
    /// The grant that answered instead of a person.
    public var redeemed: EvaluationID?
    /// Whether the device, or an authenticator that proved something, is simulated.
    public var isSimulated: Bool
  }

  /// The content of the audit line of an evaluation or act.
  public struct Audit: Hashable, Sendable {
    /// The verdict; nil at the beginning.
    public var verdict: Verdict?
    /// How it ends; nil while undecided.
    public var outcome: Outcome?
    /// The evaluation in its state after this; nil for an act.
    public var evaluation: EvaluationMachine?
    /// The grant that answers.
    public var redeemed: EvaluationID?
  }

  /// What to make durable in one transaction.
  public struct Commit: Hashable, Sendable {
    /// What waits for the commit.
    public let purpose: Purpose
    /// Whether losing it would help a thief.
    public let kind: CommitKind
    private var sharedRecord: Shared<DeviceRecord>?
    private let sharedAudit: Shared<Audit>?

    init(purpose: Purpose, record: DeviceRecord?, kind: CommitKind, audit: Audit?) {
      self.purpose = purpose
      self.kind = kind
      sharedRecord = record.map { Shared($0) }
      sharedAudit = audit.map { Shared($0) }
    }

    /// The device's record; nil for an audit line alone.
    public package(set) var record: DeviceRecord? {
      get { sharedRecord?.value }
      set { sharedRecord = newValue.map { Shared($0) } }
    }
    /// The audit line to write with it; nil if there is none to write.
    public var audit: Audit? { sharedAudit?.value }
  }

  /// What waits for a commit.
  public indirect enum Purpose: Hashable, Sendable {
    /// An attempt was counted as failed.
    case charge(AttemptID)
    /// One more answer of a conversation was counted as failed.
    case answer(AttemptID)
    /// What a verdict changed.
    case settle(AttemptID)
    /// The use of a grant was counted.
    case redeem(EvaluationID)
    /// A success is remembered.
    case remember(EvaluationID)
    /// The audit line of an evaluation that ended.
    case close(EvaluationID)
    /// What an act changed.
    case act(EvaluationID)
    /// Nothing waits.
    case housekeeping
    /// The whole record is written again, after a failure.
    case reopen(Continuation)
  }

  /// What to resume once the storage works again.
  public enum Continuation: Hashable, Sendable {
    case begin(EvaluationID)
    case check(EvaluationID)
    case charge(AttemptID)
    case answer(AttemptID)
    case commit(Purpose, CommitKind, Audit?)
  }
}

extension DeviceMachine.Purpose {
  /// The evaluation or act that waits.
  public var owner: EvaluationID? {
    switch self {
    case .charge(let attempt), .answer(let attempt), .settle(let attempt): attempt.owner
    case .redeem(let id), .remember(let id), .close(let id), .act(let id): id
    case .reopen(let continuation): continuation.owner
    case .housekeeping: nil
    }
  }
}

extension DeviceMachine.Continuation {
  /// The evaluation or act that waits.
  public var owner: EvaluationID? {
    switch self {
    case .begin(let id), .check(let id): id
    case .charge(let attempt), .answer(let attempt): attempt.owner
    case .commit(let purpose, _, _): purpose.owner
    }
  }
}
