import LocalAuthCore
import LocalAuthPolicies
import LocalAuthService
import LocalAuthToken
import Testing

/// Where nothing could be signed, nobody is asked.
@Suite struct UnsignedTests {
  private let wanted = AssertionRequest(audience: "a", nonce: "n")

  @Test func evaluationWithoutAKeyAsksNobody() throws {
    // The vaults of this rig make no keys.
    let rig = Rig()
    rig.makeDevice()
    let hearing = try rig.evaluate(assertion: wanted)
    rig.run()
    #expect(hearing.result?.outcome.code == .internalError)
    #expect(hearing.result?.assertion == nil)
    #expect(hearing.prompts.isEmpty)
  }

  @Test func whoWaitsForAKeyIsToldOfItsEnd() throws {
    let rig = Rig()
    rig.makeDevice()
    let first = try rig.evaluate(assertion: wanted)
    let second = try rig.evaluate(assertion: wanted)
    rig.engine.cancel(second.id)
    rig.run()
    #expect(first.result?.outcome.code == .internalError)
    #expect(second.result?.outcome.code == .appCancel)
  }

  @Test func usersOwnPolicyIsNotAsserted() throws {
    let text = #"{"name": "mine", "summary": "s", "requirement": "biometry"}"#
    let file = PolicyDirectory.File(path: "policy/mine.json", contents: .bytes(Array(text.utf8)))
    let rig = Rig(user: PolicyDirectory(path: "/u", files: [file]))
    rig.makeDevice()
    #expect(try rig.evaluate("user/mine").prompts.count == 1)
    #expect(throws: EngineError.self) { try rig.evaluate("user/mine", assertion: wanted) }
  }
}
