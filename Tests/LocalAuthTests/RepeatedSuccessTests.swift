import LocalAuth
import LocalAuthTestKit
import Testing

/// A context that has proven a policy proves it again without asking; nothing else does.
@Suite
struct RepeatedSuccessTests {
  /// A context that has met `biometrics`, and its device.
  private func proven() async throws -> (TestDevice, AuthContext, Evaluation) {
    let device = try TestDevice(fingers: [.rightIndex, .leftIndex], passcode: "1234")
    try device.sensor.match()
    let context = device.context()
    return (device, context, try await context.evaluate(.biometrics, reason: "first"))
  }

  private func isSilent(_ context: AuthContext, _ policy: PolicyName = .biometrics) async -> Bool {
    context.interactionNotAllowed = true
    defer { context.interactionNotAllowed = false }
    return (try? await context.evaluate(policy, reason: "again")) != nil
  }

  @Test func secondEvaluationSucceedsWithoutAsking() async throws {
    let (device, context, first) = try await proven()
    let shown = device.prompts.count
    let second = try await context.evaluate(.biometrics, reason: "second")
    #expect(device.prompts.count == shown)
    #expect(second.isRepeated)
    #expect(second.id == first.id)
    #expect(second.methods == first.methods)
    #expect(await isSilent(context), "also where nobody may be asked")
    #expect(try await context.evaluate(.biometrics, reason: "third").isRepeated)
  }

  @Test func actionIsAskedForEachTimeAndRemembersNothing() async throws {
    let (device, context, first) = try await proven()
    #expect(first.actionDigest == nil)
    try device.sensor.match()
    let paid = try await context.evaluate(.biometrics, reason: "pay", action: "pay 10")
    #expect(!paid.isRepeated)
    #expect(
      paid.actionDigest == "6342c1bb43f96dc68a4ec6f77658eef1d91564267789ca97350ed5e6aa9ddf7c"
    )
    #expect(device.prompts.last?.action == "pay 10")
    #expect(try await context.evaluate(.biometrics, reason: "again").id == first.id)
    let fresh = device.context()
    try device.sensor.match()
    _ = try await fresh.evaluate(.biometrics, reason: "pay", action: "pay 10")
    #expect(await !isSilent(fresh))
    await #expect(throws: AuthError.self) {
      try await fresh.evaluate(.biometrics, reason: "pay", action: "pay\u{202E}10")
    }
  }

  @Test func newContextAsksAgain() async throws {
    let (device, _, _) = try await proven()
    #expect(await !isSilent(device.context()))
  }

  @Test func otherPolicyAsksAgain() async throws {
    let (_, context, _) = try await proven()
    #expect(await !isSilent(context, .deviceOwner))
  }

  @Test func invalidatedContextRemembersNothing() async throws {
    let (_, context, _) = try await proven()
    context.invalidate()
    await #expect(throws: AuthError.invalidContext) {
      try await context.evaluate(.biometrics, reason: "after the end")
    }
  }

  @Test func otherFingersEndIt() async throws {
    let (device, context, _) = try await proven()
    try device.sensor.remove(.leftIndex)
    #expect(await !isSilent(context))
  }

  @Test func changingFingersBackDoesNotReviveIt() async throws {
    let (device, context, _) = try await proven()
    try device.sensor.remove(.leftIndex)
    try device.sensor.enroll(.leftIndex)
    #expect(await !isSilent(context))
  }

  @Test func lockingTheDeviceEndsIt() async throws {
    let (device, context, _) = try await proven()
    try device.lock()
    #expect(await !isSilent(context))
  }

  @Test func restartEndsIt() async throws {
    let (device, context, _) = try await proven()
    try device.reboot()
    #expect(await !isSilent(context))
  }

  @Test func removingThePasscodeEndsIt() async throws {
    let (device, context, _) = try await proven()
    try device.removePasscode()
    #expect(await !isSilent(context))
  }

  @Test func lockedFingersAreReportedAndNothingIsRepeated() async throws {
    let (device, context, _) = try await proven()
    try device.sensor.miss(times: 3)
    await #expect(throws: AuthError.biometryLockout(retryAfter: nil)) {
      try await device.context().evaluate(.biometrics, reason: "somebody else")
    }
    await #expect(throws: AuthError.biometryLockout(retryAfter: nil)) {
      try await context.evaluate(.biometrics, reason: "after the lock")
    }
  }

  @Test(arguments: ["miss,miss,miss", "cancel", "cancel:system", "error:general", "miss"])
  func failureIsNeverRemembered(_ script: String) async throws {
    let device = try TestDevice(fingers: [.rightIndex], passcode: "1234")
    let context = device.context()
    try device.sensor.script(script)
    await #expect(throws: AuthError.self) {
      try await context.evaluate(.biometrics, reason: "fails")
    }
    #expect(await !isSilent(context))
  }

  @Test func repeatedSuccessDoesNotRenewItself() async throws {
    let (device, context, _) = try await proven()
    #expect(await isSilent(context))
    try device.sensor.enroll(.leftThumb)
    #expect(await !isSilent(context))
    #expect(await !isSilent(context))
  }
}
