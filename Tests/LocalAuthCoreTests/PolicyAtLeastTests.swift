import LocalAuthCore
import Testing

/// A policy that a program names can ask for more than a floor, and never for less.
@Suite struct PolicyAtLeastTests {
  private let floor = Policy(
    name: "device-owner",
    requirement: .anyOf([.biometry(.any), .passcode]),
    freshness: FreshnessRules(
      anyWithin: .seconds(48),
      passcodeWithin: .seconds(156),
      unlessMatchedWithin: .seconds(4)
    ),
    minimumStrength: .weak
  )

  private func proven(_ factors: FactorSet) -> Proven {
    var proven = Proven()
    proven.factors = factors
    return proven
  }

  @Test func whatTheFloorDoesNotTakeProvesNothing() {
    let weak = Policy(name: "user/anything", requirement: .allOf([])).atLeast(floor)
    #expect(!weak.requirement.isMet(by: proven([])))
    #expect(weak.requirement.isMet(by: proven(.passcode)))
    let other = Policy(name: "user/password", requirement: .applicationPassword).atLeast(floor)
    #expect(!other.requirement.isMet(by: proven(.applicationPassword)))
    #expect(other.requirement.isMet(by: proven([.applicationPassword, .biometry])))
  }

  @Test func whatThePolicyAsksForIsAskedForToo() {
    let both = Policy(name: "both", requirement: .allOf([.biometry(.any), .passcode])).atLeast(floor)
    #expect(!both.requirement.isMet(by: proven(.biometry)))
    #expect(!both.requirement.isMet(by: proven(.passcode)))
    #expect(both.requirement.isMet(by: proven([.biometry, .passcode])))
  }

  /// The policy's own factor comes first, so that nobody touches a sensor for nothing.
  @Test func whatThePolicyAsksForIsAskedForFirst() {
    let passcode = Policy(name: "passcode", requirement: .passcode).atLeast(floor)
    #expect(passcode.requirement.next(from: Proven(), with: [.biometry, .passcode]) == Factor.passcode)
    #expect(passcode.requirement.isMet(by: proven(.passcode)))
  }

  @Test func ofTriesAndStrengthsTheStricterCounts() {
    var loose = Policy(name: "loose", requirement: .biometry(.any), passcodeTries: 9)
    loose.minimumStrength = .convenience
    #expect(loose.atLeast(floor).passcodeTries == 3)
    #expect(loose.atLeast(floor).minimumStrength == .weak)
    var strict = Policy(name: "strict", requirement: .biometry(.any), passcodeTries: 1)
    strict.minimumStrength = .strong
    #expect(strict.atLeast(floor).passcodeTries == 1)
    #expect(strict.atLeast(floor).minimumStrength == .strong)
  }

  @Test func rulesOfFreshnessAreNotLoosened() {
    let none = Policy(name: "none", requirement: .biometry(.any))
    #expect(none.atLeast(floor).freshness == floor.freshness)
    #expect(floor.atLeast(none).freshness == floor.freshness)
    var strict = none
    strict.freshness = FreshnessRules(anyWithin: .seconds(1), passcodeWithin: .seconds(200))
    let both = strict.atLeast(floor).freshness
    #expect(both.anyWithin == .seconds(1) && both.passcodeWithin == .seconds(156))
    #expect(both.unlessMatchedWithin == nil, "a match lengthens what one of them does not")
  }
}
