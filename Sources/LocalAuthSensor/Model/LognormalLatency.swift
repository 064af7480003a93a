import CLocalAuthMath

/// How long a presentation takes: lognormal, by its median and its 95th percentile.
public struct LognormalLatency: Hashable, Sendable {
  /// What half of the presentations take at most.
  public let median: Duration
  /// What 95 in 100 take at most.
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

  /// The latency with these percentiles; 0 < median <= 95th percentile <= ``Latency/limit``.
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

  /// 400 ms, as in Android's virtual sensor, and 1 s, the CDD's bound for an unlock.
  public static let standard = LognormalLatency(unchecked: .milliseconds(400), .seconds(1))

  /// What this share of the presentations takes at most, which is at most ``Latency/limit``.
  public func quantile(_ share: Double) -> Duration {
    let factor = la_exp(spread * StandardNormal.quantile(share))
    return factor < Latency.limit / median ? median * factor : Latency.limit
  }

  /// The share of presentations that take less than `time`.
  public func share(below time: Duration) -> Double {
    guard time > .zero else { return 0 }
    guard time <= Latency.limit else { return 1 }
    guard spread > 0 else { return time > median ? 1 : 0 }
    return StandardNormal.cumulative(la_log(time / median) / spread)
  }

  /// How long a presentation takes on average: median exp(sigma^2 / 2), but for what the limit cuts off.
  public var mean: Duration {
    guard spread > 0 else { return median }
    let limit = la_log(Latency.limit / median) / spread
    let shorter = la_exp(spread * spread / 2) * StandardNormal.cumulative(limit - spread)
    return median * shorter + Latency.limit * StandardNormal.survival(limit)
  }

  /// How long one presentation takes, in whole nanoseconds: as ``draw(using:)``, without the arithmetic of
  /// 128 bits, for simulations of millions.
  public func nanoseconds(using stream: inout EventStream) -> Int64 {
    let factor = la_exp(spread * stream.normal())
    return Int64(min(factor * medianNanoseconds, limitNanoseconds))
  }

  /// How long one presentation takes.
  public func draw(using stream: inout EventStream) -> Duration { quantile(stream.uniform()) }
}
