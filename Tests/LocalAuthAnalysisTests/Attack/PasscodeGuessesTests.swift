import LocalAuthAnalysis
import Testing

/// Chances of guesses, against the published figures and what they leave open.
@Suite struct PasscodeGuessesTests {
  private static let published = [
    ("amitay", PasscodeGuesses.published(PasscodeGuesses.amitay, of: 10_000)),
    ("markert, 4", .published(PasscodeGuesses.markert4, of: 10_000)),
    ("markert, 6", .published(PasscodeGuesses.markert6, of: 1_000_000)),
  ]

  @Test func passcodesByLotAreFoundOneByOne() {
    let guesses = PasscodeGuesses.uniform(of: 100)
    #expect(guesses.found(by: 0) == 0)
    #expect(abs(guesses.found(by: 7) - 0.07) < 1e-15)
    #expect(guesses.found(by: 100) == 1 && guesses.found(by: 101) == 1)
    #expect(abs(guesses.chance(after: 60) - 1.0 / 40) < 1e-15)
    #expect(guesses.chance(after: 99) == 1)
    #expect(guesses.chance(after: 100) == 0)
  }

  @Test(arguments: published)
  func publishedSharesAreFoundExactly(_ name: String, _ guesses: PasscodeGuesses) {
    for point in guesses.points {
      #expect(abs(guesses.found(by: point.guesses) - point.share) < 1e-12, "\(name)")
      #expect(abs(guesses.atLeast.found(by: point.guesses) - point.share) < 1e-12, "\(name)")
    }
  }

  @Test(arguments: published)
  func sharesRiseAndTheLeastIsNotAboveTheMost(_ name: String, _ guesses: PasscodeGuesses) {
    for blocked in [0, 1, 5] as [UInt64] {
      guard let most = guesses.without(mostFrequent: blocked) else {
        Issue.record("\(name): \(blocked) leave nothing")
        continue
      }
      var last = (least: 0.0, most: 0.0)
      for count in 0...300 as ClosedRange<UInt64> {
        let found = (least: most.atLeast.found(by: count), most: most.found(by: count))
        #expect(found.least <= found.most + 1e-12, "\(name), \(blocked) blocked, \(count)")
        #expect(found.least >= last.least - 1e-12 && found.most >= last.most - 1e-12)
        #expect((0...1).contains(found.most) && (0...1).contains(most.chance(after: count)))
        last = found
      }
    }
  }

  /// The chances of guesses in a row make up the share that is found.
  @Test(arguments: published)
  func chancesMakeUpTheShare(_ name: String, _ guesses: PasscodeGuesses) {
    var left = 1.0
    for wrong in 0..<100 as Range<UInt64> {
      left *= 1 - guesses.chance(after: wrong)
      #expect(abs(1 - left - guesses.found(by: wrong + 1)) < 1e-12, "\(name) after \(wrong)")
    }
  }

  /// A curve that published figures allow lies between the two bounds: that of ranks 1/n, for one.
  @Test func aCurveThatIsKnownLiesBetweenTheBounds() {
    let secrets = 10_000 as UInt64
    var shares = [0.0]
    for rank in 1...secrets { shares.append(shares[Int(rank) - 1] + 1 / Double(rank)) }
    let total = shares[shares.count - 1]
    shares = shares.map { $0 / total }
    let points = [1, 10, 100].map { (rank: Int) in
      PasscodeGuesses.Point(guesses: UInt64(rank), share: shares[rank])
    }
    for blocked in [0, 3, 40] as [UInt64] {
      guard let most = PasscodeGuesses.published(points, of: secrets).without(mostFrequent: blocked)
      else {
        Issue.record("\(blocked) leave nothing")
        continue
      }
      for count in [1, 2, 5, 9, 10, 11, 50, 99, 100, 150, 1000] as [UInt64] {
        let barred = shares[Int(blocked)]
        let found = (shares[Int(blocked + count)] - barred) / (1 - barred)
        #expect(found <= most.found(by: count) + 1e-12, "\(blocked), \(count)")
        #expect(found >= most.atLeast.found(by: count) - 1e-12, "\(blocked), \(count)")
      }
    }
  }

  @Test func aBlocklistOfPasscodesByLotLeavesFewer() throws {
    let left = try #require(PasscodeGuesses.uniform(of: 10_000).without(mostFrequent: 100))
    #expect(left.candidates == 9_900)
    #expect(abs(left.found(by: 10) - 10.0 / 9_900) < 1e-15)
  }

  @Test func aBlocklistPastWhatIsPublishedIsRefused() {
    #expect(Self.published[0].1.without(mostFrequent: 10) == nil)
    #expect(Self.published[1].1.without(mostFrequent: 100) == nil)
    #expect(PasscodeGuesses.uniform(of: 10).without(mostFrequent: 10) == nil)
  }

  @Test func digitsThatWereSeenLeaveATenthEach() {
    #expect(PasscodeGuesses.uniform(of: 10_000).knowing(digits: 3).candidates == 10)
    #expect(PasscodeGuesses.uniform(of: 10_000).knowing(digits: 4).candidates == 1)
    #expect(PasscodeGuesses.uniform(of: 10_000).knowing(digits: 9).candidates == 1)
  }
}
