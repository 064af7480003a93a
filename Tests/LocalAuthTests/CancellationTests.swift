import LocalAuth
import LocalAuthTestKit
import Synchronization
import Testing

@Suite
struct CancellationTests {
  /// A context whose prompts `watcher` sees.
  private func context(_ device: TestDevice, _ watcher: PromptWatcher) -> AuthContext {
    let context = AuthContext(device: device.device)
    context.prompter = .custom(watcher)
    return context
  }

  @Test func cancellingTheTaskIsAppCancelAndFreesThePrompt() async throws {
    let device = try TestDevice(fingers: [.rightIndex])
    let watcher = PromptWatcher()
    let context = context(device, watcher)
    let task = Task { try await context.evaluate(.biometrics, reason: "slow") }
    _ = await watcher.nextPrompt()
    task.cancel()
    let end = await task.result
    #expect(throws: AuthError.appCancel) { try end.get() }
    try device.sensor.match()
    try await device.context().evaluate(.biometrics, reason: "next")
  }

  @Test func taskThatIsCancelledAlreadyAsksNobody() async throws {
    let device = try TestDevice(fingers: [.rightIndex])
    let end = await withTaskGroup(of: AuthError?.self) { group in
      group.cancelAll()
      group.addTask {
        do throws(AuthError) {
          try await device.context().evaluate(.biometrics, reason: "never")
          return nil
        } catch {
          return error
        }
      }
      return await group.next() ?? nil
    }
    #expect(end == .appCancel)
    #expect(device.prompts.isEmpty)
  }

  // Cancelled at whatever moment it is in: each must end, none may miss the call.
  @Test func cancellingAtAnyMomentEndsTheEvaluation() async throws {
    let device = try TestDevice(fingers: [.rightIndex])
    let ends = await withTaskGroup(of: AuthError?.self) { group in
      for round in 1...200 {
        let task = Task { () async -> AuthError? in
          do throws(AuthError) {
            try await device.context().evaluate(.biometrics, reason: "round \(round)")
            return nil
          } catch {
            return error
          }
        }
        group.addTask {
          for _ in 0..<round % 40 { await Task.yield() }
          task.cancel()
          return await task.value
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(ends.filter { $0 != .appCancel && $0 != .busy }.isEmpty)
    #expect(ends.count == 200)
  }

  @Test func missesBeforeCancellingStayCounted() async throws {
    let device = try TestDevice(fingers: [.rightIndex], passcode: "1234")
    let watcher = PromptWatcher()
    let context = context(device, watcher)
    let task = Task { try await context.evaluate(.biometrics, reason: "give up") }
    #expect(try await device.sensor.touch(.leftThumb) == "miss")
    task.cancel()
    _ = await task.result
    #expect(try device.status().attemptsLeft == 2)
  }

  @Test func invalidateEndsWhatRunsAndRefusesWhatFollows() async throws {
    let device = try TestDevice(fingers: [.rightIndex])
    let watcher = PromptWatcher()
    let context = context(device, watcher)
    let task = Task { try await context.evaluate(.biometrics, reason: "interrupted") }
    _ = await watcher.nextPrompt()
    context.invalidate()
    let end = await task.result
    #expect(throws: AuthError.appCancel) { try end.get() }
    context.invalidate()
    await #expect(throws: AuthError.invalidContext) {
      try await context.evaluate(.biometrics, reason: "too late")
    }
    #expect(context.evaluatedDomainState == nil)
  }

  @Test func lettingTheContextGoEndsWhatRuns() async throws {
    let device = try TestDevice(fingers: [.rightIndex])
    let watcher = PromptWatcher()
    let (ends, feed) = AsyncStream<Result<Evaluation, AuthError>>.makeStream()
    let held = Mutex<AuthContext?>(context(device, watcher))
    try held.withLock { $0 }?.begin(.biometrics, reason: "short life") { feed.yield($0) }
    _ = await watcher.nextPrompt()
    held.withLock { $0 = nil }
    var iterator = ends.makeAsyncIterator()
    let end = try #require(await iterator.next())
    #expect(throws: AuthError.appCancel) { try end.get() }
  }

  @Test func oneContextMayEvaluateSeveralTimesAtOnce() async throws {
    let device = try TestDevice(fingers: [.rightIndex], passcode: "1234")
    try device.sensor.script("match", times: 2)
    try device.sensor.script("passcode:1234", times: 2)
    let context = device.context()
    async let first = context.evaluate(.deviceOwner, reason: "one")
    async let second = context.evaluate(.deviceOwner, reason: "two")
    _ = try await (first, second)
  }

  @Test func contextsOfOneDeviceWaitForEachOther() async throws {
    let device = try TestDevice(fingers: [.rightIndex])
    let watchers = [PromptWatcher(), PromptWatcher()]
    let first = context(device, watchers[0])
    async let one = first.evaluate(.biometrics, reason: "first")
    _ = await watchers[0].nextPrompt()
    let second = context(device, watchers[1])
    async let two = second.evaluate(.biometrics, reason: "second")
    var events = watchers[1].events.makeAsyncIterator()
    #expect(await events.next() == .waiting(ahead: 1))
    try await device.sensor.touch(.rightIndex)
    let finger = try await one.finger
    try await device.sensor.touch(.rightIndex)
    let fingers = [finger, try await two.finger]
    #expect(fingers == [.rightIndex, .rightIndex])
  }

  @Test func oneWhoWaitsMayGiveUp() async throws {
    let device = try TestDevice(fingers: [.rightIndex])
    let watchers = [PromptWatcher(), PromptWatcher()]
    let first = context(device, watchers[0])
    async let one = first.evaluate(.biometrics, reason: "first")
    _ = await watchers[0].nextPrompt()
    let second = context(device, watchers[1])
    let two = Task { try await second.evaluate(.biometrics, reason: "second") }
    var events = watchers[1].events.makeAsyncIterator()
    _ = await events.next()
    watchers[1].latestConversation?.cancel()
    let end = await two.result
    #expect(throws: AuthError.userCancel) { try end.get() }
    try await device.sensor.touch(.rightIndex)
    _ = try await one
  }
}
