import LocalAuthCore
import LocalAuthPolicies
import LocalAuthSensor
import Testing

@testable import LocalAuthAnalysis

/// What changing our own numbers does.
@Suite struct SensitivityTests {
  private let plan: PolicyCase

  init() throws {
    let lockout = try Cases.catalog.lockoutProfile(named: "three-strikes").get()
    plan = try Cases.plan("device-owner", lockout, .standard, habits: Habits())
  }

  private func solved(_ name: String, _ value: (Solution) -> Double) throws -> [Double] {
    let changes = Sensitivity(plan, []).changes.filter { $0.name == name }
    return try #require(changes.isEmpty ? nil : changes).map {
      value(Solution($0.plan, days: 3))
    }
  }

  @Test func everyNumberIsHalvedAndDoubledOnce() {
    let changes = Sensitivity(plan, [Attack(.pin, time: .seconds(60))]).changes
    for assumption in Assumption.all {
      let own = changes.filter { $0.name == assumption.name }
      switch (assumption.value(in: plan), assumption.name) {
      case (nil, _): #expect(own.isEmpty)
      case (_, "patience"): #expect(own.map(\.changed) == [2])
      default: #expect(own.count == 2 && own[0].changed < own[1].changed, "\(assumption.name)")
      }
    }
    #expect(changes.suffix(2).map(\.name) == ["attackPace", "attackPace"])
    #expect(changes.suffix(2).map(\.changed) == [0.5, 2])
    #expect(changes.suffix(2).map { $0.attacks.map(\.typing) } == [[.seconds(2)], [.seconds(8)]])
  }

  private func watching(
    digits: UInt32,
    of secrets: UInt64 = 10_000
  ) throws -> [Sensitivity.Change] {
    let glimpse = try Attacker.Glimpse(whole: 0.108, digits: digits)
    var attack = Attack(.shoulder(glimpse), time: .seconds(3600))
    attack.passcodes = .uniform(of: secrets)
    return Sensitivity(plan, [attack, Attack(.pin, time: .seconds(60))]).changes
      .filter { $0.name == "seenDigits" }
  }

  @Test func seenDigitsAreHalvedAndDoubledAndNeverMoreThanThereAre() throws {
    #expect(try watching(digits: 2).map(\.changed) == [1, 4])
    #expect(try watching(digits: 1).map(\.changed) == [2])
    #expect(try watching(digits: 3).map(\.changed) == [2, 4])
    #expect(try watching(digits: 4).map(\.changed) == [2])
    #expect(try watching(digits: 3, of: 9_990).map(\.changed) == [2, 4])
    #expect(try watching(digits: 0).isEmpty)
  }

  @Test func seenDigitsChangeNobodyElse() throws {
    for change in try watching(digits: 2) {
      #expect(change.plan == plan)
      guard case .shoulder(let glimpse) = change.attacks[0].attacker else {
        Issue.record("nobody watches")
        continue
      }
      #expect(Double(glimpse.digits) == change.changed)
      #expect(glimpse.whole == 0.108)
      #expect(change.attacks[1] == Attack(.pin, time: .seconds(60)))
    }
    let unseen = Sensitivity(plan, [Attack(.pin, time: .seconds(60))]).changes
    #expect(!unseen.contains { $0.name == "seenDigits" })
  }

  /// What is said not to concern people or attackers is not computed again.
  @Test func whatConcernsNobodyChangesNothing() throws {
    let attacks = [Attacker.pin, .shoulder(.standard), .fakeAndPIN(.androidClass3)].map {
      Attack($0, time: .seconds(600))
    }
    func successes(_ plan: PolicyCase, _ attacks: [Attack]) throws -> [Double] {
      try attacks.map { try AttackSolution(plan, $0).success }
    }
    let goats = try Cases.plan("device-owner", plan.rules.lockout, Cases.goats, habits: Habits())
    for plan in [plan, goats] {
      let base = try successes(plan, attacks)
      let changes = Sensitivity(plan, attacks).changes
      for change in changes where !change.concernsAttackers {
        for (one, other) in zip(try successes(change.plan, change.attacks), base) {
          #expect(abs(one - other) <= 1e-9 * other, "\(change.name)")
        }
      }
      let concerned = Set(changes.filter(\.concernsAttackers).map(\.name))
      #expect(concerned.isSuperset(of: ["takenForFake", "seenDigits", "attackPace"]))
      #expect(!concerned.contains("loginsPerDay"))
      for change in changes where !change.concernsPeople {
        var other = change.plan
        other.sensor.impostors = plan.sensor.impostors
        #expect(other == plan)
      }
    }
  }

  private func changes(
    _ attacker: Attacker,
    _ name: String,
    _ passcodes: PasscodeGuesses = .uniform(of: 10_000)
  ) -> [Sensitivity.Change] {
    var attack = Attack(attacker, time: .seconds(3600))
    attack.passcodes = passcodes
    return Sensitivity(plan, [attack]).changes.filter { $0.name == name }
  }

  @Test func fakesThatAreOursPassHalfAndTwiceAsOften() throws {
    let fakes = changes(.presentation(.androidClass3), "iapar")
    #expect(fakes.map(\.changed) == [0.035, 0.14])
    let success = try fakes.map { try AttackSolution($0.plan, $0.attacks[0]).success }
    for (found, iapar) in zip(success, fakes.map(\.changed)) {
      let miss = 1 - iapar
      #expect(abs(found - (1 - miss * miss * miss)) < 1e-12)
    }
    let given = try AttackSpecies(name: "given", iapar: 0.07)
    #expect(changes(.presentation(given), "iapar").isEmpty)
  }

  @Test func passcodesDrawnByLotBecomeThosePublishedAndFourDigitsSix() throws {
    let chosen = changes(.pin, "chosenPasscodes")
    #expect(chosen.map(\.publication) == [.amitay, .markert])
    #expect(chosen.map(\.changed) == [0.15, 0.046])
    #expect(
      chosen.map { $0.attacks[0].passcodes.points }
        == [PasscodeGuesses.amitay, PasscodeGuesses.markert4]
    )
    let longer = changes(.pin, "digits")
    #expect(longer.map(\.changed) == [6])
    #expect(longer.map { $0.attacks[0].passcodes } == [.uniform(of: 1_000_000)])
    let six = changes(.pin, "chosenPasscodes", .uniform(of: 1_000_000))
    #expect(six.map(\.publication) == [.markert])
    #expect(six.map { $0.attacks[0].passcodes.points } == [PasscodeGuesses.markert6])
    #expect(changes(.pin, "digits", .uniform(of: 1_000_000)).isEmpty)
  }

  @Test func whatIsBarredStaysBarredInOtherPasscodes() throws {
    let barring = try #require(PasscodeGuesses.uniform(of: 10_000).without(mostFrequent: 20))
    let chosen = changes(.pin, "chosenPasscodes", barring)
    #expect(chosen.map(\.publication) == [.markert])
    #expect(chosen.map { $0.attacks[0].passcodes.blocked } == [20])
    #expect(changes(.pin, "digits", barring).map { $0.attacks[0].passcodes.secrets } == [999_980])
  }

  /// Nobody published what some digits of a chosen passcode are worth.
  @Test func whoSawAPartGuessesAmongEvenlyDistributedPasscodes() {
    let attacks = [Attacker.shoulder(.standard), .pin].map { Attack($0, time: .seconds(60)) }
    for change in Sensitivity(plan, attacks).changes where change.name == "chosenPasscodes" {
      #expect(change.attacks[0] == attacks[0])
      #expect(change.attacks[1] != attacks[1])
    }
  }

  @Test func peopleWhoDoNotDifferToOthersAreMadeToDiffer() throws {
    let lambs = changes(.targeted, "lambShare")
    #expect(lambs.map(\.changed) == [0.3])
    #expect(lambs.map(\.plan.sensor.impostors.lambShare) == [0.3])
    #expect(lambs.allSatisfy { $0.concernsAttackers && !$0.concernsPeople })
    #expect(changes(.targeted, "wolfShare").map(\.plan.sensor.impostors.wolfShare) == [0.3])
    #expect(changes(.presentation(.androidClass3), "lambShare").isEmpty)
  }

  @Test func touchesOnPurposeHaveATime() {
    let paces = Sensitivity(plan, [], touchesOnPurpose: true).changes.filter {
      $0.name == "attackPace"
    }
    #expect(paces.map(\.pace) == [0.5, 2])
    #expect(Sensitivity(plan, []).changes.allSatisfy { $0.pace == 1 })
  }

  @Test func whoeverSawMoreGetsInMoreOften() throws {
    let success = try watching(digits: 2).map { try AttackSolution($0.plan, $0.attacks[0]).success }
    #expect(success[0] < success[1])
  }

  @Test func moreOfAFailureMeansMoreOfItsEffect() throws {
    let now = Solution(plan, days: 3)
    for name in ["impairedMiss", "takenForFake", "ownVariance"] {
      let lockouts = try solved(name, \.lockoutsPerYear)
      #expect(lockouts[0] < now.lockoutsPerYear && now.lockoutsPerYear < lockouts[1], "\(name)")
    }
    let denied = try solved("mistyped", \.fallbacks)
    #expect(denied.allSatisfy { $0 > 0 })
    let times = try solved("typing") { $0.meanTime / .seconds(1) }
    #expect(times[0] < now.meanTime / .seconds(1) && now.meanTime / .seconds(1) < times[1])
  }

  /// Three strikes cannot be met by people who never miss three times.
  @Test func patienceDecidesTheLockouts() throws {
    #expect(try solved("patience", \.lockoutsPerYear)[0] < 1e-6)
  }

  @Test func anAttackersTimesChangeTogether() {
    let attack = Attack(.pin, time: .seconds(60)).paced(0.5)
    #expect(attack.presenting == .milliseconds(500))
    #expect(attack.typing == .seconds(2))
    #expect(attack.enrolling == .seconds(5))
    #expect(attack.restarting == .seconds(15))
    #expect(attack.time == .seconds(60))
  }
}
