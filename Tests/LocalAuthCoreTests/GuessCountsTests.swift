import LocalAuthCore
import LocalAuthTestSupport
import Testing

@Suite struct GuessCountsTests {
  /// Five wrong guesses, then a minute each.
  private let delays = PasscodeDelays(
    name: "test",
    delays: DelayTable(rows: [DelayTable.Row(from: 5, through: nil, delay: .seconds(60))])
  )

  private func at(_ seconds: Int64) -> Moment {
    Moment(
      boot: BootInstant(nanoseconds: seconds * 1_000_000_000),
      bootID: BootIdentifier(high: 0, low: 1),
      wall: WallInstant(milliseconds: 0)
    )
  }

  @Test func aKeyDoesNotUseUpAnotherOnes() {
    var counts = GuessCounts<Int>(capacity: 4)
    var answers: [Tally.Charge] = []
    for key in [1, 1, 1, 1, 1, 1, 2] {
      answers.append(counts.charge(key, under: delays, at: at(0)))
    }
    let charged = [Tally.Charge](repeating: .charged, count: 5)
    #expect(answers == charged + [.refused(for: .seconds(60)), .charged])
  }

  @Test func whatIsProvenClearsThatKeyOnly() {
    var counts = GuessCounts<Int>(capacity: 4)
    for key in [1, 2, 2] { _ = counts.charge(key, under: delays, at: at(0)) }
    counts.proven(1)
    #expect(counts[1].tally.failures == 0)
    #expect(counts[2].tally.failures == 2)
  }

  @Test func aRefundGivesBackOneGuess() {
    var counts = GuessCounts<Int>(capacity: 4)
    for _ in 1...2 { _ = counts.charge(1, under: delays, at: at(0)) }
    counts.refunded(1, under: delays)
    #expect(counts[1].tally.failures == 1)
    counts.refunded(1, under: delays)
    counts.refunded(1, under: delays)
    #expect(counts.isEmpty)
  }

  /// Right guesses at more keys than there is room for leave nothing behind.
  @Test func whatIsBeingJudgedIsNotDropped() {
    var counts = GuessCounts<Int>(capacity: 4)
    for key in 0..<300 {
      let held = Set(0..<key)
      #expect(counts.charge(key, under: delays, at: at(0), beside: held) == .charged)
    }
    for key in 0..<150 { counts.proven(key, beside: Set((key + 1)..<300)) }
    for key in 150..<300 { counts.refunded(key, under: delays) }
    #expect(counts.isEmpty)
  }

  @Test func onlySoManyAreJudgedAtOnce() {
    var counts = GuessCounts<Int>(capacity: 4)
    let held = Set(1...GuessCounts<Int>.heldMax)
    #expect(counts.charge(0, under: delays, at: at(0), beside: held) == .refused(for: .seconds(1)))
  }

  /// What was being judged when the daemon was killed counts as wrong, in bounded space.
  @Test func whatComesBackIsBounded() {
    var counts = GuessCounts<Int>(capacity: 4)
    for key in 0..<9 { _ = counts.charge(key, under: delays, at: at(0), beside: Set(0..<key)) }
    let back = GuessCounts(capacity: 4, own: counts.own, floor: counts.floor)
    #expect(back.own.count == 4 && back.floor.tally.failures == 1)
  }

  @Test func fillingTheRoomLosesNoCount() {
    var generator = SeededGenerator.ofThisRun
    let seed = generator.seed
    var counts = GuessCounts<Int>(capacity: 3)
    var made: [Int: UInt32] = [:]
    for step in 0..<400 {
      let key = Int.random(in: 0..<12, using: &generator)
      if Int.random(in: 0..<9, using: &generator) == 0 {
        counts.proven(key)
        made[key] = 0
      } else if counts.charge(key, under: delays, at: at(Int64(step) * 100)) == .charged {
        made[key, default: 0] += 1
      }
      #expect(counts.own.count <= 3, "SEED=\(seed)")
      for (key, failures) in made where counts.own[key] == nil {
        #expect(counts[key].tally.failures >= failures, "SEED=\(seed), step \(step), key \(key)")
      }
    }
  }
}
