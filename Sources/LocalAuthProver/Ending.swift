public import LocalAuthCore

/// How an evaluation with a script ended.
public struct Ending: Hashable, Sendable {
  /// Its outcome.
  public let outcome: OutcomeCode
  /// Whether the script had an event that nobody asked for.
  public let hasLeftOver: Bool

  /// The ending with this outcome.
  public init(_ outcome: OutcomeCode, hasLeftOver: Bool = false) {
    self.outcome = outcome
    self.hasLeftOver = hasLeftOver
  }

  /// The status that `authctl evaluate` exits with.
  public var exit: Int32 { (hasLeftOver ? .scriptEventsLeftOver : outcome).exit }
}
