import LocalAuth
import LocalAuthTestKit
import Testing

/// Only an unlock of the device by finger may stand in for a touch, and only for a while.
@Suite
struct ReuseTests {
  private func unlockedByFinger() throws -> TestDevice {
    let device = try TestDevice(fingers: [.rightIndex], passcode: "1234", lockout: .apple)
    try device.lock()
    try device.unlockWithFinger()
    return device
  }

  private func silently(_ device: TestDevice, within window: Duration) async throws -> Evaluation {
    let context = device.context()
    context.reuseDuration = window
    context.interactionNotAllowed = true
    return try await context.evaluate(.biometrics, reason: "reuse")
  }

  @Test func recentUnlockByFingerStandsInForATouch() async throws {
    let device = try unlockedByFinger()
    let evaluation = try await silently(device, within: .seconds(10))
    #expect(evaluation.methods == [.unlockReuse])
    #expect(evaluation.attempts == 0)
    #expect(!evaluation.isRepeated)
    #expect(device.prompts.isEmpty)
  }

  @Test func nothingIsReusedByDefault() async throws {
    let device = try unlockedByFinger()
    #expect(device.context().reuseDuration == .zero)
    await #expect(throws: AuthError.notInteractive) { try await silently(device, within: .zero) }
  }

  @Test func unlockThatIsTooOldDoesNotCount() async throws {
    let device = try unlockedByFinger()
    try device.clock.advance(by: .seconds(11))
    await #expect(throws: AuthError.notInteractive) {
      try await silently(device, within: .seconds(10))
    }
    _ = try await silently(device, within: .seconds(11))
  }

  @Test func windowIsCappedAtFiveMinutesAndNeverNegative() async throws {
    let context = AuthContext(device: Device("nobody"))
    context.reuseDuration = .seconds(1000)
    #expect(context.reuseDuration == .seconds(300))
    context.reuseDuration = .seconds(-5)
    #expect(context.reuseDuration == .zero)
    let device = try unlockedByFinger()
    try device.clock.advance(by: .seconds(301))
    await #expect(throws: AuthError.notInteractive) {
      try await silently(device, within: .seconds(1000))
    }
  }

  @Test func matchOfAnotherContextIsNotReused() async throws {
    let device = try TestDevice(fingers: [.rightIndex], passcode: "1234", lockout: .apple)
    try device.sensor.match()
    try await device.context().evaluate(.biometrics, reason: "by touch")
    await #expect(throws: AuthError.notInteractive) {
      try await silently(device, within: .seconds(300))
    }
  }

  @Test func unlockByPasscodeIsNotReused() async throws {
    let device = try TestDevice(fingers: [.rightIndex], passcode: "1234", lockout: .apple)
    try device.lock()
    try device.unlock()
    await #expect(throws: AuthError.notInteractive) {
      try await silently(device, within: .seconds(300))
    }
  }

  @Test func lockOrOtherFingersEndTheReuse() async throws {
    let device = try unlockedByFinger()
    try device.sensor.enroll(.leftIndex)
    await #expect(throws: AuthError.notInteractive) {
      try await silently(device, within: .seconds(300))
    }
    let other = try unlockedByFinger()
    try other.lock()
    await #expect(throws: AuthError.notInteractive) {
      try await silently(other, within: .seconds(300))
    }
  }
}
