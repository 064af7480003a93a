import Glibc
import LocalAuthCore
import LocalAuthUnix
import Testing

@testable import LocalAuthHost

@Suite struct PAMJudgmentTests {
  private static let faults: [Arming.Fault] = [
    .early, .armedTwice, .impatient, .otherAttempt, .tooManyWords, .silent, .gone, .malformed,
  ]

  @Test func onlyAMatchIsProof() {
    #expect(PAMJudgment.verdict(.match) == .proven(finger: nil, generation: nil))
    let others: [Arming.Ending] =
      [.miss, .refused("x"), .failed("x")] + Self.faults.map { .fault($0) }
    for other in others {
      if case .proven = PAMJudgment.verdict(other) { Issue.record("\(other) proves something") }
    }
  }

  @Test func whatJudgedTheCredentialIsAMiss() {
    #expect(PAMJudgment.verdict(.miss) == .miss)
  }

  @Test func rightPasswordOfAnAccountThatMayNotBeUsedIsNoMissAndSaysWhy() {
    #expect(
      PAMJudgment.verdict(.refused("The account has expired."))
        == .unjudged(Outcome(.authenticationFailed, detail: "The account has expired."))
    )
  }

  @Test func whatCannotJudgeIsAMatterOfTheConfiguration() {
    #expect(
      PAMJudgment.verdict(.failed("System error"))
        == .unjudged(Outcome(.badConfiguration, detail: "PAM cannot judge: System error."))
    )
  }

  @Test(arguments: faults) func brokenRulesJudgeNothing(_ fault: Arming.Fault) {
    guard case .unjudged(let outcome) = PAMJudgment.verdict(.fault(fault)) else {
      Issue.record("\(fault) judges")
      return
    }
    #expect(outcome.code == (fault == .silent ? .timeout : .internalError))
  }
}

/// Judgments whose worker says what the test lets it say.
@Suite struct PlayedPAMJudgmentTests {
  private static let failures: [(ConversationFailure, [String])] = [
    (.protocolBroken, [PlayedWorker.match]),
    (.protocolBroken, [PlayedWorker.armed, PlayedWorker.armed]),
    (.protocolBroken, [PlayedWorker.armed, PlayedWorker.question, PlayedWorker.match]),
    (.protocolBroken, [PlayedWorker.armed, "]"]),
    (.protocolBroken, [PlayedWorker.armed, #"{"error":"org.varlink.service.MethodNotFound"}"#]),
    (
      .protocolBroken,
      [PlayedWorker.armed, PlayedWorker.match.replacing("aa", with: "bb")]
    ),
  ]

  @Test func aMatchIsProofOnce() throws {
    let worker = try PlayedWorker()
    try worker.say(PlayedWorker.armed, PlayedWorker.question)
    try worker.respond("tulip")
    try worker.say(PlayedWorker.match, PlayedWorker.match)
    #expect(worker.verdict == .proven(finger: nil, generation: nil))
    #expect(worker.endings == 1 && worker.state == .ready)
  }

  @Test func cancelBeforeAnAnswerJudgesNothing() throws {
    let worker = try PlayedWorker()
    try worker.say(PlayedWorker.armed, PlayedWorker.question)
    worker.judgment.abort()
    try worker.turn()
    #expect(worker.verdict == .unjudged(ConversationFailure.aborted.outcome))
    #expect(worker.state == .interrupted)
  }

  @Test func cancelAfterAnAnswerIsAMiss() throws {
    let worker = try PlayedWorker()
    try worker.say(PlayedWorker.armed, PlayedWorker.question)
    try worker.respond("first guess")
    try worker.say(PlayedWorker.question)
    worker.judgment.abort()
    try worker.turn()
    #expect(worker.verdict == .miss && worker.state == .interrupted)
  }

  @Test func aMatchAfterACancelProvesNothing() throws {
    for isAnswered in [false, true] {
      let worker = try PlayedWorker()
      try worker.say(PlayedWorker.armed, PlayedWorker.question)
      if isAnswered { try worker.respond("tulip") }
      // It is there already when the attempt is broken off.
      worker.connections[0].say(PlayedWorker.match)
      worker.judgment.abort()
      try worker.turn()
      try worker.say(PlayedWorker.match)
      #expect(worker.verdict != .proven(finger: nil, generation: nil))
      #expect(worker.endings == 1)
    }
  }

  @Test(arguments: failures) func aWorkerThatBreaksARuleIsUsedNoMore(
    _ failure: ConversationFailure,
    _ words: [String]
  ) throws {
    let worker = try PlayedWorker()
    for word in words { try worker.say(word) }
    #expect(worker.verdict == .unjudged(failure.outcome), "\(words)")
    #expect(worker.state == .broken && worker.endings == 1)
  }

  @Test(arguments: 0...3) func aWorkerThatGoesAtAnyStepJudgesNothing(steps: Int) throws {
    let worker = try PlayedWorker()
    if steps > 0 { try worker.say(PlayedWorker.armed) }
    if steps > 1 { try worker.say(PlayedWorker.question) }
    if steps > 2 { try worker.respond("tulip") }
    shutdown(worker.connections[0].descriptor, Int32(SHUT_RDWR))
    try worker.turn()
    #expect(worker.verdict == .unjudged(ConversationFailure.workerDied.outcome))
    #expect(worker.state == .broken)
  }

  @Test(arguments: [String(repeating: "x", count: 512), "tulip\u{0}"])
  func anAnswerThatPAMWouldNotTakeWholeIsNotSent(answer: String) throws {
    let worker = try PlayedWorker()
    try worker.say(PlayedWorker.armed, PlayedWorker.question)
    try worker.respond(answer)
    #expect(worker.connections.count == 1)
    #expect(worker.verdict == .unjudged(ConversationFailure.protocolBroken.outcome))
  }

  @Test func aWorkerThatSaysNothingIsOutOfTime() throws {
    let worker = try PlayedWorker(limit: .zero)
    while worker.verdict == nil { _ = try worker.loop.runOnce(timeout: .seconds(1)) }
    #expect(worker.verdict == .unjudged(ConversationFailure.timedOut.outcome))
    #expect(worker.state == .broken)
  }
}
