import LocalAuthTestKit
import LocalAuthentication
import Synchronization
import Testing

@Suite
struct EvaluatePolicyTests {
  private let biometrics = LAPolicy.deviceOwnerAuthenticationWithBiometrics

  private func fails(
    _ device: TestDevice,
    _ script: String,
    _ policy: LAPolicy = .deviceOwnerAuthenticationWithBiometrics,
    with code: Int,
    _ location: SourceLocation = #_sourceLocation
  ) async throws {
    try device.sensor.script(script)
    let end = await device.laContext().code(of: policy)
    #expect(end == code, sourceLocation: location)
  }

  // MARK: The reply

  @Test func replyComesOffTheMainThread() async throws {
    let device = try TestDevice.apple()
    try device.sensor.match()
    let context = device.laContext()
    let onMain = await withCheckedContinuation { continuation in
      context.evaluatePolicy(biometrics, localizedReason: "test") { _, _ in
        continuation.resume(returning: Thread.isMainThread)
      }
    }
    #expect(!onMain)
  }

  @Test func refusalComesOffTheMainThreadToo() async throws {
    let context = try TestDevice.apple().laContext()
    context.invalidate()
    for number in 1...5 {
      let policy = try #require(LAPolicy(rawValue: number))
      let onMain = await MainActor.run { [context] in
        AsyncStream { feed in
          context.evaluatePolicy(policy, localizedReason: "late") { _, error in
            feed.yield(Thread.isMainThread || (error as? LAError)?.code != .invalidContext)
            feed.finish()
          }
        }
      }
      for await onMain in onMain { #expect(!onMain) }
    }
  }

  @Test func replyComesExactlyOnceAlsoWhenInvalidatedAtAnyMoment() async throws {
    let device = try TestDevice.apple()
    try device.sensor.script("match", times: 0)
    let codes = await withTaskGroup(of: Int?.self) { group in
      for round in 0..<60 {
        let context = device.laContext()
        group.addTask { await context.code(of: .deviceOwnerAuthenticationWithBiometrics) }
        group.addTask {
          for _ in 0..<round { await Task.yield() }
          context.invalidate()
          return nil
        }
      }
      return await group.reduce(into: [Int]()) { codes, code in
        if let code { codes.append(code) }
      }
    }
    #expect(codes.count == 60)
    let busy = LAError.systemCancel.rawValue
    #expect(codes.filter { ![0, -9, -10, busy].contains($0) }.isEmpty, "\(codes)")
  }

  @Test func replyMayWait() async throws {
    let device = try TestDevice.apple()
    try device.sensor.script("match", times: 2)
    let (outer, inner) = (device.laContext(), device.laContext())
    let success = await withCheckedContinuation { continuation in
      outer.evaluatePolicy(biometrics, localizedReason: "outer") { [biometrics] _, _ in
        let done = DispatchSemaphore(value: 0)
        let isProven = Mutex(false)
        inner.evaluatePolicy(biometrics, localizedReason: "inner") { success, _ in
          isProven.withLock { $0 = success }
          done.signal()
        }
        done.wait()
        continuation.resume(returning: isProven.withLock { $0 })
      }
    }
    #expect(success)
  }

  @Test func asyncFormThrowsWhatTheReplyHas() async throws {
    let device = try TestDevice.apple()
    try device.sensor.match()
    #expect(try await device.laContext().evaluatePolicy(biometrics, localizedReason: "yes"))
    try device.sensor.script("cancel")
    do {
      try await device.laContext().evaluatePolicy(biometrics, localizedReason: "no")
      Issue.record("no error")
    } catch LAError.userCancel {
    } catch {
      Issue.record("\(error)")
    }
  }

  @Test func errorIsFoundationsAndSaysWhatHappened() async throws {
    let device = try TestDevice.apple()
    try device.sensor.script("cancel")
    let context = device.laContext()
    let error = await #expect(throws: (any Error).self) {
      try await context.evaluatePolicy(biometrics, localizedReason: "no")
    }
    let object = try #require(error) as NSError
    #expect(object.domain == LAErrorDomain && object.code == -2)
    #expect(object.localizedDescription == "The user cancelled.")
  }

  @Test func preflightAndEvaluationFailAlike() async throws {
    let bare = try TestDevice(passcode: "1234", hasSensor: false)
    let devices = [bare, try .apple([]), try .apple(passcode: nil), try .apple()]
    for device in devices {
      for number in [1, 3, 4, 5] {
        let policy = try #require(LAPolicy(rawValue: number))
        let code = device.laContext().preflight(policy)
        guard code != 0 else { continue }
        #expect(await device.laContext().code(of: policy) == code, "policy \(number)")
      }
      #expect(device.prompts.isEmpty)
    }
  }

  @Test func fingerMeetsBiometryOrCompanion() async throws {
    let device = try TestDevice.apple()
    try device.sensor.script("miss,match")
    let policy = LAPolicy.deviceOwnerAuthenticationWithBiometricsOrCompanion
    #expect(await device.laContext().code(of: policy) == 0)
    try device.sensor.script("cancel")
    #expect(await device.laContext().code(of: policy) == -2)
  }

  // MARK: The reason

  @Test func reasonIsShown() async throws {
    let device = try TestDevice.apple()
    try device.sensor.match()
    _ = await device.laContext().code(of: biometrics, reason: "open the vault")
    #expect(device.prompts.map(\.reason) == ["open the vault"])
  }

  @Test func reasonThatIsTooLongIsCut() async throws {
    let device = try TestDevice.apple()
    try device.sensor.match()
    let reason = String(repeating: "é", count: 4000)
    #expect(await device.laContext().code(of: biometrics, reason: reason) == 0)
    #expect(device.prompts.first?.reason == String(repeating: "é", count: 512))
  }

  @Test func emptyReasonEndsTheProcess() async {
    await #expect(processExitsWith: .failure) {
      let device = try TestDevice(fingers: [.rightIndex])
      device.use { LAContext() }.evaluatePolicy(
        .deviceOwnerAuthentication,
        localizedReason: ""
      ) { _, _ in }
    }
    await #expect(processExitsWith: .failure) {
      let device = try TestDevice(fingers: [.rightIndex])
      _ = try await device.use { LAContext() }.evaluatePolicy(
        .deviceOwnerAuthentication,
        localizedReason: ""
      )
    }
  }

  // MARK: The context's life

  @Test func invalidateEndsWhatRunsAndRefusesWhatFollows() async throws {
    let device = try TestDevice.apple()
    let context = device.laContext()
    async let code = context.code(of: biometrics)
    // A touch comes back when the prompt has taken it, so that one is shown.
    #expect(try await device.sensor.touch(.leftThumb) == "miss")
    context.invalidate()
    #expect(await code == -9)
    context.invalidate()
    #expect(await context.code(of: biometrics) == -10)
    #expect(await context.code(of: .deviceOwnerAuthentication) == -10)
    #expect(context.evaluatedPolicyDomainState == nil)
  }

  /// Says when it goes.
  private final class WatchedContext: LAContext, @unchecked Sendable {
    private let feed: AsyncStream<Int>.Continuation
    init(_ feed: AsyncStream<Int>.Continuation) {
      self.feed = feed
      super.init()
    }
    deinit { feed.finish() }
  }

  /// Evaluates as most programs do: with a context of the function's own.
  private func begin(on device: TestDevice, _ feed: AsyncStream<Int>.Continuation) {
    let context = device.use { WatchedContext(feed) }
    context.evaluatePolicy(biometrics, localizedReason: "short life") { _, error in
      feed.yield((error as NSError?)?.code ?? 0)
    }
  }

  @Test func evaluationKeepsItsContextUntilItHasRepliedAndNoLonger() async throws {
    let device = try TestDevice.apple()
    let (codes, feed) = AsyncStream<Int>.makeStream()
    begin(on: device, feed)
    #expect(try await device.sensor.touch(.leftThumb) == "miss")
    #expect(try await device.sensor.touch(.rightIndex) == "match")
    #expect(await codes.reduce(into: []) { $0.append($1) } == [0])
  }

  @Test func proofOfAnAccessControlKeepsItsContextToo() async throws {
    let device = try TestDevice.apple()
    let control = try #require(accessControl(.biometryAny))
    let (codes, feed) = AsyncStream<Int>.makeStream()
    let begin = {
      let context = device.use { WatchedContext(feed) }
      context.evaluateAccessControl(control, operation: .useItem, localizedReason: "short") {
        _,
        error in
        feed.yield((error as NSError?)?.code ?? 0)
      }
    }
    begin()
    #expect(try await device.sensor.touch(.rightIndex) == "match")
    #expect(await codes.reduce(into: []) { $0.append($1) } == [0])
  }

  @Test func contextThatEvaluatesNothingGoesAtOnce() async throws {
    let device = try TestDevice.apple()
    let (codes, feed) = AsyncStream<Int>.makeStream()
    _ = device.use { WatchedContext(feed) }
    #expect(await codes.reduce(into: []) { $0.append($1) }.isEmpty)
  }

  @Test func secondEvaluationOfAContextAsksNobody() async throws {
    let device = try TestDevice.apple()
    try device.sensor.match()
    let context = device.laContext()
    #expect(await context.code(of: biometrics) == 0)
    let shown = device.prompts.count
    #expect(await context.code(of: biometrics) == 0)
    context.interactionNotAllowed = true
    #expect(await context.code(of: biometrics) == 0)
    #expect(device.prompts.count == shown)
    let other = device.laContext()
    other.interactionNotAllowed = true
    #expect(await other.code(of: biometrics) == -1004)
  }

  // MARK: Misses

  @Test func threeMissesFailAndFiveLock() async throws {
    let device = try TestDevice.apple()
    try await fails(device, "miss,miss,miss", with: -1)
    try await fails(device, "miss,miss", with: -8)
    let shown = device.prompts.count
    #expect(await device.laContext().code(of: biometrics) == -8)
    #expect(device.prompts.count == shown, "and no passcode is asked for")
  }

  @Test func passcodeClearsALockout() async throws {
    let device = try TestDevice.apple()
    try await device.lockFingers()
    try device.sensor.script("passcode:1234")
    #expect(await device.laContext().code(of: .deviceOwnerAuthentication) == 0)
    #expect(device.laContext().preflight(biometrics) == 0)
  }

  @Test func invalidateDoesNotClearALockout() async throws {
    let device = try TestDevice.apple()
    try await device.lockFingers()
    device.laContext().invalidate()
    try device.clock.advance(by: .seconds(40 * 3600))
    try device.reboot()
    #expect(device.laContext().preflight(biometrics) == -8)
  }

  @Test func deviceOwnerMovesToThePasscode() async throws {
    let device = try TestDevice.apple()
    try device.sensor.script("miss,miss,miss,passcode:1234")
    #expect(await device.laContext().code(of: .deviceOwnerAuthentication) == 0)
    try await device.lockFingers()
    try device.sensor.script("passcode:1234")
    #expect(await device.laContext().code(of: .deviceOwnerAuthentication) == 0)
  }

  @Test func wrongPasscodesDoNotEndDeviceOwner() async throws {
    let device = try TestDevice.apple([])
    try device.sensor.script("passcode:0000,passcode:1111,passcode:1234")
    #expect(await device.laContext().code(of: .deviceOwnerAuthentication) == 0)
  }

  // MARK: Buttons

  @Test func cancelIsUserCancel() async throws {
    try await fails(try .apple(), "cancel", with: -2)
    try await fails(
      try .apple(),
      "miss,fallback,cancel",
      .deviceOwnerAuthentication,
      with: -2
    )
  }

  @Test func fallbackOfBiometricsIsTheProgramsOwn() async throws {
    let device = try TestDevice.apple()
    try await fails(device, "miss,fallback", with: -3)
    #expect(device.prompts.filter { $0.question != nil }.isEmpty)
  }

  @Test func fallbackOfDeviceOwnerShowsThePasscode() async throws {
    let device = try TestDevice.apple()
    try device.sensor.script("miss,fallback,passcode:1234")
    #expect(await device.laContext().code(of: .deviceOwnerAuthentication) == 0)
  }

  @Test func fallbackIsHiddenUntilTheFirstMiss() async throws {
    let device = try TestDevice.apple()
    try device.sensor.script("miss,cancel")
    let context = device.laContext()
    context.localizedFallbackTitle = "Type it"
    _ = await context.code(of: biometrics)
    #expect(device.prompts.first?.fallbackTitle == nil)
    #expect(device.prompts.last?.fallbackTitle == "Type it")
  }

  @Test func emptyFallbackTitleHidesTheButton() async throws {
    let device = try TestDevice.apple()
    try device.sensor.script("miss,cancel", times: 2)
    let context = device.laContext()
    context.localizedFallbackTitle = ""
    _ = await context.code(of: biometrics)
    #expect(device.prompts.last?.fallbackTitle == nil)
    context.localizedFallbackTitle = nil
    _ = await context.code(of: biometrics)
    #expect(device.prompts.last?.fallbackTitle == "Enter Passcode")
  }

  @Test func emptyFallbackTitleLeavesNoFallback() async throws {
    let device = try TestDevice.apple()
    let context = device.laContext()
    context.localizedFallbackTitle = ""
    try device.sensor.script("miss,fallback,cancel")
    #expect(await context.code(of: biometrics) == -2)
    try device.sensor.script("miss,fallback,cancel")
    #expect(await context.code(of: .deviceOwnerAuthentication) == -2)
  }

  @Test(arguments: [nil, ""])
  func cancelTitleThatIsNilOrEmptyIsTheDefault(_ title: String?) async throws {
    let device = try TestDevice.apple()
    try device.sensor.script("cancel", times: 2)
    let context = device.laContext()
    context.localizedCancelTitle = title
    _ = await context.code(of: biometrics)
    #expect(device.prompts.last?.cancelTitle == "Cancel")
    context.localizedCancelTitle = "Not now"
    _ = await context.code(of: biometrics)
    #expect(device.prompts.last?.cancelTitle == "Not now")
  }

  // MARK: The system

  @Test func lockingTheDeviceIsSystemCancel() async throws {
    let device = try TestDevice.apple()
    let context = device.laContext()
    async let code = context.code(of: biometrics)
    _ = try await device.sensor.touch(.leftThumb)
    try device.lock()
    #expect(await code == -4)
  }

  @Test func nobodyAnsweringIsSystemCancel() async throws {
    try await fails(try .apple(), "", with: -4)
  }

  @Test func evaluationsOfOneDeviceWaitForEachOther() async throws {
    let device = try TestDevice.apple()
    try device.sensor.script("match", times: 2)
    let contexts = (device.laContext(), device.laContext())
    async let first = contexts.0.code(of: biometrics)
    async let second = contexts.1.code(of: biometrics)
    #expect(await (first, second) == (0, 0))
  }

  // MARK: Without interaction

  @Test func interactionNotAllowedFailsWhatNeedsAPerson() async throws {
    let device = try TestDevice.apple()
    let context = device.laContext()
    context.interactionNotAllowed = true
    #expect(await context.code(of: biometrics) == -1004)
    #expect(await context.code(of: .deviceOwnerAuthentication) == -1004)
    #expect(device.prompts.isEmpty)
    context.interactionNotAllowed = false
    try device.sensor.match()
    #expect(await context.code(of: biometrics) == 0)
  }

  @Test func preflightErrorsWinOverNotInteractive() async throws {
    let context = try TestDevice.apple([]).laContext()
    context.interactionNotAllowed = true
    #expect(await context.code(of: biometrics) == -7)
  }
}
