import LocalAuth
import LocalAuthTestKit
import Testing

/// Section 1 of what Apple's LAContext does, under the `apple` lockout profile.
@Suite
struct AppleSemanticsTests {
  private func device(_ fingers: [Finger] = [.rightIndex]) throws -> TestDevice {
    try TestDevice(fingers: fingers, passcode: "1234", lockout: .apple)
  }

  private func fails(
    _ device: TestDevice,
    _ script: String,
    of policy: PolicyName = .biometrics,
    with error: AuthError,
    _ location: SourceLocation = #_sourceLocation
  ) async throws {
    try device.sensor.script(script)
    await #expect(throws: error, sourceLocation: location) {
      try await device.context().evaluate(policy, reason: "test")
    }
  }

  // MARK: Counting misses

  @Test func threeMissesEndAnEvaluationAndFiveLockFingers() async throws {
    let device = try device()
    try await fails(device, "miss,miss,miss", with: .authenticationFailed)
    #expect(try device.status().attemptsLeft == 2)
    try await fails(device, "miss,miss", with: .biometryLockout(retryAfter: nil))
    let shown = device.prompts.count
    await #expect(throws: AuthError.biometryLockout(retryAfter: nil)) {
      try await device.context().evaluate(.biometrics, reason: "locked")
    }
    #expect(device.prompts.count == shown, "a locked finger asks nobody")
  }

  @Test func matchForgetsEarlierMisses() async throws {
    let device = try device()
    try await fails(device, "miss,miss,miss", with: .authenticationFailed)
    try device.sensor.script("miss,match")
    try await device.context().evaluate(.biometrics, reason: "fourth and right")
    #expect(try device.status().attemptsLeft == 5)
  }

  @Test func poorTouchIsNoMiss() async throws {
    let device = try device()
    try device.sensor.script("retry:partial,retry:too-fast,retry:dirty,retry:partial,match")
    let evaluation = try await device.context().evaluate(.biometrics, reason: "clumsy")
    #expect(evaluation.attempts == 1)
  }

  @Test func missesCountAcrossContexts() async throws {
    let device = try device()
    for _ in 1...4 { try await fails(device, "miss,cancel", with: .userCancel) }
    try await fails(device, "miss", with: .biometryLockout(retryAfter: nil))
  }

  @Test func neitherTimeNorRestartNorInvalidateClearsALock() async throws {
    let device = try device()
    try await fails(device, "miss,miss,miss", with: .authenticationFailed)
    try await fails(device, "miss,miss", with: .biometryLockout(retryAfter: nil))
    device.context().invalidate()
    try device.clock.advance(by: .seconds(40 * 3600))
    try device.reboot()
    await #expect(throws: AuthError.biometryLockout(retryAfter: nil)) {
      try await device.context().evaluate(.biometrics, reason: "still")
    }
  }

  @Test func passcodeInAnEvaluationClearsALock() async throws {
    let device = try device()
    try await fails(device, "miss,miss,miss", with: .authenticationFailed)
    try await fails(device, "miss,miss", with: .biometryLockout(retryAfter: nil))
    try device.sensor.script("passcode:1234")
    let evaluation = try await device.context().evaluate(.deviceOwner, reason: "clear")
    #expect(evaluation.methods == [.passcode])
    try device.sensor.match()
    try await device.context().evaluate(.biometrics, reason: "open again")
  }

  @Test func passcodeAtTheLockScreenClearsALock() async throws {
    let device = try device()
    try await fails(device, "miss,miss,miss", with: .authenticationFailed)
    try await fails(device, "miss,miss", with: .biometryLockout(retryAfter: nil))
    try device.lock()
    try device.unlock()
    try device.context().canEvaluate(.biometrics)
  }

  // MARK: Device owner

  @Test func deviceOwnerMovesToThePasscodeAfterThreeMisses() async throws {
    let device = try device()
    try device.sensor.script("miss,miss,miss,passcode:1234")
    let evaluation = try await device.context().evaluate(.deviceOwner, reason: "any way")
    #expect(evaluation.methods == [.passcode])
    #expect(evaluation.attempts == 4)
  }

  @Test func deviceOwnerAsksForThePasscodeOnlyWhileFingersAreLocked() async throws {
    let device = try device()
    try await fails(device, "miss,miss,miss", with: .authenticationFailed)
    try await fails(device, "miss,miss", with: .biometryLockout(retryAfter: nil))
    try device.sensor.script("passcode:1234")
    try await device.context().evaluate(.deviceOwner, reason: "passcode")
    let asked = device.prompts.filter { $0.policy == .deviceOwner }
    #expect(asked.first?.question?.text == "Passcode:")
    #expect(asked.filter(\.asksForFinger).isEmpty)
  }

  @Test func wrongPasscodeDoesNotEndTheEvaluation() async throws {
    let device = try device()
    try device.sensor.script("passcode:0000,passcode:1111,passcode:1234")
    let evaluation = try await device.context().evaluate(.passcode, reason: "third time")
    #expect(evaluation.attempts == 3)
  }

  // MARK: Fallback and cancel

  @Test func fallbackIsHiddenUntilTheFirstMiss() async throws {
    let device = try device()
    try await fails(device, "fallback", with: .timeout)
    #expect(device.prompts.last?.fallbackTitle == nil)
    try await fails(device, "miss,fallback", with: .userFallback)
    #expect(device.prompts.last?.fallbackTitle == "Enter Passcode")
  }

  @Test func fallbackOfDeviceOwnerShowsThePasscodePane() async throws {
    let device = try device()
    try device.sensor.script("miss,fallback,passcode:1234")
    let evaluation = try await device.context().evaluate(.deviceOwner, reason: "rather type")
    #expect(evaluation.methods == [.passcode])
  }

  @Test func cancellingThePasscodePaneIsUserCancel() async throws {
    let device = try device()
    try await fails(device, "miss,fallback,cancel", of: .deviceOwner, with: .userCancel)
  }

  // MARK: canEvaluate

  @Test func conditionsAreReportedInApplesOrder() async throws {
    let bare = try TestDevice(passcode: "1234", lockout: .apple, hasSensor: false)
    #expect(throws: AuthError.biometryNotAvailable) { try bare.context().canEvaluate(.biometrics) }

    let device = try device([])
    #expect(throws: AuthError.biometryNotEnrolled) { try device.context().canEvaluate(.biometrics) }
    try device.sensor.enroll(.rightIndex)
    try device.context().canEvaluate(.biometrics)
    try await fails(device, "miss,miss,miss", with: .authenticationFailed)
    try await fails(device, "miss,miss", with: .biometryLockout(retryAfter: nil))
    #expect(throws: AuthError.biometryLockout(retryAfter: nil)) {
      try device.context().canEvaluate(.biometrics)
    }
    try device.sensor.unplug()
    #expect(throws: AuthError.biometryDisconnected) {
      try device.context().canEvaluate(.biometrics)
    }

    let open = try TestDevice(fingers: [.rightIndex], lockout: .apple)
    #expect(throws: AuthError.passcodeNotSet) { try open.context().canEvaluate(.biometrics) }
  }

  @Test func deviceOwnerNeedsNothingButAPasscode() async throws {
    let bare = try TestDevice(passcode: "1234", lockout: .apple, hasSensor: false)
    try bare.context().canEvaluate(.deviceOwner)
    try bare.removePasscode()
    #expect(throws: AuthError.passcodeNotSet) { try bare.context().canEvaluate(.deviceOwner) }
  }

  @Test func preflightAndEvaluationFailAlike() async throws {
    let device = try device([])
    await #expect(throws: AuthError.biometryNotEnrolled) {
      try await device.context().evaluate(.biometrics, reason: "nothing there")
    }
  }

  @Test func interactionNotAllowedDoesNotMatterToCanEvaluate() throws {
    let context = try device().context()
    context.interactionNotAllowed = true
    try context.canEvaluate(.biometrics)
  }

  @Test func biometryTypeIsTheDevicesWhateverItsState() async throws {
    let device = try device([])
    #expect(device.context().biometryType == .fingerprint)
    let bare = try TestDevice(passcode: "1234", hasSensor: false)
    #expect(bare.context().biometryType == .none)
    #expect(AuthContext(device: Device("x", servedBy: NoService())).biometryType == .none)
  }

  // MARK: interactionNotAllowed

  @Test func preflightErrorsWinOverNotInteractive() async throws {
    let device = try device([])
    let context = device.context()
    context.interactionNotAllowed = true
    await #expect(throws: AuthError.biometryNotEnrolled) {
      try await context.evaluate(.biometrics, reason: "quietly")
    }
    try device.sensor.enroll(.rightIndex)
    await #expect(throws: AuthError.notInteractive) {
      try await context.evaluate(.biometrics, reason: "quietly")
    }
  }

  @Test func silentEvaluationTakesNoScript() async throws {
    let device = try device()
    try device.sensor.match()
    let silent = device.context()
    silent.interactionNotAllowed = true
    await #expect(throws: AuthError.notInteractive) {
      try await silent.evaluate(.biometrics, reason: "quietly")
    }
    try await device.context().evaluate(.biometrics, reason: "aloud")
  }
}
