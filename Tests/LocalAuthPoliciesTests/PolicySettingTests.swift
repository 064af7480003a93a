import LocalAuthCore
import LocalAuthJSON
import LocalAuthPolicies
import LocalAuthTestSupport
import Testing

@Suite struct PolicySettingTests {
  private func texts(_ settings: [PolicySetting]) -> [String: String] {
    Dictionary(settings.map { ($0.key, $0.text) }, uniquingKeysWith: { first, _ in first })
  }

  @Test func everyDefaultOfAPolicyIsSaidInWords() {
    var policy = Policy(name: "p", summary: "s", requirement: .anyOf([.biometry(.any), .passcode]))
    policy.freshness.anyWithin = .seconds(7200)
    policy.timeLimit = .seconds(90)
    policy.grant = GrantRule(maxAge: .seconds(60), uses: 3)
    let found = texts(policy.settings)
    #expect(
      found == [
        "requirement": "a finger, or else the passcode", "presentation": "sequential",
        "timeLimit": "90s", "passcodeTries": "3", "needsPasscodeSet": "false",
        "fallback": "allowed", "freshness.anyWithin": "2h", "minimumStrength": "weak",
        "reuseLimit": "5m", "grant.maxAge": "1m", "grant.uses": "3", "acr": "",
      ]
    )
  }

  @Test func policiesOfDifferentRulesAreSetDifferently() throws {
    var generator = SeededGenerator.ofThisRun
    for round in 0..<500 {
      let left = Policy.random(using: &generator)
      var right = Policy.random(using: &generator)
      right.name = left.name
      #expect(
        (left == right) == (left.settings == right.settings),
        "SEED=\(generator.seed) round \(round)"
      )
    }
  }

  @Test func nameAndSummaryAreNoSettings() {
    let left = Policy(name: "a", summary: "one", requirement: .passcode)
    let right = Policy(name: "b", summary: "another", requirement: .passcode)
    #expect(left.settings == right.settings)
  }

  @Test(arguments: [
    ("three-strikes", ["locksAt": "3"]),
    ("android", ["delays": "30s at 5, 30s at 10, 30s at 15", "locksAt": "20"]),
    ("faillock", ["delays": "10m at 3", "forgets": "all after 15m, and after a refusal"]),
  ])
  func aLockoutProfileIsSaidInWords(_ name: String, _ expected: [String: String]) throws {
    let found = texts(try PolicyCatalog().lockoutProfile(named: name).get().settings)
    for key in ["delays", "locksAt", "forgets"] {
      #expect(found[key] == expected[key], "\(key)")
    }
    #expect(found["needsPasscode"] != nil && found["fallbackAfterMisses"] != nil)
  }

  @Test func everyRowOfADelayTableIsSaid() {
    let rows = [
      DelayTable.Row(from: 2, through: 4, delay: .seconds(1)),
      DelayTable.Row(from: 5, through: nil, delay: .seconds(30), doublesEvery: 10),
    ]
    let delays = DelayTable(rows: rows, forgets: .one(every: .seconds(60)))
    let found = texts(LockoutProfile(name: "p", delays: delays).settings)
    #expect(found["delays"] == "1s at 2 to 4, 30s from 5 on, doubled every 10")
    #expect(found["forgets"] == "one every 1m")
  }

  @Test func shippedProfilesAreAllSetDifferently() throws {
    let catalog = PolicyCatalog()
    let settings = try catalog.lockoutProfileNames.map {
      try catalog.lockoutProfile(named: $0).get().settings
    }
    #expect(Set(settings).count == settings.count)
  }
}
