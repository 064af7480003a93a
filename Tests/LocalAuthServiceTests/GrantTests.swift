import LocalAuthCore
import LocalAuthPolicies
import LocalAuthService
import LocalAuthToken
import Synchronization
import Testing

/// What is remembered of a success, whom it answers, and what ends it.
@Suite struct GrantTests {
  private static let shell = CallerScope(
    uid: 1000,
    bounds: .session(.init(id: 40, start: 7), terminal: 34816),
    program: .init(device: 1, inode: 2)
  )

  private func wish(
    _ scope: CallerScope = shell,
    maxAge: Duration = .seconds(300),
    uses: UInt32? = nil
  ) -> GrantRequest { GrantRequest(caller: scope, maxAge: maxAge, uses: uses) }

  /// A rig whose device has approved once, for `wish`.
  private func approved(
    _ wish: GrantRequest,
    policy: String = "biometrics",
    action: String? = nil
  ) throws -> (Rig, EvaluationResult) {
    let rig = Rig()
    rig.makeDevice()
    let hearing = try rig.evaluate(policy, script: "match", action: action, grant: wish)
    rig.run()
    let result = try #require(hearing.result)
    #expect(result.outcome == .success)
    #expect(result.grant == nil)
    return (rig, result)
  }

  /// What an evaluation that can ask nobody comes to: only a grant makes it a success.
  private func again(
    _ rig: Rig,
    _ wish: GrantRequest?,
    policy: String = "biometrics",
    action: String? = nil,
    as caller: Caller? = nil
  ) throws -> EvaluationResult {
    let hearing = try rig.evaluate(
      policy,
      isInteractive: false,
      action: action,
      grant: wish,
      as: caller
    )
    rig.run()
    return try #require(hearing.result)
  }

  private func isAnswered(
    _ rig: Rig,
    _ wish: GrantRequest? = nil,
    policy: String = "biometrics",
    action: String? = nil
  ) throws -> Bool {
    let result = try again(rig, wish ?? self.wish(), policy: policy, action: action)
    #expect(result.outcome.code == (result.grant == nil ? .notInteractive : .success))
    return result.grant != nil
  }

  // MARK: Answers

  @Test func sameCallerIsAnsweredAndToldSo() throws {
    let (rig, first) = try approved(wish(), action: "pay 10")
    rig.clock.pass(.seconds(42))
    let result = try again(rig, wish(), action: "pay 10")
    #expect(result.outcome == .success)
    #expect(result.method == "grant")
    #expect(result.grant?.id == first.id)
    #expect(result.grant?.age == .seconds(42))
    #expect(result.actionDigest == first.actionDigest)
    #expect(result.isSimulated)
    #expect(result.finger == nil && result.attempts == 0)
  }

  @Test func promptSaysHowLongItIsRemembered() throws {
    let rig = Rig()
    rig.makeDevice()
    let remembered = try rig.evaluate(grant: wish(maxAge: .seconds(60)))
    #expect(remembered.prompts.first?.remembers == .seconds(60))
    rig.engine.cancel(remembered.id)
    rig.run()
    let longest = try rig.evaluate(grant: wish(maxAge: .seconds(3600)))
    #expect(longest.prompts.first?.remembers == .seconds(300), "the policy's limit")
    rig.engine.cancel(longest.id)
    rig.run()
    #expect(try rig.evaluate().prompts.first?.remembers == nil)
  }

  @Test func nothingIsRememberedForWhoDoesNotWish() throws {
    let rig = Rig()
    rig.makeDevice()
    #expect(try rig.outcome(script: "match") == .success)
    #expect(try !isAnswered(rig))
  }

  @Test func nobodyIsAnsweredWhoDoesNotWish() throws {
    let (rig, _) = try approved(wish())
    #expect(try again(rig, nil).outcome.code == .notInteractive)
  }

  @Test func policyWithoutARuleRemembersNothing() throws {
    let rig = Rig()
    rig.makeDevice()
    let hearing = try rig.evaluate(
      "biometrics-and-passcode",
      script: "match, passcode:1234",
      grant: wish()
    )
    rig.run()
    #expect(hearing.result?.outcome == .success)
    #expect(hearing.prompts.allSatisfy { $0.remembers == nil })
    #expect(try !isAnswered(rig, policy: "biometrics-and-passcode"))
    #expect(rig.store.device?.grants.isEmpty == true)
  }

  @Test func answerOfAGrantIsNotRememberedItself() throws {
    let (rig, _) = try approved(wish())
    rig.clock.pass(.seconds(200))
    #expect(try isAnswered(rig))
    rig.clock.pass(.seconds(100))
    #expect(try !isAnswered(rig))
  }

  @Test func unlockThatStoodInForATouchIsNotRemembered() throws {
    let rig = Rig()
    rig.makeDevice()
    try rig.unlockWithFinger()
    let reused = try rig.evaluate(isInteractive: false, reuse: .seconds(60), grant: wish())
    rig.run()
    #expect(reused.result?.method == "reuse")
    #expect(try !isAnswered(rig))
  }

  @Test func whatAnUnlockHelpedToProveIsNotRemembered() throws {
    let text = """
      {"name": "both", "summary": "s", "requirement": {"allOf": ["biometry", "passcode"]},
       "grant": {"maxAge": "5m"}}
      """
    let file = PolicyDirectory.File(path: "policy/both.json", contents: .bytes(Array(text.utf8)))
    let rig = Rig(user: PolicyDirectory(path: "/u", files: [file]))
    rig.makeDevice()
    try rig.unlockWithFinger()
    let hearing = try rig.evaluate("user/both", reuse: .seconds(60), grant: wish())
    let nonce = try #require(hearing.prompts.last?.nonce)
    #expect(rig.respond(nonce, .passcode(.of("1234"))))
    rig.run()
    #expect(hearing.result?.outcome == .success)
    #expect(
      try rig.engine.grants(on: "sim", caller: rig.caller).filter { $0.grant.scope != nil }.isEmpty
    )
  }

  @Test func failureLeavesNothingBehind() throws {
    let rig = Rig()
    rig.makeDevice()
    let hearing = try rig.evaluate(script: "miss, cancel", grant: wish())
    rig.run()
    #expect(hearing.result?.outcome.code == .userCancel)
    #expect(try !isAnswered(rig))
  }

  @Test func oneThatWaitedIsAnsweredByWhatWasApprovedMeanwhile() throws {
    let rig = Rig()
    rig.makeDevice()
    let first = try rig.evaluate(grant: wish())
    let second = try rig.evaluate(grant: wish())
    let other = try rig.evaluate(action: "pay 10", grant: wish())
    rig.touch(.rightIndex)
    rig.run()
    #expect(first.result?.outcome == .success)
    #expect(second.result?.grant?.id == first.id)
    #expect(second.prompts.isEmpty)
    #expect(other.result == nil)
    #expect(other.prompts.count == 1)
  }

  // MARK: Refusals, each with its positive twin

  /// Callers who differ in one thing.
  static let others: [(String, CallerScope)] = {
    var all: [(String, CallerScope)] = []
    func add(_ name: String, _ change: (inout CallerScope) -> Void) {
      var other = shell
      change(&other)
      all.append((name, other))
    }
    add("uid") { $0.uid = 0 }
    add("terminal") { $0.bounds = .session(.init(id: 40, start: 7), terminal: 34817) }
    add("session") { $0.bounds = .session(.init(id: 41, start: 7), terminal: 34816) }
    add("leader of the same number") {
      $0.bounds = .session(.init(id: 40, start: 8), terminal: 34816)
    }
    add("bounds") { $0.bounds = .process(.init(id: 40, start: 7)) }
    add("executable") { $0.program = .init(device: 1, inode: 3) }
    return all
  }()

  @Test(arguments: others) func anotherCallerIsRefused(
    _ name: String,
    _ other: CallerScope
  ) throws {
    let (rig, _) = try approved(wish())
    #expect(try !isAnswered(rig, wish(other)), "another \(name)")
    #expect(try isAnswered(rig))
  }

  @Test func anotherActionIsRefused() throws {
    let (rig, _) = try approved(wish(), action: "pay 10 to ann")
    for other in ["pay 10 to anm", "pay 10 to ann.", "Pay 10 to ann", nil] {
      #expect(try !isAnswered(rig, action: other), "\(other ?? "none")")
    }
    #expect(try isAnswered(rig, action: "pay 10 to ann"))
  }

  @Test func successWithoutAnActionApprovesNone() throws {
    let (rig, _) = try approved(wish())
    #expect(try !isAnswered(rig, action: "pay 10"))
    #expect(try isAnswered(rig))
  }

  @Test func anotherPolicyIsRefused() throws {
    let (rig, _) = try approved(wish())
    for other in ["device-owner", "passcode"] {
      #expect(try !isAnswered(rig, policy: other), "\(other)")
    }
    #expect(try isAnswered(rig))
  }

  @Test func policyThatWasChangedIsAnother() throws {
    let (rig, _) = try approved(wish())
    let stored = rig.store.state
    let stricter = """
      {"name": "biometrics", "summary": "s", "requirement": "biometry", "grant": {"maxAge": "4m"}}
      """
    let file = PolicyDirectory.File(
      path: "policy/biometrics.json",
      contents: .bytes(Array(stricter.utf8))
    )
    let changed = Rig(state: stored, system: PolicyDirectory(path: "/etc", files: [file]))
    changed.run()
    #expect(try !isAnswered(changed))
    let same = Rig(state: stored)
    same.run()
    #expect(try isAnswered(same))
  }

  @Test func proofOlderThanTheCallerTakesIsRefused() throws {
    let (rig, _) = try approved(wish())
    rig.clock.pass(.seconds(60))
    #expect(try !isAnswered(rig, wish(maxAge: .seconds(60))))
    #expect(try isAnswered(rig, wish(maxAge: .seconds(61))))
  }

  @Test func proofOlderThanThePolicyAllowsIsRefused() throws {
    let (rig, _) = try approved(wish(maxAge: .seconds(3600)))
    rig.clock.pass(.seconds(299))
    #expect(try isAnswered(rig, wish(maxAge: .seconds(3600))))
    rig.clock.pass(.seconds(1))
    #expect(try !isAnswered(rig, wish(maxAge: .seconds(3600))))
  }

  @Test func whoWantedLessFirstIsNotAnsweredForLongerLater() throws {
    let (rig, _) = try approved(wish(maxAge: .seconds(10)))
    rig.clock.pass(.seconds(10))
    #expect(try !isAnswered(rig, wish(maxAge: .seconds(300))))
  }

  @Test func clockThatIsSetForwardShortensAndSetBackProlongsNothing() throws {
    for (name, wall, answers) in [
      ("forward past the end", Int64(300_000), false), ("forward a little", 5_000, true),
      ("back behind the proof", -1, false), ("back a day", -86_400_000, false),
    ] {
      let (rig, _) = try approved(wish())
      rig.clock.moment.wall.milliseconds += wall
      #expect(try isAnswered(rig) == answers, "\(name)")
    }
    let (rig, _) = try approved(wish())
    rig.clock.pass(.seconds(300))
    #expect(try !isAnswered(rig), "the wall clock stands still, as if set back")
  }

  @Test func machineThatWasRestartedHasForgotten() throws {
    let (rig, _) = try approved(wish())
    let stored = rig.store.state
    let restarted = Rig(state: stored)
    restarted.clock.moment.bootID = BootIdentifier(high: 3, low: 4)
    restarted.run()
    #expect(try again(restarted, wish()).grant == nil)
    let same = Rig(state: stored)
    same.run()
    #expect(try isAnswered(same), "the service alone was restarted")
  }

  @Test func rebootOfADeviceEndsIt() throws {
    let (rig, _) = try approved(wish())
    rig.engine.reboot("sim", caller: rig.caller) { _ in }
    rig.run()
    #expect(rig.store.device?.grants.isEmpty == true)
    #expect(try again(rig, wish()).grant == nil)
  }

  @Test func lockEndsIt() throws {
    let (rig, _) = try approved(wish())
    rig.engine.lock("sim", caller: rig.caller) { _ in }
    rig.run()
    #expect(rig.store.device?.grants.isEmpty == true)
    #expect(try !isAnswered(rig))
  }

  @Test func erasureEndsIt() throws {
    let (rig, _) = try approved(wish())
    rig.engine.erase("sim", caller: rig.caller) { _ in }
    rig.run()
    #expect(rig.store.device?.grants.isEmpty == true)
    #expect(try again(rig, wish()).grant == nil)
  }

  @Test func changeOfFingersEndsIt() throws {
    let (rig, _) = try approved(wish())
    rig.engine.remove(.rightIndex, on: "sim", passcode: .of("1234"), caller: rig.caller) { _ in }
    rig.run()
    #expect(rig.store.device?.grants.isEmpty == true)
    #expect(try again(rig, wish()).grant == nil)
  }

  @Test func changeOfThePasscodeEndsIt() throws {
    let (rig, _) = try approved(wish())
    rig.engine.setPasscode(.of("9876"), on: "sim", passcode: .of("1234"), caller: rig.caller) { _ in
    }
    rig.run()
    #expect(rig.store.device?.grants.isEmpty == true)
    #expect(try !isAnswered(rig))
  }

  @Test func whatWasProvenBeforeAChangeIsNotRememberedAfterIt() throws {
    let rig = Rig()
    rig.makeDevice()
    rig.engine.setPasscode(.of("9876"), on: "sim", passcode: .of("1234"), caller: rig.caller) { _ in
    }
    // Up to where the new keybag is being sealed: the attempt is charged, judged and settled.
    rig.finishCommit(.success(()))
    _ = rig.vaults.finishNext()
    rig.engine.completionsArrived()
    rig.finishCommit(.success(()))
    #expect(rig.vaults.isAsked)
    // A finger is proven before the change, and its success comes after it.
    let hearing = try rig.evaluate(grant: wish())
    rig.touch(.rightIndex)
    rig.finishCommit(.success(()))
    _ = rig.vaults.finishNext()
    rig.engine.completionsArrived()
    rig.run()
    #expect(hearing.result?.outcome == .success)
    #expect(rig.store.device?.grants.isEmpty == true)
    #expect(try !isAnswered(rig))
  }

  @Test func lockoutSuspendsIt() throws {
    let (rig, _) = try approved(wish())
    #expect(try rig.outcome(script: "miss, miss, miss")?.code == .biometryLockout)
    #expect(try again(rig, wish()).outcome.code == .biometryLockout)
  }

  @Test func sensorThatIsGoneAnswersForNobody() throws {
    let (rig, _) = try approved(wish())
    let unplugging = ScriptSource(text: .of("unplug"), isArgument: true)
    rig.engine.present(event: unplugging, on: "sim", caller: rig.caller) { _ in }
    rig.run()
    #expect(try again(rig, wish()).grant == nil)
  }

  @Test func distrustedStateRemembersNothing() throws {
    let (rig, _) = try approved(wish())
    var stored = rig.store.state
    stored.distrusted = [DeviceIdentity(owner: 1000, name: "sim")]
    stored.devices[0].grants = Grants()
    let other = Rig(state: stored)
    other.run()
    #expect(try again(other, wish()).grant == nil)
  }

  @Test func simulatedSuccessStillHasToBeTakenForOne() throws {
    let (rig, _) = try approved(wish())
    let hearing = try rig.evaluate(isInteractive: false, allowsSimulated: false, grant: wish())
    rig.run()
    #expect(hearing.result?.outcome.code == .simulatedNotAllowed)
    #expect(try isAnswered(rig))
  }

  // MARK: Counting

  @Test func countedUseIsDurableBeforeItsAnswer() throws {
    let (rig, _) = try approved(wish(uses: 1))
    let hearing = try rig.evaluate(isInteractive: false, grant: wish())
    rig.engine.completionsArrived()
    #expect(hearing.result == nil)
    let commit = try #require(rig.store.waiting.withLock { $0.last })
    #expect(commit.kind == .guarded)
    let left = commit.changes.compactMap { change -> UInt32? in
      if case .device(let record) = change { record.grants.all.first?.usesLeft } else { nil }
    }
    #expect(left == [0])
    rig.run()
    #expect(hearing.result?.outcome == .success)
    #expect(try !isAnswered(rig))
  }

  @Test func useThatCannotBeStoredAnswersNobody() throws {
    let (rig, _) = try approved(wish(uses: 2))
    let hearing = try rig.evaluate(isInteractive: false, grant: wish())
    rig.finishCommit(.failure(.full))
    rig.run()
    #expect(hearing.result?.outcome.code == .internalError)
    #expect(hearing.result?.grant == nil)
  }

  @Test func crashBetweenUseAndAnswerGivesNothingBack() throws {
    let (rig, _) = try approved(wish(uses: 1))
    _ = try rig.evaluate(isInteractive: false, grant: wish())
    _ = rig.store.finishNext(.success(()))
    // The answer is never given: the process ends here.
    let next = Rig(state: rig.store.state)
    next.run()
    #expect(try !isAnswered(next))
  }

  @Test func asManyAreAnsweredAsWereAllowedHoweverManyAskAtOnce() throws {
    let (rig, _) = try approved(wish(uses: 5))
    let asked = try (0..<32).map { _ in try rig.evaluate(isInteractive: false, grant: wish()) }
    rig.run()
    #expect(asked.count { $0.result?.outcome == .success } == 5)
    #expect(asked.count { $0.result?.outcome.code == .notInteractive } == 27)
  }

  @Test func onlyWhatTheCallerFirstWishedIsCounted() throws {
    let (rig, _) = try approved(wish(uses: 1))
    #expect(try isAnswered(rig, wish(uses: 9)))
    #expect(try !isAnswered(rig, wish(uses: 9)))
  }

  // MARK: Revocation

  @Test func ownerSeesAndEndsIt() throws {
    let (rig, first) = try approved(wish(uses: 3), action: "pay 10")
    rig.clock.pass(.seconds(10))
    let listed = try rig.engine.grants(on: nil, caller: rig.caller)
    #expect(listed.map(\.grant.id) == [first.id])
    #expect(listed.first?.grant.origin.action == "pay 10")
    #expect(listed.first?.age == .seconds(10))
    #expect(listed.first?.timeLeft == .seconds(290))
    #expect(listed.first?.grant.usesLeft == 3)
    var revoked: Int?
    rig.engine.revokeGrants(first.id, on: nil, caller: rig.caller) { revoked = try? $0.get() }
    #expect(revoked == nil, "not before it is durable")
    rig.run()
    #expect(revoked == 1)
    #expect(rig.store.device?.grants.isEmpty == true)
    #expect(try rig.engine.grants(on: nil, caller: rig.caller).isEmpty)
    #expect(try !isAnswered(rig, action: "pay 10"))
    #expect(rig.store.auditLines.contains { $0.action == "grant revoke" })
  }

  @Test func whatWasRevokedWhileItWasUsedAnswersNobody() throws {
    let (rig, first) = try approved(wish(uses: 3))
    let hearing = try rig.evaluate(isInteractive: false, grant: wish())
    rig.engine.revokeGrants(first.id, on: nil, caller: rig.caller) { _ in }
    rig.run()
    #expect(hearing.result?.outcome.code == .notInteractive)
    #expect(rig.store.auditLines.first { $0.id == hearing.id }?.outcome == .notInteractive)
  }

  @Test func unlockIsListedAndRevocable() throws {
    let rig = Rig()
    rig.makeDevice()
    try rig.unlockWithFinger()
    #expect(try rig.outcome(reuse: .seconds(60)) == .success)
    let listed = try rig.engine.grants(on: "sim", caller: rig.caller)
    #expect(listed.count == 1 && listed.first?.grant.scope == nil)
    rig.engine.revokeGrants(nil, on: nil, caller: rig.caller) { _ in }
    rig.run()
    let hearing = try rig.evaluate(isInteractive: false, reuse: .seconds(60))
    rig.run()
    #expect(hearing.result?.outcome.code == .notInteractive)
  }

  @Test func strangersSeeAndEndNothing() throws {
    let (rig, first) = try approved(wish())
    let stranger = Caller(uid: 1001, pid: 43, program: "other", process: rig.process)
    #expect(try rig.engine.grants(on: nil, caller: stranger).isEmpty)
    var failure: EngineError?
    rig.engine.revokeGrants(first.id, on: nil, caller: stranger) {
      if case .failure(let error) = $0 { failure = error }
    }
    rig.run()
    #expect(failure == .refused(Outcome(.itemNotFound, detail: "There is no such grant.")))
    #expect(try isAnswered(rig))
  }

  @Test func revokingNothingIsNoErrorUnlessItWasNamed() throws {
    let rig = Rig()
    rig.makeDevice()
    var answers: [Result<Int, EngineError>] = []
    rig.engine.revokeGrants(nil, on: nil, caller: rig.caller) { answers.append($0) }
    rig.engine.revokeGrants(EvaluationID(high: 1, low: 1), on: nil, caller: rig.caller) {
      answers.append($0)
    }
    rig.engine.revokeGrants(nil, on: "none", caller: rig.caller) { answers.append($0) }
    rig.run()
    #expect(try answers[0].get() == 0)
    #expect(throws: EngineError.self) { try answers[1].get() }
    #expect(throws: EngineError.deviceNotFound("none")) { try answers[2].get() }
  }

  // MARK: Audit

  @Test func firstAnswerOfAProcessIsAuditedBeforeItIsGiven() throws {
    let (rig, first) = try approved(wish())
    let hearing = try rig.evaluate(isInteractive: false, grant: wish())
    #expect(hearing.result == nil)
    rig.run()
    let line = try #require(rig.store.auditLines.first { $0.id == hearing.id })
    #expect(line.outcome == .success)
    #expect(line.method == "grant")
    #expect(line.detail.contains(first.id.text))
  }

  @Test func nextAnswersAreCountedInThatLineAfterASecond() throws {
    let (rig, _) = try approved(wish())
    let hearing = try rig.evaluate(isInteractive: false, grant: wish())
    rig.run()
    let before = rig.store.auditLines.count
    for _ in 0..<9 {
      let next = try rig.evaluate(isInteractive: false, grant: wish())
      #expect(next.result?.outcome == .success, "at once")
    }
    #expect(!rig.engine.isIdle)
    rig.clock.pass(.seconds(1))
    rig.run()
    #expect(rig.store.auditLines.count == before)
    let line = try #require(rig.store.auditLines.first { $0.id == hearing.id })
    #expect(line.detail.hasSuffix("answered 10 times"))
  }

  @Test func anotherProcessOrReasonHasALineOfItsOwn() throws {
    let (rig, _) = try approved(wish())
    _ = try again(rig, wish())
    let before = rig.store.auditLines.count
    let other = Caller(uid: 1000, pid: 77, program: "test", process: rig.process)
    let result = try again(rig, wish(), as: other)
    #expect(result.outcome == .success)
    #expect(rig.store.auditLines.count == before + 1)
    #expect(rig.store.auditLines.first { $0.id == result.id }?.callerPID == 77)
  }

  @Test func whatIsDueIsWrittenWhenTheServiceEnds() throws {
    let (rig, _) = try approved(wish())
    for _ in 0..<3 { _ = try again(rig, wish()) }
    rig.engine.shutDown()
    rig.run()
    #expect(rig.store.auditLines.contains { $0.detail.hasSuffix("answered 3 times") })
  }
}
