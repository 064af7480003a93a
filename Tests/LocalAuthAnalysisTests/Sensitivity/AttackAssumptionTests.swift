import LocalAuthCore
import LocalAuthSensor
import Testing

@testable import LocalAuthAnalysis

/// The numbers of attacks that are our own.
@Suite struct AttackAssumptionTests {
  private static let attackers: [Attacker] = [
    .zeroEffort, .targeted, .presentation(.androidClass3), .pin, .fakeAndPIN(.androidClass3),
    .knownPIN, .shoulder(.standard), .insider,
  ]

  private func names(_ attacker: Attacker) -> [String] {
    let attack = Attack(attacker, time: .seconds(60))
    return AttackAssumption.all.filter { $0.value(in: attack) != nil }.map(\.name)
  }

  @Test(arguments: attackers)
  func whatIsLeftAsItShipsIsOurs(_ attacker: Attacker) {
    let attack = Attack(attacker, time: .seconds(60))
    for assumption in AttackAssumption.all where assumption.value(in: attack) != nil {
      #expect(assumption.isOurs(in: attack), "\(assumption.name)")
    }
  }

  @Test func eachAttackerHasTheNumbersOfTheirOwnMoves() {
    #expect(names(.zeroEffort) == ["attackTouch", "attackRestarting"])
    #expect(names(.presentation(.androidClass3)) == names(.zeroEffort))
    let guessing = ["attackTouch", "attackTyping", "attackEnrolling", "attackRestarting"]
    #expect(names(.pin) == guessing)
    #expect(names(.knownPIN) == guessing)
    #expect(names(.shoulder(.standard)) == guessing + ["seenDigits"])
    #expect(names(.insider) == ["attackProgramTyping", "attackRestarting"])
  }

  @Test func whatWasGivenIsNotOurs() throws {
    let glimpse = try Attacker.Glimpse(whole: 0.108, digits: 3)
    let attack = Attack(.shoulder(glimpse), time: .seconds(60)).paced(2)
    for assumption in AttackAssumption.all where assumption.value(in: attack) != nil {
      #expect(!assumption.isOurs(in: attack), "\(assumption.name)")
    }
  }

  /// How often fakes pass, and how often all digits are seen, has been published.
  @Test func whatIsPublishedIsNotAmongThem() throws {
    let glimpse = try Attacker.Glimpse(whole: 0.265, digits: 2)
    let attack = Attack(.shoulder(glimpse), time: .seconds(60))
    for assumption in AttackAssumption.all where assumption.value(in: attack) != nil {
      #expect(assumption.isOurs(in: attack), "\(assumption.name)")
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
