import LocalAuthSensor
import LocalAuthTestSupport
import Testing

@Suite struct ImpostorsTests {
  private let model = ScoreModel.standard

  @Test func impostorsWhoAreAlikeHaveTheModelsRate() {
    #expect(abs(Impostors.alike.falseMatch(model) / model.falseMatch - 1) < 1e-12)
  }

  @Test func theMeanOverEverybodyIsTheModelsRateWhateverTheShares() throws {
    let easy = try ScoreModel(separation: 2, falseMatch: 0.05)
    let impostors = try Impostors(wolfShare: 0.2, lambShare: 0.3)
    let random = EventRandom(seed: SeededGenerator.ofThisRun.seed)
    let pairs = 20_000
    var sum = 0.0
    for pair in 0..<UInt32(pairs) {
      var attacker = random.stream(.attacker, event: pair)
      var target = random.stream(.target, event: pair)
      sum += impostors.falseMatch(
        easy,
        wolf: impostors.wolf(using: &attacker),
        lamb: impostors.lamb(using: &target)
      )
    }
    // The rates' deviation is below sqrt(0.05 * 0.95) = 0.22; six of the mean's.
    #expect(abs(sum / Double(pairs) - 0.05) < 6 * 0.22 / Double(pairs).squareRoot())
  }

  @Test func wolvesAndLambsMakeTheWorstPairWorse() throws {
    var last = 0.0
    for share in [0.0, 0.05, 0.1, 0.2, 0.4] {
      let impostors = try Impostors(wolfShare: 0, lambShare: share)
      let worst = impostors.falseMatch(model, anybodyAgainst: impostors.lamb(percentile: 0.99))
      #expect(worst > last)
      last = worst
    }
    #expect(last > 10 * model.falseMatch)
  }

  @Test func fullSharesLeaveNothingToChance() throws {
    let impostors = try Impostors(wolfShare: 0.5, lambShare: 0.5)
    #expect(impostors.falseMatch(model, wolf: 2.1, lamb: 2.1) == 1)
    #expect(impostors.falseMatch(model, wolf: 2, lamb: 2) == 0)
    let lambs = try Impostors(wolfShare: 0, lambShare: 1)
    #expect(lambs.falseMatch(model, anybodyAgainst: 5) == 1)
  }

  @Test(arguments: [(0.6, 0.6), (-0.1, 0), (0, 1.1), (.nan, 0)])
  func refusesSharesBeyondTheWhole(_ wolf: Double, _ lamb: Double) {
    #expect(throws: ModelError.self) { try Impostors(wolfShare: wolf, lambShare: lamb) }
  }
}
