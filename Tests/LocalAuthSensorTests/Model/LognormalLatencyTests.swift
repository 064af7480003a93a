import Glibc
import LocalAuthSensor
import LocalAuthTestSupport
import Testing

@Suite struct LognormalLatencyTests {
  private func seconds(_ duration: Duration) -> Double { duration / .seconds(1) }

  @Test func goesThroughItsPercentiles() {
    let latency = LognormalLatency.standard
    #expect(abs(seconds(latency.quantile(0.5)) - 0.4) < 1e-9)
    #expect(abs(seconds(latency.quantile(0.95)) - 1) < 1e-9)
    #expect(abs(seconds(latency.quantile(0.99)) - 1.461_753_491) < 1e-8)
  }

  @Test func isOneLengthWhereBothPercentilesAreEqual() throws {
    let latency = try LognormalLatency(median: .seconds(2), percentile95: .seconds(2))
    #expect(latency.quantile(0.001) == .seconds(2))
    #expect(latency.quantile(0.999) == .seconds(2))
  }

  @Test func neverGoesBeyondTheLimit() throws {
    let latency = try LognormalLatency(median: .seconds(1), percentile95: Latency.limit)
    #expect(latency.quantile(1) == Latency.limit)
    #expect(latency.quantile(0.9999) == Latency.limit)
    #expect(latency.quantile(0) == .zero)
  }

  /// Kolmogorov and Smirnov: the largest distance from the distribution's own percentiles.
  @Test func drawsAreDistributedAsThePercentiles() {
    let random = EventRandom(seed: SeededGenerator.ofThisRun.seed)
    var stream = random.stream(.transaction)
    let count = 10_000
    let draws = (0..<count).map { _ in LognormalLatency.standard.draw(using: &stream) }.sorted()
    // sqrt(n) D exceeds 2.7 with probability 1e-6, and only at a thousandth is asked here.
    for step in stride(from: 0, to: count, by: 10) {
      let share = (Double(step) + 0.5) / Double(count)
      let low = LognormalLatency.standard.quantile(max(share - 0.028, 0))
      let high = LognormalLatency.standard.quantile(min(share + 0.028, 1))
      #expect(low <= draws[step] && draws[step] <= high, "SEED=\(random.seed)")
    }
  }

  @Test func sharesAreTheInverseOfQuantiles() throws {
    let latency = LognormalLatency.standard
    for share in [1e-6, 0.01, 0.5, 0.95, 0.999] {
      #expect(abs(latency.share(below: latency.quantile(share)) - share) < 1e-12)
    }
    #expect(latency.share(below: .zero) == 0 && latency.share(below: .seconds(-1)) == 0)
    #expect(latency.share(below: .seconds(3_600) + .nanoseconds(1)) == 1)
  }

  /// E[X] is the integral of the quantiles; of the slow one a twentieth is cut off.
  @Test func theMeanIsThatOfWhatIsDrawn() throws {
    let slow = try LognormalLatency(median: .seconds(600), percentile95: .seconds(3_600))
    for latency in [LognormalLatency.standard, slow] {
      let steps = 20_000
      let sum = (0..<steps).reduce(0.0) { sum, step in
        sum + latency.quantile((Double(step) + 0.5) / Double(steps)) / .seconds(1)
      }
      #expect(abs(sum / Double(steps) / (latency.mean / .seconds(1)) - 1) < 1e-4)
    }
    let uncut = 0.4 * exp(pow(log(2.5) / 1.644_853_626_951_472_7, 2) / 2)
    #expect(abs(LognormalLatency.standard.mean / .seconds(1) - uncut) < 1e-12)
  }

  @Test func latenciesThatNeverDifferAreBelowWhatIsLonger() throws {
    let latency = try LognormalLatency(median: .seconds(1), percentile95: .seconds(1))
    #expect(latency.share(below: .seconds(1)) == 0)
    #expect(latency.share(below: .seconds(1) + .nanoseconds(1)) == 1)
  }

  @Test func refusesWhatIsNoLatency() {
    for (median, high) in [(0, 1), (-1, 1), (2, 1), (1, 3_601), (3_601, 3_602)] {
      #expect(throws: ModelError.self) {
        try LognormalLatency(median: .seconds(median), percentile95: .seconds(high))
      }
    }
  }
}
