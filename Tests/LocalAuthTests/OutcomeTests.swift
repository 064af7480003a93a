import LocalAuth
import LocalAuthClient
import LocalAuthCore
import LocalAuthTestKit
import LocalAuthTestSupport
import LocalAuthUnix
import Testing

/// Every outcome that an evaluation can end in, reached through the API.
@Suite
struct OutcomeTests {
  private func device(_ lockout: LockoutProfileName = .threeStrikes) throws -> TestDevice {
    try TestDevice(fingers: [.rightIndex], passcode: "1234", lockout: lockout)
  }

  /// How an evaluation ends that meets `script`.
  private func outcome(
    of policy: PolicyName,
    _ script: String,
    on device: TestDevice
  ) async throws -> AuthError? {
    try device.sensor.script(script)
    do throws(AuthError) {
      try await device.context().evaluate(policy, reason: "outcome")
      return nil
    } catch {
      return error
    }
  }

  @Test(
    arguments: [
      ("cancel", AuthError.userCancel), ("fallback", .userFallback), ("miss", .timeout),
      ("cancel:system", .systemCancel), ("cancel:app", .appCancel),
      ("miss,miss,miss", .biometryLockout(retryAfter: nil)), ("unplug", .biometryDisconnected),
      ("error:general", .sensorError("sensor: general")), ("error:timeout", .timeout),
      ("error:unavailable", .biometryNotAvailable), ("error:removed", .biometryDisconnected),
      ("error:canceled", .systemCancel), ("lockout", .biometryLockout(retryAfter: nil)),
    ] as [(String, AuthError)]
  )
  func eventsAtTheSensorEndBiometrics(_ script: String, _ error: AuthError) async throws {
    #expect(try await outcome(of: .biometrics, script, on: device()) == error)
  }

  @Test func threeStrikesLockAndThePasscodeClears() async throws {
    let device = try device()
    #expect(
      try await outcome(of: .biometrics, "miss,miss,miss", on: device)
        == .biometryLockout(retryAfter: nil)
    )
    #expect(try await outcome(of: .biometrics, "match", on: device)?.laErrorCode == -8)
    #expect(try await outcome(of: .deviceOwner, "passcode:1234", on: device) == nil)
    #expect(try await outcome(of: .biometrics, "match", on: device) == nil)
  }

  @Test func strikesCountAcrossEvaluationsAndCancelling() async throws {
    let device = try device()
    for _ in 1...2 {
      #expect(try await outcome(of: .biometrics, "miss,cancel", on: device) == .userCancel)
    }
    #expect(
      try await outcome(of: .biometrics, "miss", on: device) == .biometryLockout(retryAfter: nil)
    )
  }

  @Test func thirdStrikeMovesDeviceOwnerToThePasscode() async throws {
    let device = try device()
    try device.sensor.script("miss,miss,miss,passcode:1234")
    let evaluation = try await device.context().evaluate(.deviceOwner, reason: "strikes")
    #expect(evaluation.methods == [.passcode])
  }

  @Test func timedLockSaysWhenToTryAgain() async throws {
    let device = try device(.android)
    let misses = Array(repeating: "miss", count: 5).joined(separator: ",")
    let error = try await outcome(of: .biometrics, misses, on: device)
    #expect(error == .biometryLockout(retryAfter: .seconds(30)))
    #expect(error?.retryAfter == .seconds(30))
    try device.clock.advance(by: .seconds(30))
    #expect(try await outcome(of: .biometrics, "match", on: device) == nil)
  }

  @Test func triesOfThePasscodeAreLimited() async throws {
    let device = try device()
    #expect(
      try await outcome(of: .passcode, "passcode:0,passcode:1,passcode:2", on: device)
        == .authenticationFailed
    )
  }

  @Test func wrongPasscodesAreThrottledUntilTheirDelayHasPassed() async throws {
    let device = try device()
    _ = try await outcome(of: .passcode, "passcode:0,passcode:1,passcode:2", on: device)
    let throttled = AuthError.passcodeThrottled(retryAfter: .seconds(60))
    #expect(try await outcome(of: .passcode, "passcode:3", on: device) == throttled)
    #expect(throws: throttled) { try device.context().canEvaluate(.passcode) }
    try device.clock.advance(by: .seconds(60))
    #expect(try await outcome(of: .passcode, "passcode:1234", on: device) == nil)
  }

  @Test func devicesThatLackSomethingSaySo() async throws {
    let bare = try TestDevice(hasSensor: false)
    await #expect(throws: AuthError.biometryNotAvailable) {
      try await bare.context().evaluate(.biometrics, reason: "no sensor")
    }
    await #expect(throws: AuthError.passcodeNotSet) {
      try await bare.context().evaluate(.passcode, reason: "no passcode")
    }
    await #expect(throws: AuthError.biometryNotEnrolled) {
      try await TestDevice().context().evaluate(.biometrics, reason: "no finger")
    }
  }

  @Test func nobodyToAskIsNotInteractive() async throws {
    let context = AuthContext(device: try device().device)
    context.prompter = .nobody
    await #expect(throws: AuthError.notInteractive) {
      try await context.evaluate(.biometrics, reason: "alone")
    }
    context.prompter = .custom(Absent())
    await #expect(throws: AuthError.notInteractive) {
      try await context.evaluate(.biometrics, reason: "alone")
    }
  }

  private struct Absent: Prompting {
    var canAsk: Bool { false }
    func show(_ event: PromptEvent, in conversation: PromptConversation) {}
  }

  @Test func lockingTheDeviceEndsWhatRuns() async throws {
    let device = try device()
    let watcher = PromptWatcher()
    let context = AuthContext(device: device.device)
    context.prompter = .custom(watcher)
    let task = Task { try await context.evaluate(.biometrics, reason: "interrupted") }
    _ = await watcher.nextPrompt()
    try device.lock()
    let end = await task.result
    #expect(throws: AuthError.systemCancel) { try end.get() }
  }

  @Test func requestBeyondTheQueueIsBusy() async throws {
    let device = try device()
    let ends = await withTaskGroup(of: AuthError?.self) { group in
      // One is asked, 32 of one user may wait, and one is too many.
      for _ in 1...34 {
        group.addTask { await Self.failure(of: device.context()) }
      }
      var ends = [await group.next() ?? nil]
      // By then the queue is full, so everybody has arrived.
      try? device.clock.advance(by: .seconds(30))
      for await end in group { ends.append(end) }
      return ends
    }
    #expect(ends.first == .busy)
    #expect(ends.dropFirst().allSatisfy { $0 == .timeout })
    #expect(ends.count == 34)
  }

  private static func failure(of context: AuthContext) async -> AuthError? {
    do throws(AuthError) {
      try await context.evaluate(.biometrics, reason: "crowd")
      return nil
    } catch {
      return error
    }
  }

  @Test func unknownPolicyAndUnknownDeviceAreConfiguration() async throws {
    let device = try device()
    await #expect(throws: AuthError.badConfiguration("There is no policy 'user/nothing'.")) {
      try await device.context().evaluate(.named("user/nothing"), reason: "which")
    }
    #expect(throws: AuthError.badConfiguration("There is no policy 'nothing'.")) {
      try device.context().canEvaluate(.named("nothing"))
    }
    let nowhere = Device("nowhere", servedBy: try device.device.resolved().source)
    await #expect(throws: AuthError.badConfiguration("There is no device 'nowhere'.")) {
      try await AuthContext(device: nowhere).evaluate(.biometrics, reason: "where")
    }
  }

  @Test func serviceThatIsNotThereIsUnreachable() async throws {
    let context = AuthContext(device: Device("x", servedBy: NoService()))
    await #expect(throws: AuthError.unreachable("nobody is there")) {
      try await context.evaluate(.biometrics, reason: "hello")
    }
    #expect(throws: AuthError.unreachable("nobody is there")) {
      try context.canEvaluate(.biometrics)
    }
  }

  @Test func daemonThatMayNotBeStartedIsUnreachable() async throws {
    let directory = ScratchDirectory()
    let paths = try RuntimePaths(home: directory.path, environment: .init(variables: [:]))
    let address = DaemonAddress(paths: paths, startsDaemon: false)
    let context = AuthContext(device: Device("sim", servedBy: address))
    await #expect { try await context.evaluate(.biometrics, reason: "start") } throws: {
      ($0 as? AuthError)?.outcome == .unreachable
    }
  }

  @Test func sameMistakesAreReportedTheSameByCanEvaluate() throws {
    let device = try device()
    try device.context().canEvaluate(.deviceOwnerParallel)
    let context = device.context()
    context.invalidate()
    #expect(throws: AuthError.invalidContext) { try context.canEvaluate(.biometrics) }
  }
}
