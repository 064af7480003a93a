import LocalAuthCore
import LocalAuthService
import Synchronization
import Testing

/// What has a line of its own in the audit, what is only counted, and what could not be written.
@Suite struct AuditLinesTests {
  private func stranger(_ rig: Rig, _ origin: Origin = .user(1003)) -> Caller {
    var caller = rig.caller
    (caller.uid, caller.owner, caller.origin) = (0, 1000, origin)
    return caller
  }

  /// A device whose passcode is refused to strangers, and nothing in its audit yet.
  private func throttled() throws -> Rig {
    let rig = Rig()
    rig.makeDevice()
    for _ in 1...4 {
      _ = try rig.evaluate("passcode", script: "passcode:0000,cancel", as: stranger(rig))
      rig.run()
    }
    rig.store.commits.withLock { $0.removeAll() }
    // The lines that follow begin later than those before.
    rig.clock.moment.wall.milliseconds += 1000
    return rig
  }

  @discardableResult
  private func refuse(_ rig: Rig, as caller: Caller, times: Int = 1) throws -> OutcomeCode? {
    var last: OutcomeCode?
    for _ in 0..<times {
      let hearing = try rig.evaluate("passcode", as: caller)
      rig.run()
      last = hearing.result?.outcome.code
    }
    return last
  }

  private func lines(_ rig: Rig) -> [String] {
    rig.store.auditLines.map { "\($0.action) \($0.outcome?.rawValue ?? "unknown"): \($0.detail)" }
  }

  private static let told = "more refusals of others in between, not written: nothing was judged"

  @Test(arguments: [Origin.user(1003), .host("192.0.2.1"), .host("")])
  func refusalsOfOthersThatJudgeNothingAreCounted(_ origin: Origin) throws {
    let rig = try throttled()
    let outcome = try refuse(rig, as: stranger(rig, origin), times: 1205)
    #expect(outcome == .passcodeThrottled, "the answer is the same")
    #expect(rig.store.commits.withLock { $0.count } == 1)
    #expect(rig.store.auditLines.map(\.outcome) == [.passcodeThrottled])
    #expect(try rig.outcome("passcode", script: "passcode:1234") == .success)
    #expect(lines(rig).dropFirst().first == "audit gap passcodeThrottled: 1204 \(Self.told)")
    #expect(rig.store.auditLines.last?.outcome == .success)
  }

  @Test func theLineOfTheFirstRefusalSaysWhoAsked() throws {
    let rig = try throttled()
    try refuse(rig, as: stranger(rig), times: 3)
    #expect(rig.store.auditLines.first?.detail.hasPrefix("asked for by user 1003") == true)
    #expect(try rig.outcome("passcode", script: "passcode:1234") == .success)
    rig.clock.moment.wall.milliseconds += 1000
    _ = try rig.evaluate("passcode", isInteractive: false, as: stranger(rig, .user(1004)))
    rig.run()
    #expect(rig.store.auditLines.last?.detail.hasPrefix("asked for by user 1004") == true)
  }

  @Test func everyRefusalOfTheOwnerHasALine() throws {
    let rig = try throttled()
    for origin in [Origin.owner, .user(1000)] {
      rig.store.commits.withLock { $0.removeAll() }
      for _ in 1...5 {
        _ = try rig.evaluate(isInteractive: false, as: stranger(rig, origin))
        rig.run()
      }
      #expect(rig.store.auditLines.map(\.outcome) == Array(repeating: .notInteractive, count: 5))
    }
  }

  @Test func everyChargeAndEveryVerdictOfAStrangerHasALine() throws {
    let rig = Rig()
    rig.makeDevice()
    for _ in 1...3 {
      _ = try rig.evaluate("passcode", script: "passcode:0000,cancel", as: stranger(rig))
      rig.run()
    }
    #expect(rig.store.auditLines.count == 3)
    #expect(rig.store.auditLines.allSatisfy { $0.attempts == 1 && $0.outcome == .userCancel })
  }

  // MARK: Prompts that nobody answers

  /// Begins a conversation of somebody with PAM, which asks for the password.
  private func prompt(
    _ rig: Rig,
    on device: String? = "sim",
    as caller: Caller
  ) throws -> (hearing: Hearing, conversation: ScriptedPAM.Conversation) {
    var request = EvaluationRequest(policy: "passcode", reason: "su", device: device)
    request.allowsSimulated = true
    let hearing = Hearing()
    hearing.id = try rig.engine.evaluate(request, caller: caller) { hearing.events.append($0) }
    rig.run()
    let conversation = try #require(rig.pam.conversations.last)
    conversation.say(.prompt(text: "Password:", echoes: false))
    return (hearing, conversation)
  }

  private func leave(_ rig: Rig, on device: String? = "sim", as caller: Caller) throws {
    let (hearing, _) = try prompt(rig, on: device, as: caller)
    rig.engine.cancel(hearing.id)
    rig.run()
    #expect(hearing.result?.outcome.code == .appCancel)
  }

  private func deviceOfPAM() -> Rig {
    let rig = Rig()
    rig.makeDevice(passcode: nil, pam: "login")
    rig.clock.moment.wall.milliseconds += 1000
    return rig
  }

  /// The first says who asked.
  ///
  /// Their charges are given back, and were durable all the same.
  @Test(arguments: ["sim", nil])
  func promptsOfOthersThatNobodyAnswersAreCounted(_ device: String?) throws {
    let rig = deviceOfPAM()
    for _ in 1...5 { try leave(rig, on: device, as: stranger(rig)) }
    #expect(rig.store.account?.others == OtherAttempts())
    #expect(lines(rig) == ["evaluate appCancel: asked for by user 1003"])
    rig.clock.moment.wall.milliseconds += 1000
    try leave(rig, on: device, as: rig.caller)
    #expect(
      lines(rig).dropFirst() == ["audit gap appCancel: 4 \(Self.told)", "evaluate appCancel: "]
    )
    try leave(rig, on: device, as: stranger(rig))
    #expect(rig.store.auditLines.count == 4, "the first after another line has a line")
  }

  @Test func everyPromptOfTheOwnerThatNobodyAnswersHasALine() throws {
    let rig = deviceOfPAM()
    for _ in 1...3 { try leave(rig, as: rig.caller) }
    #expect(rig.store.auditLines.map(\.outcome) == [.appCancel, .appCancel, .appCancel])
  }

  @Test func anAnswerToAPromptOfOthersIsJudgedOnceItHasItsLine() throws {
    let rig = deviceOfPAM()
    try leave(rig, as: stranger(rig))
    let (hearing, conversation) = try prompt(rig, as: stranger(rig))
    #expect(rig.store.auditLines.count == 1)
    let nonce = try #require(hearing.prompts.last?.nonce)
    #expect(rig.respond(nonce, .passcode(.of("guess")), as: stranger(rig)))
    #expect(conversation.answers == 0)
    rig.run()
    #expect(conversation.answers == 1)
    #expect(lines(rig).dropFirst() == ["evaluate unknown: asked for by user 1003"])
    conversation.say(.ended(.miss))
    rig.run()
    rig.engine.cancel(hearing.id)
    rig.run()
    #expect(rig.store.auditLines.count == 2)
    let line = try #require(rig.store.auditLines.last)
    #expect(line.attempts == 1 && line.outcome == .appCancel)
    #expect(rig.store.account?.others != OtherAttempts(), "it stays counted")
  }

  @Test func anAnswerToAPromptOfOthersWhoseLineCannotBeWrittenIsNotJudged() throws {
    let rig = deviceOfPAM()
    try leave(rig, as: stranger(rig))
    let (hearing, conversation) = try prompt(rig, as: stranger(rig))
    let nonce = try #require(hearing.prompts.last?.nonce)
    #expect(rig.respond(nonce, .passcode(.of("guess")), as: stranger(rig)))
    rig.finishCommit(.failure(.full))
    #expect(conversation.isAborted && conversation.answers == 0)
    rig.run()
    #expect(hearing.result.map { $0.outcome == .success } == false)
  }

  @Test func aConversationOfOthersThatPAMEndsUnansweredIsCounted() throws {
    let rig = deviceOfPAM()
    for _ in 1...3 {
      let (hearing, conversation) = try prompt(rig, as: stranger(rig))
      conversation.say(.ended(.unjudged(Outcome(.timeout))))
      rig.run()
      #expect(hearing.result != nil)
    }
    #expect(rig.store.auditLines.count == 1)
  }

  @Test func whatPAMJudgesOfOthersWithoutAQuestionHasALine() throws {
    let rig = deviceOfPAM()
    try leave(rig, as: stranger(rig))
    let hearing = try rig.evaluate("passcode", as: stranger(rig))
    rig.run()
    rig.pam.conversations.last?.say(.ended(.proven(finger: nil, generation: nil)))
    rig.run()
    #expect(hearing.result?.outcome == .success)
    #expect(rig.store.auditLines.map(\.outcome) == [.appCancel, .success])
  }

  @Test func aLineOfTheGapIsToldAsAnyOther() throws {
    let rig = try throttled()
    var told: [String] = []
    rig.engine.onAuditLine = { told.append($0.action) }
    try refuse(rig, as: stranger(rig), times: 3)
    #expect(try rig.outcome("passcode", script: "passcode:1234") == .success)
    #expect(told == ["evaluate", "audit gap", "evaluate"])
  }

  @Test func whatIsCountedIsWrittenWhenTheServiceEnds() throws {
    let rig = try throttled()
    try refuse(rig, as: stranger(rig), times: 3)
    rig.engine.shutDown()
    rig.run()
    #expect(lines(rig).last == "audit gap passcodeThrottled: 2 \(Self.told)")
    #expect(rig.engine.isAtRest)
  }

  /// The loop turns no more by then, so nothing but the end hands on what became durable.
  @Test func whatBecomesDurableAsTheServiceEndsIsToldOnceAndInOrder() throws {
    let rig = try throttled()
    var told: [String] = []
    rig.engine.onAuditLine = { told.append("\($0.action) \($0.outcome?.rawValue ?? "")") }
    let waiting = try rig.evaluate()
    try refuse(rig, as: stranger(rig), times: 3)
    rig.engine.shutDown()
    while rig.store.finishNext(.success(())) {}
    let refused = "evaluate passcodeThrottled"
    #expect(told == [refused])
    for _ in 1...2 { rig.engine.storeClosed() }
    let ends = ["audit gap passcodeThrottled", "evaluate systemCancel"]
    #expect(
      told == [refused] + ends
        && rig.store.auditLines.map(\.action).suffix(2) == ["audit gap", "evaluate"]
    )
    #expect(waiting.result == nil, "nobody is answered who could go on with nothing")
  }

  @Test func aGapAloneIsToldAsTheServiceEnds() throws {
    let rig = try throttled()
    try refuse(rig, as: stranger(rig), times: 3)
    var told: [String] = []
    rig.engine.onAuditLine = { told.append($0.action) }
    rig.engine.shutDown()
    while rig.store.finishNext(.success(())) {}
    rig.engine.storeClosed()
    #expect(told == ["audit gap"])
  }

  @Test func whatTheEndCouldNotWriteIsNotTold() throws {
    let rig = try throttled()
    try refuse(rig, as: stranger(rig), times: 3)
    var told: [String] = []
    rig.engine.onAuditLine = { told.append($0.action) }
    rig.engine.shutDown()
    while rig.store.finishNext(.failure(.full)) {}
    rig.engine.storeClosed()
    #expect(told.isEmpty)
  }

  /// The engine writes it before anybody can hear it.
  @Test func theLineOfDistrustIsToldToWhoHearsByThen() throws {
    let source = Rig()
    source.makeDevice()
    var state = source.store.state
    state.distrusted = state.devices.map(\.identity)
    state.warning = "the counts may be older than they were"
    let rig = Rig(state: state)
    var told: [String] = []
    rig.engine.onAuditLine = { told.append("\($0.action): \($0.detail)") }
    rig.run()
    #expect(told == ["state distrusted: the counts may be older than they were"])
  }

  // MARK: Lines that could not be written

  /// Has everything fail that is to be written, as on a full disk.
  private func fail(_ rig: Rig) {
    while rig.store.finishNext(.failure(.full)) { rig.engine.completionsArrived() }
  }

  @Test func theNextLineSaysHowManyTheDiskDidNotTake() throws {
    let rig = Rig()
    rig.makeDevice()
    var told: [String] = []
    rig.engine.onAuditLine = { told.append($0.action) }
    for _ in 1...3 {
      let hearing = try rig.evaluate(isInteractive: false)
      fail(rig)
      #expect(hearing.result?.outcome.code == .notInteractive, "a refusal stands")
    }
    #expect(told.isEmpty && rig.store.auditLines.isEmpty)
    #expect(try rig.outcome(script: "match") == .success)
    let gap = "audit gap internalError: 3 lines could not be written: "
    #expect(lines(rig).first?.hasPrefix(gap + "the disk is full") == true, "\(lines(rig))")
    #expect(told == ["audit gap", "evaluate"])
  }

  @Test func refusedAttemptsOnAFullDiskAreCountedOnceEach() throws {
    let rig = Rig()
    rig.makeDevice()
    for _ in 1...3 {
      let hearing = try rig.evaluate(script: "match")
      fail(rig)
      #expect(hearing.result?.outcome.code == .internalError)
    }
    #expect(try rig.outcome(script: "match") == .success)
    #expect(lines(rig).first?.hasPrefix("audit gap internalError: 3 lines ") == true)
  }

  @Test func aStrangersRefusalsOnAFullDiskAreCountedToo() throws {
    let rig = try throttled()
    for _ in 1...3 {
      _ = try rig.evaluate("passcode", as: stranger(rig))
      fail(rig)
    }
    #expect(try rig.outcome("passcode", script: "passcode:1234") == .success)
    #expect(lines(rig).first?.hasPrefix("audit gap internalError: 3 lines ") == true)
  }

  @Test func aGapThatTheDiskDidNotTakeIsToldByTheNextLine() throws {
    let rig = try throttled()
    try refuse(rig, as: stranger(rig), times: 3)
    _ = try rig.evaluate(isInteractive: false)
    fail(rig)
    #expect(rig.store.auditLines.count == 1)
    #expect(try rig.outcome("passcode", script: "passcode:1234") == .success)
    let gap = lines(rig).dropFirst().first
    #expect(gap?.hasPrefix("audit gap internalError: 2 \(Self.told); 1 line could") == true)
  }

  @Test func anActThatCouldNotBeStoredIsAMissingLine() throws {
    let rig = Rig()
    rig.makeDevice()
    rig.engine.lock("sim", caller: rig.caller) { _ in }
    fail(rig)
    #expect(try rig.outcome("passcode", script: "passcode:1234") == .success)
    #expect(lines(rig).first?.hasPrefix("audit gap internalError: 1 line ") == true)
  }

  @Test func aLineThatIsWrittenAfterAllIsNotMissing() throws {
    let rig = Rig()
    rig.makeDevice()
    let hearing = try rig.evaluate()
    rig.touch(.rightIndex)
    rig.finishCommit(.success(()))
    rig.finishCommit(.failure(.full))
    rig.run()
    #expect(hearing.result?.outcome.code == .internalError)
    #expect(rig.store.auditLines.map(\.action) == ["evaluate"])
  }
}
