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
    /// Ask the judge, and report its word to ``DeviceMachine/judged(_:_:at:)``: the charge is durable.
    case judge(AttemptID)
    /// Hand the answer to the conversation that waits for it.
    case respond(AttemptID)
    /// Break the conversation off; its verdict still follows.
    case abort(AttemptID)
    /// Show the prompt, or show it anew, with these factors live.
    case show(EvaluationID, FactorSet)
    /// Tell the caller that it waits behind others.
    case wait(EvaluationID, ahead: Int)
    /// Tell the person that an attempt failed and the prompt stays.
    case miss(EvaluationID, Factor)
    /// Answer the caller. Nothing follows for this evaluation.
    case answer(EvaluationID, Answer)
    /// The act may be carried out.
    case authorized(EvaluationID)
    /// The act ends here: its passcode was not proven.
    case refused(EvaluationID, Verdict)
    /// What the act changed is durable, or is not.
    case stored(EvaluationID, isDurable: Bool)
  }

  /// How an evaluation ended.
  public struct Answer: Hashable, Sendable {
    /// The outcome.
    public var outcome: Outcome
    /// What was proven for it; nothing unless it is a success.
    public var proven: Proven
  }

  /// What is to be durable, as one transaction.
  public struct Commit: Hashable, Sendable {
    /// What waits for it.
    public var purpose: Purpose
    /// The device's record; nil for an audit line alone.
    public var record: DeviceRecord?
    /// Whether losing it would help a thief.
    public var kind: CommitKind
  }

  /// What waits for a commit.
  public indirect enum Purpose: Hashable, Sendable {
    /// An attempt was counted as failed.
    case charge(AttemptID)
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
    case charge(AttemptID)
    case commit(Purpose, CommitKind)
  }
}

extension DeviceMachine.Purpose {
  /// The evaluation or act that waits.
  public var owner: EvaluationID? {
    switch self {
    case .charge(let attempt), .settle(let attempt): attempt.owner
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
    case .begin(let id): id
    case .charge(let attempt): attempt.owner
    case .commit(let purpose, _): purpose.owner
    }
  }
}
