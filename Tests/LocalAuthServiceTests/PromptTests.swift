import LocalAuthCore
import LocalAuthService
import Testing

@Suite struct PromptTests {
  @Test func aGuessedNonceAnswersNothing() throws {
    let rig = Rig()
    rig.makeDevice()
    let hearing = try rig.evaluate("passcode")
    #expect(!rig.respond(EvaluationID(high: 1, low: 1), .cancel))
    #expect(hearing.result == nil)
  }

  @Test func eachNonceAnswersOnce() throws {
    let rig = Rig()
    rig.makeDevice()
    let hearing = try rig.evaluate("passcode")
    let nonce = try #require(hearing.prompts.last?.nonce)
    #expect(rig.respond(nonce, .passcode(.of("0000"))))
    #expect(!rig.respond(nonce, .passcode(.of("1234"))))
    rig.run()
    #expect(hearing.result == nil)
    #expect(hearing.misses == 1)
  }

  @Test func aFallbackToWhatIsAskedForAlreadyShowsThePromptAnew() throws {
    let rig = Rig()
    rig.makeDevice()
    rig.engine.reboot("sim", caller: rig.caller) { _ in }
    rig.run()
    let hearing = try rig.evaluate("device-owner")
    let prompt = try #require(hearing.prompts.last)
    #expect(prompt.live == .passcode)
    #expect(!prompt.offersFallback)
    #expect(rig.respond(prompt.nonce, .fallback))
    let next = try #require(hearing.prompts.last)
    #expect(next.nonce != prompt.nonce)
    #expect(rig.respond(next.nonce, .passcode(.of("1234"))))
    rig.run()
    #expect(hearing.result?.outcome == .success)
  }

  @Test func promptSaysHowManyPasscodesAreLeftBeforeTheLockForGood() throws {
    let rig = Rig()
    rig.makeDevice()
    #expect(try rig.evaluate().prompts.last?.passcodesLeft == nil)
    rig.engine.lock("sim", caller: rig.caller) { _ in }
    rig.run()
    let hearing = try rig.evaluate("passcode")
    let prompt = try #require(hearing.prompts.last)
    #expect(prompt.passcodesLeft == 10)
    #expect(rig.respond(prompt.nonce, .passcode(.of("0000"))))
    rig.run()
    #expect(hearing.prompts.last?.passcodesLeft == 9)
  }

  @Test func missThatLocksTheFingersSaysSo() throws {
    let rig = Rig()
    rig.makeDevice()
    let hearing = try rig.evaluate("device-owner", script: "miss, miss, miss, cancel")
    rig.run()
    let locks = hearing.events.compactMap { event -> Bool? in
      if case .miss(.biometry, let locks) = event { locks } else { nil }
    }
    #expect(locks == [false, false, true])
  }

  @Test func anotherProcessCannotAnswer() throws {
    let rig = Rig()
    rig.makeDevice()
    let hearing = try rig.evaluate("passcode")
    let nonce = try #require(hearing.prompts.last?.nonce)
    let stranger = Caller(uid: 1000, pid: 43, program: "other", process: HeldProcess())
    #expect(!rig.respond(nonce, .passcode(.of("1234")), as: stranger))
    let otherUser = Caller(uid: 1001, pid: 42, program: "other", process: HeldProcess())
    #expect(!rig.respond(nonce, .cancel, as: otherUser))
    #expect(rig.respond(nonce, .cancel))
    rig.run()
    #expect(hearing.result?.outcome.code == .userCancel)
  }

  @Test func aNumberThatWasUsedAgainCannotAnswer() throws {
    let rig = Rig()
    rig.makeDevice()
    let hearing = try rig.evaluate("passcode")
    let nonce = try #require(hearing.prompts.last?.nonce)
    // Whoever asked has ended, and another process got its number.
    rig.process.end()
    let next = Caller(uid: 1000, pid: 42, program: "other", process: HeldProcess())
    #expect(!rig.respond(nonce, .passcode(.of("1234")), as: next))
    rig.run()
    #expect(hearing.result == nil)
  }

  @Test func aNewPromptReplacesTheNonceOfTheOldOne() throws {
    let rig = Rig()
    rig.makeDevice()
    let hearing = try rig.evaluate()
    let first = try #require(hearing.prompts.last?.nonce)
    rig.touch(.leftThumb)
    rig.run()
    let second = try #require(hearing.prompts.last?.nonce)
    #expect(first != second)
    #expect(!rig.respond(first, .cancel))
    #expect(rig.respond(second, .cancel))
  }

  @Test func aJudgementUnderWayCanBeCancelled() throws {
    let rig = Rig()
    rig.makeDevice()
    let hearing = try rig.evaluate("passcode")
    #expect(rig.respond(try #require(hearing.prompts.last?.nonce), .passcode(.of("0"))))
    let judging = try #require(hearing.prompts.last)
    #expect(judging.passcodePrompt == nil)
    #expect(rig.respond(judging.nonce, .cancel))
    rig.run()
    #expect(hearing.result?.outcome.code == .userCancel)
    #expect(rig.store.device?.attempts.throttle.tally.failures == 1, "the charge stays")
  }

  @Test func onePromptAtATimeAndTheNextInOrder() throws {
    let rig = Rig()
    rig.makeDevice()
    let first = try rig.evaluate()
    let second = try rig.evaluate()
    #expect(second.prompts.isEmpty)
    rig.touch(.rightIndex)
    rig.run()
    #expect(first.result?.outcome == .success)
    #expect(second.result == nil, "a touch answers one prompt")
    #expect(second.prompts.count == 1)
    rig.engine.cancel(second.id)
    rig.run()
    #expect(second.result?.outcome.code == .appCancel)
  }

  @Test func anAnswerThatIsTooLongForAPasscodeIsNotChargedAndLeavesThePrompt() throws {
    let rig = Rig()
    rig.makeDevice()
    let hearing = try rig.evaluate("passcode")
    let nonce = try #require(hearing.prompts.last?.nonce)
    let long = PromptResponse.passcode(.of(String(repeating: "1", count: 512)))
    var error: EngineError?
    do throws(EngineError) {
      try rig.engine.respond(nonce: nonce, caller: rig.caller, answer: long)
    } catch let refusal { error = refusal }
    #expect(error == .invalidArgument("A passcode has at most 511 bytes."))
    rig.run()
    #expect(rig.store.device?.attempts.throttle.tally.failures == 0)
    #expect(rig.respond(nonce, .passcode(.of("1234"))))
    rig.run()
    #expect(hearing.result?.outcome == .success)
  }

  /// A program of root's, as su(1) and sudo(8), that asks for the owner of `sim`.
  private func program(_ name: String, from origin: Origin) -> Caller {
    var caller = Caller(uid: 0, pid: 43, program: name, process: HeldProcess())
    caller.owner = 1000
    caller.origin = origin
    return caller
  }

  @Test(arguments: [Origin.owner, .user(1000), .host("")])
  func promptsThatOthersLeaveKeepTheOwnerOutOfNothing(origin: Origin) throws {
    let rig = Rig()
    rig.makeDevice(passcode: nil, pam: "login")
    let carol = program("su", from: .user(1001))
    let left = try (0..<40).map { _ in try rig.evaluate("passcode", as: carol) }
    rig.run()
    #expect(left.count { $0.result == nil } == 3, "one is asked, and two wait")
    #expect(left.last?.result?.outcome.code == .busy)
    let dave = program("sudo", from: origin)
    let sudo = try rig.evaluate("passcode", as: dave)
    rig.run()
    let end = try #require(left.first?.result?.outcome)
    #expect(end.code == .systemCancel && end.detail?.contains("owner") == true)
    let conversation = try #require(rig.pam.conversations.last)
    conversation.say(.prompt(text: "Password:", echoes: false))
    let nonce = try #require(sudo.prompts.last?.nonce)
    #expect(rig.respond(nonce, .passcode(.of("right")), as: dave))
    conversation.say(.ended(.proven(finger: nil, generation: nil)))
    rig.run()
    #expect(sudo.result?.outcome == .success)
  }

  @Test func whoWaitsWhileTheSensorLocksIsRefusedWhenItsTurnComes() throws {
    let rig = Rig()
    rig.makeDevice()
    let first = try rig.evaluate()
    let second = try rig.evaluate()
    for _ in 1...3 {
      rig.touch(.leftThumb)
      rig.run()
    }
    #expect(first.result?.outcome.code == .biometryLockout)
    #expect(second.result?.outcome.code == .biometryLockout)
    #expect(second.result?.attempts == 0)
  }

  @Test func nobodyAnswersAndTheTimeRunsOut() throws {
    let rig = Rig()
    rig.makeDevice()
    let hearing = try rig.evaluate()
    rig.clock.pass(.seconds(29))
    rig.run()
    #expect(hearing.result == nil)
    rig.clock.pass(.seconds(1))
    rig.run()
    #expect(hearing.result?.outcome.code == .timeout)
  }

  @Test func onAClockThatStandsStillAScriptThatRunsOutJumpsToTheTimeOut() throws {
    let rig = Rig()
    rig.makeDevice(stoppedClock: true)
    #expect(try rig.outcome(script: "miss,sleep:5s,retry:dirty")?.code == .timeout)
  }

  @Test func aSimulatedSuccessThatNobodyAskedForIsRefusedBeforeItIsTried() throws {
    let rig = Rig()
    rig.makeDevice()
    let hearing = try rig.evaluate(script: "match", allowsSimulated: false)
    rig.run()
    #expect(hearing.result?.outcome.code == .simulatedNotAllowed)
    #expect(hearing.result?.scriptEventsLeft == 1)
  }

  @Test func aTouchThatNobodyWaitsForIsDropped() throws {
    let rig = Rig()
    rig.makeDevice()
    var error: EngineError?
    rig.engine.touch(.rightIndex, on: "sim", waitingFor: nil, caller: rig.caller) { result in
      if case .failure(let failure) = result { error = failure }
    }
    #expect(error == .notArmed)
    let hearing = try rig.evaluate()
    rig.run()
    #expect(hearing.result == nil, "the dropped touch answers nothing later")
  }

  @Test func aTouchThatWaitsIsLaidOnWhenAPromptIsArmed() throws {
    let rig = Rig()
    rig.makeDevice()
    var effect: SensorEffect?
    rig.engine.touch(.rightIndex, on: "sim", waitingFor: .seconds(9), caller: rig.caller) {
      effect = try? $0.get()
    }
    let hearing = try rig.evaluate()
    rig.run()
    #expect(hearing.result?.outcome == .success)
    #expect(effect == .match)
  }

  @Test func aWaitingTouchThatIsCalledOffAnswersNothing() throws {
    let rig = Rig()
    rig.makeDevice()
    let token = rig.engine.touch(
      .rightIndex,
      on: "sim",
      waitingFor: .seconds(9),
      caller: rig.caller
    ) { _ in }
    rig.engine.cancelTouch(try #require(token))
    let hearing = try rig.evaluate()
    rig.run()
    #expect(hearing.result == nil)
  }
}
