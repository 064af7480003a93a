import LocalAuthCore
import LocalAuthWire
import Testing

@testable import authctl

/// What a policy asks for, as `policy explain` draws it.
struct RequirementTreeTests {
  private func state(
    _ factor: Factor,
    _ state: OutcomeCode? = nil,
    _ message: String? = nil,
    left: Int64? = nil,
    retryAfter: Int64? = nil
  ) -> AuthenticationMessages.FactorState {
    var result = AuthenticationMessages.FactorState()
    result.factor = factor.rawValue
    result.state = state?.rawValue ?? "usable"
    result.message = message ?? state?.sentence
    result.attemptsLeft = left
    result.retryAfterSeconds = retryAfter
    return result
  }

  private func tree(
    _ requirement: Requirement,
    _ presentation: Policy.Presentation = .sequential,
    _ states: AuthenticationMessages.FactorState...
  ) -> RequirementTree {
    RequirementTree(
      Policy(name: "p", requirement: requirement, presentation: presentation),
      states
    )
  }

  private func result(
    _ code: OutcomeCode,
    retryAfter: Int64? = nil
  )
    -> AuthenticationMessages.Result
  {
    var result = AuthenticationMessages.Result()
    result.outcome = code.rawValue
    result.exit = Int64(code.exit)
    result.message = code.sentence
    result.retryAfterSeconds = retryAfter
    return result
  }

  @Test func oneFactorIsOneLine() {
    let tree = tree(.biometry(.any), .sequential, state(.biometry, left: 1))
    #expect(tree.lines == ["a finger: usable, 1 try left"])
  }

  @Test func partsStandBelowWhatTheyArePartsOf() {
    let requirement = Requirement.anyOf([
      .allOf([.biometry(.any), .applicationPassword]), .passcode,
    ])
    let tree = tree(
      requirement,
      .sequential,
      state(.biometry, .biometryLockout),
      state(.applicationPassword),
      state(.passcode, left: 10)
    )
    #expect(
      tree.lines == [
        "one of these, the first that can be used",
        "├─ all of these, one after the other",
        "│  ├─ a finger: locked until the passcode is used",
        "│  └─ the application's password: usable",
        "└─ the passcode: usable, 10 tries left",
      ]
    )
  }

  @Test func waitIsSaidWhereThereIsOne() {
    let locked = state(.biometry, .biometryLockout, retryAfter: 30)
    #expect(
      tree(.biometry(.any), .parallel, locked).lines == ["a finger: locked, try again in 30s"]
    )
  }

  @Test func ownWordsOfTheDeviceAreKeptAndMadeHarmless() {
    let locked = state(.biometry, .biometryLockout, "The passcode\u{1B}[2J first.")
    let line = tree(.biometry(.any), .sequential, locked).lines[0]
    #expect(line.hasPrefix("a finger: The passcode"))
    #expect(!line.unicodeScalars.contains("\u{1B}"))
  }

  @Test func factorThatTheServiceSaysNothingOfIsUnknown() {
    #expect(tree(.passcode).lines == ["the passcode: unknown"])
    #expect(tree(.passcode).ways.isEmpty)
  }

  @Test func eachUsablePartOfAChoiceIsAWay() {
    let choice = Requirement.anyOf([.biometry(.any), .passcode])
    let both = tree(choice, .sequential, state(.biometry), state(.passcode))
    #expect(both.ways == [.biometry, .passcode])
    #expect(
      both.verdict(result(.success)) == "Now it is satisfied by a finger, or by the passcode."
    )
    let one = tree(choice, .parallel, state(.biometry, .biometryNotEnrolled), state(.passcode))
    #expect(one.ways == [.passcode])
    #expect(one.verdict(result(.success)) == "Now it is satisfied by the passcode.")
  }

  @Test func wayThatAsksForMoreThanAnotherIsNone() {
    let requirement = Requirement.anyOf([
      .allOf([.passcode, .biometry(.any)]), .passcode, .passcode,
    ])
    #expect(tree(requirement, .sequential, state(.biometry), state(.passcode)).ways == [.passcode])
  }

  @Test func bothPartsAreNeededTogether() {
    let both = Requirement.allOf([.biometry(.any), .passcode])
    #expect(
      tree(both, .sequential, state(.biometry), state(.passcode)).verdict(result(.success))
        == "Now it is satisfied by a finger together with the passcode."
    )
  }

  @Test func fingerThatCountsAfterThePasscodeIsSaid() {
    let both = Requirement.allOf([.biometry(.any), .passcode])
    let tree = tree(both, .sequential, state(.biometry, .biometryLockout), state(.passcode))
    #expect(tree.ways.isEmpty)
    #expect(tree.verdict(result(.success)) == "Now the passcode is asked for first.")
  }

  @Test func refusalSaysWhyAndHowLong() {
    let locked = tree(.passcode, .sequential, state(.passcode, .passcodeThrottled))
    let verdict = locked.verdict(result(.passcodeThrottled, retryAfter: 60))
    #expect(verdict.hasPrefix("Now it is refused (passcodeThrottled, exit "))
    #expect(verdict.hasSuffix(" Try again in 1m."))
  }
}
