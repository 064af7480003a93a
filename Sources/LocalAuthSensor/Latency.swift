import LocalAuthCore

/// The latency of a sensor: fixed, or drawn uniformly from a range.
public struct Latency: Hashable, Sendable {
  /// The minimum.
  public let shortest: Duration
  /// The maximum; equal to ``shortest`` if the latency is fixed.
  public let longest: Duration

  /// The highest latency that can be set.
  public static let limit: Duration = .seconds(3600)
  /// No latency at all.
  public static let none = Latency(shortest: .zero, longest: .zero)

  private init(shortest: Duration, longest: Duration) {
    self.shortest = shortest
    self.longest = longest
  }

  /// Creates the latency between these bounds; nil unless 0 <= shortest <= longest <= ``limit``.
  public init?(from shortest: Duration, through longest: Duration) {
    guard shortest >= .zero, shortest <= longest, longest <= Self.limit else { return nil }
    self.init(shortest: shortest, longest: longest)
  }

  /// Draws one latency; uses `generator` only if the latency is not fixed.
  public func draw(using generator: inout some RandomNumberGenerator) -> Duration {
    guard shortest < longest else { return shortest }
    let range = shortest.wholeNanoseconds...longest.wholeNanoseconds
    return .nanoseconds(Int64.random(in: range, using: &generator))
  }
}
