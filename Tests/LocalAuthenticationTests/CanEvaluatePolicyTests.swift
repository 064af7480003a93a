import LocalAuthTestKit
import LocalAuthentication
import Testing

@Suite
struct CanEvaluatePolicyTests {
  private let biometrics = LAPolicy.deviceOwnerAuthenticationWithBiometrics

  @Test func successSetsTheErrorToNil() throws {
    let context = try TestDevice.apple().laContext()
    var error: NSError? = NSError(domain: "stale", code: 1)
    #expect(context.canEvaluatePolicy(biometrics, error: &error))
    #expect(error == nil)
    #expect(context.canEvaluatePolicy(biometrics, error: nil))
  }

  @Test func failureFillsTheErrorOrNothing() throws {
    let context = try TestDevice.apple([]).laContext()
    var error: NSError?
    #expect(!context.canEvaluatePolicy(biometrics, error: &error))
    #expect(error?.domain == LAErrorDomain)
    #expect(error?.code == LAError.biometryNotEnrolled.rawValue)
    #expect(error?.localizedDescription == "No finger is enrolled.")
    #expect(!context.canEvaluatePolicy(biometrics, error: nil))
  }

  @Test func nobodyIsAsked() throws {
    let device = try TestDevice.apple()
    #expect(device.laContext().preflight(biometrics) == 0)
    #expect(device.prompts.isEmpty)
  }

  @Test func missingSensorWinsOverEverything() throws {
    let bare = try TestDevice(lockout: .apple, hasSensor: false)
    #expect(bare.laContext().preflight(biometrics) == -6)
  }

  @Test func missingFingersWinOverAMissingPasscode() throws {
    #expect(try TestDevice.apple([], passcode: nil).laContext().preflight(biometrics) == -7)
  }

  @Test func lockoutIsReported() async throws {
    let device = try TestDevice.apple()
    try await device.lockFingers()
    #expect(device.laContext().preflight(biometrics) == -8)
  }

  @Test func missingPasscodeComesLast() throws {
    #expect(try TestDevice.apple(passcode: nil).laContext().preflight(biometrics) == -5)
  }

  @Test func unpluggedSensorIsDisconnected() throws {
    let device = try TestDevice.apple()
    try device.sensor.unplug()
    #expect(device.laContext().preflight(biometrics) == -13)
    try device.sensor.plug()
    #expect(device.laContext().preflight(biometrics) == 0)
  }

  @Test func deviceOwnerNeedsNothingButAPasscode() async throws {
    let bare = try TestDevice(passcode: "1234", hasSensor: false)
    #expect(bare.laContext().preflight(.deviceOwnerAuthentication) == 0)
    try bare.removePasscode()
    #expect(bare.laContext().preflight(.deviceOwnerAuthentication) == -5)
    #expect(try TestDevice.apple([]).laContext().preflight(.deviceOwnerAuthentication) == 0)
    let locked = try TestDevice.apple()
    try await locked.lockFingers()
    #expect(locked.laContext().preflight(.deviceOwnerAuthentication) == 0)
  }

  @Test func noCompanionIsEverAvailable() throws {
    let context = try TestDevice.apple().laContext()
    #expect(context.preflight(.deviceOwnerAuthenticationWithCompanion) == -11)
    #expect(context.preflight(.deviceOwnerAuthenticationWithWatch) == -11)
  }

  @Test func biometryAloneMeetsBiometryOrCompanion() throws {
    let policy = LAPolicy.deviceOwnerAuthenticationWithBiometricsOrCompanion
    #expect(try TestDevice.apple().laContext().preflight(policy) == 0)
  }

  @Test func biometryOrCompanionReportsBiometry() async throws {
    let policy = LAPolicy.deviceOwnerAuthenticationWithBiometricsOrCompanion
    #expect(try TestDevice.apple([]).laContext().preflight(policy) == -7)
    let device = try TestDevice.apple()
    try await device.lockFingers()
    #expect(device.laContext().preflight(policy) == -8)
  }

  @Test func biometryOrCompanionWithoutASensorReportsTheCompanion() throws {
    let policy = LAPolicy.deviceOwnerAuthenticationWithBiometricsOrWatch
    let bare = try TestDevice(passcode: "1234", hasSensor: false)
    #expect(bare.laContext().preflight(policy) == -11)
    let device = try TestDevice.apple()
    try device.sensor.unplug()
    #expect(device.laContext().preflight(policy) == -11)
  }

  @Test func wristDetectionNeedsAPasscodeFirst() throws {
    let policy = LAPolicy.deviceOwnerAuthenticationWithWristDetection
    #expect(try TestDevice.apple(passcode: nil).laContext().preflight(policy) == -5)
    #expect(try TestDevice.apple().laContext().preflight(policy) == -11)
  }

  @Test func invalidatedContextIsInvalidForEveryPolicy() throws {
    let context = try TestDevice.apple([]).laContext()
    context.invalidate()
    for number in 1...5 {
      let policy = try #require(LAPolicy(rawValue: number))
      #expect(context.preflight(policy) == -10)
    }
  }

  @Test func interactionNotAllowedDoesNotMatter() throws {
    let context = try TestDevice.apple().laContext()
    context.interactionNotAllowed = true
    #expect(context.preflight(biometrics) == 0)
  }

  @Test func mayBeAskedInsideAReply() async throws {
    let device = try TestDevice.apple()
    try device.sensor.match()
    let context = device.laContext()
    let code = await withCheckedContinuation { continuation in
      context.evaluatePolicy(biometrics, localizedReason: "first") { [biometrics] _, _ in
        continuation.resume(returning: context.preflight(biometrics))
      }
    }
    #expect(code == 0)
  }

  @Test func biometryTypeIsTheDevicesWhateverItsState() async throws {
    #expect(try TestDevice.apple([]).laContext().biometryType == .touchID)
    let bare = try TestDevice(passcode: "1234", hasSensor: false)
    #expect(bare.laContext().biometryType == .none)
    let locked = try TestDevice.apple()
    try await locked.lockFingers()
    #expect(locked.laContext().biometryType == .touchID, "also before any preflight")
  }
}
