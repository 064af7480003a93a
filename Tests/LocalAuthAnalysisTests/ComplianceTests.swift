import LocalAuthAnalysis
import LocalAuthCore
import LocalAuthPolicies
import LocalAuthSensor
import Testing

@Suite struct ComplianceTests {
  private func rules(
    _ lockout: LockoutProfile,
    _ sensor: SensorModel = SensorModel.standard,
    delays: String = "apple",
    prints: UInt32 = 1,
    iapar: Double? = 0.05,
    policy: String = "device-owner"
  ) throws -> [String: ComplianceRule] {
    let plan = try Cases.plan(policy, lockout, sensor, prints: prints, delays: delays)
    let compliance = Compliance(plan, rejected: 0.02, iapar: iapar)
    return Dictionary(uniqueKeysWithValues: compliance.rules.map { ($0.rule, $0) })
  }

  private func failed(_ rule: ComplianceRule?) -> [String] {
    rule?.clauses.filter { $0.finding == .failed }.map(\.clause) ?? ["no such rule"]
  }

  private func shipped(_ name: String) throws -> LockoutProfile {
    try Cases.catalog.lockoutProfile(named: name).get()
  }

  @Test func applesPolicyMeetsApplesBounds() throws {
    let rules = try rules(shipped("apple"))
    #expect(rules["apple"]?.finding == .met)
    #expect(rules["nist"]?.finding == .met)
    #expect(rules["fido"]?.finding == .met)
  }

  @Test func androidsFreeAttemptsFailNIST() throws {
    let rules = try rules(shipped("android"), iapar: nil)
    #expect(
      failed(rules["nist"]) == ["from miss 5 on, 30 s before each attempt, or another factor"]
    )
    #expect(failed(rules["android-class-3"]) == ["the passcode every 72 h"])
    #expect(failed(rules["apple"]) == ["at most 5 misses, then the passcode"])
  }

  @Test func threeStrikesMeetTheThreeStrikesButAppleDelaysDoNot() throws {
    let rules = try rules(shipped("three-strikes"))
    #expect(failed(rules["stig"]) == ["at most 3 wrong passcodes within 15 min"])
  }

  @Test func ratesAreHeldAgainstTheirBounds() throws {
    var loose = SensorModel.standard
    loose.scores = try ScoreModel.standard.withFalseMatch(1e-3)
    let rules = try rules(shipped("three-strikes"), loose)
    #expect(failed(rules["nist"]) == ["FMR at most 1 in 10000"])
    #expect(failed(rules["apple"]) == ["FMR at most 1 in 50000 for one print"])
    #expect(failed(rules["fido"]) == ["FAR at most 1 in 10000"])
    let poor = SensorModel(
      scores: ScoreModel(ComplianceFloor.androidClass3.point),
      population: ScoreModel(ComplianceFloor.androidClass3.point).population
    )
    let worst = try self.rules(shipped("three-strikes"), poor)
    #expect(failed(worst["nist"]) == ["FNMR at most 5 %"])
  }

  /// FIDO's bound is 170 attempts at FAR 1/10 000.
  @Test func fidoAllowsAHundredAndSixtyNineAttempts() throws {
    var sensor = SensorModel.standard
    sensor.scores = try ScoreModel.standard.withFalseMatch(1e-4)
    let clause = "FAR times attempts in the first 12.8 days below 0.017"
    #expect(try !failed(rules(Cases.lock(at: 169), sensor)["fido"]).contains(clause))
    #expect(try failed(rules(Cases.lock(at: 170), sensor)["fido"]).contains(clause))
    #expect(try failed(rules(Cases.lock(at: 35), sensor, prints: 5)["fido"]).contains(clause))
  }

  @Test func whatWasNotMeasuredIsNotKnown() throws {
    let rules = try rules(shipped("three-strikes"), iapar: nil)
    #expect(rules["fido"]?.finding == .unknown)
    let fakes = try self.rules(shipped("three-strikes"), iapar: 0.10)
    #expect(failed(fakes["android-class-3"]).contains("SAR and IAR at most 7 %"))
    #expect(!failed(fakes["android-class-2"]).contains("SAR and IAR at most 20 %"))
  }

  @Test func aPolicyThatAlwaysAsksForThePasscodeIsFresh() throws {
    let rules = try rules(shipped("three-strikes"), policy: "biometrics-and-passcode")
    for name in ["android-class-1", "android-class-2", "android-class-3"] {
      #expect(failed(rules[name]) == [], "\(name)")
    }
  }

  @Test func aTableWithoutEndFails() throws {
    let endless = LockoutProfile(name: "endless", delays: DelayTable())
    let rules = try rules(endless, iapar: nil)
    #expect(failed(rules["nist"]).contains("at most 50 misses in a row"))
    #expect(failed(rules["stig"]).contains("at most 3 misses within 15 min"))
  }
}
