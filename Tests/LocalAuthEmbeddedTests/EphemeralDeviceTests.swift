import LocalAuth
import LocalAuthEmbedded
import LocalAuthSecret
import LocalAuthUnix
import Testing

@Suite(.timeLimit(.minutes(25)))
struct EphemeralDeviceTests {
  private func setup(_ fingers: Finger...) -> DeviceSetup {
    var setup = DeviceSetup()
    setup.fingers = fingers
    return setup
  }

  @Test func devicesAreTheirOwn() throws {
    let one = try EphemeralDevice(setup(.rightIndex))
    let other = try EphemeralDevice(setup())
    #expect(one.name != other.name)
    try AuthContext(device: one.device).canEvaluate(.biometrics)
    #expect(throws: AuthError.biometryNotEnrolled) {
      try AuthContext(device: other.device).canEvaluate(.biometrics)
    }
  }

  @Test func deviceLivesAsLongAsAContextOnItAndNoLonger() throws {
    var device: EphemeralDevice? = try EphemeralDevice(setup(), passcode: Secret(text: "1234"))
    let name = try #require(device).name
    let engine = try EngineThread.ephemeral()
    var context: AuthContext? = AuthContext(device: try #require(device).device)
    device = nil
    try context?.canEvaluate(.passcode)
    context = nil
    let stale = AuthContext(device: Device(name, servedBy: engine))
    #expect(throws: AuthError.badConfiguration("There is no device '\(name)'.")) {
      try stale.canEvaluate(.passcode)
    }
  }

  @Test func mistakesInASetupAreNamed() throws {
    #expect(throws: DeviceError.invalid("A finger is named twice.")) {
      try EphemeralDevice(setup(.rightIndex, .rightIndex))
    }
    var wrong = setup()
    wrong.lockout = .named("nothing")
    #expect(throws: DeviceError.self) { try EphemeralDevice(wrong) }
    wrong = setup(.rightIndex)
    wrong.hasSensor = false
    #expect(throws: DeviceError.noSensor) { try EphemeralDevice(wrong) }
  }

  @Test func engineServesFarMoreDevicesThanADaemon() throws {
    let devices = try (1...300).map { _ in try EphemeralDevice(setup(.rightIndex)) }
    for device in devices { try AuthContext(device: device.device).canEvaluate(.biometrics) }
  }

  @Test func environmentMayAskForADeviceInside() async throws {
    let refused = try Device.fromEnvironment(
      ProcessEnvironment(variables: ["LOCALAUTH_DEVICE": "ephemeral"])
    )
    #expect(throws: AuthError.simulatedNotAllowed) {
      try AuthContext(device: refused).canEvaluate(.biometrics)
    }
    await #expect(throws: AuthError.simulatedNotAllowed) {
      try await AuthContext(device: refused).evaluate(.biometrics, reason: "by environment")
    }
    let allowed = try Device.fromEnvironment(
      ProcessEnvironment(
        variables: ["LOCALAUTH_DEVICE": "ephemeral", "LOCALAUTH_ALLOW_SIMULATED": "1"]
      )
    )
    try AuthContext(device: allowed).canEvaluate(.biometrics)
  }
}

extension Secret {
  /// A test's secret.
  init(text: String) {
    self.init(capacity: text.utf8.count)
    for byte in text.utf8 { _ = append(byte) }
  }
}
