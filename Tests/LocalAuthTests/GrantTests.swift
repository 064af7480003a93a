import LocalAuth
import LocalAuthTestKit
import Testing

/// What a program in Swift can wish of earlier successes.
@Suite(.serialized) struct GrantTests {
  private let device: TestDevice
  private let first: Evaluation

  init() async throws {
    device = try TestDevice(fingers: [.rightIndex], passcode: "1234")
    try device.sensor.script("match")
    first = try await device.context().evaluate(
      .biometrics,
      reason: "release",
      action: "publish 1.4",
      maxAge: .seconds(300),
      maxUses: 2
    )
  }

  /// A context of its own each time, that can ask nobody.
  private func again(
    _ action: String? = "publish 1.4",
    maxAge: Duration? = .seconds(300)
  ) async throws -> Evaluation {
    let context = device.context()
    context.interactionNotAllowed = true
    return try await context.evaluate(
      .biometrics,
      reason: "release",
      action: action,
      maxAge: maxAge
    )
  }

  @Test func sameActionIsAnsweredAndSaysHowOldItsProofIs() async throws {
    #expect(first.age == nil)
    #expect(first.methods == [.fingerprint])
    try device.clock.advance(by: .seconds(30))
    let answered = try await again()
    #expect(answered.age == .seconds(30))
    #expect(answered.methods == [.grant])
    #expect(answered.isSimulated)
    #expect(!answered.isRepeated)
    #expect(answered.actionDigest == first.actionDigest)
  }

  @Test func whatWasNotWishedForIsNotAnswered() async throws {
    await #expect(throws: AuthError.notInteractive) { try await again(maxAge: nil) }
    await #expect(throws: AuthError.notInteractive) { try await again("publish 1.5") }
    await #expect(throws: AuthError.notInteractive) { try await again(nil) }
    #expect(try await again().age != nil)
  }

  @Test func ageAndUsesAreTheCallers() async throws {
    try device.clock.advance(by: .seconds(60))
    await #expect(throws: AuthError.notInteractive) { try await again(maxAge: .seconds(60)) }
    _ = try await again()
    _ = try await again()
    await #expect(throws: AuthError.notInteractive) { try await again() }
  }

  @Test func contextDoesNotTellItAgainAsItsOwn() async throws {
    let context = device.context()
    context.interactionNotAllowed = true
    _ = try await context.evaluate(
      .biometrics,
      reason: "release",
      action: "publish 1.4",
      maxAge: .seconds(300)
    )
    await #expect(throws: AuthError.notInteractive) {
      try await context.evaluate(.biometrics, reason: "release")
    }
  }

  @Test func lockEndsIt() async throws {
    try device.lock()
    await #expect(throws: AuthError.notInteractive) { try await again() }
  }

  @Test func limitsThatAllowNothingAreRefused() async throws {
    for (maxAge, maxUses) in [
      (Duration.zero, nil), (.seconds(-1), nil), (.seconds(60), 0), (.seconds(60), -1), (nil, 3),
    ] as [(Duration?, Int?)] {
      do throws(AuthError) {
        try await device.context().evaluate(
          .biometrics,
          reason: "release",
          maxAge: maxAge,
          maxUses: maxUses
        )
        Issue.record("\(String(describing: maxAge)), \(String(describing: maxUses))")
      } catch {
        guard case .usage = error else {
          Issue.record("\(error)")
          continue
        }
      }
    }
  }
}
