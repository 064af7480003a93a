/// One attempt under way: at most one at each factor of an evaluation or an act.
public struct AttemptID: Hashable, Sendable {
  /// The evaluation or act that it is for.
  public var owner: EvaluationID
  /// What is tried.
  public var factor: Factor

  /// The attempt at `factor` for `owner`.
  public init(_ owner: EvaluationID, _ factor: Factor) {
    self.owner = owner
    self.factor = factor
  }
}

extension DeviceMachine {
  /// What is to be done next; whoever does it decides nothing.
  public enum Effect: Hashable, Sendable {
    /// Make this durable and report it to ``DeviceMachine/committed(_:_:at:)``.
    case commit(Commit)
    /// Have the account's machine do this, and make both durable together.
    case commitWithAccount(Commit, AccountAct)
    /// Ask the judge, and report its word to ``DeviceMachine/judged(_:_:at:)``.
    case judge(DurableCharge)
    /// Hand the answer to the conversation that waits for it.
    case respond(AttemptID)
    /// Have the account count the answer, which hands it to the conversation.
    case respondWithAccount(AttemptID)
    /// Break the conversation off; its verdict still follows.
    case abort(AttemptID)
    /// Make ready what the evaluation needs, and report it to ``DeviceMachine/prepared(_:_:at:)``.
    case prepare(EvaluationID)
    /// The evaluation begins to wait for somebody: from now on its time is limited.
    case limit(EvaluationID)
    /// Ask whether there is an agent, and report it to ``DeviceMachine/admitted(_:_:at:)``.
    case admit(EvaluationID)
    /// Give the evaluation to an agent; ``DeviceMachine/shown(_:at:)`` follows when it has one.
    case place(EvaluationID)
    /// Open the keys for an unlock, and report it to ``DeviceMachine/unlocked(_:_:at:)``.
    case unlock(EvaluationID, Proven)
    /// Show the prompt, or show it anew, with these factors live.
    case show(EvaluationID, FactorSet)
    /// Tell the caller that it waits behind others.
    case wait(EvaluationID, ahead: Int)
    /// Tell the person that an attempt failed and the prompt stays.
    case miss(EvaluationID, Factor)
    /// Nobody shows the prompt any more: no nonce and no finger answers it.
    case hide(EvaluationID)
    /// Too many touches missed: a finger brings no keys back.
    case revokeFingers
    /// The passcode was proven, which the sensor's own lock ends with.
    case passcodeProven
    /// The attempt is over: its verdict counts from now on.
    case reported(AttemptID, Verdict)
    /// The evaluation is over; its prompt, sensor and time limit are free. Its answer may follow later.
    case over(EvaluationID, Outcome)
    /// Answer the caller. Nothing follows for this evaluation.
    case answer(EvaluationID, Answer)
    /// The act may be carried out.
    case authorized(EvaluationID)
    /// The act ends here: its passcode was not proven.
    case refused(EvaluationID, Verdict)
    /// What the act changed is durable, or is not.
    case stored(EvaluationID, isDurable: Bool)
    /// What changes items may go on, or hears why nothing can be stored.
    case storageChecked(EvaluationID, StorageError?)
  }

  /// What the machine of an account does about an attempt of another device of that account.
  public enum AccountAct: Hashable, Sendable {
    /// Count it as failed.
    case charge(Guess, isSubmitted: Bool)
    /// Count what became of it.
    case settle(Verdict)
  }

  /// How an evaluation ended.
  public struct Answer: Hashable, Sendable {
    /// The outcome.
    public var outcome: Outcome
    /// The evaluation, which is over.
    public var evaluation: EvaluationMachine
    /// The finger that matched, where one did.
    public var finger: Finger?
    /// When the first factor was proven.
    public var provenAt: Moment?
    /// The grant that answered instead of a person.
    public var redeemed: EvaluationID?
    /// Whether the device is simulated, or an authenticator that proved something.
    public var isSimulated: Bool
  }

  /// What the audit line of an evaluation or act is to say.
  public struct Audit: Hashable, Sendable {
    /// The word of the judge; nil as it begins.
    public var verdict: Verdict?
    /// How it ends; nil while nobody knows.
    public var outcome: Outcome?
    /// The evaluation as this leaves it; nil for an act.
    public var evaluation: EvaluationMachine?
    /// The grant that answers.
    public var redeemed: EvaluationID?
  }

  /// What is to be durable, as one transaction.
  public struct Commit: Hashable, Sendable {
    /// What waits for it.
    public var purpose: Purpose
    /// The device's record; nil for an audit line alone.
    public var record: DeviceRecord?
    /// Whether losing it would help a thief.
    public var kind: CommitKind
    /// The audit line to write with it; nil where that is written already.
    public var audit: Audit?
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
    /// The whole record again, after a failure.
    case reopen(Continuation)
  }

  /// What goes on once the storage works again.
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
