import LocalAuthCore
import LocalAuthPolicies
import LocalAuthSensor
import Testing

@testable import LocalAuthAnalysis

/// What changing our own numbers does.
@Suite struct SensitivityTests {
  private let plan: PolicyCase

  init() throws {
    let lockout = try Cases.catalog.lockoutProfile(named: "three-strikes").get()
    plan = try Cases.plan("device-owner", lockout, .standard, habits: Habits())
  }

  private func solved(_ name: String, _ value: (Solution) -> Double) throws -> [Double] {
    let changes = Sensitivity(plan, isAttacked: false).changes.filter { $0.name == name }
    return try #require(changes.isEmpty ? nil : changes).map {
      value(Solution($0.plan, days: 3))
    }
  }

  @Test func everyNumberIsHalvedAndDoubledOnce() {
    let changes = Sensitivity(plan, isAttacked: true).changes
    for assumption in Assumption.all {
      let own = changes.filter { $0.name == assumption.name }
      switch (assumption.value(in: plan), assumption.name) {
      case (nil, _): #expect(own.isEmpty)
      case (_, "patience"): #expect(own.map(\.changed) == [2])
      default: #expect(own.count == 2 && own[0].changed < own[1].changed, "\(assumption.name)")
      }
    }
    #expect(changes.filter { $0.pace != 1 }.map(\.pace) == [0.5, 2])
  }

  @Test func moreOfAFailureMeansMoreOfItsEffect() throws {
    let now = Solution(plan, days: 3)
    for name in ["impairedMiss", "takenForFake", "ownVariance"] {
      let lockouts = try solved(name, \.lockoutsPerYear)
      #expect(lockouts[0] < now.lockoutsPerYear && now.lockoutsPerYear < lockouts[1], "\(name)")
    }
    let denied = try solved("mistyped", \.fallbacks)
    #expect(denied.allSatisfy { $0 > 0 })
    let times = try solved("typing") { $0.meanTime / .seconds(1) }
    #expect(times[0] < now.meanTime / .seconds(1) && now.meanTime / .seconds(1) < times[1])
  }

  /// Three strikes cannot be met by people who never miss three times.
  @Test func patienceDecidesTheLockouts() throws {
    #expect(try solved("patience", \.lockoutsPerYear)[0] < 1e-6)
  }

  @Test func anAttackersTimesChangeTogether() {
    let attack = Attack(.pin, time: .seconds(60)).paced(0.5)
    #expect(attack.presenting == .milliseconds(500))
    #expect(attack.typing == .seconds(2))
    #expect(attack.enrolling == .seconds(5))
    #expect(attack.restarting == .seconds(15))
    #expect(attack.time == .seconds(60))
  }
}
