import LocalAuthCore
import LocalAuthJSON
import LocalAuthPolicies
import LocalAuthTestSupport
import Testing

@Suite struct PolicyJSONTests {
  private func bytes(_ policy: Policy) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try PolicyFile.json(policy).write(into: &bytes)
    return bytes
  }

  @Test func writesEveryDefaultOut() throws {
    let text = String(
      decoding: try bytes(
        Policy(name: "p", summary: "s", requirement: .biometry(.any), acr: "a")
      ),
      as: UTF8.self
    )
    #expect(
      text == #"{"name":"p","summary":"s","requirement":"biometry","presentation":"sequential","#
        + #""needsPasscodeSet":false,"fallback":"allowed","freshness":{},"#
        + #""minimumStrength":"weak","reuseLimit":"5m","acr":"a"}"#
    )
  }

  @Test func textsOfDifferentPoliciesDiffer() {
    let policy = Policy(name: "p", summary: "s", requirement: .biometry(.any), acr: "a")
    var stricter = policy
    stricter.grant = GrantRule(maxAge: .seconds(60))
    #expect(PolicyFile.text(policy) == PolicyFile.text(policy))
    #expect(PolicyFile.text(policy) != PolicyFile.text(stricter))
  }

  @Test func shippedPoliciesReadBackAsThemselves() throws {
    let catalog = PolicyCatalog()
    for name in catalog.names {
      let policy = try catalog.policy(named: name).get()
      #expect(try PolicyFile.parse(try bytes(policy), file: name) == policy)
    }
  }

  @Test func randomPoliciesReadBackAsThemselves() throws {
    var generator = SeededGenerator.ofThisRun
    for round in 0..<500 {
      let policy = Policy.random(using: &generator)
      let text = try bytes(policy)
      let found = message { () throws(PolicyError) in
        let read = try PolicyFile.parse(text, file: "F.json")
        #expect(read == policy, "SEED=\(generator.seed) round \(round)")
      }
      #expect(found == nil, "SEED=\(generator.seed) round \(round)")
    }
  }
}

extension Policy {
  /// A policy that a file can describe.
  static func random(using generator: inout SeededGenerator) -> Policy {
    let requirements: [Requirement] = [
      .biometry(.any), .passcode, .allOf([.biometry(.any), .passcode]),
      .anyOf([.biometry(.any), .passcode]),
      .anyOf([.allOf([.passcode, .biometry(.any)]), .biometry(.any)]),
    ]
    let requirement = requirements.randomElement(using: &generator) ?? .passcode
    var policy = Policy(
      name: "p\(UInt8.random(in: 0...255, using: &generator))",
      summary: "Eins – \"zwei\".",
      requirement: requirement,
      acr: "urn:x:\(UInt16.random(in: 0...999, using: &generator))"
    )
    let hours = Int64.random(in: 2...200, using: &generator)
    policy.needsPasscodeSet = .random(using: &generator)
    policy.timeLimit =
      Bool.random(using: &generator)
      ? .milliseconds(Int64.random(in: 1000...3_600_000, using: &generator)) : nil
    if requirement.factors.factors.count > 1, .random(using: &generator) {
      policy.presentation = .parallel
    }
    if requirement.factors.contains(.passcode) {
      policy.passcodeTries = .random(in: 1...100, using: &generator)
    }
    if .random(using: &generator) {
      policy.grant = GrantRule(
        maxAge: .seconds(Int64.random(in: 10...43_200, using: &generator)),
        idle: Bool.random(using: &generator) ? .seconds(9) : nil,
        uses: Bool.random(using: &generator) ? .random(in: 1...1000, using: &generator) : nil
      )
    }
    guard requirement.factors.contains(.biometry) else {
      policy.fallback = .forbidden
      return policy
    }
    policy.fallback = Bool.random(using: &generator) ? .allowed : .forbidden
    if policy.fallback == .allowed, .random(using: &generator) { policy.fallbackTitle = "Kod…" }
    policy.freshness = FreshnessRules(
      anyWithin: Bool.random(using: &generator) ? .seconds(hours) : nil,
      passcodeWithin: .seconds(hours * 3600),
      unlessMatchedWithin: Bool.random(using: &generator) ? .seconds(hours * 60) : nil
    )
    policy.minimumStrength = SensorStrength.allCases.randomElement(using: &generator) ?? .weak
    policy.lockout = Bool.random(using: &generator) ? "android" : nil
    policy.reuseLimit = .seconds(Int64.random(in: 0...300, using: &generator))
    return policy
  }
}
