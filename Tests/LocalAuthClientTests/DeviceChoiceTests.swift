import LocalAuthClient
import LocalAuthCore
import LocalAuthWire
import Testing

@Suite struct DeviceChoiceTests {
  private static let environment = ["LOCALAUTH_DEVICE": "sim"]
  private static let allowing = ["LOCALAUTH_DEVICE": "sim", "LOCALAUTH_ALLOW_SIMULATED": "1"]

  @Test func namedDeviceIsTheCallersChoice() throws {
    let chosen = try choice("mine", Self.environment)
    #expect(chosen.name == "mine")
    #expect(chosen.origin == .caller)
    #expect(chosen.allowsSimulated)
  }

  @Test func environmentAloneDoesNotAllowSimulated() throws {
    let chosen = try choice(nil, Self.environment)
    #expect(chosen.name == "sim")
    #expect(chosen.origin == .environment)
    #expect(!chosen.allowsSimulated)
  }

  @Test(arguments: ["0", "yes", "true", " 1", "11", ""])
  func onlyOneAllowsSimulated(_ value: String) throws {
    let variables = ["LOCALAUTH_DEVICE": "sim", "LOCALAUTH_ALLOW_SIMULATED": value]
    #expect(try !choice(nil, variables).allowsSimulated)
    #expect(try choice(nil, Self.allowing).allowsSimulated)
  }

  @Test func nothingChosenIsTheUsersOwnMachine() throws {
    let chosen = try choice()
    #expect(chosen.name == nil)
    #expect(chosen.origin == .standard)
    #expect(!chosen.allowsSimulated)
  }

  @Test func privilegedProgramBelievesNoVariable() throws {
    let chosen = try choice(nil, Self.allowing, isPrivileged: true)
    #expect(chosen.name == nil)
    #expect(!chosen.allowsSimulated)
  }

  @Test(arguments: ["ephemeral", "/tmp/somewhere", "a/b"])
  func deviceInsideTheProcessIsNoneOfTheDaemons(_ value: String) {
    #expect(throws: DeviceChoiceError.notServed) { try choice(nil, ["LOCALAUTH_DEVICE": value]) }
  }

  // What a result is worth.

  @Test func simulatedSuccessCountsWhereTheDeviceWasNamed() throws {
    let checked = try choice("sim").checked(result("success", exit: 0))
    #expect(checked.outcome == "success")
    #expect(checked.finger == "right-thumb")
  }

  @Test(arguments: [[:], environment])
  func simulatedSuccessThatNobodyAskedForIsNone(_ variables: [String: String]) throws {
    let checked = try choice(nil, variables).checked(result("success", exit: 0))
    #expect(checked.outcome == OutcomeCode.simulatedNotAllowed.rawValue)
    #expect(checked.exit == 77)
    #expect(checked.laError == -1)
    #expect(checked.method == nil)
    #expect(checked.finger == nil)
  }

  @Test func simulatedSuccessCountsWhereTheEnvironmentSaysSo() throws {
    #expect(try choice(nil, Self.allowing).checked(result("success", exit: 0)).exit == 0)
  }

  @Test func realSuccessCounts() throws {
    let real = result("success", exit: 0, device: "default", simulated: false)
    #expect(try choice().checked(real).outcome == "success")
  }

  @Test func denialStaysWhatItIs() throws {
    #expect(try choice().checked(result("biometryLockout", exit: 10)).exit == 10)
  }

  @Test(arguments: [("success", 1), ("authenticationFailed", 0), ("approved", 0), ("", 0)])
  func resultThatContradictsItselfIsNone(_ outcome: String, _ exit: Int64) throws {
    let chosen = try choice("sim")
    #expect(kind(failure { try chosen.checked(result(outcome, exit: exit)) }) == "protocolError")
  }

  @Test func successOnAnotherDeviceIsNone() throws {
    let chosen = try choice("sim")
    let other = result("success", exit: 0, device: "other")
    #expect(kind(failure { try chosen.checked(other) }) == "protocolError")
  }
}
