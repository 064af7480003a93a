import LocalAuth
import LocalAuthTestKit
import Testing

@Suite
struct AuthContextTests {
  @Test func successTellsWhatWasProven() async throws {
    let device = try TestDevice(fingers: [.leftThumb, .rightIndex], passcode: "1234")
    try device.sensor.script("miss, match:right-index")
    let evaluation = try await device.context().evaluate(.biometrics, reason: "open the vault")
    #expect(evaluation.methods == [.fingerprint])
    #expect(evaluation.finger == .rightIndex)
    #expect(evaluation.attempts == 2)
    #expect(evaluation.policy == .biometrics)
    #expect(evaluation.device == device.name)
    #expect(evaluation.isSimulated)
    #expect(!evaluation.isRepeated)
    #expect(!evaluation.id.isEmpty)
  }

  @Test func eachMethodIsNamedInTheOrderOfThePolicy() async throws {
    let device = try TestDevice(fingers: [.rightIndex], passcode: "1234")
    try device.sensor.script("match, passcode:1234")
    let both = try await device.context().evaluate(.biometricsAndPasscode, reason: "both")
    #expect(both.methods == [.fingerprint, .passcode])
    try device.sensor.script("passcode:1234")
    let passcode = try await device.context().evaluate(.passcode, reason: "one")
    #expect(passcode.methods == [.passcode])
    #expect(passcode.finger == nil)
    try device.sensor.script("passcode:1234")
    let parallel = try await device.context().evaluate(.deviceOwnerParallel, reason: "either")
    #expect(parallel.methods == [.passcode])
  }

  @Test func auditTellsWhatTheProgramAsked() async throws {
    let device = try TestDevice(fingers: [.rightIndex])
    try device.sensor.match()
    let evaluation = try await device.context().evaluate(.biometrics, reason: "read the log")
    let line = try #require(try device.auditLines().last { $0.action == "evaluate" })
    #expect(line.reason == "read the log")
    #expect(line.outcome == .success)
    #expect(line.finger == .rightIndex)
    #expect(line.attempts == 1)
    #expect(line.isSimulated)
    #expect(evaluation.finger == line.finger)
  }

  @Test func reasonOfTheContextStandsInForNone() async throws {
    let device = try TestDevice(fingers: [.rightIndex])
    let context = device.context()
    context.localizedReason = "by default"
    try device.sensor.match()
    try await context.evaluate(.biometrics)
    #expect(device.prompts.last?.reason == "by default")
    try device.sensor.match()
    try await device.context().evaluate(.biometrics, reason: "by word")
    #expect(device.prompts.last?.reason == "by word")
  }

  @Test func evaluationWithoutReasonIsAMistake() async throws {
    let device = try TestDevice(fingers: [.rightIndex])
    let empty = AuthError.usage("An evaluation needs a reason, which the person reads.")
    await #expect(throws: empty) { try await device.context().evaluate(.biometrics) }
    await #expect(throws: empty) { try await device.context().evaluate(.biometrics, reason: "") }
    #expect(device.prompts.isEmpty)
  }

  @Test func reasonThatIsTooLongIsRefused() async throws {
    let device = try TestDevice(fingers: [.rightIndex])
    let reason = String(repeating: "x", count: 1025)
    await #expect(throws: AuthError.usage("The value of 'reason' cannot be used.")) {
      try await device.context().evaluate(.biometrics, reason: reason)
    }
  }

  @Test(arguments: [Duration.zero, .seconds(-1), .seconds(3601)])
  func timeoutOutOfRangeIsRefused(_ timeout: Duration) async throws {
    let device = try TestDevice(fingers: [.rightIndex])
    let context = device.context()
    context.timeout = timeout
    await #expect(throws: AuthError.usage("The value of 'timeoutMilliseconds' cannot be used.")) {
      try await context.evaluate(.biometrics, reason: "wait")
    }
  }

  @Test func settingsAreTakenWhenAnEvaluationBegins() async throws {
    let device = try TestDevice(fingers: [.rightIndex])
    let context = device.context()
    context.timeout = .seconds(5)
    try device.sensor.script("sleep:6s, match")
    await #expect(throws: AuthError.timeout) {
      try await context.evaluate(.biometrics, reason: "hurry")
    }
    context.timeout = .seconds(7)
    try device.sensor.script("sleep:6s, match")
    try await context.evaluate(.biometrics, reason: "take your time")
  }

  @Test func cancelTitleIsTheDefaultUnlessOneIsGiven() async throws {
    let device = try TestDevice(fingers: [.rightIndex])
    for (given, shown) in [(nil, "Cancel"), ("", "Cancel"), ("Not now", "Not now")] {
      let context = device.context()
      context.localizedCancelTitle = given
      try device.sensor.match()
      try await context.evaluate(.biometrics, reason: "title")
      #expect(device.prompts.last?.cancelTitle == shown)
      #expect(context.localizedCancelTitle == given)
    }
  }

  @Test func fallbackTitleIsTheDefaultUnlessOneIsGivenAndHiddenWhenEmpty() async throws {
    let device = try TestDevice(fingers: [.rightIndex])
    for (given, shown) in [(nil, "Enter Passcode"), ("", nil), ("Use PIN", "Use PIN")] {
      let context = device.context()
      context.localizedFallbackTitle = given
      try device.sensor.match()
      try await context.evaluate(.biometrics, reason: "title")
      #expect(device.prompts.last?.fallbackTitle == shown)
    }
  }

  @Test func credentialStaysUntilItIsRemovedOrTheContextIsInvalidated() throws {
    let context = AuthContext(device: Device("nobody"))
    #expect(!context.isCredentialSet(.applicationPassword))
    let isKept = context.setCredential(Secret(text: "open sesame"), type: .applicationPassword)
    #expect(isKept)
    #expect(context.isCredentialSet(.applicationPassword))
    context.setCredential(nil, type: .applicationPassword)
    #expect(!context.isCredentialSet(.applicationPassword))
    context.setCredential(Secret(text: "again"), type: .applicationPassword)
    context.invalidate()
    #expect(!context.isCredentialSet(.applicationPassword))
    let isKeptLate = context.setCredential(Secret(text: "late"), type: .applicationPassword)
    #expect(!isKeptLate)
  }

  @Test func credentialProvesNothingByItself() async throws {
    let device = try TestDevice(fingers: [.rightIndex], passcode: "1234")
    let context = device.context()
    context.setCredential(Secret(text: "1234"), type: .applicationPassword)
    context.interactionNotAllowed = true
    await #expect(throws: AuthError.notInteractive) {
      try await context.evaluate(.deviceOwner, reason: "silently")
    }
  }
}

extension Secret {
  /// A test's secret.
  init(text: String) {
    self.init(capacity: text.utf8.count)
    for byte in text.utf8 { _ = append(byte) }
  }
}
