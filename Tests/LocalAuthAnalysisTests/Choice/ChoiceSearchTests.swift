import Glibc
import LocalAuthCore
import LocalAuthPolicies
import LocalAuthSensor
import Testing

@testable import LocalAuthAnalysis

/// The search beside every candidate solved by itself.
///
/// `CHOICE_WHOLE=1` takes the whole shipped space, as `make policy-oracles` does; the suite takes three of the lockout
/// profiles, of which none forgets failures: the attacks on those take most of the time.
@Suite struct ChoiceSearchTests {
  private static let pin = Attack(.pin, time: .seconds(300))
  private static let fake = Attack(.presentation(.androidClass3), time: .seconds(300))
  private static let insider = Attack(.insider, time: .seconds(300))

  /// Two kinds of people, three days and attacks of five minutes, so that every candidate can be solved.
  private static let choice: Choice = {
    // SAFETY: the string is a C string, and nothing changes the environment.
    let isWhole = unsafe getenv("CHOICE_WHOLE") != nil
    let some: Set = ["apple", "nist-800-63b", "three-strikes"]
    var choice = Choice(Cases.space { isWhole || some.contains($0) }, [], sensor: Cases.goats)
    choice.days = 3
    choice.count = 8
    choice.iapar = 0.05
    choice.secrets = .init(digits: 6, blocked: 10)
    return choice
  }()
  private static let every = Result { try EveryCandidate(choice, [pin, fake, insider]) }

  private static let usual = ChoiceAuthenticators(factors: [.biometry, .passcode])
  private static let key = ChoiceAuthenticators(factors: [.biometry, .passcode], kinds: ["key"])

  private static let sets: [[ChoiceBound]] = [
    [.authenticators(usual), .attack(pin, 9e-4), .lockouts(30), .time(.seconds(5))],
    [.authenticators(usual), .rule("apple"), .attack(fake, 0.25), .denied(1e-3), .cost(300)],
    [.authenticators(key), .rule("fido"), .rule("nist"), .attack(insider, 1e-3)],
    [.authenticators(usual), .attack(fake, 0), .attack(pin, 1)],
    [],
  ]

  private func solved(_ bounds: [ChoiceBound]) -> ChoiceResult {
    var choice = Self.choice
    choice.bounds = bounds
    return ChoiceSearch.solved(choice).result
  }

  @Test(arguments: sets)
  func theWinnersAreThoseOfBruteForce(_ bounds: [ChoiceBound]) throws {
    let result = solved(bounds)
    let expected = try Self.every.get().chosen(bounds, Self.choice.prices)
    #expect(result.isComplete)
    #expect(!expected.isEmpty)
    #expect(result.chosen.map(\.candidate) == Array(expected.prefix(8)))
    #expect(result.conflicts.isEmpty && result.nearest.isEmpty)
  }

  @Test(arguments: sets)
  func aWinnerComesToWhatItsPolicyDoesAlone(_ bounds: [ChoiceBound]) throws {
    let every = try Self.every.get()
    for chosen in solved(bounds).chosen {
      let alone = every.all[chosen.index]
      #expect(alone.candidate == chosen.candidate)
      let people = ChoicePeople(alone.solution)
      #expect(isNear(chosen.people.lockoutsPerYear, people.lockoutsPerYear))
      #expect(isNear(chosen.people.denied, people.denied))
      #expect(isNear(chosen.people.rejected, people.rejected))
      #expect(isNear(chosen.people.meanSeconds, people.meanSeconds))
      #expect(abs((chosen.time?.upperBound ?? .zero) / .seconds(1) - alone.time) < 2.0 / 8192)
      #expect((chosen.cost * 100).rounded() == every.cost(alone, Self.choice.prices))
      let asked = bounds.compactMap { bound in
        if case .attack(let attack, _) = bound { attack } else { nil }
      }
      #expect(chosen.attacks == asked.map { alone.attacks[$0] })
    }
  }

  /// The search drops more of those whom hardly anybody is like.
  private func isNear(_ left: Double, _ right: Double) -> Bool {
    abs(left - right) <= 1e-6 * abs(right) + 1e-9
  }

  @Test func conflictsAreThoseOfBruteForce() throws {
    let every = try Self.every.get()
    for bounds in [
      [.authenticators(Self.usual), .attack(Self.fake, 1e-3), .time(.seconds(3)), .lockouts(1000)],
      [.attack(Self.insider, 0.5), .rule("stig"), .lockouts(1000)],
      [.attack(Self.pin, 1e-5), .rule("stig"), .lockouts(1e-3), .denied(1e-9), .time(.seconds(3))],
    ] as [[ChoiceBound]] {
      func isKept(_ set: [Int]) -> Bool {
        every.all.contains { worth in
          set.allSatisfy { every.keeps(worth, bounds[$0], Self.choice.prices) }
        }
      }
      let result = solved(bounds)
      #expect(result.chosen.isEmpty && result.isComplete)
      let singles = bounds.indices.filter { !isKept([$0]) }
      let pairs = bounds.indices.flatMap { left in
        bounds.indices.filter { right in
          left < right && isKept([left]) && isKept([right]) && !isKept([left, right])
        }.map { [left, $0] }
      }
      #expect(!(singles.isEmpty && pairs.isEmpty))
      #expect(result.conflicts == singles.map { [$0] } + pairs)
    }
  }

  @Test func theNearestMissTheFewestBoundsAndAreTheCheapest() throws {
    let every = try Self.every.get()
    let bounds: [ChoiceBound] = [
      .authenticators(Self.usual), .attack(Self.fake, 1e-3), .time(.seconds(3)),
    ]
    let nearest = solved(bounds).nearest
    #expect(nearest.count == 8)
    let missed = every.all.map { worth in
      bounds.count { !every.keeps(worth, $0, Self.choice.prices) }
    }
    #expect(nearest.allSatisfy { $0.missed.count == missed.min() })
    let costs = every.all.indices.filter { missed[$0] == missed.min() }
      .map { every.cost(every.all[$0], Self.choice.prices) }
    #expect(nearest.first.map { ($0.cost * 100).rounded() } == costs.min())
  }

  @Test func theDecidingBoundIsTheFirstToExcludeIfAllAreTightened() throws {
    let bounds: [ChoiceBound] = [.attack(Self.pin, 9e-4), .lockouts(1000), .time(.seconds(100))]
    let chosen = try #require(solved(bounds).chosen.first)
    #expect(chosen.deciding == 0)
    let shares = chosen.standings.compactMap(\.share)
    #expect(shares.count == 3 && shares.allSatisfy { $0 <= 1 })
    // Tightened until one misses, the candidate misses that one.
    let tightened: [ChoiceBound] = [
      .attack(Self.pin, 9e-4 * shares[0] * 0.99), .lockouts(1000 * shares[0] * 0.99),
      .time(.seconds(100) * (shares[0] * 0.99)),
    ]
    let again = try Self.every.get()
    #expect(!again.keeps(again.all[chosen.index], tightened[0], Self.choice.prices))
    #expect(again.keeps(again.all[chosen.index], tightened[1], Self.choice.prices))
    #expect(again.keeps(again.all[chosen.index], tightened[2], Self.choice.prices))
  }

  /// Interrupted before a single time is known, it has those that no bound excluded.
  @Test func whatIsNotJudgedByEveryBoundIsNotLost() throws {
    var choice = Self.choice
    choice.bounds = [.authenticators(Self.usual), .lockouts(30), .time(.seconds(5))]
    var search = ChoiceSearch(choice)
    while true {
      let pieces = search.next.filter { piece in
        !piece.contains { if case .time = $0 { true } else { false } }
      }
      guard !pieces.isEmpty else { break }
      for piece in pieces { if let found = search.find(piece) { search.take(found) } }
    }
    let result = search.result
    #expect(!result.isComplete && result.chosen.isEmpty)
    #expect(result.unjudged.count == choice.count)
    #expect(result.unjudged.allSatisfy { $0.open == [2] && $0.missed == [2] })
    #expect(result.unjudged.allSatisfy { $0.people.lockoutsPerYear <= 30 })
    let costs = result.unjudged.map { ($0.cost * 100).rounded() }
    #expect(costs == costs.sorted())
    #expect(solved(choice.bounds).unjudged.isEmpty)
  }

  /// Stopped, an attack is not known; it is not one that cannot be solved.
  @Test func anAttackThatWasStoppedIsNoFinding() {
    var choice = Self.choice
    choice.bounds = [.attack(Self.pin, 1e-3)]
    let search = ChoiceSearch(choice)
    let fact = ChoiceFact.attack(case: 0, bound: 0)
    #expect(search.find([fact], isStopped: { true }) == nil)
    guard case .attack(.some)? = search.find([fact])?[fact] else {
      Issue.record("not solved")
      return
    }
  }

  /// An attack of five minutes is over before anything is too old, one of five hours not before a passcode
  /// that is asked for every four: its outcome is then another.
  @Test(arguments: [(300, 1), (5 * 3600, 2)])
  func candidatesShareAnAttackThatTheirFreshnessDoesNotConcern(_ seconds: Int, _ count: Int) throws
  {
    var choice = Self.choice
    let attack = Attack(.zeroEffort, time: .seconds(seconds))
    choice.bounds = [.attack(attack, 1)]
    let cases = ChoiceCases(choice)
    let alike = zip(choice.space.candidates, cases.rows.compactMap { $0.attacks[0] }).filter {
      $0.0.form == "device-owner" && $0.0.lockout.name == "apple" && $0.0.delays.name == "apple"
    }
    #expect(Set(alike.map(\.0.policy.freshness)).count == 5)
    #expect(Set(alike.map(\.1)).count == count)
    for (candidate, number) in alike {
      let fact = ChoiceFact.attack(case: number, bound: 0)
      guard case .attack(let success?)? = cases.find([fact], isStopped: { false })?[fact] else {
        Issue.record("not solved")
        continue
      }
      #expect(try AttackSolution(choice.plan(candidate), attack).success == success)
    }
  }

  @Test func aRuleThatIsNotKnownOrSaysNothingIsNotMet() throws {
    var choice = Self.choice
    choice.iapar = nil
    choice.bounds = [.authenticators(Self.usual), .rule("fido")]
    let result = ChoiceSearch.solved(choice).result
    let unknown = try #require(result.unknown.first)
    #expect(unknown.bound == 1 && unknown.unsaid == [.iapar] && unknown.candidates > 0)
    // Of a passcode alone no clause of FIDO says anything.
    #expect(result.chosen.isEmpty && result.conflicts == [[1]])
    #expect(result.unmet.map(\.moot) == [6] && result.unmet.allSatisfy { $0.clauses.isEmpty })
    choice.iapar = 0.05
    let known = ChoiceSearch.solved(choice).result
    #expect(known.unknown.isEmpty && !known.chosen.isEmpty)
    #expect(known.chosen.allSatisfy { $0.moot.isEmpty && $0.candidate.asksForFinger })
  }

  /// A rate of exactly 1 in 50,000 is not less than that, whatever the policy.
  @Test func theClauseThatNothingMeetsIsNamed() throws {
    var choice = Self.choice
    choice.bounds = [.authenticators(Self.usual), .rule("android-class-3")]
    let result = ChoiceSearch.solved(choice).result
    #expect(result.chosen.isEmpty && result.conflicts == [[1]])
    let unmet = try #require(result.unmet.first)
    #expect(unmet.bound == 1 && unmet.moot == 6)
    #expect(unmet.clauses.map(\.clause).contains("FAR less than 1 in 50000 (C-1-1)"))
    #expect(unmet.clauses.allSatisfy { !$0.found.isEmpty })
  }

  // MARK: Later days

  /// Nine days, of which every candidate is solved for three.
  private static let later: Choice = {
    var choice = ChoiceSearchTests.choice
    choice.space = Cases.space { ["apple", "three-strikes"].contains($0) }
    (choice.days, choice.firstDays, choice.count) = (9, 3, 4)
    return choice
  }()
  private static let everyLater = Result { try EveryCandidate(later, []) }

  /// The cheapest by three days are not those by nine: a passcode falls due on the seventh.
  @Test(
    arguments: [
      [.authenticators(usual)], [.authenticators(usual), .rule("apple")],
      [.authenticators(usual), .rule("fido"), .cost(300), .time(.seconds(5))],
      [.authenticators(usual), .lockouts(100), .denied(1e-3)],
    ] as [[ChoiceBound]]
  )
  func theWinnersOfAllDaysAreThoseOfBruteForce(_ bounds: [ChoiceBound]) throws {
    var choice = Self.later
    choice.bounds = bounds
    let search = ChoiceSearch.solved(choice)
    let every = try Self.everyLater.get()
    let expected = every.chosen(bounds, choice.prices)
    #expect(search.result.isComplete && !expected.isEmpty)
    #expect(search.result.chosen.map(\.candidate) == Array(expected.prefix(4)))
    for chosen in search.result.chosen {
      let alone = every.all[chosen.index]
      #expect(chosen.isWhole)
      // The longer, the more ways are dropped that hardly anybody takes.
      let (lockouts, all) = (chosen.people.lockoutsPerYear, alone.solution.lockoutsPerYear)
      #expect(abs(lockouts - all) <= 1e-4 * all)
      #expect(isNear(chosen.people.denied, alone.solution.denied))
      #expect((chosen.cost * 100).rounded() == every.cost(alone, choice.prices))
      #expect(abs((chosen.time?.upperBound ?? .zero) / .seconds(1) - alone.time) < 2.0 / 8192)
    }
    let wholes = search.known.keys.count { if case .whole = $0 { true } else { false } }
    #expect(wholes > 0 && wholes < choice.space.candidates.count / 4, "\(wholes)")
  }

  /// What the search passes over by the first days, it does rightly.
  @Test func noCandidateComesToLessThanItsFirstDaysSay() throws {
    let first = Self.later
    var choice = first
    choice.days = first.firstDays
    let (early, all) = (try EveryCandidate(choice, []).all, try Self.everyLater.get().all)
    for (early, late) in zip(early, all) {
      let (few, many) = (ChoicePeople(early.solution), ChoicePeople(late.solution))
      func isLess(_ value: (ChoicePeople) -> Double) -> Bool {
        value(few) * first.leastPart <= value(many) * (1 + 1e-6) + 1e-9
      }
      #expect(isLess(\.lockoutsPerYear) && isLess(\.denied) && isLess(\.rejected))
      #expect(isLess { first.prices.perYear($0, first.habits) })
      #expect(early.time * first.leastPart <= late.time)
    }
  }

  /// What is nearest is solved for all days, too, and so is what it misses.
  @Test func whatComesNearestIsToldOfAllDays() throws {
    var choice = Self.later
    choice.bounds = [.authenticators(Self.usual), .cost(1)]
    let result = ChoiceSearch.solved(choice).result
    #expect(result.chosen.isEmpty && result.isComplete && result.conflicts == [[1]])
    #expect(!result.nearest.isEmpty && result.nearest.allSatisfy(\.isWhole))
    let every = try Self.everyLater.get()
    for near in result.nearest {
      #expect((near.cost * 100).rounded() == every.cost(every.all[near.index], choice.prices))
    }
  }

  @Test func fewerFactsThanCandidatesAreComputed() {
    var choice = Self.choice
    choice.bounds = Self.sets[0]
    let search = ChoiceSearch.solved(choice)
    #expect(search.facts < choice.space.candidates.count)
  }
}

extension ChoiceSearch {
  /// The search for `choice` when it is over.
  static func solved(_ choice: Choice) -> ChoiceSearch {
    var search = ChoiceSearch(choice)
    while true {
      let pieces = search.next
      guard !pieces.isEmpty else { return search }
      for piece in pieces { if let found = search.find(piece) { search.take(found) } }
    }
  }
}

extension Cases {
  /// The space of everything that is shipped.
  static let shippedSpace = space { _ in true }

  /// The shipped space with these lockout profiles alone.
  static func space(ofProfiles isIn: (String) -> Bool) -> ChoiceSpace {
    ChoiceSpace(
      policies: catalog.names.compactMap { try? catalog.policy(named: $0).get() },
      lockouts: catalog.lockoutProfileNames.filter(isIn).compactMap {
        try? catalog.lockoutProfile(named: $0).get()
      },
      delays: catalog.passcodeDelayNames.compactMap { try? catalog.passcodeDelays(named: $0).get() }
    )
  }
}
