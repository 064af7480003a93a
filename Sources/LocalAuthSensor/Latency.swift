import LocalAuthCore

/// How long the sensor takes: always the same, or drawn evenly from a range.
public struct Latency: Hashable, Sendable {
  /// The shortest.
  public let shortest: Duration
  /// The longest; equal to ``shortest`` for a fixed latency.
  public let longest: Duration

  /// The longest latency that can be set.
  public static let limit: Duration = .seconds(3600)
  /// No latency at all.
  public static let none = Latency(shortest: .zero, longest: .zero)

  private init(shortest: Duration, longest: Duration) {
    self.shortest = shortest
    self.longest = longest
  }

  /// The latency between these ends; nil unless 0 <= shortest <= longest <= ``limit``.
  public init?(from shortest: Duration, through longest: Duration) {
    guard shortest >= .zero, shortest <= longest, longest <= Self.limit else { return nil }
    self.init(shortest: shortest, longest: longest)
  }

  /// One latency, drawn with `generator` when it is not fixed.
  public func draw(using generator: inout some RandomNumberGenerator) -> Duration {
    guard shortest < longest else { return shortest }
    let range = shortest.wholeNanoseconds...longest.wholeNanoseconds
    return .nanoseconds(Int64.random(in: range, using: &generator))
  }
}
