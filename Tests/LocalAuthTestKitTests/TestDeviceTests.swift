import LocalAuthTestKit
import Testing

@Suite
struct TestDeviceTests {
  // The example of the documentation: a test of a client in ten lines.
  @Test func vaultOpensForTheRightFinger() async throws {
    let device = try TestDevice(fingers: [.rightIndex], passcode: "1234")
    try device.sensor.script("miss, match:right-index")
    let vault = Vault(context: device.context())
    #expect(await vault.open() == "open")
    #expect(try device.status().attemptsLeft == 3)
  }

  @Test func vaultStaysShutAfterThreeMisses() async throws {
    let device = try TestDevice(fingers: [.rightIndex], passcode: "1234")
    try device.sensor.miss(times: 3)
    let vault = Vault(context: device.context())
    #expect(await vault.open() == "Biometry is locked.")
  }

  /// The code under test.
  private struct Vault {
    let context: AuthContext

    func open() async -> String {
      do throws(AuthError) {
        try await context.evaluate(.biometrics, reason: "open the vault")
        return "open"
      } catch {
        return error.message
      }
    }
  }

  @Test func statusTellsHowTheDeviceStands() throws {
    let device = try TestDevice(fingers: [.rightIndex, .leftThumb], passcode: "1234")
    let status = try device.status()
    #expect(status.fingers == [.rightIndex, .leftThumb])
    #expect(status.hasPasscode)
    #expect(status.lockState == "unlocked")
    #expect(status.biometry == .success)
    #expect(status.passcode == .success)
    #expect(status.attemptsLeft == 3)
    #expect(!status.isPrompting)
    #expect(status.waiting == 0)
  }

  @Test func clockStandsStillAndMovesByWord() async throws {
    let device = try TestDevice(fingers: [.rightIndex], lockout: .android)
    try device.sensor.miss(times: 5)
    _ = try? await device.context().evaluate(.biometrics, reason: "lock")
    #expect(try device.status().retryAfter == .seconds(30))
    #expect(try device.status().retryAfter == .seconds(30))
    try device.clock.advance(by: .seconds(12))
    #expect(try device.status().retryAfter == .seconds(18))
    try device.clock.advance(by: .seconds(18))
    #expect(try device.status().biometry == .success)
  }

  @Test func scriptThatRunsOutJumpsToTheTimeOut() async throws {
    let device = try TestDevice(fingers: [.rightIndex])
    try device.sensor.miss()
    await #expect(throws: AuthError.timeout) {
      try await device.context().evaluate(.biometrics, reason: "wait")
    }
  }

  @Test func scriptsServeOneEvaluationEachUnlessToldOtherwise() async throws {
    let device = try TestDevice(fingers: [.rightIndex])
    try device.sensor.script("match", times: 2)
    try device.sensor.script("cancel", times: 0)
    for _ in 1...2 { try await device.context().evaluate(.biometrics, reason: "twice") }
    for _ in 1...3 {
      await #expect(throws: AuthError.userCancel) {
        try await device.context().evaluate(.biometrics, reason: "for ever")
      }
    }
  }

  @Test func namedFingerMatchesOnlyWhereItIsEnrolled() async throws {
    let device = try TestDevice(fingers: [.rightIndex, .leftThumb])
    try device.sensor.match(.leftThumb)
    let evaluation = try await device.context().evaluate(.biometrics, reason: "which")
    #expect(evaluation.finger == .leftThumb)
    try device.sensor.match(.rightLittle)
    await #expect(throws: AuthError.timeout) {
      try await device.context().evaluate(.biometrics, reason: "not enrolled")
    }
  }

  @Test func touchWaitsForAPromptAndThenActs() async throws {
    let device = try TestDevice(fingers: [.rightIndex])
    async let effect = device.sensor.touch(.rightIndex)
    let evaluation = try await device.context().evaluate(.biometrics, reason: "touch me")
    let word = try await effect
    #expect(word == "match")
    #expect(evaluation.finger == .rightIndex)
  }

  @Test func eventWithoutPromptIsAnError() async throws {
    let device = try TestDevice(fingers: [.rightIndex])
    #expect(throws: DeviceError.notArmed) { try device.sensor.present("match") }
    await #expect(throws: DeviceError.notArmed) {
      try await device.sensor.touch(.rightIndex, patience: .milliseconds(1))
    }
  }

  @Test func mistakesInAScriptAreNamed() throws {
    let device = try TestDevice(fingers: [.rightIndex])
    #expect { try device.sensor.script("match, dance") } throws: {
      guard case .invalid(let message)? = $0 as? DeviceError else { return false }
      return message.contains("match") && !message.contains("dance")
    }
    #expect(throws: DeviceError.noSensor) {
      try TestDevice(hasSensor: false).sensor.script("match")
    }
  }

  @Test func sensorCanBeUnpluggedAndPluggedIn() throws {
    let device = try TestDevice(fingers: [.rightIndex])
    try device.sensor.unplug()
    #expect(try device.status().biometry == .biometryDisconnected)
    try device.sensor.plug()
    #expect(try device.status().biometry == .success)
  }

  @Test func settingsOfTheSensorCanBeChanged() async throws {
    let device = try TestDevice(fingers: [.rightIndex])
    try device.sensor.set("latency", "2s")
    try device.sensor.match()
    let context = device.context()
    context.timeout = .seconds(1)
    await #expect(throws: AuthError.timeout) {
      try await context.evaluate(.biometrics, reason: "too slow")
    }
    #expect(throws: DeviceError.self) { try device.sensor.set("colour", "red") }
  }

  @Test func fingersAreEnrolledAndRemovedWithThePasscode() throws {
    let device = try TestDevice(fingers: [.rightIndex], passcode: "1234")
    try device.sensor.enroll(.leftIndex)
    #expect(try device.status().fingers == [.rightIndex, .leftIndex])
    try device.sensor.remove(.rightIndex)
    #expect(try device.status().fingers == [.leftIndex])
    try device.sensor.remove(nil)
    #expect(try device.status().fingers.isEmpty)
    #expect(throws: DeviceError.self) { try device.sensor.remove(.rightIndex) }
  }

  @Test func passcodeIsChangedAndRemoved() async throws {
    let device = try TestDevice(fingers: [.rightIndex], passcode: "1234")
    try device.setPasscode("5678")
    try device.sensor.script("passcode:5678")
    try await device.context().evaluate(.passcode, reason: "new")
    try device.sensor.enroll(.leftIndex)
    try device.removePasscode()
    #expect(try !device.status().hasPasscode)
    try device.setPasscode("90")
    try device.sensor.script("passcode:90")
    try await device.context().evaluate(.passcode, reason: "again")
  }

  @Test func lockStateFollowsLockUnlockAndReboot() throws {
    let device = try TestDevice(fingers: [.rightIndex], passcode: "1234")
    try device.lock()
    #expect(try device.status().lockState == "locked")
    try device.unlockWithFinger()
    #expect(try device.status().lockState == "unlocked")
    try device.reboot()
    #expect(try device.status().lockState == "beforeFirstUnlock")
    #expect(throws: DeviceError.self) { try device.unlockWithFinger() }
    try device.unlock()
    #expect(try device.status().lockState == "unlocked")
  }

  @Test func deviceWithoutPasscodeCannotBeLocked() throws {
    let device = try TestDevice(fingers: [.rightIndex])
    #expect(throws: DeviceError.refused(.passcodeNotSet)) { try device.lock() }
    #expect(throws: DeviceError.refused(.passcodeNotSet)) { try device.unlock() }
  }

  @Test func auditHoldsEveryActAndEveryEnd() async throws {
    let device = try TestDevice(fingers: [.rightIndex], passcode: "1234")
    try device.sensor.script("miss,cancel")
    _ = try? await device.context().evaluate(.biometrics, reason: "give up")
    try device.lock()
    let lines = try device.auditLines()
    #expect(lines.map(\.action) == ["device create", "evaluate", "lock"])
    #expect(lines[1].outcome == .userCancel)
    #expect(lines[1].attempts == 1)
    #expect(lines.filter(\.isSimulated).count == lines.count)
  }
}
