import LocalAuthCore
import LocalAuthPolicies
import Testing

@testable import LocalAuthProver

@Suite struct ExplorationTests {
  private func explored(_ setup: Setup, _ bounds: Bounds, _ pace: Pace) -> Exploration {
    var exploration = Exploration(setup, bounds, pace)
    exploration.run()
    return exploration
  }

  @Test(arguments: Pace.allCases, ["biometrics", "passcode"])
  func shippedPoliciesHold(_ pace: Pace, _ policy: String) throws {
    let exploration = explored(
      try Setup.shipped(policy),
      Bounds(states: 3000),
      pace
    )
    #expect(exploration.violations.isEmpty)
    #expect(exploration.states == 3000, "the bound is what ends it")
  }

  @Test func noDeeperThanTheBound() throws {
    let setup = try Setup.shipped("passcode")
    let exploration = explored(setup, Bounds(depth: 1, states: 1_000_000), .free)
    #expect(exploration.depth == 1)
    #expect(!exploration.isExhausted)
  }

  @Test func beginningsReachTheLastAttemptOfEachTable() throws {
    let android = Ladder.rungs(try Setup.shipped("biometrics", "android"), .tried)
    #expect(
      android.contains { $0.model.state.machine.record.attempts.lockout.tally.failures == 20 }
    )
    let gatekeeper = Ladder.rungs(try Setup.shipped("passcode", "android", "gatekeeper"), .tried)
    #expect(
      gatekeeper.contains { $0.model.state.machine.record.attempts.throttle.tally.failures == 140 }
    )
    #expect((android + gatekeeper).allSatisfy { $0.model.state.violated == nil })
  }

  @Test func aBeginningIsReachedByItsTrace() throws {
    let setup = try Setup.shipped("biometrics", "android")
    for rung in Ladder.rungs(setup, .tried) {
      var model = Model(setup, rung.kind, isDistrusted: rung.isDistrusted)
      for event in rung.trace { model.apply(event) }
      #expect(model.state == rung.model.state)
    }
  }

  @Test func aShrunkTraceCanSpareNoStep() throws {
    let setup = try Setup.shipped("passcode")
    var start = Model(setup)
    // A disk that has more to forget than it was told: the first judged passcode is not in the count.
    start.state.history.passcode.judged = 1
    let asks = Event.request(.first, Request())
    let long: [Event] = [
      .pass(.seconds(1)), asks, .cancel(.first), .reboot, .settle, asks, .touch(isRight: true),
      .passcode(isRight: false), .settle, .lock,
    ]
    let shrunk = Shrinking.shortest(long, from: start, breaking: .chargedFirst)
    #expect(shrunk == [asks, .passcode(isRight: false), .settle])
  }

  @Test func situationsThatDifferInTheirDateAreOne() throws {
    let setup = try Setup.shipped("biometrics", "android")
    var early = Model(setup)
    var late = early
    late.apply(.reboot)
    late.apply(.settle)
    early.apply(.reboot)
    early.apply(.settle)
    late.apply(.pass(.seconds(3600)))
    #expect(late.state == early.state)
  }
}
