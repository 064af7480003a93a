import LocalAuth
import LocalAuthTestKit
import Synchronization
import Testing

/// A user interface of the program's own.
@Suite
struct PromptingTests {
  private func evaluate(
    _ policy: PolicyName,
    on device: TestDevice,
    _ watcher: PromptWatcher
  ) async throws -> Evaluation {
    let context = AuthContext(device: device.device)
    context.prompter = .custom(watcher)
    return try await context.evaluate(policy, reason: "ask")
  }

  @Test func passcodeThatIsAnsweredIsJudged() async throws {
    let device = try TestDevice(passcode: "sesame", hasSensor: false)
    let watcher = PromptWatcher { prompt, conversation in
      if prompt.question != nil { conversation.answer(prompt, with: Secret(text: "sesame")) }
    }
    let evaluation = try await evaluate(.deviceOwner, on: device, watcher)
    #expect(evaluation.methods == [.passcode])
    #expect(evaluation.attempts == 1)
  }

  @Test func wrongAnswerIsAMissAndAskedAgain() async throws {
    let device = try TestDevice(passcode: "sesame", hasSensor: false)
    let tries = Mutex(["open", "barley", "sesame"])
    let watcher = PromptWatcher { prompt, conversation in
      guard prompt.question != nil else { return }
      let next = tries.withLock { $0.removeFirst() }
      conversation.answer(prompt, with: Secret(text: next))
    }
    let evaluation = try await evaluate(.passcode, on: device, watcher)
    #expect(evaluation.attempts == 3)
    var misses = 0
    for await event in watcher.events {
      if case .notice(let notice) = event, notice.kind == .miss { misses += 1 }
      if event == .ended { break }
    }
    #expect(misses == 2)
  }

  @Test func personMayCancelOrChooseTheFallback() async throws {
    let device = try TestDevice(fingers: [.rightIndex], passcode: "1234")
    await #expect(throws: AuthError.userCancel) {
      try await evaluate(.biometrics, on: device, PromptWatcher { $1.cancel() })
    }
    await #expect(throws: AuthError.userFallback) {
      try await evaluate(.biometrics, on: device, PromptWatcher { $1.chooseFallback(of: $0) })
    }
  }

  @Test func fallbackThatIsHiddenCannotBeChosen() async throws {
    let device = try TestDevice(fingers: [.rightIndex], passcode: "1234")
    let context = AuthContext(device: device.device)
    context.localizedFallbackTitle = ""
    let watcher = PromptWatcher { prompt, conversation in
      conversation.chooseFallback(of: prompt)
    }
    context.prompter = .custom(watcher)
    async let evaluation = context.evaluate(.biometrics, reason: "no way around")
    try await device.sensor.touch(.rightIndex)
    let methods = try await evaluation.methods
    #expect(methods == [.fingerprint])
  }

  @Test func promptTellsWhoAsksForWhat() async throws {
    let device = try TestDevice(fingers: [.rightIndex], passcode: "1234")
    let watcher = PromptWatcher()
    async let evaluation = evaluate(.deviceOwner, on: device, watcher)
    let prompt = try #require(await watcher.nextPrompt())
    #expect(prompt.reason == "ask")
    #expect(prompt.policy == .deviceOwner)
    #expect(prompt.device == device.name)
    #expect(prompt.isSimulated)
    #expect(prompt.asksForFinger)
    #expect(!prompt.asksForPasscode)
    #expect(prompt.question == nil)
    #expect(prompt.attemptsLeft == 3)
    #expect(prompt.timeLeft == .seconds(30))
    #expect(prompt.requester.contains("process"))
    try await device.sensor.touch(.rightIndex)
    let id = try await evaluation.id
    #expect(id == prompt.evaluation)
  }

  @Test func eventsEndWithTheEnd() async throws {
    let device = try TestDevice(fingers: [.rightIndex])
    let watcher = PromptWatcher()
    try device.sensor.script("retry:partial,miss,match")
    _ = try await evaluate(.biometrics, on: device, watcher)
    var kinds: [PromptNotice.Kind] = []
    var last: PromptEvent?
    for await event in watcher.events {
      if case .notice(let notice) = event { kinds.append(notice.kind) }
      last = event
      if event == .ended { break }
    }
    #expect(kinds == [.retry, .miss])
    #expect(last == .ended)
  }

  @Test func answerAfterTheEndIsDropped() async throws {
    let device = try TestDevice(fingers: [.rightIndex], passcode: "1234")
    let watcher = PromptWatcher()
    try device.sensor.match()
    _ = try await evaluate(.deviceOwner, on: device, watcher)
    let prompt = try #require(await watcher.nextPrompt())
    watcher.latestConversation?.answer(prompt, with: Secret(text: "1234"))
    watcher.latestConversation?.cancel()
    #expect(try device.status().isPrompting == false)
  }

  @Test func unaskedAnswerIsDropped() async throws {
    let device = try TestDevice(fingers: [.rightIndex], passcode: "1234")
    let watcher = PromptWatcher { prompt, conversation in
      // Only the finger is asked for; this must neither be judged nor kept for a later question.
      conversation.answer(prompt, with: Secret(text: "1234"))
    }
    async let evaluation = evaluate(.biometricsAndPasscode, on: device, watcher)
    try await device.sensor.touch(.rightIndex)
    let end = try await evaluation
    #expect(end.methods == [.fingerprint, .passcode])
    #expect(end.attempts == 2)
  }
}
