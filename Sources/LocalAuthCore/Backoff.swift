/// How long to wait before something is tried again.
///
/// A second first, twice as long after each failure, and never more than ``longest``.
public struct Backoff: Hashable, Sendable {
  /// The longest wait.
  public static let longest = Duration.seconds(30)
  private var failures = 0

  /// Nothing has failed yet.
  public init() {}

  /// The wait after one more failure.
  public mutating func next() -> Duration {
    defer { failures = min(failures + 1, 5) }
    return min(Self.longest, .seconds(1 << failures))
  }

  /// It worked.
  public mutating func reset() { failures = 0 }
}
