import Testing

@testable import LocalAuthCore

/// A machine in a test's hand, at a time that stands still.
private final class Driven {
  private static let now = Moment(
    boot: BootInstant(nanoseconds: 1_000_000_000_000),
    bootID: BootIdentifier(high: 1, low: 1),
    wall: WallInstant(milliseconds: 1_800_000_000_000)
  )
  private(set) var machine: DeviceMachine

  init(_ machine: DeviceMachine) { self.machine = machine }

  var record: DeviceRecord { machine.record }
  var failure: StorageError? { machine.failure }
  var isDistrusted: Bool { machine.isDistrusted }

  func takeEffects() -> [DeviceMachine.Effect] { machine.takeEffects() }
  func requested(_ request: DeviceRequest) { machine.requested(request, at: Self.now) }
  func touched(_ id: EvaluationID) -> Bool { machine.touched(id, at: Self.now) }
  func answered(_ id: EvaluationID) -> Bool { machine.answered(id, at: Self.now) }
  func asked(_ attempt: AttemptID) { machine.asked(attempt, at: Self.now) }
  func ended(_ id: EvaluationID, _ outcome: Outcome) { machine.ended(id, outcome, at: Self.now) }
  func shown(_ id: EvaluationID) { machine.shown(id, at: Self.now) }
  func hidden(_ id: EvaluationID) { machine.hidden(id) }
  func lock(_ act: EvaluationID) { machine.lock(act, at: Self.now) }
  func authorize(_ act: EvaluationID, from origin: Origin) {
    machine.authorize(act, from: origin, at: Self.now)
  }
  func setPasscode(_ provider: PasscodeProvider) { machine.setPasscode(provider) }
  func erased() { machine.erased() }
  func started(at now: Moment) { machine.started(at: now) }
  func store(_ act: EvaluationID) { machine.store(act, at: Self.now) }
  func judged(_ attempt: AttemptID, _ verdict: Verdict) {
    machine.judged(DurableCharge(attempt), verdict, at: Self.now)
  }
  func turnedAway(_ attempt: AttemptID, _ outcome: Outcome) {
    machine.turnedAway(DurableCharge(attempt), outcome, at: Self.now)
  }
  func committed(_ commit: DeviceMachine.Commit, _ result: Result<Void, StorageError>) {
    machine.committed(commit, result, at: Self.now)
  }
  func admitted(_ id: EvaluationID, _ refusal: Outcome?) {
    machine.admitted(id, refusal, at: Self.now)
  }
  func prepared(_ id: EvaluationID, _ refusal: Outcome?) {
    machine.prepared(id, refusal, at: Self.now)
  }
  func unlocked(_ id: EvaluationID, _ outcome: Outcome) {
    machine.unlocked(id, outcome, at: Self.now)
  }
  func refusedByAccount(_ attempt: AttemptID, _ outcome: Outcome) {
    machine.refusedByAccount(attempt, outcome, at: Self.now)
  }
  func countElsewhere(_ account: DeviceMachine.Account) { machine.account = account }
}

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
    _ passcode: PasscodeProvider = .device,
    isDistrusted: Bool = false
  ) -> Driven {
    var record = DeviceRecord(
      identity: DeviceIdentity(owner: 1000, name: "sim"),
      isSimulated: true
    )
    record.enrolment = EnrolmentSet(fingers: [.rightIndex], generation: 2)
    record.passcode = passcode
    if !isDistrusted { record.attempts.freshness.passcodeUsed(at: Self.now) }
    return Driven(
      DeviceMachine(
        record,
        isDistrusted: isDistrusted,
        sensor: .ready(.strong),
        rules: DeviceAttempts.Rules(lockout: Self.lockout, delays: Self.delays)
      )
    )
  }

  private func request(
    _ id: EvaluationID = first,
    _ requirement: Requirement = either
  ) -> DeviceRequest {
    let policy = Policy(name: "test", requirement: requirement, presentation: .parallel)
    let rules = EvaluationMachine.Rules(policy: policy, profile: Self.lockout, isInteractive: true)
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
      rule: GrantRule(maxAge: .seconds(60), uses: 1)
    )
    return request
  }

  /// Takes the effects, and the commit among them.
  private func commit(_ machine: Driven) throws -> DeviceMachine.Commit {
    let commits = machine.takeEffects().compactMap { effect in
      if case .commit(let commit) = effect { commit } else { nil }
    }
    #expect(commits.count == 1)
    return try #require(commits.first)
  }

  private func end(_ machine: Driven, isDurable: Bool = true) throws {
    let commit = try commit(machine)
    machine.committed(commit, isDurable ? .success(()) : .failure(.full))
  }

  private func outcomes(_ effects: [DeviceMachine.Effect]) -> [OutcomeCode] {
    effects.compactMap { effect in
      if case .answer(_, let answer) = effect { answer.outcome.code } else { nil }
    }
  }

  // MARK: The order of effects

  @Test func nothingIsJudgedBeforeItsChargeIsDurable() throws {
    let machine = machine()
    machine.requested(request())
    #expect(
      machine.takeEffects() == [
        .limit(Self.first), .show(Self.first, [.biometry, .passcode]),
      ]
    )
    #expect(machine.touched(Self.first))
    let charge = try commit(machine)
    #expect(charge.purpose == .charge(Self.touch) && charge.kind == .guarded)
    #expect(charge.record?.attempts.lockout.tally.failures == 1)
    machine.committed(charge, .success(()))
    #expect(machine.takeEffects() == [.judge(DurableCharge(Self.touch))])
  }

  @Test func aMatchCountsOnceItsSettlementIsDurable() throws {
    let machine = machine()
    machine.requested(request())
    _ = machine.takeEffects()
    _ = machine.touched(Self.first)
    try end(machine)
    _ = machine.takeEffects()
    machine.judged(Self.touch, Self.match)
    let settlement = try commit(machine)
    #expect(settlement.purpose == .settle(Self.touch))
    #expect(settlement.record?.attempts.lockout.tally.failures == 0)
    machine.committed(settlement, .success(()))
    #expect(outcomes(machine.takeEffects()) == [.success])
  }

  @Test func aMatchWhoseSettlementFailedIsNone() throws {
    let machine = machine()
    machine.requested(request(Self.first, .biometry(.any)))
    _ = machine.takeEffects()
    _ = machine.touched(Self.first)
    try end(machine)
    _ = machine.takeEffects()
    machine.judged(Self.touch, Self.match)
    try end(machine, isDurable: false)
    #expect(!outcomes(machine.takeEffects()).contains(.success))
  }

  @Test func aChargeThatCannotBeStoredIsGivenBackAndNothingIsJudged() throws {
    let machine = machine()
    machine.requested(request())
    _ = machine.takeEffects()
    _ = machine.answered(Self.first)
    try end(machine, isDurable: false)
    #expect(!machine.takeEffects().contains(.judge(DurableCharge(Self.typed))))
    #expect(machine.record.attempts.throttle.tally.failures == 0)
    #expect(machine.failure == .full)
  }

  @Test func afterAFailureTheWholeRecordComesFirst() throws {
    let machine = machine()
    machine.requested(request())
    _ = machine.takeEffects()
    _ = machine.touched(Self.first)
    try end(machine, isDurable: false)
    _ = machine.takeEffects()
    machine.requested(request(Self.second))
    let reopening = try commit(machine)
    #expect(reopening.purpose == .reopen(.begin(Self.second)))
    machine.committed(reopening, .success(()))
    #expect(machine.failure == nil)
  }

  @Test func aVerdictThatComesTwiceCountsOnce() throws {
    let machine = machine()
    machine.requested(request())
    _ = machine.takeEffects()
    _ = machine.touched(Self.first)
    try end(machine)
    _ = machine.takeEffects()
    machine.judged(Self.touch, .miss)
    machine.judged(Self.touch, Self.match)
    try end(machine)
    #expect(outcomes(machine.takeEffects()).isEmpty)
    #expect(machine.record.attempts.lockout.tally.failures == 1)
  }

  @Test func aTouchIsNotJudgedOnceItsEvaluationIsOver() throws {
    let machine = machine()
    machine.requested(request())
    _ = machine.takeEffects()
    _ = machine.touched(Self.first)
    let charge = try commit(machine)
    machine.ended(Self.first, Outcome(.userCancel))
    _ = machine.takeEffects()
    machine.committed(charge, .success(()))
    #expect(!machine.takeEffects().contains(.judge(DurableCharge(Self.touch))))
    #expect(machine.record.attempts.lockout.tally.failures == 1)
  }

  // MARK: Conversations

  @Test func aConversationIsChargedBeforeItAsksAndGivenBackUnanswered() throws {
    let machine = machine(.pam(service: "login", directory: nil))
    machine.requested(request(Self.first, .passcode))
    try end(machine)
    #expect(machine.takeEffects() == [.judge(DurableCharge(Self.typed))])
    machine.asked(Self.typed)
    machine.ended(Self.first, Outcome(.userCancel))
    #expect(machine.takeEffects().contains(.abort(Self.typed)))
    machine.judged(Self.typed, .unjudged(Outcome(.systemCancel)))
    #expect(machine.record.attempts.throttle.tally.failures == 0)
  }

  @Test func anAnswerMakesTheChargeOfAConversationFinal() throws {
    let machine = machine(.pam(service: "login", directory: nil))
    machine.requested(request(Self.first, .passcode))
    try end(machine)
    _ = machine.takeEffects()
    #expect(!machine.answered(Self.first))
    machine.asked(Self.typed)
    _ = machine.takeEffects()
    #expect(machine.answered(Self.first))
    #expect(machine.takeEffects() == [.show(Self.first, .passcode), .respond(Self.typed)])
    machine.judged(Self.typed, .unjudged(Outcome(.systemCancel)))
    #expect(machine.record.attempts.throttle.tally.failures == 1)
  }

  @Test func noConversationBeginsForAnEvaluationThatIsOver() throws {
    let machine = machine(.pam(service: "login", directory: nil))
    machine.requested(request(Self.first, .passcode))
    let charge = try commit(machine)
    machine.ended(Self.first, Outcome(.userCancel))
    _ = machine.takeEffects()
    machine.committed(charge, .success(()))
    #expect(!machine.takeEffects().contains(.judge(DurableCharge(Self.typed))))
    #expect(machine.record.attempts.throttle.tally.failures == 0)
  }

  // MARK: One prompt

  @Test func thePromptGoesToWhoWaitedWhenTheFirstEnds() {
    let machine = machine()
    machine.requested(request())
    machine.requested(request(Self.second))
    #expect(machine.takeEffects().last == .wait(Self.second, ahead: 1))
    machine.ended(Self.first, Outcome(.userCancel))
    #expect(machine.takeEffects().contains(.show(Self.second, [.biometry, .passcode])))
  }

  @Test func whoWaitsIsNotAskedWhenAllAreCancelled() {
    let machine = machine()
    machine.requested(request())
    machine.requested(request(Self.second))
    _ = machine.takeEffects()
    machine.lock(Self.id(9))
    let shown = machine.takeEffects().filter { if case .show = $0 { true } else { false } }
    #expect(shown.isEmpty)
  }

  /// A request that another user of the machine makes, as with su(1).
  private func strange(_ requirement: Requirement = either) -> DeviceRequest {
    var request = request(Self.first, requirement)
    request.origin = .user(1001)
    return request
  }

  private func ends(_ effects: [DeviceMachine.Effect]) -> [OutcomeCode] {
    effects.compactMap { effect in
      if case .over(Self.first, let outcome) = effect { outcome.code } else { nil }
    }
  }

  @Test func aStrangersPromptGivesWayToTheOwner() {
    let machine = machine()
    machine.requested(strange())
    _ = machine.takeEffects()
    machine.requested(request(Self.second))
    let effects = machine.takeEffects()
    #expect(ends(effects) == [.systemCancel])
    #expect(effects.contains(.show(Self.second, [.biometry, .passcode])))
    #expect(!effects.contains(.wait(Self.second, ahead: 1)))
  }

  @Test func theOwnersPromptGivesWayToNobody() {
    let machine = machine()
    machine.requested(request(Self.second))
    machine.requested(strange())
    #expect(machine.takeEffects().last == .wait(Self.first, ahead: 1))
    machine.requested(request(Self.id(3)))
    #expect(machine.takeEffects() == [.limit(Self.id(3)), .wait(Self.id(3), ahead: 1)])
  }

  @Test func whatAStrangerTypedIsJudgedBeforeThePromptGivesWay() throws {
    let machine = machine()
    machine.requested(strange())
    _ = machine.takeEffects()
    #expect(machine.answered(Self.first))
    try end(machine)
    _ = machine.takeEffects()
    machine.requested(request(Self.second))
    #expect(machine.takeEffects() == [.limit(Self.second), .wait(Self.second, ahead: 1)])
    machine.judged(Self.typed, .miss)
    try end(machine)
    let effects = machine.takeEffects()
    #expect(effects.contains(.miss(Self.first, .passcode)))
    #expect(ends(effects) == [.systemCancel])
    #expect(effects.contains(.show(Self.second, [.biometry, .passcode])))
    #expect(machine.record.others.origins[.user(1001)].tally.failures == 1)
  }

  @Test func aConversationThatGivesWayUnansweredCostsNothing() throws {
    let machine = machine(.pam(service: "login", directory: nil))
    machine.requested(strange(.passcode))
    try end(machine)
    _ = machine.takeEffects()
    machine.asked(Self.typed)
    machine.requested(request(Self.second, .passcode))
    #expect(machine.takeEffects().contains(.abort(Self.typed)))
    machine.judged(Self.typed, .unjudged(Outcome(.systemCancel)))
    try end(machine)
    #expect(machine.record.others.origins[.user(1001)].tally.failures == 0)
    #expect(machine.record.others.together.tally.failures == 0)
    #expect(machine.record.attempts.throttle.tally.failures == 1, "the owner is asked")
  }

  @Test func aConversationGivesWayAtItsNextQuestion() throws {
    let machine = machine(.pam(service: "login", directory: nil))
    machine.requested(strange(.passcode))
    try end(machine)
    machine.asked(Self.typed)
    #expect(machine.answered(Self.first))
    machine.requested(request(Self.second, .passcode))
    #expect(ends(machine.takeEffects()).isEmpty)
    machine.asked(Self.typed)
    #expect(ends(machine.takeEffects()) == [.systemCancel])
  }

  @Test func aDenialStandsWithoutItsAuditLine() throws {
    let machine = machine()
    machine.requested(request())
    _ = machine.takeEffects()
    machine.ended(Self.first, Outcome(.userCancel))
    try end(machine, isDurable: false)
    #expect(outcomes(machine.takeEffects()) == [.userCancel])
    #expect(machine.failure == nil)
  }

  // MARK: What is remembered

  /// The machine after a match for a request that is to be remembered once.
  private func remembering() throws -> Driven {
    let machine = machine()
    machine.requested(remembered(Self.first))
    _ = machine.takeEffects()
    _ = machine.touched(Self.first)
    try end(machine)
    _ = machine.takeEffects()
    machine.judged(Self.touch, Self.match)
    try end(machine)
    try end(machine)
    #expect(outcomes(machine.takeEffects()) == [.success])
    return machine
  }

  @Test func aGrantAnswersOnceItsUseIsDurable() throws {
    let machine = try remembering()
    machine.requested(remembered(Self.second))
    let use = try commit(machine)
    #expect(use.purpose == .redeem(Self.second) && use.kind == .guarded)
    machine.committed(use, .success(()))
    #expect(outcomes(machine.takeEffects()) == [.success])
  }

  @Test func aLockEndsWhatIsRemembered() throws {
    let machine = try remembering()
    machine.lock(Self.id(9))
    _ = machine.takeEffects()
    machine.requested(remembered(Self.second))
    #expect(machine.takeEffects().contains(.show(Self.second, [.biometry, .passcode])))
  }

  @Test func anotherPasscodeEndsWhatIsRemembered() throws {
    let machine = try remembering()
    machine.setPasscode(.device)
    machine.requested(remembered(Self.second))
    #expect(machine.takeEffects().contains(.show(Self.second, [.biometry, .passcode])))
  }

  /// An erased device has no passcode, and its fingers are there still.
  @Test func anErasureEndsWhatIsRemembered() throws {
    let machine = try remembering()
    machine.erased()
    machine.requested(remembered(Self.second))
    #expect(machine.takeEffects().contains(.show(Self.second, [.biometry])))
  }

  @Test func startInAnotherBootStartsRefusalsOverAndStoresThat() throws {
    let delays = PasscodeDelays(
      name: "minute",
      delays: DelayTable(rows: [DelayTable.Row(from: 1, through: nil, delay: .seconds(60))])
    )
    var record = machine().record
    #expect(record.attempts.throttle.charge(under: delays, at: Self.now) == .charged)
    let later = Moment(
      boot: BootInstant(nanoseconds: 1_000_000_000),
      bootID: BootIdentifier(high: 2, low: 2),
      wall: Self.now.wall
    )
    let restarted = Driven(
      DeviceMachine(
        record,
        isDistrusted: false,
        sensor: .ready(.strong),
        rules: DeviceAttempts.Rules(lockout: Self.lockout, delays: delays)
      )
    )
    restarted.started(at: later)
    #expect(try commit(restarted).purpose == .housekeeping)
    #expect(restarted.record.attempts != record.attempts)
    restarted.started(at: later)
    #expect(restarted.takeEffects().isEmpty)
  }

  /// Right guesses at more items than have counts, where wrong ones have used up the room before.
  @Test func rightGuessesAtManyItemsAtOnceCostNothing() throws {
    var floor = PasscodeThrottle()
    #expect(floor.charge(under: Self.delays, at: Self.now) == .charged)
    var record = machine().record
    record.others = OtherAttempts(
      items: GuessCounts(capacity: OtherAttempts.itemsMax, floor: floor)
    )
    var machine = DeviceMachine(
      record,
      isDistrusted: false,
      sensor: .ready(.strong),
      rules: DeviceAttempts.Rules(lockout: Self.lockout, delays: Self.delays)
    )
    func storeAll() {
      for case .commit(let commit) in machine.takeEffects() {
        machine.committed(commit, .success(()), at: Self.now)
      }
    }
    for number in 1...80 {
      let act = Self.id(UInt64(100 + number))
      machine.prove(act, .item(UInt128(number)), isSubmitted: false, at: Self.now)
      storeAll()
    }
    for number in 1...80 {
      let attempt = AttemptID(Self.id(UInt64(100 + number)), .applicationPassword)
      let right = Verdict.proven(finger: nil, generation: nil)
      machine.judged(DurableCharge(attempt), right, at: Self.now)
      storeAll()
    }
    #expect(machine.record.others.items.highest == 1)
  }

  // MARK: What others must do first

  @Test func nobodyIsAskedBeforeWhatIsNeededIsReady() {
    let machine = machine()
    var request = request()
    request.needsPreparation = true
    machine.requested(request)
    #expect(machine.takeEffects() == [.prepare(Self.first)])
    machine.prepared(Self.first, nil)
    #expect(machine.takeEffects().contains(.show(Self.first, [.biometry, .passcode])))
  }

  @Test func whatCannotBeMadeReadyEndsIt() throws {
    let machine = machine()
    var request = request()
    request.needsPreparation = true
    machine.requested(request)
    _ = machine.takeEffects()
    machine.prepared(Self.first, Outcome(.internalError))
    try end(machine)
    #expect(outcomes(machine.takeEffects()) == [.internalError])
  }

  @Test func aSimulatedDeviceAnswersNobodyWhoDoesNotTakeIt() throws {
    let machine = machine()
    var request = request()
    request.allowsSimulated = false
    machine.requested(request)
    try end(machine)
    #expect(outcomes(machine.takeEffects()) == [.simulatedNotAllowed])
  }

  @Test func anAgentIsAskedForBeforeTheDeviceAndShowsThePrompt() {
    let machine = machine()
    var request = request()
    request.asksAgent = true
    machine.requested(request)
    #expect(machine.takeEffects() == [.limit(Self.first), .admit(Self.first)])
    machine.admitted(Self.first, nil)
    #expect(machine.takeEffects() == [.place(Self.first)])
    #expect(!machine.touched(Self.first) && !machine.answered(Self.first))
    machine.shown(Self.first)
    #expect(machine.takeEffects() == [.show(Self.first, [.biometry, .passcode])])
  }

  @Test func nothingIsOfferedWhileNobodyShowsThePrompt() {
    let machine = machine()
    machine.requested(request())
    _ = machine.takeEffects()
    machine.hidden(Self.first)
    #expect(machine.takeEffects() == [.hide(Self.first)])
    #expect(!machine.touched(Self.first) && !machine.answered(Self.first))
    machine.shown(Self.first)
    #expect(machine.takeEffects() == [.show(Self.first, [.biometry, .passcode])])
    #expect(machine.touched(Self.first))
  }

  @Test func anUnlockEndsAsTheKeysSay() throws {
    let machine = machine()
    var request = request(Self.first, .passcode)
    request.isUnlock = true
    machine.requested(request)
    _ = machine.takeEffects()
    _ = machine.answered(Self.first)
    try end(machine)
    _ = machine.takeEffects()
    machine.judged(Self.typed, .proven(finger: nil, generation: nil))
    try end(machine)
    #expect(machine.takeEffects().last == .unlock(Self.first, Proven(factors: .passcode)))
    machine.unlocked(Self.first, Outcome(.systemCancel))
    try end(machine)
    #expect(outcomes(machine.takeEffects()) == [.systemCancel])
  }

  @Test func aFurtherAnswerOfAConversationIsChargedBeforeItIsGiven() throws {
    let machine = machine(.pam(service: "login", directory: nil))
    machine.requested(request(Self.first, .passcode))
    try end(machine)
    machine.asked(Self.typed)
    _ = machine.answered(Self.first)
    _ = machine.takeEffects()
    machine.asked(Self.typed)
    #expect(machine.answered(Self.first))
    let charge = try commit(machine)
    #expect(charge.purpose == .answer(Self.typed) && charge.kind == .guarded)
    #expect(charge.record?.attempts.throttle.tally.failures == 2)
    machine.committed(charge, .success(()))
    #expect(machine.takeEffects() == [.respond(Self.typed)])
  }

  @Test func anAnswerThatCannotBeChargedIsNotGiven() throws {
    let machine = machine(.pam(service: "login", directory: nil))
    machine.requested(request(Self.first, .passcode))
    try end(machine)
    machine.asked(Self.typed)
    _ = machine.answered(Self.first)
    _ = machine.takeEffects()
    machine.asked(Self.typed)
    _ = machine.answered(Self.first)
    try end(machine, isDurable: false)
    #expect(machine.takeEffects() == [.abort(Self.typed)])
  }

  @Test func anAccountsPasswordIsNotCountedHere() throws {
    let machine = machine(.pam(service: "login", directory: nil))
    let other = self.machine()
    machine.countElsewhere(
      DeviceMachine.Account(
        record: other.record,
        rules: DeviceAttempts.Rules(lockout: Self.lockout, delays: Self.delays),
        now: Self.now
      )
    )
    machine.requested(request(Self.first, .passcode))
    let (charge, act) = try #require(commitWithAccount(machine.takeEffects()))
    #expect(charge.purpose == .charge(Self.typed))
    #expect(act == .charge(.passcode(.owner), isSubmitted: false))
    machine.committed(charge, .success(()))
    #expect(machine.takeEffects() == [.judge(DurableCharge(Self.typed))])
    machine.judged(Self.typed, .miss)
    let (settlement, word) = try #require(commitWithAccount(machine.takeEffects()))
    #expect(settlement.purpose == .settle(Self.typed))
    #expect(word == .settle(.miss))
    #expect(machine.record.attempts.throttle.tally.failures == 0)
  }

  @Test func whatTheAccountRefusesIsNotJudgedHere() throws {
    let machine = machine(.pam(service: "login", directory: nil))
    machine.countElsewhere(
      DeviceMachine.Account(
        record: self.machine().record,
        rules: DeviceAttempts.Rules(lockout: Self.lockout, delays: Self.delays),
        now: Self.now
      )
    )
    machine.requested(request(Self.first, .passcode))
    _ = try #require(commitWithAccount(machine.takeEffects()))
    machine.refusedByAccount(Self.typed, Outcome(.passcodeThrottled))
    let effects = machine.takeEffects()
    #expect(!effects.contains(.judge(DurableCharge(Self.typed))))
    #expect(effects.contains(.reported(Self.typed, .unjudged(Outcome(.passcodeThrottled)))))
  }

  private func commitWithAccount(
    _ effects: [DeviceMachine.Effect]
  ) -> (DeviceMachine.Commit, DeviceMachine.AccountAct)? {
    guard case .commitWithAccount(let commit, let act)? = effects.last else { return nil }
    return (commit, act)
  }

  @Test func anAccountThatRefusesItsPasswordRefusesItHere() throws {
    let machine = machine(.pam(service: "login", directory: nil))
    let other = self.machine().record
    var locked = other
    locked.attempts.throttle = PasscodeThrottle(tally: Tally(failures: 10))
    machine.countElsewhere(
      DeviceMachine.Account(
        record: locked,
        rules: DeviceAttempts.Rules(lockout: Self.lockout, delays: Self.delays),
        now: Self.now
      )
    )
    machine.requested(request(Self.first, .passcode))
    try end(machine)
    #expect(outcomes(machine.takeEffects()) == [.passcodeThrottled])
  }

  // MARK: Acts

  @Test func anActTakesThePasscodeAndTellsWhenItIsStored() throws {
    let machine = machine()
    let act = Self.id(9)
    machine.authorize(act, from: .owner)
    try end(machine)
    #expect(machine.takeEffects() == [.judge(DurableCharge(AttemptID(act, .passcode)))])
    machine.judged(AttemptID(act, .passcode), .proven(finger: nil, generation: nil))
    try end(machine)
    #expect(machine.takeEffects() == [.authorized(act)])
    machine.store(act)
    try end(machine)
    #expect(machine.takeEffects() == [.stored(act, isDurable: true)])
  }

  @Test func anActEndsWithAWrongPasscode() throws {
    let machine = machine()
    let act = Self.id(9)
    machine.authorize(act, from: .owner)
    try end(machine)
    _ = machine.takeEffects()
    machine.judged(AttemptID(act, .passcode), .miss)
    try end(machine)
    #expect(machine.takeEffects() == [.refused(act, .miss)])
    #expect(machine.record.attempts.throttle.tally.failures == 1)
  }

  @Test func anAttemptThatItsJudgeTurnsAwayIsGivenBackAndNoOtherIs() throws {
    let machine = machine()
    let (wrong, act) = (Self.id(8), Self.id(9))
    machine.authorize(wrong, from: .owner)
    try end(machine)
    machine.judged(AttemptID(wrong, .passcode), .miss)
    try end(machine)
    machine.authorize(act, from: .owner)
    // Its charge is not durable yet: nothing is given back.
    machine.turnedAway(AttemptID(act, .passcode), Outcome(.busy))
    #expect(machine.record.attempts.throttle.tally.failures == 2)
    try end(machine)
    _ = machine.takeEffects()
    machine.turnedAway(AttemptID(act, .passcode), Outcome(.busy))
    #expect(machine.record.attempts.throttle.tally.failures == 1)
    // Its judge said that already.
    machine.turnedAway(AttemptID(act, .passcode), Outcome(.busy))
    #expect(machine.record.attempts.throttle.tally.failures == 1)
    try end(machine)
    #expect(machine.takeEffects() == [.refused(act, .unjudged(Outcome(.busy)))])
  }

  @Test func aProvenPasscodeEndsDistrustInAGuardedCommit() throws {
    let machine = machine(isDistrusted: true)
    machine.requested(request(Self.first, .passcode))
    _ = machine.takeEffects()
    _ = machine.answered(Self.first)
    try end(machine)
    _ = machine.takeEffects()
    machine.judged(Self.typed, .proven(finger: nil, generation: nil))
    #expect(try commit(machine).kind == .guarded)
    #expect(!machine.isDistrusted)
  }
}
