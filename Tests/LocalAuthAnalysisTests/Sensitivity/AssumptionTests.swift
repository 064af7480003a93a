import LocalAuthCore
import LocalAuthPolicies
import LocalAuthSensor
import Testing

@testable import LocalAuthAnalysis

/// The numbers that are our own, and their halves and doubles.
@Suite struct AssumptionTests {
  private let plan: PolicyCase
  private let goats: PolicyCase

  init() throws {
    let lockout = try Cases.catalog.lockoutProfile(named: "three-strikes").get()
    plan = try Cases.plan("device-owner", lockout, .standard, habits: Habits())
    goats = try Cases.plan("device-owner", lockout, Cases.goats, habits: Habits())
  }

  private func assumption(_ name: String) throws -> Assumption {
    try #require(Assumption.all.first { $0.name == name })
  }

  @Test func whatIsLeftAsItShipsIsOurs() {
    for assumption in Assumption.all where assumption.value(in: plan) != nil {
      #expect(assumption.isOurs(in: plan), "\(assumption.name)")
    }
    for assumption in Assumption.all where assumption.value(in: goats) != nil {
      #expect(assumption.isOurs(in: goats), "\(assumption.name)")
    }
  }

  @Test func everyNumberOfEitherPopulationIsThere() {
    let named = [plan, goats].map { plan in
      Set(Assumption.all.filter { $0.value(in: plan) != nil }.map(\.name))
    }
    #expect(
      named[0].symmetricDifference(named[1]) == ["ownVariance", "goats", "goatMiss", "sheepMiss"]
    )
    #expect(named[0].union(named[1]).count == Assumption.all.count)
    #expect(Set(Assumption.all.map(\.name)).count == Assumption.all.count)
  }

  @Test func aChangedNumberIsReadBackAndNoLongerOurs() throws {
    for plan in [plan, goats] {
      for assumption in Assumption.all {
        guard let value = assumption.value(in: plan) else { continue }
        for changed in [assumption.half(of: value), assumption.double(of: value)] {
          guard let changed else { continue }
          let other = try assumption.changing(plan, to: changed)
          let found = try #require(assumption.value(in: other))
          #expect(abs(found - changed) < 1e-9 * changed, "\(assumption.name)")
          #expect(!assumption.isOurs(in: other), "\(assumption.name)")
          #expect(try assumption.changing(other, to: value).habits == plan.habits)
        }
      }
    }
  }

  @Test func aChangeLeavesEveryOtherNumber() throws {
    for plan in [plan, goats] {
      for assumption in Assumption.all {
        guard let value = assumption.value(in: plan), let half = assumption.half(of: value) else {
          continue
        }
        let other = try assumption.changing(plan, to: half)
        for unchanged in Assumption.all where unchanged.name != assumption.name {
          #expect(unchanged.isOurs(in: other) == unchanged.isOurs(in: plan), "\(unchanged.name)")
        }
      }
    }
  }

  @Test func nothingOfFingersIsAssumedWhereNoneIsAskedFor() throws {
    let typed = try Cases.plan("passcode", plan.rules.lockout, .standard, habits: Habits())
    let names = Assumption.all.filter { $0.value(in: typed) != nil }.map(\.name)
    #expect(
      names == ["loginsPerDay", "awake", "mistyped", "typing", "longestWait", "evaluations"]
    )
  }

  @Test func timesAreReadWithoutALastDigit() throws {
    #expect(try assumption("awake").value(in: plan) == 61_200)
    #expect(try assumption("impairedFor").value(in: plan) == 600)
  }

  @Test func sharesStayBelowOne() throws {
    let miss = try assumption("impairedMiss")
    #expect(miss.half(of: 0.4) == 0.2)
    #expect(miss.double(of: 0.4) == 0.8)
    // Twice the odds of one half is two to one.
    #expect(try assumption("ownVariance").double(of: 0.5) == 2.0 / 3)
    #expect(miss.double(of: 0.75) == 1.5 / 1.75)
  }

  @Test func wholeNumbersStayWholeAndDaysEnd() throws {
    let evaluations = try assumption("evaluations")
    #expect(evaluations.half(of: 3) == 2)
    #expect(evaluations.half(of: 1) == nil)
    #expect(evaluations.double(of: 3) == 6)
    let awake = try assumption("awake")
    #expect(awake.double(of: 61_200) == 86_400)
    #expect(awake.double(of: 86_400) == nil)
  }

  @Test func noLimitIsHalvedToTwoAndNotDoubled() throws {
    let patience = try assumption("patience")
    #expect(patience.value(in: plan) == .infinity)
    #expect(patience.half(of: .infinity) == 2)
    #expect(patience.double(of: .infinity) == nil)
    #expect(try patience.changing(plan, to: 2).habits.patience == 2)
  }

  @Test func impossibleNumbersAreRefused() throws {
    #expect(throws: ModelError.self) { try assumption("takenForFake").changing(plan, to: 1.5) }
    #expect(throws: ModelError.self) { try assumption("impairedFor").changing(plan, to: 0) }
    #expect(throws: ModelError.self) { try assumption("mistyped").changing(plan, to: 1) }
    #expect(throws: ModelError.self) { try assumption("loginsPerDay").changing(plan, to: 0) }
    #expect(throws: ModelError.self) { try assumption("impairedMiss").changing(plan, to: 1) }
  }
}
