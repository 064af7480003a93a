import LocalAuthCore
import LocalAuthPolicies
import Testing

@Suite struct PolicyFileTests {
  private func policy(_ members: String) throws -> Policy {
    try PolicyFile.parse(MarkedText.policy(members).bytes, file: "F.json")
  }

  @Test func fillsInTheDefaults() throws {
    let policy = try policy(#""requirement": "biometry""#)
    #expect(
      policy
        == Policy(
          name: "p",
          summary: "Something.",
          requirement: .biometry(.any),
          acr: "urn:localauth:acr:p"
        )
    )
  }

  @Test func aPolicyWithoutAFingerOffersNothingInItsPlace() throws {
    #expect(try policy(#""requirement": "passcode""#).fallback == .forbidden)
  }

  @Test func readsEveryKey() throws {
    let policy = try policy(
      #"""
      "$schema": "../schema/policy.schema.json", "source": "Nowhere.",
      "requirement": {"allOf": ["biometry", {"anyOf": ["passcode", {"allOf": ["biometry"]}]}]},
      "presentation": "parallel", "fallback": "allowed", "fallbackTitle": "Use the PIN…",
      "timeLimit": "90s", "passcodeTries": 5, "needsPasscodeSet": true,
      "freshness": {"anyWithin": "2", "passcodeWithin": "3h", "unlessMatchedWithin": "1500ms"},
      "minimumStrength": "strong", "lockout": "apple", "reuseLimit": "0s",
      "grant": {"maxAge": "1h", "idle": "5m", "uses": 7}, "acr": "loa:3"
      """#
    )
    #expect(
      policy
        == Policy(
          name: "p",
          summary: "Something.",
          requirement: .allOf([
            .biometry(.any), .anyOf([.passcode, .allOf([.biometry(.any)])]),
          ]),
          presentation: .parallel,
          fallback: .allowed,
          fallbackTitle: "Use the PIN…",
          timeLimit: .seconds(90),
          passcodeTries: 5,
          needsPasscodeSet: true,
          freshness: FreshnessRules(
            anyWithin: .seconds(2),
            passcodeWithin: .seconds(10_800),
            unlessMatchedWithin: .milliseconds(1500)
          ),
          minimumStrength: .strong,
          lockout: "apple",
          reuseLimit: .zero,
          grant: GrantRule(maxAge: .seconds(3600), idle: .seconds(300), uses: 7),
          acr: "loa:3"
        )
    )
  }

  @Test func acceptsTheLimitsThemselves() throws {
    let lists = String(repeating: #"{"allOf": ["#, count: PolicyFile.depthLimit)
    let ends = String(repeating: "]}", count: PolicyFile.depthLimit)
    let deep = try policy("\"requirement\": \(lists)\"biometry\"\(ends), \"timeLimit\": \"1h\"")
    #expect(deep.requirement.factors == .biometry)
    let bytes = MarkedText.policy(#""requirement": "biometry""#).bytes
    let padded =
      bytes + Array(repeating: UInt8(ascii: " "), count: PolicyFile.sizeLimit - bytes.count)
    _ = try PolicyFile.parse(padded, file: "F.json")
  }

  @Test func everyAcceptedRequirementCanBeMet() throws {
    for requirement in [
      #""biometry""#, #""passcode""#, #"{"allOf": ["biometry", "passcode"]}"#,
      #"{"anyOf": [{"allOf": ["passcode", "biometry"]}, "passcode"]}"#,
    ] {
      let policy = try policy("\"requirement\": \(requirement)")
      #expect(policy.requirement.isReachable(from: Proven(), with: [.biometry, .passcode]))
    }
  }
}
