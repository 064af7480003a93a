import LocalAuthTestSupport
import Testing

@testable import LocalAuthSensor

@Suite struct EventRandomTests {
  private let random = EventRandom(seed: SeededGenerator.ofThisRun.seed)

  /// What somebody draws for each event of a day, `draws` numbers an event.
  private func draws(of events: [UInt32], each draws: Int) -> [UInt32: [UInt64]] {
    var drawn: [UInt32: [UInt64]] = [:]
    for event in events {
      var stream = random.stream(.transaction, user: 3, day: 5, event: event)
      drawn[event] = (0..<draws).map { _ in stream.next() }
    }
    return drawn
  }

  @Test func addingAnEventLeavesEveryOtherDrawAsItWas() {
    let before = draws(of: [0, 1, 2, 4], each: 7)
    let after = draws(of: [9, 4, 3, 2, 1, 0], each: 9)
    for (event, numbers) in before {
      #expect(after[event]?.prefix(7) == numbers[...], "SEED=\(random.seed)")
    }
  }

  @Test func everyCoordinateMakesAnotherStream() {
    var firsts: Set<UInt64> = []
    var streams = 0
    for purpose in EventRandom.Purpose.allCases {
      for user in 0..<4 as Range<UInt32> {
        for day in 0..<4 as Range<UInt32> {
          for event in 0..<4 as Range<UInt32> {
            var stream = random.stream(purpose, user: user, day: day, event: event)
            firsts.insert(stream.next())
            streams += 1
          }
        }
      }
    }
    var other = EventRandom(seed: random.seed &+ 1).stream(.person)
    firsts.insert(other.next())
    #expect(firsts.count == streams + 1, "SEED=\(random.seed)")
  }

  /// A change of these numbers changes every seeded result that anybody noted.
  @Test func drawsStayWhatTheyAre() {
    var first = EventRandom(seed: 0).stream(.person)
    let known = [first.next(), first.next()]
    #expect(known == [0xE169_C58D_6627_E8D5, 0x9B00_DBD8_BC57_AC4C])
    var stream = EventRandom(seed: 42).stream(.transaction, user: 1, day: 2, event: 3)
    let numbers = (0..<3).map { _ in stream.next() }
    var copy = EventRandom(seed: 42).stream(.transaction, user: 1, day: 2, event: 3)
    #expect(numbers == (0..<3).map { _ in copy.next() })
  }

  /// Or a normal number would be infinite.
  @Test func uniformNumbersKeepAwayFromBothEnds() {
    #expect(EventStream.fraction(of: 0) == 0x1p-53)
    #expect(EventStream.fraction(of: .max) == 1 - 0x1p-53)
  }

  @Test func uniformNumbersAreEven() {
    var counts = [Double](repeating: 0, count: 64)
    var stream = random.stream(.person)
    for _ in 0..<64_000 {
      let value = stream.uniform()
      #expect(value > 0 && value < 1)
      counts[Int(value * 64)] += 1
    }
    // Chi-squared with 63 degrees of freedom exceeds 141 with probability 1e-7.
    let chi = counts.reduce(0) { $0 + ($1 - 1000) * ($1 - 1000) / 1000 }
    #expect(chi < 141, "SEED=\(random.seed)")
  }

  @Test func neighbouringStreamsAreNotCorrelated() {
    var sum = 0.0
    for event in 0..<20_000 as Range<UInt32> {
      var one = random.stream(.transaction, event: event)
      var next = random.stream(.transaction, event: event + 1)
      sum += (one.uniform() - 0.5) * (next.uniform() - 0.5)
    }
    // The product's deviation is 1/12; six deviations of the sum are 1e-9.
    #expect(abs(sum) < 6 * (20_000 as Double).squareRoot() / 12, "SEED=\(random.seed)")
  }

  @Test func normalNumbersHaveMeanZeroAndDeviationOne() {
    var stream = random.stream(.person)
    var (sum, squares) = (0.0, 0.0)
    for _ in 0..<40_000 {
      let value = stream.normal()
      sum += value
      squares += value * value
    }
    // Deviations of 1 / sqrt n and sqrt(2 / n); six of each.
    #expect(abs(sum / 40_000) < 0.03, "SEED=\(random.seed)")
    #expect(abs(squares / 40_000 - 1) < 0.043, "SEED=\(random.seed)")
  }

  @Test func certainThingsHappenAndImpossibleOnesDoNot() {
    var stream = random.stream(.person)
    let happened = (0..<2_000).map { stream.happens($0 < 1_000 ? 1 : 0) }
    #expect(!happened.prefix(1_000).contains(false))
    #expect(!happened.suffix(1_000).contains(true))
  }

  @Test(arguments: [(0.181, 5.154), (2, 3), (0.002, 99)])
  func betaNumbersHaveTheirMean(_ alpha: Double, _ beta: Double) throws {
    let rates = try BetaRates(alpha: alpha, beta: beta)
    var stream = random.stream(.target)
    var sum = 0.0
    for _ in 0..<20_000 {
      let value = stream.beta(alpha, beta)
      #expect(value >= 0 && value <= 1)
      sum += value
    }
    let deviation = (rates.mean * (1 - rates.mean) * rates.correlation / 20_000).squareRoot()
    // Rare large values make the tail of the mean heavier than a normal one.
    #expect(abs(sum / 20_000 - rates.mean) < 20 * deviation, "SEED=\(random.seed)")
  }
}
