import LocalAuthAnalysis
import LocalAuthCore
import LocalAuthPolicies
import LocalAuthSensor
import Testing

/// What each kind of attacker has.
@Suite struct AttackerTests {
  private func solve(
    _ attacker: Attacker,
    _ policy: String,
    time: Duration = .seconds(4 * 3600),
    lockout: LockoutProfile = Cases.lock(at: 3),
    change: (inout Attack) -> Void = { _ in }
  ) throws -> AttackSolution {
    var attack = Attack(attacker, time: time)
    change(&attack)
    return try AttackSolution(try Cases.plan(policy, lockout, SensorModel.standard), attack)
  }

  @Test(arguments: Cases.policies)
  func whoKnowsThePasscodeGetsInUnlessAKeyIsAskedFor(_ policy: String) throws {
    for lockout in try Cases.lockouts {
      let success = try solve(.knownPIN, policy, lockout: lockout).success
      #expect(abs(success - (policy == "second-factor" ? 0 : 1)) < 1e-12, "\(lockout.name)")
    }
  }

  /// Typing, enrolling and one touch: 4, 10 and 1 seconds, of which the touch begins at 14.
  @Test func aFingerIsEnrolledBeforeItMatches() throws {
    let solution = try solve(.knownPIN, "biometrics")
    #expect(solution.curve.first { $0.success > 0.9 }?.time == .seconds(14))
    #expect(try solve(.knownPIN, "biometrics", time: .seconds(13)).success < 1e-3)
  }

  @Test func theirOwnFingerMatchesAsOftenAsAnybodysOwn() throws {
    let success = try solve(.knownPIN, "biometrics", time: .seconds(14)).success
    let sensor = SensorModel.standard
    let own = (1 - sensor.acquisition.takenForFake) * (1 - sensor.population.mean)
    #expect(abs(success - own) < 1e-3)
  }

  /// 1 - (1 - IAPAR)^3 (1 - 8 / 10 000).
  @Test func aFakeAndGuessesAddUp() throws {
    let both = try solve(.fakeAndPIN(.androidClass3), "device-owner").success
    #expect(abs(both - (1 - 0.93 * 0.93 * 0.93 * (1 - 8e-4))) < 1e-12)
    let guesses = try solve(.fakeAndPIN(.androidClass3), "passcode").success
    #expect(abs(guesses - 8e-4) < 1e-12)
  }

  /// The share seen whole, and of the rest 8 guesses at a hundredth of the passcodes.
  @Test func aGlimpseIsAKnownPasscodeOrFewer() throws {
    let glimpse = try Attacker.Glimpse(whole: 0.25, digits: 2)
    let success = try solve(.shoulder(glimpse), "passcode").success
    #expect(abs(success - (0.25 + 0.75 * 8 / 100)) < 1e-12)
    let nothing = try Attacker.Glimpse(whole: 0, digits: 0)
    let pin = try solve(.pin, "device-owner")
    #expect(try solve(.shoulder(nothing), "device-owner").curve == pin.curve)
  }

  @Test(arguments: [-0.1, 1.1, .nan]) func aGlimpseIsAShare(_ whole: Double) {
    #expect(throws: ModelError.self) { try Attacker.Glimpse(whole: whole, digits: 2) }
  }

  /// A grant answers at once; where none is given, programs are left to guess, and touch nothing.
  @Test func anInsiderHasWhatTheOwnerLeft() throws {
    let granted = try solve(.insider, "device-owner")
    #expect(granted.success == 1 && granted.curve.first?.time == .zero)
    #expect(granted.guesses == 0)
    #expect(try solve(.insider, "biometrics-and-passcode").success == 0)
    var plan = try Cases.plan("passcode", Cases.lock(at: 3), SensorModel.standard)
    plan.policy.grant = nil
    let guessing = try AttackSolution(plan, Attack(.insider, time: .seconds(4 * 3600)))
    #expect(guessing.fingers == 0 && guessing.guesses == 8)
    #expect(abs(guessing.success - 8e-4) < 1e-12)
  }

  /// At ten guesses the published share is met, at eight it is bounded.
  @Test func chosenPasscodesAreGuessedSooner() throws {
    func success(_ passcodes: PasscodeGuesses, _ days: Int) throws -> Double {
      try solve(.pin, "passcode", time: .seconds(days * 86_400)) { $0.passcodes = passcodes }
        .success
    }
    let amitay = PasscodeGuesses.published(PasscodeGuesses.amitay, of: 10_000)
    #expect(abs(try success(amitay, 365) - 0.15) < 1e-12)
    let markert = PasscodeGuesses.published(PasscodeGuesses.markert4, of: 10_000)
    #expect(abs(try success(markert, 365) - 0.046) < 1e-12)
    #expect(try success(markert, 365) > 40 * success(.uniform(of: 10_000), 365))
  }

  /// Half of the attackers match always and half never, so a miss tells that they never will.
  @Test func aStrangersMissesTellOfTheNextTouch() throws {
    var sensor = SensorModel.standard
    sensor.scores = try ScoreModel.standard.withFalseMatch(0.5)
    sensor.impostors = try Impostors(wolfShare: 1, lambShare: 0)
    let plan = try Cases.plan("biometrics", Cases.lock(at: 3), sensor)
    let solution = try AttackSolution(plan, Attack(.zeroEffort, time: .seconds(60)))
    #expect(abs(solution.success - 0.5) < 0.05)
  }

  @Test func anAttackOfTooManyStatesSaysSo() throws {
    let endless = LockoutProfile(name: "endless", delays: DelayTable())
    var plan = try Cases.plan("biometrics", endless, SensorModel.standard)
    plan.policy.freshness = FreshnessRules()
    let attack = Attack(.zeroEffort, time: .seconds(366 * 86_400))
    #expect(throws: AttackError.tooManyStates(Attack.statesMax)) {
      try AttackSolution(plan, attack)
    }
  }
}
