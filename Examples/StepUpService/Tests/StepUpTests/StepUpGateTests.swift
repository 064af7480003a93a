import StepUp
import Testing

/// What needs no person; the rest is tested with a daemon.
@Suite struct StepUpGateTests {
  private let gate = StepUpGate(audience: "http://127.0.0.1:1", trusting: [])

  @Test func eachChallengeHasANonceOfItsOwn() {
    let (one, other) = (gate.challenge(for: "a"), gate.challenge(for: "a"))
    #expect(one.nonce != other.nonce)
    #expect(one.action == "a" && one.audience == "http://127.0.0.1:1")
    #expect(
      one.header
        == "Bearer error=\"insufficient_user_authentication\", "
        + "error_description=\"The person at the machine must approve this action\", "
        + "acr_values=\"urn:localauth:acr:device-owner\", max_age=\"60\""
    )
  }

  @Test(arguments: ["", "a.b.c", "e30.e30.e30"]) func whatIsNoAssertionIsNone(_ text: String) {
    #expect(throws: StepUpGate.Refusal.unreadable) { try gate.admit(text, for: "a") }
  }
}
