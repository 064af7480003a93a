import Testing

@testable import LocalAuthCore

/// A device's machine with nothing around it: each test does its effects by hand.
@Suite struct DeviceMachineTests {
  private static let now = Moment(
    boot: BootInstant(nanoseconds: 1_000_000_000_000),
    bootID: BootIdentifier(high: 1, low: 1),
    wall: WallInstant(milliseconds: 1_800_000_000_000)
  )
  private static let either = Requirement.anyOf([.biometry(.any), .passcode])
  private static let lockout = LockoutProfile(name: "three", delays: DelayTable(locksAt: 3))
  private static let delays = PasscodeDelays(name: "ten", delays: DelayTable(locksAt: 10))
  private static let first = id(1)
  private static let second = id(2)
  private static let touch = AttemptID(first, .biometry)
  private static let typed = AttemptID(first, .passcode)
  private static let match = Verdict.proven(finger: .rightIndex, generation: 2)

  private static func id(_ number: UInt64) -> EvaluationID { EvaluationID(high: 0, low: number) }

  private func machine(
    _ passcode: PasscodeProvider = .device(verifier: nil),
    isDistrusted: Bool = false
  ) -> DeviceMachine {
    var record = DeviceRecord(
      identity: DeviceIdentity(owner: 1000, name: "sim"),
      isSimulated: true
    )
    record.enrolment = EnrolmentSet(fingers: [.rightIndex], generation: 2)
    record.passcode = passcode
    if !isDistrusted { record.attempts.freshness.passcodeUsed(at: Self.now) }
    return DeviceMachine(
      record,
      isDistrusted: isDistrusted,
      sensor: .ready(.strong),
      rules: DeviceAttempts.Rules(lockout: Self.lockout, delays: Self.delays)
    )
  }

  private func request(
    _ id: EvaluationID = first,
    _ requirement: Requirement = either
  ) -> DeviceRequest {
    let policy = Policy(name: "test", requirement: requirement, presentation: .parallel)
    let rules = Evaluation.Rules(policy: policy, profile: Self.lockout, isInteractive: true)
    var request = DeviceRequest(id, of: policy, and: nil, under: rules, for: 1000)
    request.allowsSimulated = true
    return request
  }

  private func remembered(_ id: EvaluationID) -> DeviceRequest {
    var request = request(id)
    request.remembering = DeviceRequest.Remembering(
      scope: Grant.Scope(
        caller: CallerScope(
          uid: 1000,
          bounds: .process(CallerScope.ProcessStamp(id: 7, start: 0)),
          program: nil
        ),
        policy: [],
        action: nil,
        audience: nil
      ),
      maxAge: .seconds(60),
      rule: GrantRule(maxAge: .seconds(60), uses: 1),
      origin: Grant.Origin(policy: "test", action: nil, callerPID: 7, program: "")
    )
    return request
  }

  /// Takes the effects, and the commit among them.
  private func commit(_ machine: inout DeviceMachine) throws -> DeviceMachine.Commit {
    let commits = machine.takeEffects().compactMap { effect in
      if case .commit(let commit) = effect { commit } else { nil }
    }
    #expect(commits.count == 1)
    return try #require(commits.first)
  }

  private func end(_ machine: inout DeviceMachine, isDurable: Bool = true) throws {
    let commit = try commit(&machine)
    machine.committed(commit, isDurable ? .success(()) : .failure(.full), at: Self.now)
  }

  private func outcomes(_ effects: [DeviceMachine.Effect]) -> [OutcomeCode] {
    effects.compactMap { effect in
      if case .answer(_, let answer) = effect { answer.outcome.code } else { nil }
    }
  }

  // MARK: The order of effects

  @Test func nothingIsJudgedBeforeItsChargeIsDurable() throws {
    var machine = machine()
    machine.requested(request(), at: Self.now)
    #expect(machine.takeEffects() == [.show(Self.first, [.biometry, .passcode])])
    #expect(machine.touched(Self.first, at: Self.now))
    let charge = try commit(&machine)
    #expect(charge.purpose == .charge(Self.touch) && charge.kind == .guarded)
    #expect(charge.record?.attempts.lockout.tally.failures == 1)
    machine.committed(charge, .success(()), at: Self.now)
    #expect(machine.takeEffects() == [.judge(Self.touch)])
  }

  @Test func aMatchCountsOnceItsSettlementIsDurable() throws {
    var machine = machine()
    machine.requested(request(), at: Self.now)
    _ = machine.takeEffects()
    _ = machine.touched(Self.first, at: Self.now)
    try end(&machine)
    _ = machine.takeEffects()
    machine.judged(Self.touch, Self.match, at: Self.now)
    let settlement = try commit(&machine)
    #expect(settlement.purpose == .settle(Self.touch))
    #expect(settlement.record?.attempts.lockout.tally.failures == 0)
    machine.committed(settlement, .success(()), at: Self.now)
    #expect(outcomes(machine.takeEffects()) == [.success])
  }

  @Test func aMatchWhoseSettlementFailedIsNone() throws {
    var machine = machine()
    machine.requested(request(Self.first, .biometry(.any)), at: Self.now)
    _ = machine.takeEffects()
    _ = machine.touched(Self.first, at: Self.now)
    try end(&machine)
    _ = machine.takeEffects()
    machine.judged(Self.touch, Self.match, at: Self.now)
    try end(&machine, isDurable: false)
    #expect(!outcomes(machine.takeEffects()).contains(.success))
  }

  @Test func aChargeThatCannotBeStoredIsGivenBackAndNothingIsJudged() throws {
    var machine = machine()
    machine.requested(request(), at: Self.now)
    _ = machine.takeEffects()
    _ = machine.answered(Self.first, at: Self.now)
    try end(&machine, isDurable: false)
    #expect(!machine.takeEffects().contains(.judge(Self.typed)))
    #expect(machine.record.attempts.throttle.tally.failures == 0)
    #expect(machine.failure == .full)
  }

  @Test func afterAFailureTheWholeRecordComesFirst() throws {
    var machine = machine()
    machine.requested(request(), at: Self.now)
    _ = machine.takeEffects()
    _ = machine.touched(Self.first, at: Self.now)
    try end(&machine, isDurable: false)
    _ = machine.takeEffects()
    machine.requested(request(Self.second), at: Self.now)
    let reopening = try commit(&machine)
    #expect(reopening.purpose == .reopen(.begin(Self.second)))
    machine.committed(reopening, .success(()), at: Self.now)
    #expect(machine.failure == nil)
  }

  @Test func aVerdictThatComesTwiceCountsOnce() throws {
    var machine = machine()
    machine.requested(request(), at: Self.now)
    _ = machine.takeEffects()
    _ = machine.touched(Self.first, at: Self.now)
    try end(&machine)
    _ = machine.takeEffects()
    machine.judged(Self.touch, .miss, at: Self.now)
    machine.judged(Self.touch, Self.match, at: Self.now)
    try end(&machine)
    #expect(outcomes(machine.takeEffects()).isEmpty)
    #expect(machine.record.attempts.lockout.tally.failures == 1)
  }

  @Test func aTouchIsNotJudgedOnceItsEvaluationIsOver() throws {
    var machine = machine()
    machine.requested(request(), at: Self.now)
    _ = machine.takeEffects()
    _ = machine.touched(Self.first, at: Self.now)
    let charge = try commit(&machine)
    machine.ended(Self.first, Outcome(.userCancel), at: Self.now)
    _ = machine.takeEffects()
    machine.committed(charge, .success(()), at: Self.now)
    #expect(!machine.takeEffects().contains(.judge(Self.touch)))
    #expect(machine.record.attempts.lockout.tally.failures == 1)
  }

  // MARK: Conversations

  @Test func aConversationIsChargedBeforeItAsksAndGivenBackUnanswered() throws {
    var machine = machine(.pam(service: "login", directory: nil))
    machine.requested(request(Self.first, .passcode), at: Self.now)
    try end(&machine)
    #expect(machine.takeEffects() == [.judge(Self.typed)])
    machine.asked(Self.typed)
    machine.ended(Self.first, Outcome(.userCancel), at: Self.now)
    #expect(machine.takeEffects().contains(.abort(Self.typed)))
    machine.judged(Self.typed, .unjudged(Outcome(.systemCancel)), at: Self.now)
    #expect(machine.record.attempts.throttle.tally.failures == 0)
  }

  @Test func anAnswerMakesTheChargeOfAConversationFinal() throws {
    var machine = machine(.pam(service: "login", directory: nil))
    machine.requested(request(Self.first, .passcode), at: Self.now)
    try end(&machine)
    _ = machine.takeEffects()
    #expect(!machine.answered(Self.first, at: Self.now))
    machine.asked(Self.typed)
    #expect(machine.answered(Self.first, at: Self.now))
    #expect(machine.takeEffects() == [.respond(Self.typed)])
    machine.judged(Self.typed, .unjudged(Outcome(.systemCancel)), at: Self.now)
    #expect(machine.record.attempts.throttle.tally.failures == 1)
  }

  @Test func noConversationBeginsForAnEvaluationThatIsOver() throws {
    var machine = machine(.pam(service: "login", directory: nil))
    machine.requested(request(Self.first, .passcode), at: Self.now)
    let charge = try commit(&machine)
    machine.ended(Self.first, Outcome(.userCancel), at: Self.now)
    _ = machine.takeEffects()
    machine.committed(charge, .success(()), at: Self.now)
    #expect(!machine.takeEffects().contains(.judge(Self.typed)))
    #expect(machine.record.attempts.throttle.tally.failures == 0)
  }

  // MARK: One prompt

  @Test func thePromptGoesToWhoWaitedWhenTheFirstEnds() {
    var machine = machine()
    machine.requested(request(), at: Self.now)
    machine.requested(request(Self.second), at: Self.now)
    #expect(machine.takeEffects().last == .wait(Self.second, ahead: 1))
    machine.ended(Self.first, Outcome(.userCancel), at: Self.now)
    #expect(machine.takeEffects().contains(.show(Self.second, [.biometry, .passcode])))
  }

  @Test func aDenialStandsWithoutItsAuditLine() throws {
    var machine = machine()
    machine.requested(request(), at: Self.now)
    _ = machine.takeEffects()
    machine.ended(Self.first, Outcome(.userCancel), at: Self.now)
    try end(&machine, isDurable: false)
    #expect(outcomes(machine.takeEffects()) == [.userCancel])
    #expect(machine.failure == nil)
  }

  // MARK: What is remembered

  /// The machine after a match for a request that is to be remembered once.
  private func remembering() throws -> DeviceMachine {
    var machine = machine()
    machine.requested(remembered(Self.first), at: Self.now)
    _ = machine.takeEffects()
    _ = machine.touched(Self.first, at: Self.now)
    try end(&machine)
    _ = machine.takeEffects()
    machine.judged(Self.touch, Self.match, at: Self.now)
    try end(&machine)
    try end(&machine)
    #expect(outcomes(machine.takeEffects()) == [.success])
    return machine
  }

  @Test func aGrantAnswersOnceItsUseIsDurable() throws {
    var machine = try remembering()
    machine.requested(remembered(Self.second), at: Self.now)
    let use = try commit(&machine)
    #expect(use.purpose == .redeem(Self.second) && use.kind == .guarded)
    machine.committed(use, .success(()), at: Self.now)
    #expect(outcomes(machine.takeEffects()) == [.success])
  }

  @Test func aLockEndsWhatIsRemembered() throws {
    var machine = try remembering()
    machine.lock(Self.id(9), at: Self.now)
    _ = machine.takeEffects()
    machine.requested(remembered(Self.second), at: Self.now)
    #expect(machine.takeEffects() == [.show(Self.second, [.biometry, .passcode])])
  }

  // MARK: Acts

  @Test func anActTakesThePasscodeAndTellsWhenItIsStored() throws {
    var machine = machine()
    let act = Self.id(9)
    machine.authorize(act, from: .owner, at: Self.now)
    try end(&machine)
    #expect(machine.takeEffects() == [.judge(AttemptID(act, .passcode))])
    machine.judged(AttemptID(act, .passcode), .proven(finger: nil, generation: nil), at: Self.now)
    try end(&machine)
    #expect(machine.takeEffects() == [.authorized(act)])
    machine.store(act, at: Self.now)
    try end(&machine)
    #expect(machine.takeEffects() == [.stored(act, isDurable: true)])
  }

  @Test func anActEndsWithAWrongPasscode() throws {
    var machine = machine()
    let act = Self.id(9)
    machine.authorize(act, from: .owner, at: Self.now)
    try end(&machine)
    _ = machine.takeEffects()
    machine.judged(AttemptID(act, .passcode), .miss, at: Self.now)
    try end(&machine)
    #expect(machine.takeEffects() == [.refused(act, .miss)])
    #expect(machine.record.attempts.throttle.tally.failures == 1)
  }

  @Test func aProvenPasscodeEndsDistrustInAGuardedCommit() throws {
    var machine = machine(isDistrusted: true)
    machine.requested(request(Self.first, .passcode), at: Self.now)
    _ = machine.takeEffects()
    _ = machine.answered(Self.first, at: Self.now)
    try end(&machine)
    _ = machine.takeEffects()
    machine.judged(Self.typed, .proven(finger: nil, generation: nil), at: Self.now)
    #expect(try commit(&machine).kind == .guarded)
    #expect(!machine.isDistrusted)
  }
}
