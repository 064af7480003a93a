import LocalAuthAnalysis
import LocalAuthCore
import LocalAuthSensor
import Testing

/// Attacks on the machines, against the closed forms of tables and repeated chances.
@Suite struct AttackSolutionTests {
  private func solve(
    _ attacker: Attacker,
    _ policy: String,
    lock: UInt32 = 3,
    delays: String = "apple",
    prints: UInt32 = 1,
    time: Duration = .seconds(4 * 3600)
  ) throws -> AttackSolution {
    let plan = try Cases.plan(
      policy,
      Cases.lock(at: lock),
      SensorModel.standard,
      prints: prints,
      delays: delays
    )
    return try AttackSolution(plan, Attack(attacker, time: time))
  }

  private func isClose(_ left: Double, _ right: Double, _ tolerance: Double = 1e-9) -> Bool {
    abs(left - right) <= tolerance * right
  }

  /// 1 - (1 - q)^(N k).
  @Test(arguments: [(1, 3), (5, 3), (5, 5), (5, 20)] as [(UInt32, UInt32)])
  func strangersHaveAChanceForEachPrintAndAttempt(_ prints: UInt32, _ attempts: UInt32) throws {
    let solution = try solve(.zeroEffort, "biometrics", lock: attempts, prints: prints)
    #expect(isClose(solution.success, Chance.any(of: UInt64(prints * attempts), each: 2e-5)))
    #expect(solution.fingers == attempts)
  }

  @Test func aTouchMatchesAsOftenAsIsPublished() throws {
    #expect(isClose(try solve(.zeroEffort, "biometrics").touchMatch, 2e-5))
    let prints = try solve(.pin, "biometrics", prints: 5).touchMatch
    #expect(isClose(prints, Chance.any(of: 5, each: 2e-5)))
    #expect(isClose(try solve(.fakeAndPIN(.androidClass3), "biometrics").touchMatch, 0.07))
    #expect(try solve(.insider, "device-owner").touchMatch == 0)
  }

  /// 1 - (1 - IAPAR)^k: 19.6 % for three attempts at 7 %, 99.2 % at 80 %.
  @Test func attemptsAreWhatAPolicyOwnsAgainstFakes() throws {
    let third = try solve(.presentation(.androidClass3), "biometrics").success
    #expect(isClose(third, 0.195643, 1e-6))
    #expect(try isClose(solve(.presentation(.talos), "biometrics").success, 0.992, 1e-6))
  }

  /// A(t) / 10^d, where typing takes as long as the shortest delays let it.
  @Test(arguments: ["apple", "apple-2023"])
  func guessersHaveWhatTheTableLeaves(_ table: String) throws {
    let solution = try solve(.pin, "passcode", delays: table, time: .seconds(365 * 86_400))
    #expect(solution.guesses == 10)
    #expect(isClose(solution.success, 10 / 10_000.0))
  }

  /// 140 guesses in 7.1 days, and one a day from then on; the machines count delays from the charge, so
  /// that the time of a guess is part of its delay.
  @Test func gatekeeperLeavesAHundredAndFortyGuessesAWeek() throws {
    let solution = try solve(
      .pin,
      "passcode",
      delays: "gatekeeper",
      time: .seconds(7.3 * 86_400)
    )
    #expect(solution.guesses == 140)
    #expect(isClose(solution.success, 0.014))
  }

  /// Both ways of a policy: 1 - (1 - q)^(N k) (1 - g m).
  @Test func eitherWayAddsToTheOther() throws {
    let solution = try solve(.targeted, "device-owner", prints: 5, time: .seconds(60))
    #expect(solution.fingers == 3 && solution.guesses == 4)
    let byFinger = Chance.any(of: 15, each: 2e-5)
    #expect(isClose(solution.success, byFinger + (1 - byFinger) * 4 / 10_000))
  }

  @Test func whatIsAskedForBesideAFingerStopsStrangers() throws {
    #expect(try solve(.zeroEffort, "biometrics-and-passcode").success == 0)
    #expect(try solve(.presentation(.talos), "passcode").success == 0)
    #expect(try solve(.presentation(.talos), "biometrics-and-passcode").success == 0)
  }

  /// Whoever has guessed the passcode enrols a finger of their own: 1 in 1,250 with 8 guesses.
  @Test(arguments: ["biometrics", "biometrics-and-passcode"])
  func aGuessedPasscodeEnrolsAFinger(_ policy: String) throws {
    let solution = try solve(.pin, policy)
    let touches = policy == "biometrics" ? Chance.any(of: 3, each: 2e-5) : 0
    #expect(solution.guesses == 8)
    #expect(isClose(solution.success, touches + (1 - touches) * 8 / 10_000))
  }

  @Test func moreTimeNeverHelpsLess() throws {
    var last = 0.0
    for hours in [1, 4, 24, 24 * 13] {
      let solution = try solve(
        .targeted,
        "device-owner",
        delays: "gatekeeper",
        time: .seconds(hours * 3600)
      )
      #expect(solution.success >= last)
      #expect(solution.curve.map(\.success) == solution.curve.map(\.success).sorted())
      last = solution.success
    }
  }

  @Test func morePrintsAndAttemptsNeverHelpLess() throws {
    var last = 0.0
    for prints in 1...5 as ClosedRange<UInt32> {
      let success = try solve(.zeroEffort, "biometrics", prints: prints).success
      #expect(success > last)
      last = success
    }
    let more = try solve(.zeroEffort, "biometrics", lock: 10, prints: 5).success
    #expect(more > last)
  }

  /// Lambs and wolves leave an attempt's mean as it is and lower the chance of several.
  @Test func correlationLowersTheChanceOfSeveralAttempts() throws {
    var sensor = SensorModel.standard
    func success(_ attempts: UInt32) throws -> Double {
      let plan = try Cases.plan("biometrics", Cases.lock(at: attempts), sensor)
      return try AttackSolution(plan, Attack(.zeroEffort, time: .seconds(60))).success
    }
    let alike = try (success(1), success(20))
    sensor.impostors = try Impostors(wolfShare: 0.3, lambShare: 0.3)
    #expect(try isClose(success(1), alike.0, 1e-6))
    #expect(try success(20) < alike.1)
  }

  @Test func whoStopsAnAttackGetsNoSolution() throws {
    let plan = try Cases.plan("device-owner", Cases.lock(at: 5), SensorModel.standard)
    let attack = Attack(.fakeAndPIN(.fido), time: .seconds(4 * 3600))
    for questions in 0..<2 {
      var asked = 0
      #expect(throws: AttackError.stopped) {
        try AttackSolution(
          plan,
          attack,
          isStopped: {
            asked += 1
            return asked > questions
          }
        )
      }
      #expect(asked == questions + 1, "somebody who said stop is asked again")
    }
    #expect(throws: AttackError.stopped) {
      try AttackSimulation(plan, attack, seed: 1, isStopped: { true })
    }
  }
}
