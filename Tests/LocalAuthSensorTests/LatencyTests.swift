import LocalAuthSensor
import LocalAuthTestSupport
import Testing

@Suite struct LatencyTests {
  @Test func drawsNothingWhenFixed() throws {
    let latency = try #require(Latency(from: .milliseconds(400), through: .milliseconds(400)))
    var random = SensorRandomness(seed: seed)
    let before = random
    #expect(latency.draw(using: &random) == .milliseconds(400))
    #expect(random == before)
  }

  @Test func drawsTheSameFromTheSameSeed() throws {
    let latency = try #require(Latency(from: .zero, through: .seconds(1)))
    var one = SensorRandomness(seed: seed)
    var two = SensorRandomness(seed: seed)
    let first = (0..<100).map { _ in latency.draw(using: &one) }
    let second = (0..<100).map { _ in latency.draw(using: &two) }
    #expect(first == second)
    #expect(Set(first).count > 90, "SEED=\(seed)")
  }

  @Test func hasOrderedEndsWithinItsLimit() {
    #expect(Latency(from: .seconds(2), through: .seconds(1)) == nil)
    #expect(Latency(from: .seconds(-1), through: .seconds(1)) == nil)
    #expect(Latency(from: .zero, through: Latency.limit + .milliseconds(1)) == nil)
    #expect(Latency(from: .zero, through: Latency.limit) != nil)
  }
}
