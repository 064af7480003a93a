import LocalAuthCore
import LocalAuthTestSupport
import Testing

@Suite struct EvaluationMachineTests {
  private static let usable = Conditions(biometry: .usable, passcode: .usable)
  private static let threeStrikes = LockoutProfile(
    name: "three-strikes",
    delays: DelayTable(locksAt: 3)
  )

  private func evaluation(
    _ requirement: Requirement,
    _ presentation: Policy.Presentation = .sequential,
    fallback: Policy.FallbackMode = .allowed,
    profile: LockoutProfile = threeStrikes,
    isInteractive: Bool = true
  ) -> EvaluationMachine {
    let policy = Policy(
      name: "test",
      requirement: requirement,
      presentation: presentation,
      fallback: fallback
    )
    return EvaluationMachine(
      rules: EvaluationMachine.Rules(policy: policy, profile: profile, isInteractive: isInteractive)
    )
  }

  /// An evaluation that has the prompt.
  private func presented(
    _ requirement: Requirement,
    _ presentation: Policy.Presentation = .sequential,
    fallback: Policy.FallbackMode = .allowed,
    profile: LockoutProfile = threeStrikes
  ) -> EvaluationMachine {
    var machine = evaluation(requirement, presentation, fallback: fallback, profile: profile)
    _ = machine.begin(conditions: Self.usable)
    _ = machine.armed(conditions: Self.usable)
    return machine
  }

  private static let deviceOwner = Requirement.anyOf([.biometry(.any), .passcode])
  private static let match = Verdict.proven(finger: .rightIndex, generation: 1)
  private static let right = Verdict.proven(finger: nil, generation: nil)

  @Test func whatIsCollectedCountsOnlyWhereItIsAskedFor() {
    var rules = evaluation(.applicationPassword).rules
    rules.asked = .applicationPassword
    var asked = EvaluationMachine(rules: rules)
    #expect(asked.collected(.applicationPassword, conditions: Self.usable) == .ignore, "too early")
    #expect(asked.begin(conditions: Self.usable) == .enqueue)
    #expect(asked.collected(.applicationPassword, conditions: Self.usable) == .ignore, "too early")
    #expect(asked.armed(conditions: Self.usable) == .present(.applicationPassword))
    #expect(asked.collected(.passcode, conditions: Self.usable) == .ignore)
    #expect(asked.collected(.applicationPassword, conditions: Self.usable) == .finish)
    #expect(asked.outcome == .success)
    #expect(asked.collected(.applicationPassword, conditions: Self.usable) == .ignore, "too late")
    var unasked = presented(Self.deviceOwner, .parallel)
    for factor in Factor.allCases {
      #expect(unasked.collected(factor, conditions: Self.usable) == .ignore)
    }
    #expect(unasked.outcome == nil && unasked.proven.factors.isEmpty)
  }

  @Test func asksForThePromptOnlyWhenSomebodyIsNeeded() {
    var machine = evaluation(.biometry(.any))
    #expect(machine.begin(conditions: Self.usable) == .enqueue)
    #expect(machine.armed(conditions: Self.usable) == .present(.biometry))
  }

  @Test func answersAtOnceWhenNobodyCanBeAsked() {
    var machine = evaluation(.biometry(.any), isInteractive: false)
    #expect(machine.begin(conditions: Self.usable) == .finish)
    #expect(machine.outcome == Outcome(.notInteractive))
  }

  @Test func saysWhyBeforeItSaysThatNobodyCanBeAsked() {
    var machine = evaluation(.biometry(.any), isInteractive: false)
    let conditions = Conditions(biometry: .notEnrolled, passcode: .usable)
    #expect(machine.begin(conditions: conditions) == .finish)
    #expect(machine.outcome == Outcome(.biometryNotEnrolled))
  }

  @Test func aMatchSatisfiesBiometrics() {
    var machine = presented(.biometry(.any))
    #expect(machine.offered(.biometry, conditions: Self.usable) == .attempt(.biometry))
    #expect(machine.judged(.biometry, Self.match, conditions: Self.usable) == .finish)
    #expect(machine.outcome == .success)
  }

  @Test func aMissKeepsThePromptOpen() {
    var machine = presented(.biometry(.any))
    _ = machine.offered(.biometry, conditions: Self.usable)
    #expect(machine.judged(.biometry, .miss, conditions: Self.usable) == .present(.biometry))
    #expect(machine.judgedCount == 1)
  }

  @Test func theMissThatLocksEndsBiometricsWithTheLockout() {
    var machine = presented(.biometry(.any))
    let locked = Conditions(biometry: .lockedOut(retryAfter: nil), passcode: .usable)
    _ = machine.offered(.biometry, conditions: Self.usable)
    #expect(machine.judged(.biometry, .miss, conditions: locked) == .finish)
    #expect(machine.outcome == Outcome(.biometryLockout))
  }

  @Test func theMissThatLocksMovesDeviceOwnerToThePasscode() {
    var machine = presented(Self.deviceOwner)
    let locked = Conditions(biometry: .lockedOut(retryAfter: nil), passcode: .usable)
    _ = machine.offered(.biometry, conditions: Self.usable)
    #expect(machine.judged(.biometry, .miss, conditions: locked) == .present(.passcode))
  }

  @Test func theLimitOfOneEvaluationFailsWithoutALock() {
    let apple = LockoutProfile(
      name: "apple",
      delays: DelayTable(locksAt: 5),
      missesPerEvaluation: 3,
      fallbackAfterMisses: 1
    )
    var machine = presented(.biometry(.any), profile: apple)
    for _ in 1...2 {
      _ = machine.offered(.biometry, conditions: Self.usable)
      #expect(machine.judged(.biometry, .miss, conditions: Self.usable) == .present(.biometry))
    }
    _ = machine.offered(.biometry, conditions: Self.usable)
    #expect(machine.judged(.biometry, .miss, conditions: Self.usable) == .finish)
    #expect(machine.outcome == Outcome(.authenticationFailed))
  }

  @Test func theFallbackIsNotOfferedBeforeTheMissesThatTheProfileWants() {
    let apple = LockoutProfile(
      name: "apple",
      delays: DelayTable(locksAt: 5),
      fallbackAfterMisses: 1
    )
    var machine = presented(.biometry(.any), profile: apple)
    #expect(!machine.offersFallback)
    #expect(machine.fallback(conditions: Self.usable) == .ignore)
    _ = machine.offered(.biometry, conditions: Self.usable)
    _ = machine.judged(.biometry, .miss, conditions: Self.usable)
    #expect(machine.offersFallback)
    #expect(machine.fallback(conditions: Self.usable) == .finish)
    #expect(machine.outcome == Outcome(.userFallback))
  }

  @Test func theFallbackSwitchesDeviceOwnerToThePasscode() {
    var machine = presented(Self.deviceOwner)
    #expect(machine.fallback(conditions: Self.usable) == .present(.passcode))
    #expect(machine.fallback(conditions: Self.usable) == .ignore)
  }

  @Test func aForbiddenFallbackIsIgnored() {
    var machine = presented(Self.deviceOwner, fallback: .forbidden)
    #expect(machine.fallback(conditions: Self.usable) == .ignore)
  }

  @Test func aForcedFallbackAsksForThePasscodeFirst() {
    var machine = evaluation(Self.deviceOwner, fallback: .forced)
    _ = machine.begin(conditions: Self.usable)
    #expect(machine.armed(conditions: Self.usable) == .present(.passcode))
  }

  @Test func aForcedFallbackAsksForNoFingerWhileThePasscodeIsRefused() {
    var machine = evaluation(Self.deviceOwner, fallback: .forced)
    var refused = Self.usable
    refused.passcode = .throttled(retryAfter: .seconds(60))
    _ = machine.begin(conditions: refused)
    #expect(machine.armed(conditions: refused) == .finish)
    #expect(machine.outcome == Outcome(.passcodeThrottled, retryAfter: .seconds(60)))
    var without = evaluation(Self.deviceOwner, fallback: .forced)
    refused.passcode = .notSet
    _ = without.begin(conditions: refused)
    #expect(without.armed(conditions: refused) == .present(.biometry))
  }

  @Test func parallelAsksForBothAndTheFirstVerdictDecides() {
    var machine = evaluation(Self.deviceOwner, .parallel)
    _ = machine.begin(conditions: Self.usable)
    #expect(machine.armed(conditions: Self.usable) == .present([.biometry, .passcode]))
    _ = machine.offered(.passcode, conditions: Self.usable)
    _ = machine.offered(.biometry, conditions: Self.usable)
    #expect(machine.judged(.biometry, Self.match, conditions: Self.usable) == .finish)
    #expect(machine.outcome == .success)
    #expect(machine.judged(.passcode, .miss, conditions: Self.usable) == .ignore)
  }

  @Test func bothFactorsAreNeededWhereThePolicyWantsBoth() {
    var machine = presented(.allOf([.biometry(.any), .passcode]))
    _ = machine.offered(.biometry, conditions: Self.usable)
    #expect(
      machine.judged(.biometry, Self.match, conditions: Self.usable) == .present(.passcode)
    )
    _ = machine.offered(.passcode, conditions: Self.usable)
    #expect(machine.judged(.passcode, Self.right, conditions: Self.usable) == .finish)
    #expect(machine.outcome == .success)
  }

  @Test func thePasscodeComesFirstWhereItMakesTheFingerCount() {
    var machine = evaluation(.allOf([.biometry(.any), .passcode]))
    let stale = Conditions(biometry: .passcodeRequired, passcode: .usable)
    #expect(machine.begin(conditions: stale) == .enqueue)
    #expect(machine.armed(conditions: stale) == .present(.passcode))
    _ = machine.offered(.passcode, conditions: stale)
    #expect(
      machine.judged(.passcode, Self.right, conditions: Self.usable) == .present(.biometry)
    )
    _ = machine.offered(.biometry, conditions: Self.usable)
    #expect(machine.judged(.biometry, Self.match, conditions: Self.usable) == .finish)
    #expect(machine.outcome == .success)
  }

  @Test func aStaleFingerAloneIsRefused() {
    var machine = evaluation(.biometry(.any))
    let stale = Conditions(biometry: .passcodeRequired, passcode: .usable)
    #expect(machine.begin(conditions: stale) == .finish)
    #expect(machine.outcome?.code == .biometryLockout)
  }

  @Test func wrongPasscodesEndTheEvaluationAtThePolicysLimit() {
    var machine = presented(.passcode)
    for _ in 1...2 {
      _ = machine.offered(.passcode, conditions: Self.usable)
      #expect(machine.judged(.passcode, .miss, conditions: Self.usable) == .present(.passcode))
    }
    _ = machine.offered(.passcode, conditions: Self.usable)
    #expect(machine.judged(.passcode, .miss, conditions: Self.usable) == .finish)
    #expect(machine.outcome == Outcome(.authenticationFailed))
  }

  @Test func aThrottledPasscodeEndsWithTheTimeThatIsLeft() {
    var machine = presented(.passcode)
    let throttled = Conditions(
      biometry: .usable,
      passcode: .throttled(retryAfter: .seconds(60))
    )
    _ = machine.offered(.passcode, conditions: Self.usable)
    #expect(machine.judged(.passcode, .miss, conditions: throttled) == .finish)
    #expect(machine.outcome == Outcome(.passcodeThrottled, retryAfter: .seconds(60)))
  }

  /// Whoever hears that no finger is enrolled asks elsewhere, for the same passcode perhaps.
  @Test func aRefusedPasscodeIsToldBeforeAnAbsentFingerInAnyOrder() {
    let throttled = PasscodeCondition.throttled(retryAfter: .seconds(60))
    for parts in [[Requirement.passcode, .biometry(.any)], [.biometry(.any), .passcode]] {
      var refused = evaluation(.anyOf(parts))
      let none = Conditions(biometry: .notEnrolled, passcode: throttled)
      #expect(refused.begin(conditions: none) == .finish)
      #expect(refused.outcome == Outcome(.passcodeThrottled, retryAfter: .seconds(60)))

      var wrong = evaluation(.anyOf(parts))
      let open = Conditions(biometry: .notEnrolled, passcode: .usable)
      _ = wrong.begin(conditions: open)
      _ = wrong.armed(conditions: open)
      while wrong.outcome == nil {
        _ = wrong.offered(.passcode, conditions: open)
        _ = wrong.judged(.passcode, .miss, conditions: open)
      }
      #expect(wrong.outcome == Outcome(.authenticationFailed))
    }
    var without = evaluation(.anyOf([.passcode, .biometry(.any)]))
    _ = without.begin(conditions: Conditions(biometry: .notEnrolled, passcode: .notSet))
    #expect(without.outcome == Outcome(.biometryNotEnrolled))
    var both = evaluation(.allOf([.passcode, .biometry(.any)]))
    _ = both.begin(conditions: Conditions(biometry: .notEnrolled, passcode: throttled))
    #expect(both.outcome?.code != .success && both.outcome != nil)
  }

  @Test func aSensorThatGivesUpEndsBiometricsAndMovesDeviceOwnerOn() {
    var alone = presented(.biometry(.any))
    #expect(alone.faulted(.biometry, .sensor(.removed), conditions: Self.usable) == .finish)
    #expect(alone.outcome == Outcome(.biometryDisconnected))
    var owner = presented(Self.deviceOwner)
    #expect(
      owner.faulted(.biometry, .sensor(.general), conditions: Self.usable)
        == .present(.passcode)
    )
  }

  @Test func anUnjudgedAttemptIsNoMiss() {
    var machine = presented(.passcode)
    _ = machine.offered(.passcode, conditions: Self.usable)
    let verdict = Verdict.unjudged(Outcome(.internalError))
    #expect(machine.judged(.passcode, verdict, conditions: Self.usable) == .finish)
    #expect(machine.outcome == Outcome(.internalError))
    #expect(machine.judgedCount == 0)
  }

  @Test func oneTouchAtATimeIsJudged() {
    var machine = presented(.biometry(.any))
    #expect(machine.offered(.biometry, conditions: Self.usable) == .attempt(.biometry))
    #expect(machine.offered(.biometry, conditions: Self.usable) == .ignore)
  }

  @Test func aFactorThatIsNotAskedForIsIgnored() {
    var machine = presented(.biometry(.any))
    #expect(machine.offered(.passcode, conditions: Self.usable) == .ignore)
    #expect(machine.judged(.passcode, Self.right, conditions: Self.usable) == .ignore)
  }

  @Test(
    arguments: [
      OutcomeCode.userCancel, .systemCancel, .appCancel, .timeout, .simulatedNotAllowed, .busy,
    ]) func anEndFromOutsideIsFinal(code: OutcomeCode)
  {
    var machine = presented(Self.deviceOwner)
    _ = machine.offered(.biometry, conditions: Self.usable)
    #expect(machine.end(Outcome(code)) == .finish)
    #expect(machine.outcome == Outcome(code))
    #expect(machine.judged(.biometry, Self.match, conditions: Self.usable) == .ignore)
    #expect(machine.outcome == Outcome(code))
  }

  @Test func aReusedUnlockStandsInForATouchOfTheSameSetOnly() {
    var conditions = Self.usable
    conditions.reusableUnlock = 7
    var any = evaluation(.biometry(.any))
    #expect(any.begin(conditions: conditions) == .finish)
    #expect(any.outcome == .success)
    #expect(any.isUnlockReused)
    var current = evaluation(.biometry(.current(generation: 8)))
    #expect(current.begin(conditions: conditions) == .enqueue)
  }

  @Test func aReusedUnlockDoesNotOpenALockedSensor() {
    var machine = evaluation(.biometry(.any))
    let conditions = Conditions(
      biometry: .lockedOut(retryAfter: nil),
      passcode: .usable,
      reusableUnlock: 1
    )
    #expect(machine.begin(conditions: conditions) == .finish)
    #expect(machine.outcome == Outcome(.biometryLockout))
  }

  @Test func aPolicyThatNeedsAPasscodeSetIsRefusedWithoutOne() {
    let policy = Policy(
      name: "owner",
      requirement: Self.deviceOwner,
      needsPasscodeSet: true
    )
    var machine = EvaluationMachine(
      rules: EvaluationMachine.Rules(
        policy: policy,
        profile: Self.threeStrikes,
        isInteractive: true
      )
    )
    let conditions = Conditions(biometry: .usable, passcode: .notSet)
    #expect(machine.begin(conditions: conditions) == .finish)
    #expect(machine.outcome == Outcome(.passcodeNotSet))
  }
}
