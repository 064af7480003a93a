import LocalAuthTestKit
import LocalAuthentication
import Testing

/// Evaluating biometrics: each branch that an app has, by callback and in a task.
@Suite struct BiometricGateTests {
  private let device: TestDevice

  init() throws { device = try .phone() }

  private func gate(_ policy: LAPolicy = .deviceOwnerAuthenticationWithBiometrics) -> BiometricGate
  {
    device.use { BiometricGate(policy: policy) }
  }

  private func byCallback(_ gate: BiometricGate) async -> BiometricGate.Outcome {
    await withCheckedContinuation { continuation in
      gate.pass { continuation.resume(returning: $0) }
    }
  }

  /// Both ways end with `outcome` when `script` happens.
  private func ends(
    _ script: String,
    with outcome: BiometricGate.Outcome,
    _ location: SourceLocation = #_sourceLocation
  ) async throws {
    try device.sensor.script(script)
    #expect(await gate().pass() == outcome, sourceLocation: location)
    try device.sensor.script(script)
    #expect(await byCallback(gate()) == outcome, sourceLocation: location)
  }

  /// The same without anybody being asked.
  private func isRefused(
    with outcome: BiometricGate.Outcome,
    _ location: SourceLocation = #_sourceLocation
  ) async {
    let shown = device.prompts.count
    #expect(gate().availability == outcome, sourceLocation: location)
    #expect(await gate().pass() == outcome, sourceLocation: location)
    #expect(await byCallback(gate()) == outcome, sourceLocation: location)
    #expect(device.prompts.count == shown, sourceLocation: location)
  }

  @Test func aFingerOpens() async throws {
    #expect(gate().availability == .open)
    try await ends("match", with: .open)
    try await ends("miss, match", with: .open)
  }

  @Test func userCancel() async throws { try await ends("cancel", with: .canceled) }

  @Test func userFallback() async throws { try await ends("miss, fallback", with: .wantsPassword) }

  @Test func authenticationFailed() async throws {
    try device.sensor.script("miss, miss, miss")
    #expect(await gate().pass() == .notRecognized)
  }

  @Test func systemCancel() async throws {
    let gate = gate()
    async let outcome = gate.pass()
    // Or nobody would end it where the touch comes to nothing.
    defer { gate.context.invalidate() }
    _ = try await device.sensor.touch(.leftThumb)
    try device.lock()
    #expect(await outcome == .interrupted)
  }

  @Test func appCancelAndInvalidContext() async throws {
    let gate = gate()
    async let outcome = gate.pass()
    defer { gate.context.invalidate() }
    _ = try await device.sensor.touch(.leftThumb)
    gate.context.invalidate()
    #expect(await outcome == .abandoned)
    #expect(gate.availability == .needsNewContext)
    #expect(await gate.pass() == .needsNewContext)
  }

  @Test func passcodeNotSet() async throws {
    let open = try TestDevice.phone(passcode: nil)
    let gate = open.use { BiometricGate() }
    #expect(gate.availability == .setPasscodeFirst)
    #expect(await gate.pass() == .setPasscodeFirst)
  }

  @Test func biometryNotAvailable() async throws {
    let bare = try TestDevice(passcode: "1234", hasSensor: false)
    let gate = bare.use { BiometricGate() }
    #expect(gate.availability == .noSensor)
    #expect(gate.context.biometryType == .none)
    #expect(await gate.pass() == .noSensor)
  }

  @Test func biometryNotEnrolled() async throws {
    try device.sensor.remove(nil)
    await isRefused(with: .enrollFirst)
  }

  @Test func biometryLockout() async throws {
    try await device.lockFingers()
    await isRefused(with: .lockedOut)
  }

  @Test func biometryDisconnected() async throws {
    try device.sensor.unplug()
    await isRefused(with: .other(LAError.biometryDisconnected.rawValue))
  }

  @Test func notInteractive() async {
    let gate = gate()
    gate.context.interactionNotAllowed = true
    #expect(gate.availability == .open)
    #expect(await gate.pass() == .nobodyToAsk)
    #expect(device.prompts.isEmpty)
  }

  @Test func companionNotAvailable() async {
    let gate = gate(.deviceOwnerAuthenticationWithCompanion)
    #expect(gate.availability == .other(LAError.companionNotAvailable.rawValue))
  }

  // MARK: After a lockout

  @Test func thePasscodeIsTheWayOut() async throws {
    try await device.lockFingers()
    try device.sensor.script("passcode:1234")
    #expect(await gate(.deviceOwnerAuthentication).pass() == .open)
    try await ends("match", with: .open)
  }

  @Test func fallbackOfDeviceOwnerNeedsNoScreenOfTheApps() async throws {
    try device.sensor.script("miss, fallback, passcode:1234")
    #expect(await gate(.deviceOwnerAuthentication).pass() == .open)
  }

  // MARK: What is shown

  @Test func titlesAndReasonAreTheApps() async throws {
    var gate = gate()
    gate.reason = "Read your diary"
    gate.context.localizedFallbackTitle = "Use password"
    gate.context.localizedCancelTitle = "Not now"
    try device.sensor.script("miss, cancel")
    #expect(await gate.pass() == .canceled)
    let last = try #require(device.prompts.last)
    #expect(last.reason == "Read your diary")
    #expect(last.fallbackTitle == "Use password")
    #expect(last.cancelTitle == "Not now")
  }

  @Test func anotherFingerIsNoticed() async throws {
    let context = gate().context
    try device.sensor.match()
    #expect(await BiometricGate(context: context).pass() == .open)
    let before = try #require(context.evaluatedPolicyDomainState)
    try device.sensor.enroll(.leftThumb)
    let other = gate()
    #expect(other.availability == .open)
    #expect(other.context.evaluatedPolicyDomainState != before)
  }
}
