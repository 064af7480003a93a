import LocalAuthCore
import LocalAuthPolicies
import LocalAuthSensor
import Testing

@testable import LocalAuthAnalysis

/// The best order of an attacker's moves, against every order and against orders that are assumed.
@Suite struct BestOrderTests {
  /// Tables that refuse for a few seconds, so that all orders within seconds can be tried.
  private static let lockouts = [
    LockoutProfile(name: "two", delays: DelayTable(locksAt: 2)),
    LockoutProfile(
      name: "short",
      delays: DelayTable(
        rows: [.init(from: 1, through: nil, delay: .seconds(4))],
        locksAt: 3
      )
    ),
    LockoutProfile(
      name: "fallback",
      delays: DelayTable(rows: [.init(from: 2, through: 2, delay: .seconds(3))], locksAt: 4),
      missesPerEvaluation: 2,
      fallbackAfterMisses: 1
    ),
    LockoutProfile(
      name: "forgets",
      delays: DelayTable(
        rows: [.init(from: 2, through: nil, delay: .seconds(6))],
        forgets: .all(after: .seconds(3), withRefusal: true)
      )
    ),
    LockoutProfile(
      name: "leaks",
      delays: DelayTable(
        rows: [.init(from: 2, through: nil, delay: .seconds(5))],
        forgets: .one(every: .seconds(3))
      )
    ),
  ]

  private func plan(_ policy: String, _ lockout: LockoutProfile) throws -> PolicyCase {
    var sensor = Cases.goats
    sensor.scores = try ScoreModel.standard.withFalseMatch(0.1)
    var plan = try Cases.plan(policy, lockout, sensor)
    plan.rules.delays = PasscodeDelays(
      name: "short",
      delays: DelayTable(rows: [.init(from: 2, through: 2, delay: .seconds(5))], locksAt: 3)
    )
    return plan
  }

  private func attack(_ attacker: Attacker, seconds: Int) -> Attack {
    var attack = Attack(attacker, time: .seconds(seconds))
    attack.presenting = .seconds(2)
    attack.typing = .seconds(3)
    attack.enrolling = .seconds(2)
    attack.restarting = .seconds(4)
    attack.passcodes = .uniform(of: 9)
    return attack
  }

  @Test(
    arguments: [
      "biometrics", "biometrics-and-passcode", "device-owner", "device-owner-parallel", "passcode",
    ],
    lockouts
  )
  func noOrderDoesBetter(_ policy: String, _ lockout: LockoutProfile) throws {
    let plan = try plan(policy, lockout)
    for attacker: Attacker in [.zeroEffort, .presentation(.fido), .pin, .fakeAndPIN(.fido)] {
      let attack = attack(attacker, seconds: 7)
      let solved = try AttackSolution(plan, attack)
      let all = EveryAttack(plan, attack, endsWithPasscode: true).success
      if solved.isExact {
        #expect(abs(solved.success - all) < 1e-12, "\(attacker): \(solved.success), \(all)")
      } else {
        #expect(solved.success >= all - 1e-12, "\(attacker): \(solved.success), \(all)")
      }
    }
  }

  /// What a known passcode leads to within seconds, where nothing is certain yet.
  @Test(arguments: ["biometrics", "biometrics-and-passcode", "device-owner"], lockouts)
  func noOrderOfAThiefWhoKnowsThePasscodeDoesBetter(
    _ policy: String,
    _ lockout: LockoutProfile
  ) throws {
    let plan = try plan(policy, lockout)
    for seconds in [2, 4, 7] {
      let attack = attack(.knownPIN, seconds: seconds)
      let solved = try AttackSolution(plan, attack).success
      let all = EveryAttack(plan, attack, endsWithPasscode: false).success
      #expect(abs(solved - all) < 1e-12, "\(seconds) s: \(solved), \(all)")
    }
  }

  @Test(arguments: Cases.policies)
  func noAssumedOrderDoesBetter(_ policy: String) throws {
    for lockout in try Cases.lockouts {
      let plan = try Cases.plan(policy, lockout, SensorModel.standard)
      for attacker: Attacker in [.zeroEffort, .targeted, .presentation(.fido), .pin] {
        let attack = Attack(attacker, time: .seconds(120))
        let solved = try AttackSolution(plan, attack).success
        for prefersFinger in [true, false] where attacker.types || prefersFinger {
          let fixed = FixedAttack.success(plan, attack, prefersFinger: prefersFinger)
          #expect(
            solved >= fixed * (1 - 1e-9),
            "\(policy), \(lockout.name), \(attacker): \(solved) after \(fixed)"
          )
        }
      }
    }
  }

  /// A restart brings nothing: refusals begin anew, and a finger needs the passcode.
  @Test func aRestartIsNeverTheBestMove() throws {
    let plan = try plan("device-owner", Self.lockouts[1])
    var slow = attack(.pin, seconds: 9)
    var fast = slow
    slow.restarting = .seconds(600)
    fast.restarting = .seconds(1)
    #expect(try AttackSolution(plan, slow).curve == AttackSolution(plan, fast).curve)
  }

  /// Touches and guesses that are solved by themselves bound those that are solved together.
  @Test func partsAreABoundOfTheWhole() throws {
    for lockout in ["android", "fido", "nist-800-63b"] {
      let profile = try Cases.catalog.lockoutProfile(named: lockout).get()
      let plan = try Cases.plan("device-owner", profile, SensorModel.standard)
      let time = Duration.seconds(3600)
      let whole = try AttackSolution(plan, Attack(.fakeAndPIN(.fido), time: time))
      let touches = try AttackSolution(plan, Attack(.presentation(.fido), time: time)).success
      let typed = try Cases.plan("passcode", profile, SensorModel.standard)
      let guesses = try AttackSolution(typed, Attack(.pin, time: time)).success
      #expect(whole.isExact)
      #expect(whole.success <= 1 - (1 - touches) * (1 - guesses) + 1e-12, "\(lockout)")
    }
  }
}
