import LocalAuth
import LocalAuthTestKit
import LocalAuthToken
import Testing

/// Assertions as a program asks for them.
@Suite struct AssertionTests {
  private func wish() throws -> AssertionRequest {
    try #require(AssertionRequest(audience: "https://pay.example", nonce: "n1"))
  }

  @Test func successIsSignedForWhomItWasAskedFor() async throws {
    let device = try TestDevice(fingers: [.rightIndex], passcode: "1234")
    try device.sensor.match()
    let evaluation = try await device.context().evaluate(
      .biometrics,
      reason: "pay",
      action: "pay 10",
      assertion: try wish()
    )
    let token = try SignedToken(try #require(evaluation.assertion))
    let claims = try AssertionClaims(json: token.claims)
    #expect(claims.audience == "https://pay.example")
    #expect(claims.nonce == "n1")
    #expect(claims.identifier == evaluation.id)
    #expect(claims.isSimulated)
    #expect(device.prompts.last?.audience == "https://pay.example")
  }

  @Test func nothingThatAContextRemembersIsSigned() async throws {
    let device = try TestDevice(fingers: [.rightIndex], passcode: "1234")
    let context = device.context()
    try device.sensor.match()
    #expect(try await context.evaluate(.biometrics, reason: "first").assertion == nil)
    context.interactionNotAllowed = true
    #expect(try await context.evaluate(.biometrics, reason: "again").isRepeated)
    await #expect(throws: AuthError.notInteractive) {
      try await context.evaluate(.biometrics, reason: "pay", assertion: try wish())
    }
  }

  @Test(arguments: [("", "n"), ("a", ""), ("a b", "n"), ("a", "n\n"), ("é", "n")])
  func audienceAndNonceAreVisibleText(_ audience: String, _ nonce: String) {
    #expect(AssertionRequest(audience: audience, nonce: nonce) == nil)
  }
}
