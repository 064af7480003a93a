import LocalAuthSensor
import LocalAuthTestSupport
import Testing

@Suite struct PopulationTests {
  private let random = EventRandom(seed: SeededGenerator.ofThisRun.seed)

  @Test func betaHasTheMomentsOfTheGoats() {
    let (goats, beta) = (GoatMixture.standard, BetaRates.standard)
    #expect(abs(goats.mean - 0.034) < 1e-12)
    #expect(abs(beta.mean - goats.mean) < 1e-4)
    #expect(abs(beta.correlation - 0.158) < 0.0005)
    let variance = 0.1 * 0.25 * 0.25 + 0.9 * 0.01 * 0.01 - goats.mean * goats.mean
    #expect(abs(variance / (goats.mean * (1 - goats.mean)) - beta.correlation) < 1e-3)
  }

  @Test func betaByMeanAndCorrelationIsTheInverse() throws {
    let rates = try BetaRates(mean: 0.034, correlation: 0.1578)
    #expect(abs(rates.alpha - 0.181) < 0.001)
    #expect(abs(rates.mean - 0.034) < 1e-12)
    #expect(abs(rates.correlation - 0.1578) < 1e-12)
  }

  @Test func everybodyIsAlikeWithoutCorrelation() throws {
    let population = Population.probit(try ProbitRates(miss: 0.02, correlation: 0))
    var stream = random.stream(.person)
    for _ in 0..<100 {
      let person = population.person(using: &stream)
      #expect(abs(person.miss - 0.02) < 1e-15)
    }
  }

  @Test func peopleOnlyMatchOrOnlyMissWithFullCorrelation() throws {
    let population = Population.probit(try ProbitRates(miss: 0.3, correlation: 1))
    var stream = random.stream(.person)
    var misses: Set<Double> = []
    for _ in 0..<1_000 { misses.insert(population.person(using: &stream).miss) }
    #expect(misses == [0, 1], "SEED=\(random.seed)")
  }

  @Test func everybodyIsAGoatOrASheep() {
    var stream = random.stream(.person)
    for _ in 0..<1_000 {
      let miss = Population.goats.person(using: &stream).miss
      #expect(abs(miss - 0.25) < 1e-15 || abs(miss - 0.01) < 1e-15)
    }
  }

  @Test func peopleOfABetaPopulationHaveRates() {
    var stream = random.stream(.person)
    for _ in 0..<2_000 {
      let person = Population.beta(.standard).person(using: &stream)
      #expect(person.miss >= 0 && person.miss <= 1, "SEED=\(random.seed)")
    }
  }

  @Test func aFingersOwnShareLeavesThePersonsRate() throws {
    // Over a person's fingers the mean of their miss rates is the person's own.
    let effects = try ScoreEffects(fingerShare: 0.4)
    let population = Population.probit(try ProbitRates(miss: 0.2, correlation: 0))
    var stream = random.stream(.person)
    let person = population.person(using: &stream)
    let count = 40_000
    var sum = 0.0
    for _ in 0..<count { sum += person.finger(effects, using: &stream).miss() }
    // The rates' deviation is at most sqrt(0.2 * 0.8) = 0.4; six of the mean's.
    #expect(abs(sum / Double(count) - 0.2) < 6 * 0.4 / Double(count).squareRoot())
  }

  @Test func refusesWhatIsNoPopulation() {
    #expect(throws: ModelError.self) { try ProbitRates(miss: 0, correlation: 0.5) }
    #expect(throws: ModelError.self) { try ProbitRates(miss: 0.1, correlation: 1.5) }
    #expect(throws: ModelError.self) { try GoatMixture(goats: 2, goatMiss: 0.1, sheepMiss: 0.1) }
    #expect(throws: ModelError.self) { try GoatMixture(goats: 0, goatMiss: -1, sheepMiss: 0.1) }
    #expect(throws: ModelError.self) { try GoatMixture(goats: 0, goatMiss: 0, sheepMiss: .nan) }
    #expect(throws: ModelError.self) { try BetaRates(alpha: 0, beta: 1) }
    #expect(throws: ModelError.self) { try BetaRates(alpha: 1, beta: .infinity) }
    #expect(throws: ModelError.self) { try BetaRates(mean: 0.1, correlation: 0) }
    #expect(throws: ModelError.self) { try BetaRates(mean: 0, correlation: 0.1) }
  }
}
