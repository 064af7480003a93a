import LocalAuthCore
import Testing

@testable import LocalAuthService

/// PAM as the judge of the passcode.
@Suite struct ConversationTests {
  private static let right = Verdict.proven(finger: nil, generation: nil)

  private func conversing(
    _ policy: String
  ) throws -> (rig: Rig, hearing: Hearing, conversation: ScriptedPAM.Conversation) {
    let rig = Rig()
    rig.makeDevice(passcode: nil, pam: "login")
    // A passcode was used in this boot, so that fingers count.
    let warm = try rig.evaluate("passcode")
    rig.run()
    rig.pam.conversations[0].say(.ended(Self.right))
    rig.run()
    #expect(warm.result?.outcome == .success)
    let hearing = try rig.evaluate(policy)
    rig.run()
    return (rig, hearing, try #require(rig.pam.conversations.last))
  }

  @Test func aConversationIsChargedBeforeItBegins() throws {
    let rig = Rig()
    rig.makeDevice(passcode: nil, pam: "login")
    _ = try rig.evaluate("passcode")
    #expect(rig.pam.conversations.isEmpty)
    rig.run()
    #expect(rig.pam.conversations.count == 1)
    #expect(rig.store.account?.attempts.throttle.tally.failures == 1)
  }

  @Test func itsQuestionIsAskedAndItsVerdictDecides() throws {
    let (rig, hearing, conversation) = try conversing("passcode")
    conversation.say(.prompt(text: "Password:", echoes: false))
    let prompt = try #require(hearing.prompts.last)
    #expect(prompt.passcodePrompt == "Password:")
    #expect(rig.respond(prompt.nonce, .passcode(.of("secret"))))
    #expect(conversation.answers == 1)
    conversation.say(.ended(Self.right))
    rig.run()
    #expect(hearing.result?.outcome == .success)
    #expect(hearing.result?.method == "pam")
    #expect(rig.store.account?.attempts.throttle.tally.failures == 0)
  }

  @Test func aWrongAnswerBeginsAnotherConversation() throws {
    let (rig, hearing, conversation) = try conversing("passcode")
    conversation.say(.prompt(text: "Password:", echoes: false))
    _ = rig.respond(try #require(hearing.prompts.last?.nonce), .passcode(.of("x")))
    conversation.say(.ended(.miss))
    rig.run()
    #expect(hearing.misses == 1)
    #expect(rig.pam.conversations.count == 3)
  }

  @Test func aCallerWithOneAnswerIsNotAskedForAnother() throws {
    let rig = Rig()
    rig.makeDevice(passcode: nil, pam: "login")
    var ended: [OutcomeCode?] = []
    rig.engine.onAuditLine = { ended.append($0.outcome) }
    let hearing = try rig.evaluate("passcode", passcodeTries: 1)
    rig.run()
    rig.pam.conversations[0].say(.prompt(text: "Password:", echoes: false))
    _ = rig.respond(try #require(hearing.prompts.last?.nonce), .passcode(.of("x")))
    rig.pam.conversations[0].say(.ended(.miss))
    rig.run()
    #expect(hearing.result?.outcome == Outcome(.authenticationFailed))
    #expect(rig.pam.conversations.count == 1)
    #expect(ended == [.authenticationFailed])
  }

  @Test func aCallerCannotRaiseThePolicysLimit() throws {
    let rig = Rig()
    rig.makeDevice()
    let tries = String(repeating: "passcode:0000,", count: 4) + "passcode:1234"
    let hearing = try rig.evaluate("passcode", script: tries, passcodeTries: 9)
    rig.run()
    #expect(hearing.result?.outcome != .success)
  }

  @Test func theLineOfACancelledConversationIsToldOnce() throws {
    let (rig, hearing, conversation) = try conversing("passcode")
    var told: [OutcomeCode?] = []
    rig.engine.onAuditLine = { told.append($0.outcome) }
    conversation.say(.prompt(text: "Password:", echoes: false))
    _ = rig.respond(try #require(hearing.prompts.last?.nonce), .cancel)
    rig.run()
    #expect(told == [.userCancel])
  }

  @Test func whoCancelsBeforeAnsweringGetsTheChargeBack() throws {
    let (rig, hearing, conversation) = try conversing("passcode")
    conversation.say(.prompt(text: "Password:", echoes: false))
    #expect(rig.store.account?.attempts.throttle.tally.failures == 1)
    _ = rig.respond(try #require(hearing.prompts.last?.nonce), .cancel)
    rig.run()
    #expect(conversation.isAborted)
    #expect(rig.store.account?.attempts.throttle.tally.failures == 0)
  }

  @Test func whoCancelsAfterASuccessElsewhereTakesNobodysAttemptBack() throws {
    let (rig, hearing, _) = try conversing("passcode")
    rig.pam.conversations[1].say(.prompt(text: "Password:", echoes: false))
    // Proven past the prompt, which clears the count; then somebody guesses.
    for verdict in [Self.right, .miss] {
      rig.engine.unlock("sim", passcode: .of("secret"), caller: rig.caller) { _ in }
      rig.run()
      let conversation = try #require(rig.pam.conversations.last)
      conversation.say(.prompt(text: "Password:", echoes: false))
      conversation.say(.ended(verdict))
      rig.run()
    }
    #expect(rig.store.account?.attempts.throttle.tally.failures == 1)
    _ = rig.respond(try #require(hearing.prompts.last?.nonce), .cancel)
    rig.run()
    #expect(rig.store.account?.attempts.throttle.tally.failures == 1)
  }

  @Test func whoCancelsAfterAnsweringDoesNot() throws {
    let (rig, hearing, conversation) = try conversing("passcode")
    conversation.say(.prompt(text: "Password:", echoes: false))
    _ = rig.respond(try #require(hearing.prompts.last?.nonce), .passcode(.of("guess")))
    rig.engine.cancel(hearing.id)
    rig.run()
    #expect(conversation.isAborted)
    #expect(rig.store.account?.attempts.throttle.tally.failures == 1)
  }

  @Test func aFingerThatWinsTheRaceBreaksTheConversationOff() throws {
    let (rig, hearing, conversation) = try conversing("device-owner-parallel")
    conversation.say(.prompt(text: "Password:", echoes: false))
    rig.touch(.rightIndex)
    rig.run()
    #expect(hearing.result?.outcome == .success)
    #expect(hearing.result?.method == "fingerprint")
    #expect(conversation.isAborted)
    #expect(rig.store.account?.attempts.throttle.tally.failures == 0)
  }

  @Test func aSubmittedPasscodeThatLosesTheRaceIsRefundedOnlyByItsOwnSuccess() throws {
    for (verdict, failures) in [(Self.right, UInt32(0)), (.miss, 1)] {
      let (rig, hearing, conversation) = try conversing("device-owner-parallel")
      conversation.say(.prompt(text: "Password:", echoes: false))
      _ = rig.respond(try #require(hearing.prompts.last?.nonce), .passcode(.of("secret")))
      rig.touch(.rightIndex)
      while rig.store.finishNext(.success(())) { rig.engine.completionsArrived() }
      #expect(hearing.result?.outcome == .success)
      conversation.say(.ended(verdict))
      rig.run()
      #expect(rig.store.account?.attempts.throttle.tally.failures == failures)
    }
  }

  @Test func everyFurtherAnswerOfAConversationCostsAnAttempt() throws {
    let (rig, hearing, conversation) = try conversing("passcode")
    for answer in 1...3 {
      conversation.say(.prompt(text: "Password:", echoes: false))
      _ = rig.respond(try #require(hearing.prompts.last?.nonce), .passcode(.of("guess")))
      rig.run()
      #expect(conversation.answers == answer)
      #expect(rig.store.account?.attempts.throttle.tally.failures == UInt32(answer))
    }
  }

  @Test func anAnswerBeyondWhatTheDelaysAllowIsNotGiven() throws {
    let (rig, hearing, conversation) = try conversing("passcode")
    for _ in 1...6 {
      conversation.say(.prompt(text: "Password:", echoes: false))
      _ = rig.respond(try #require(hearing.prompts.last?.nonce), .passcode(.of("guess")))
      rig.run()
    }
    #expect(conversation.answers == 5)
    #expect(conversation.isAborted)
    #expect(hearing.result?.outcome.code == .passcodeThrottled)
  }

  @Test func nothingIsKeptOfAnAttemptThatEnded() throws {
    let (rig, hearing, conversation) = try conversing("passcode")
    weak let evidence = rig.engine.runner.evidence.values.first
    #expect(evidence != nil)
    conversation.say(.prompt(text: "Password:", echoes: false))
    _ = rig.respond(try #require(hearing.prompts.last?.nonce), .passcode(.of("guess")))
    rig.run()
    conversation.say(.ended(.proven(finger: nil, generation: nil)))
    rig.run()
    #expect(hearing.result?.outcome == .success)
    #expect(evidence == nil, "a conversation that is still there keeps it")
  }

  @Test func aJudgeThatRefusesWithoutAskingIsNotAskedAgain() throws {
    let (rig, hearing, conversation) = try conversing("passcode")
    conversation.say(.ended(.miss))
    rig.run()
    #expect(hearing.result?.outcome.code == .authenticationFailed)
    #expect(hearing.result?.attempts == 1)
    #expect(rig.store.account?.attempts.throttle.tally.failures == 1)
  }

  @Test func aJudgeThatCannotJudgeProvesNothing() throws {
    let (rig, hearing, conversation) = try conversing("passcode")
    conversation.say(.ended(.unjudged(Outcome(.badConfiguration))))
    rig.run()
    #expect(hearing.result?.outcome.code == .badConfiguration)
  }

  @Test func itsMessagesReachThePerson() throws {
    let (rig, hearing, conversation) = try conversing("passcode")
    conversation.say(.info("Your password expires soon."))
    conversation.say(.error("Caps lock is on."))
    rig.run()
    let texts = hearing.events.compactMap { event -> String? in
      if case .message(let isError, let text) = event { "\(isError) \(text)" } else { nil }
    }
    #expect(texts == ["false Your password expires soon.", "true Caps lock is on."])
  }

  @Test func anActAnswersOneQuestionAndNoMore() throws {
    let rig = Rig()
    rig.makeDevice(passcode: nil, pam: "login")
    var result: Result<Void, EngineError>?
    rig.engine.remove(.rightIndex, on: "sim", passcode: .of("secret"), caller: rig.caller) {
      result = $0
    }
    rig.run()
    let conversation = try #require(rig.pam.conversations.last)
    conversation.say(.prompt(text: "Password:", echoes: false))
    conversation.say(.prompt(text: "Code:", echoes: false))
    rig.run()
    #expect(conversation.answers == 1)
    #expect(conversation.isAborted)
    guard case .failure = result else {
      Issue.record("the finger was removed")
      return
    }
  }
}
