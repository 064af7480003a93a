import LocalAuth
import LocalAuthEmbedded
import LocalAuthSecret
import LocalAuthUnix
import Testing

@Suite
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

  private func fromEnvironment(
    _ more: [String: String],
    isPrivileged: Bool = false
  ) throws(DeviceError) -> Device {
    let base = ["LOCALAUTH_DEVICE": "ephemeral", "LOCALAUTH_ALLOW_SIMULATED": "1"]
    let variables = base.merging(more) { _, last in last }
    return try .fromEnvironment(
      ProcessEnvironment(variables: variables, isPrivileged: isPrivileged)
    )
  }

  @Test func environmentMayChooseTheLockoutProfile() throws {
    // Apple's wants a passcode before a finger counts; the default does not.
    let apple = try fromEnvironment(["LOCALAUTH_LOCKOUT": "apple"])
    #expect(throws: AuthError.passcodeNotSet) {
      try AuthContext(device: apple).canEvaluate(.biometrics)
    }
    try AuthContext(device: fromEnvironment([:])).canEvaluate(.biometrics)
  }

  @Test func lockoutProfileThatIsUnknownIsOneClearError() {
    do throws(DeviceError) {
      _ = try fromEnvironment(["LOCALAUTH_LOCKOUT": "nonsense"])
      Issue.record("a profile that is unknown was taken")
    } catch {
      #expect(error.description.hasPrefix("LOCALAUTH_LOCKOUT: "))
      #expect(error.description.contains("nonsense"))
    }
  }

  @Test func environmentMayGiveAnEphemeralDeviceAPasscode() throws {
    let bare = try fromEnvironment([:])
    #expect(throws: AuthError.passcodeNotSet) {
      try AuthContext(device: bare).canEvaluate(.passcode)
    }
    let device = try fromEnvironment(["LOCALAUTH_EPHEMERAL_PASSCODE": "1234"])
    try AuthContext(device: device).canEvaluate(.passcode)
  }

  @Test func privilegedProgramBelievesNoVariable() throws {
    _ = try fromEnvironment(["LOCALAUTH_LOCKOUT": "nonsense"], isPrivileged: true)
  }
}

extension Secret {
  /// A test's secret.
  init(text: String) {
    self.init(capacity: text.utf8.count)
    for byte in text.utf8 { _ = append(byte) }
  }
}
