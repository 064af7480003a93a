/// How long to wait before something is tried again.
///
/// A second first, twice as long after each failure, and never more than ``longest``.
public struct Backoff: Hashable, Sendable {
  /// The longest wait.
  public let longest: Duration
  private var failures = 0

  /// Nothing has failed yet.
  public init(longest: Duration = .seconds(30)) { self.longest = longest }

  /// The wait after one more failure.
  public mutating func next() -> Duration {
    defer { failures = min(failures + 1, 30) }
    return min(longest, .seconds(1 << failures))
  }

  /// The same, but at random between half of it and all of it: many who failed at once do not come back at once.
  public mutating func next(using random: inout some RandomNumberGenerator) -> Duration {
    let wait = next()
    return wait / 2 + wait / 2 * Double.random(in: 0...1, using: &random)
  }

  /// It worked.
  public mutating func reset() { failures = 0 }
}
