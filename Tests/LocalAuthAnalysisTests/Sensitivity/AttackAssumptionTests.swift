import LocalAuthCore
import LocalAuthPolicies
import LocalAuthSensor
import Testing

@testable import LocalAuthAnalysis

/// The numbers of attacks that are our own.
@Suite struct AttackAssumptionTests {
  private static let attackers: [Attacker] = [
    .zeroEffort, .targeted, .presentation(.androidClass3), .pin, .fakeAndPIN(.androidClass3),
    .knownPIN, .shoulder(.standard), .insider,
  ]

  private let plan: PolicyCase

  init() throws {
    let lockout = try Cases.catalog.lockoutProfile(named: "three-strikes").get()
    plan = try Cases.plan("device-owner", lockout, .standard, habits: Habits())
  }

  private func names(_ attacker: Attacker, on plan: PolicyCase? = nil) -> [String] {
    let attack = Attack(attacker, time: .seconds(60))
    return AttackAssumption.all.filter { $0.value(in: attack, on: plan ?? self.plan) != nil }
      .map(\.name)
  }

  @Test(arguments: attackers)
  func whatIsLeftAsItShipsIsOurs(_ attacker: Attacker) {
    let attack = Attack(attacker, time: .seconds(60))
    for assumption in AttackAssumption.all where assumption.value(in: attack, on: plan) != nil {
      #expect(assumption.isOurs(in: attack, on: plan), "\(assumption.name)")
    }
  }

  @Test func eachAttackerHasTheNumbersOfWhatTheyDo() {
    let differing = ["wolfShare", "lambShare"]
    #expect(names(.zeroEffort) == ["attackTouch", "attackRestarting"] + differing)
    #expect(
      names(.presentation(.androidClass3)) == ["attackTouch", "attackRestarting", "iapar"]
    )
    let typing = ["attackTouch", "attackTyping", "attackEnrolling", "attackRestarting"]
    let guessing = ["digits", "chosenPasscodes"]
    #expect(names(.pin) == typing + guessing + differing)
    #expect(names(.targeted) == names(.pin))
    #expect(names(.fakeAndPIN(.androidClass3)) == typing + ["iapar"] + guessing)
    #expect(names(.knownPIN) == typing)
    #expect(names(.shoulder(.standard)) == typing + ["seenDigits", "digits"] + differing)
    #expect(names(.insider) == ["attackProgramTyping", "attackRestarting"] + guessing)
  }

  @Test func nothingOfFingersIsAssumedWhereNoneIsAskedFor() throws {
    let typed = try Cases.plan("passcode", plan.rules.lockout, .standard, habits: Habits())
    let names = Self.attackers.flatMap { self.names($0, on: typed) }
    #expect(
      Set(names) == [
        "attackTyping", "attackProgramTyping", "attackRestarting", "seenDigits", "digits",
        "chosenPasscodes",
      ]
    )
  }

  /// A sensor may attest the number that is ours for those that attest none.
  @Test func howOftenFakesPassIsOursOnlyIfNobodySaidIt() throws {
    let said = try AttackSpecies(name: "given", iapar: AttackSpecies.androidClass3.iapar)
    for (species, isOurs) in [(said, false), (.androidClass3, true)] {
      let attack = Attack(.presentation(species), time: .seconds(60))
      #expect(AttackAssumption.isOurs("iapar", in: attack, on: plan) == isOurs)
    }
  }

  @Test func passcodesThatWereGivenAreNotOurs() throws {
    var attack = Attack(.pin, time: .seconds(60))
    attack.passcodes = try #require(PasscodeGuesses.Publication.markert.passcodes(digits: 6))
    for name in ["digits", "chosenPasscodes"] {
      #expect(!AttackAssumption.isOurs(name, in: attack, on: plan), "\(name)")
    }
  }

  @Test func whatWasGivenIsNotOurs() throws {
    let glimpse = try Attacker.Glimpse(whole: 0.108, digits: 3)
    let attack = Attack(.shoulder(glimpse), time: .seconds(60)).paced(2)
    for name in [
      "attackTouch", "attackTyping", "attackEnrolling", "attackRestarting", "seenDigits",
    ] {
      #expect(!AttackAssumption.isOurs(name, in: attack, on: plan), "\(name)")
    }
  }

  /// How often all digits are seen has been published.
  @Test func whatIsPublishedIsNotAmongThem() throws {
    let glimpse = try Attacker.Glimpse(whole: 0.265, digits: 2)
    let attack = Attack(.shoulder(glimpse), time: .seconds(60))
    for assumption in AttackAssumption.all where assumption.value(in: attack, on: plan) != nil {
      #expect(assumption.isOurs(in: attack, on: plan), "\(assumption.name)")
    }
  }

  @Test func namesDifferFromEachOtherAndFromThoseOfPeople() {
    let names = AttackAssumption.all.map(\.name) + Assumption.all.map(\.name) + ["attackPace"]
    #expect(Set(names).count == names.count)
  }

  @Test(arguments: [(1, 0), (2, 1), (10, 1), (11, 2), (9_990, 4), (10_000, 4), (1_000_000, 6)])
  func passcodesHaveTheDigitsThatTellThemApart(_ secrets: UInt64, _ digits: Int) {
    #expect(PasscodeGuesses.uniform(of: secrets).digits == digits)
  }
}
