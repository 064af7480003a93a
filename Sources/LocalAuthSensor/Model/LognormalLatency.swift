import CLocalAuthMath

/// The lognormal duration of a presentation, given by its median and 95th percentile.
public struct LognormalLatency: Hashable, Sendable {
  /// The median.
  public let median: Duration
  /// The 95th percentile.
  public let percentile95: Duration
  private let spread: Double
  private let medianNanoseconds: Double
  private var limitNanoseconds: Double { 3_600e9 }

  private init(unchecked median: Duration, _ percentile95: Duration) {
    self.median = median
    self.percentile95 = percentile95
    spread = la_log(percentile95 / median) / StandardNormal.quantile(0.95)
    medianNanoseconds = median / .nanoseconds(1)
  }

  /// Creates a latency with these percentiles; 0 < median <= 95th percentile <= ``Latency/limit``.
  public init(median: Duration, percentile95: Duration) throws(ModelError) {
    guard median > .zero, median <= Latency.limit else {
      throw .outOfRange("the median latency", median / .seconds(1), allowed: "0 to 3600 s")
    }
    guard percentile95 >= median, percentile95 <= Latency.limit else {
      throw .outOfRange(
        "the latency's 95th percentile",
        percentile95 / .seconds(1),
        allowed: "from the median to 3600 s"
      )
    }
    self.init(unchecked: median, percentile95)
  }

  /// A median of 400 ms, as in Android's virtual sensor, and a 95th percentile of 1 s, the CDD's
  /// bound for an unlock.
  public static let standard = LognormalLatency(unchecked: .milliseconds(400), .seconds(1))

  /// Returns the duration that this share of presentations does not exceed, at most
  /// ``Latency/limit``.
  public func quantile(_ share: Double) -> Duration {
    let factor = la_exp(spread * StandardNormal.quantile(share))
    return factor < Latency.limit / median ? median * factor : Latency.limit
  }

  /// Returns the share of presentations that take less than `time`.
  public func share(below time: Duration) -> Double {
    guard time > .zero else { return 0 }
    guard time <= Latency.limit else { return 1 }
    guard spread > 0 else { return time > median ? 1 : 0 }
    return StandardNormal.cumulative(la_log(time / median) / spread)
  }

  /// The mean duration: median exp(sigma^2 / 2), adjusted for the limit.
  public var mean: Duration {
    guard spread > 0 else { return median }
    let limit = la_log(Latency.limit / median) / spread
    let shorter = la_exp(spread * spread / 2) * StandardNormal.cumulative(limit - spread)
    return median * shorter + Latency.limit * StandardNormal.survival(limit)
  }

  /// Draws a duration in whole nanoseconds.
  ///
  /// It is ``draw(using:)`` without 128-bit arithmetic, for simulations of millions of
  /// presentations.
  public func nanoseconds(using stream: inout EventStream) -> Int64 {
    let factor = la_exp(spread * stream.normal())
    return Int64(min(factor * medianNanoseconds, limitNanoseconds))
  }

  /// Draws the duration of one presentation.
  public func draw(using stream: inout EventStream) -> Duration { quantile(stream.uniform()) }
}
