public import LocalAuthCore

/// How an evaluation with a script ended.
public struct Ending: Hashable, Sendable {
  /// The outcome.
  public let outcome: OutcomeCode
  /// Whether the script had an event that nothing asked for.
  public let hasLeftOver: Bool

  /// Creates the ending with this outcome.
  public init(_ outcome: OutcomeCode, hasLeftOver: Bool = false) {
    self.outcome = outcome
    self.hasLeftOver = hasLeftOver
  }

  /// The exit status of `authctl evaluate`.
  public var exit: Int32 { (hasLeftOver ? .scriptEventsLeftOver : outcome).exit }
}
