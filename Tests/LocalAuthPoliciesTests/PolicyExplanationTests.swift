import LocalAuthCore
import LocalAuthPolicies
import Testing

@Suite struct PolicyExplanationTests {
  private func explanation(_ name: String) throws -> [String] {
    try PolicyCatalog().policy(named: name).get().explanation
  }

  @Test func saysTheOrderOfFactors() {
    let finger = Requirement.biometry(.any)
    #expect(Requirement.anyOf([finger, .passcode]).words() == "a finger, or else the passcode")
    #expect(Requirement.anyOf([finger, .passcode]).words(.parallel) == "a finger or the passcode")
    #expect(Requirement.allOf([finger, .passcode]).words() == "a finger and then the passcode")
    #expect(
      Requirement.anyOf([.allOf([finger, .applicationPassword]), .companion]).words()
        == "(a finger and then the application's password), or else a companion device"
    )
    #expect(
      Requirement.biometry(.current(generation: 3)).words() == "a finger of the current set"
    )
  }

  @Test func explainsDeviceOwner() throws {
    #expect(
      try explanation("device-owner") == [
        "Asks for a finger, or else the passcode.",
        "Is refused on a device that has no passcode.",
        "The person may turn away from the finger.",
        "A finger does not count before the passcode was used: after a boot, 48h after any "
          + "success and 156h after the last passcode unless a finger matched within 4h.",
        "The sensor must be at least weak.",
        "A finger that unlocked the device stands in for a touch for 5m, where the caller wants "
          + "that.",
        "Ends after 3 wrong passcodes.",
        "A success answers the same caller and action again for 5m, where the caller wants that.",
        "A success is worth the acr urn:localauth:acr:device-owner.",
      ]
    )
  }

  @Test func saysNothingOfFingersWhereNoneIsAskedFor() throws {
    #expect(
      try explanation("passcode") == [
        "Asks for the passcode.", "Is refused on a device that has no passcode.",
        "Ends after 3 wrong passcodes.",
        "A success answers the same caller and action again for 5m, where the caller wants that.",
        "A success is worth the acr urn:localauth:acr:passcode.",
      ]
    )
  }

  @Test func explainsEveryRule() {
    let policy = Policy(
      name: "p",
      requirement: .allOf([.biometry(.any), .passcode]),
      presentation: .parallel,
      fallbackTitle: "Use the PIN",
      timeLimit: .seconds(90),
      passcodeTries: 1,
      minimumStrength: .convenience,
      lockout: "apple",
      reuseLimit: .zero,
      acr: "a"
    )
    #expect(
      policy.explanation == [
        "Asks for everything at once: a finger and the passcode.",
        "The person may turn away from the finger: \"Use the PIN\".",
        "A finger does not count before the passcode was used: after a boot.",
        "The lockout profile apple holds too where it is the stricter one.",
        "A finger that unlocked the device never stands in for a touch.",
        "Ends after 1 wrong passcode.", "Ends after 90s.",
        "A success answers once: nothing of it is remembered.", "A success is worth the acr a.",
      ]
    )
  }

  @Test func explainsHowFarASuccessIsRemembered() {
    var policy = Policy(name: "p", requirement: .passcode, acr: "a")
    policy.grant = GrantRule(maxAge: .seconds(3600), idle: .seconds(300), uses: 1)
    #expect(
      policy.explanation.contains(
        "A success answers the same caller and action again for 1h, at most 1 time, unless 5m pass "
          + "without a use, where the caller wants that."
      )
    )
  }
}
