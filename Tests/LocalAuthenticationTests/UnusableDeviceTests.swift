import LocalAuthTestKit
import LocalAuthentication
import Testing

/// A program whose device cannot be asked gets errors, and no process ends.
@Suite
struct UnusableDeviceTests {
  private let biometrics = LAPolicy.deviceOwnerAuthenticationWithBiometrics

  private func on<Value>(_ error: AuthError, _ body: () -> Value) -> Value {
    let device = CurrentDevice(Device(unusable: error), prompter: .nobody)
    return CurrentDevice.$ofTask.withValue(device, operation: body)
  }

  @Test func serviceThatIsNotThereHasANumberWithoutAName() async throws {
    let context = on(.unreachable("Start the daemon.")) { LAContext() }
    #expect(context.preflight(biometrics) == -1000)
    #expect(context.preflight(.deviceOwnerAuthentication) == -1000)
    #expect(await context.code(of: biometrics) == -1000)
    let control = try #require(accessControl(.biometryAny))
    #expect(await context.code(of: control) == -1000)
    let error = await #expect(throws: (any Error).self) {
      try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "test")
    }
    #expect((error as? LAError)?.code == .authenticationFailed)
    #expect(error?.localizedDescription == "Start the daemon.")
  }

  @Test func simulatedDeviceThatTheEnvironmentAloneChoseIsRefused() async {
    let context = on(.simulatedNotAllowed) { LAContext() }
    #expect(context.preflight(biometrics) == -1)
    #expect(await context.code(of: biometrics) == -1)
  }

  @Test func requestThatMakesNoSenseHasItsNumber() {
    #expect(on(.usage("No.")) { LAContext() }.preflight(biometrics) == -1001)
  }

  @Test func thereIsNoBiometryAndNoState() {
    let context = on(.unreachable("")) { LAContext() }
    #expect(context.biometryType == .none)
    #expect(context.evaluatedPolicyDomainState == nil)
    #expect(context.domainState.stateHash == nil)
    #expect(context.domainState.biometry.biometryType == .none)
  }

  @Test func environmentIsEmptyAndTakesObservers() {
    let environment = on(.unreachable("")) { LAEnvironment.currentUser }
    #expect(environment.state.biometry == nil)
    #expect(environment.state.userPassword == nil)
    #expect(environment.state.allMechanisms.isEmpty)
    let observer = Deaf()
    environment.addObserver(observer)
    environment.removeObserver(observer)
  }

  @Test func rightIsNotAuthorized() async {
    let right = on(.unreachable("")) { LARight() }
    await #expect(throws: NSError.self) { try await right.checkCanAuthorize() }
    await #expect(throws: NSError.self) { try await right.authorize(localizedReason: "test") }
    #expect(right.state == .notAuthorized)
  }

  @Test func everyOutcomeIsAnErrorThatCanBeCast() {
    for outcome in OutcomeCode.allCases {
      guard let error = AuthError(outcome, message: "why") else { continue }
      let context = on(error) { LAContext() }
      var handedOut: NSError?
      #expect(!context.canEvaluatePolicy(biometrics, error: &handedOut))
      let number = handedOut?.code
      let isNamed =
        outcome.laError.map { Int($0) == number } ?? (number == -1000 || number == -1001)
      #expect(isNamed, "\(outcome)")
      #expect(handedOut as? LAError != nil)
    }
  }
}

/// An observer that hears nothing.
private final class Deaf: LAEnvironment.Observer {}
