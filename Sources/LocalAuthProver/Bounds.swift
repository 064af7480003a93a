/// The limits of an exploration.
public struct Bounds: Hashable, Sendable {
  /// The maximum number of events after a beginning.
  public var depth: Int
  /// The maximum number of situations.
  public var states: Int

  /// Creates the bounds.
  public init(depth: Int = 64, states: Int = 1_000_000) {
    self.depth = depth
    self.states = states
  }
}

/// How events interleave with what they cause.
public enum Pace: String, CaseIterable, Hashable, Sendable {
  /// Anything may happen while commits and verdicts are pending, and they may fail.
  case free
  /// Everything an event causes completes before the next, which allows longer runs.
  case calm
}

/// Where an exploration begins.
public enum Beginning: String, CaseIterable, Hashable, Sendable {
  /// At fresh devices.
  case fresh
  /// Where runs of attempts lead to from a fresh device.
  case tried
}
