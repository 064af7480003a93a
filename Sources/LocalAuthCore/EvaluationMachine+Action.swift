extension EvaluationMachine {
  /// What to do next.
  public enum Action: Hashable, Sendable {
    /// Ask the arbiter for the prompt.
    case enqueue
    /// Count a use of the grant in the conditions.
    case redeem
    /// Show the prompt with these factors live.
    case present(FactorSet)
    /// Start an attempt at this factor.
    case attempt(Factor)
    /// Answer with the ``outcome``; the evaluation is over.
    case finish
    /// Nothing: the event does not apply.
    case ignore
  }
}
