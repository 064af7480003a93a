import LocalAuthCore
import Testing

/// The part of a grant in an evaluation: it stands in for the person, and for nothing else.
@Suite struct GrantedEvaluationTests {
  private static let byFinger = Proven(factors: .biometry, biometryGeneration: 1)

  private func conditions(
    _ granted: Proven? = byFinger,
    biometry: BiometryCondition = .usable,
    passcode: PasscodeCondition = .usable
  ) -> Conditions {
    Conditions(biometry: biometry, passcode: passcode, granted: granted)
  }

  private func evaluation(
    _ requirement: Requirement = .anyOf([.biometry(.any), .passcode]),
    isInteractive: Bool = true
  ) -> EvaluationMachine {
    let policy = Policy(name: "test", requirement: requirement, needsPasscodeSet: true)
    let profile = LockoutProfile(name: "three", delays: DelayTable(locksAt: 3))
    return EvaluationMachine(
      rules: EvaluationMachine.Rules(policy: policy, profile: profile, isInteractive: isInteractive)
    )
  }

  @Test func succeedsOnlyOnceTheUseIsCounted() {
    var machine = evaluation()
    #expect(machine.begin(conditions: conditions()) == .redeem)
    #expect(machine.outcome == nil)
    #expect(machine.redeemed() == .finish)
    #expect(machine.outcome == .success)
    #expect(machine.isGranted)
    #expect(machine.proven == Self.byFinger)
    #expect(machine.redeemed() == .ignore)
  }

  @Test func answersWhereNobodyCanBeAsked() {
    var machine = evaluation(isInteractive: false)
    #expect(machine.begin(conditions: conditions()) == .redeem)
    #expect(machine.redeemed() == .finish)
    #expect(machine.outcome == .success)
  }

  @Test func grantThatEndedMeanwhileLeavesThePersonToBeAsked() {
    var machine = evaluation()
    #expect(machine.begin(conditions: conditions()) == .redeem)
    #expect(machine.notRedeemed(conditions: conditions(nil)) == .enqueue)
    #expect(machine.armed(conditions: conditions(nil)) == .present(.biometry))
    #expect(!machine.isGranted)
    #expect(machine.proven == Proven())
    var silent = evaluation(isInteractive: false)
    _ = silent.begin(conditions: conditions())
    #expect(silent.notRedeemed(conditions: conditions(nil)) == .finish)
    #expect(silent.outcome == Outcome(.notInteractive))
  }

  @Test func answersTheOneThatWaitedWhileTheSameWasApproved() {
    var machine = evaluation()
    #expect(machine.begin(conditions: conditions(nil)) == .enqueue)
    #expect(machine.armed(conditions: conditions()) == .redeem)
    #expect(machine.redeemed() == .finish)
    #expect(machine.outcome == .success)
    var late = evaluation()
    _ = late.begin(conditions: conditions(nil))
    _ = late.armed(conditions: conditions())
    #expect(late.notRedeemed(conditions: conditions(nil)) == .present(.biometry))
  }

  static let refusing: [(BiometryCondition, PasscodeCondition)] = [
    (.lockedOut(retryAfter: nil), .usable), (.passcodeRequired, .usable),
    (.notEnrolled, .usable), (.disconnected, .usable), (.needsPasscodeSet, .notSet),
  ]

  @Test(arguments: refusing)
  func fingerThatWouldBeRefusedNowDoesNotCountFromBefore(
    _ biometry: BiometryCondition,
    _ passcode: PasscodeCondition
  ) {
    var machine = evaluation()
    #expect(
      machine.begin(conditions: conditions(biometry: biometry, passcode: passcode)) != .redeem
    )
  }

  @Test func throttledPasscodeDoesNotCountFromBefore() {
    var machine = evaluation()
    let throttled = conditions(
      Proven(factors: .passcode),
      passcode: .throttled(retryAfter: .seconds(60))
    )
    #expect(machine.begin(conditions: throttled) == .enqueue)
  }

  @Test func grantOfLessThanTheRequirementDoesNotAnswer() {
    var machine = evaluation(.allOf([.biometry(.any), .passcode]))
    #expect(machine.begin(conditions: conditions()) == .enqueue)
    var current = evaluation(.biometry(.current(generation: 2)))
    #expect(current.begin(conditions: conditions()) == .enqueue)
  }

  @Test func nothingElseEndsTheCountingWithASuccess() {
    let usable = conditions(nil)
    var machine = evaluation()
    _ = machine.begin(conditions: conditions())
    #expect(machine.begin(conditions: conditions()) == .ignore)
    #expect(machine.armed(conditions: conditions()) == .ignore)
    #expect(machine.offered(.biometry, conditions: usable) == .ignore)
    let match = Verdict.proven(finger: .rightIndex, generation: 1)
    #expect(machine.judged(.biometry, match, conditions: usable) == .ignore)
    #expect(machine.faulted(.biometry, Outcome(.sensorError), conditions: usable) == .ignore)
    #expect(machine.fallback(conditions: usable) == .ignore)
    #expect(machine.changed(conditions: usable) == .ignore)
    #expect(machine.end(Outcome(.appCancel)) == .finish)
    #expect(machine.outcome == Outcome(.appCancel))
    #expect(machine.redeemed() == .ignore)
    #expect(machine.notRedeemed(conditions: usable) == .ignore)
    #expect(machine.outcome == Outcome(.appCancel))
  }

  @Test func countingThatNobodyAskedForIsIgnored() {
    var machine = evaluation()
    #expect(machine.redeemed() == .ignore)
    #expect(machine.notRedeemed(conditions: conditions()) == .ignore)
    _ = machine.begin(conditions: conditions(nil))
    #expect(machine.redeemed() == .ignore)
    _ = machine.armed(conditions: conditions(nil))
    #expect(machine.redeemed() == .ignore)
    #expect(machine.outcome == nil)
  }
}
