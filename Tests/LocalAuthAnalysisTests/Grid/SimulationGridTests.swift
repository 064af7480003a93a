import Glibc
import LocalAuthAnalysis
import LocalAuthCore
import LocalAuthSensor
import LocalAuthTestSupport
import Testing

/// Policies, lockout profiles and sensors: what is drawn, against what is solved.
///
/// Each comparison is an exact binomial test over people, who are independent; a right solution fails any of
/// the whole grid once in a million runs. `GRID_USERS` draws more people a cell.
@Suite struct SimulationGridTests {
  private static let seed = SeededGenerator.ofThisRun.seed

  private static var users: UInt32 {
    // SAFETY: the C string is copied at once, and no test changes the environment.
    unsafe getenv("GRID_USERS").flatMap { unsafe UInt32(String(cString: $0)) } ?? 60
  }

  /// More comparisons than there are.
  private static let comparisons = 5_000.0

  private struct Cell {
    let name: String
    let plan: PolicyCase
  }

  private static func cells() throws -> [Cell] {
    var cells: [Cell] = []
    func add(_ policy: String, _ lockout: LockoutProfile, _ sensor: (String, SensorModel)) throws {
      let number = UInt32(cells.count)
      // Every habit meets every policy.
      let habits = Cases.habits(patience: number % 3 == 0 ? 2 : nil)
      cells.append(
        Cell(
          name: "\(policy), \(lockout.name), \(sensor.0)",
          plan: try Cases.plan(
            policy,
            lockout,
            sensor.1,
            prints: 1 + number % 2,
            delays: ["apple", "gatekeeper", "apple-2023"][Int(number % 3)],
            habits: habits
          )
        )
      )
    }
    for lockout in try Cases.lockouts {
      for policy in Cases.policies {
        for sensor in try Cases.sensors { try add(policy, lockout, sensor) }
      }
      // Each of these is dozens of kinds of people to solve, so it meets one policy a profile.
      for (number, sensor) in try Cases.continua.enumerated() {
        try add(["device-owner", "biometrics"][number % 2], lockout, sensor)
      }
    }
    return cells
  }

  private static func check(_ seen: Proportion, _ rate: Double, _ what: String) {
    // What is dropped of small shares is below 1e-9 of the people.
    let p = max(
      seen.pValue(rate: min(max(rate, 0), 1)),
      seen.pValue(rate: min(max(rate, 0) + 1e-9, 1))
    )
    #expect(
      p > 1e-6 / comparisons,
      "\(what): \(seen.successes) of \(seen.trials) against \(rate), SEED=\(seed)"
    )
  }

  private static func share(_ rate: ClusteredRate) -> Proportion {
    Proportion(successes: rate.events, trials: rate.trials)
  }

  @Test func peopleMeetWhatTheChainSays() throws {
    let cells = try Self.cells()
    #expect(cells.count >= 200)
    for (number, cell) in cells.enumerated() {
      let simulation = Simulation(cell.plan, seed: Self.seed &+ UInt64(number), days: 2)
      var seen = simulation.nobody
      simulation.run(0..<Self.users, into: &seen)
      let solution = Solution(cell.plan, days: 2)
      Self.check(Self.share(seen.everLockedOut), solution.everLockedOut, "\(cell.name): locked out")
      Self.check(Self.share(seen.everFellBack), solution.everFellBack, "\(cell.name): fell back")
      Self.check(Self.share(seen.everDenied), solution.everDenied, "\(cell.name): denied")
    }
  }

  @Test func firstLoginsAreRefusedAsOften() throws {
    for (number, cell) in try Self.cells().enumerated() where number % 2 == 0 {
      var plan = cell.plan
      plan.habits.loginsPerDay = 1
      let simulation = Simulation(plan, seed: Self.seed &+ UInt64(number), days: 1)
      var seen = simulation.nobody
      simulation.run(0..<Self.users, into: &seen)
      Self.check(
        Self.share(seen.rejected),
        Solution(plan, days: 1).rejected,
        "\(cell.name): refused"
      )
    }
  }

  /// A passcode falls due within nine days at one login a day, however well the finger matches.
  @Test func passcodesThatFallDueAreSolvedToo() throws {
    for policy in Cases.policies {
      let plan = try Cases.plan(
        policy,
        Cases.lock(at: 3),
        Cases.goats,
        habits: Cases.habits(logins: 1)
      )
      let simulation = Simulation(plan, seed: Self.seed, days: 9)
      var seen = simulation.nobody
      simulation.run(0..<Self.users, into: &seen)
      let solution = Solution(plan, days: 9)
      Self.check(Self.share(seen.everFellBack), solution.everFellBack, "\(policy): fell back")
      Self.check(Self.share(seen.everDenied), solution.everDenied, "\(policy): denied")
      if plan.isFingerEnough, plan.policy.freshness.passcodeWithin != nil {
        // Who could not enrol a finger has no way but the passcode, or none.
        #expect(solution.everFellBack > 0.994, "\(policy)")
      }
    }
  }

  @Test func attacksSucceedAsOften() throws {
    var sensor = Cases.goats
    sensor.scores = try ScoreModel.standard.withFalseMatch(0.03)
    sensor.impostors = try Impostors(wolfShare: 0.2, lambShare: 0.3)
    for lockout in try Cases.lockouts {
      for policy in Cases.policies {
        let plan = try Cases.plan(policy, lockout, sensor, prints: 2)
        let attackers: [Attacker] = [
          .zeroEffort, .targeted, .presentation(.fido), .pin, .fakeAndPIN(.fido), .knownPIN,
          .shoulder(.standard), .insider,
        ]
        for attacker in attackers {
          var attack = Attack(attacker, time: .seconds(3600))
          attack.passcodes = .uniform(of: 500)
          let simulation = try AttackSimulation(plan, attack, seed: Self.seed)
          var seen = AttackStatistics()
          simulation.run(0..<(Self.users), into: &seen)
          let solution = try AttackSolution(plan, attack)
          Self.check(seen.share, solution.success, "\(policy), \(lockout.name), \(attacker)")
        }
      }
    }
  }
}
