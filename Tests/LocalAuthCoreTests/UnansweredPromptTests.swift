import Testing

@testable import LocalAuthCore

/// A prompt that nobody answered costs nobody a try, whoever waits behind it and whoever it gives way to.
@Suite struct UnansweredPromptTests {
  private static let now = Moment(
    boot: BootInstant(nanoseconds: 1_000_000_000_000),
    bootID: BootIdentifier(high: 1, low: 1),
    wall: WallInstant(milliseconds: 1_800_000_000_000)
  )
  private static let lockout = LockoutProfile(name: "three", delays: DelayTable(locksAt: 3))
  private static let afterFour = [DelayTable.Row(from: 5, through: nil, delay: .seconds(30))]
  private static let nothing = Verdict.unjudged(Outcome(.systemCancel))
  private static let proof = Verdict.proven(finger: nil, generation: nil)
  private static let account = PasscodeProvider.pam(service: "login", directory: nil)
  private static let stranger = Origin.user(1001)

  private static func id(_ number: UInt64) -> EvaluationID { EvaluationID(high: 0, low: number) }
  private static func typed(_ number: UInt64) -> AttemptID { AttemptID(id(number), .passcode) }

  private func machine(
    _ delays: DelayTable = DelayTable(rows: afterFour),
    counted: UInt32 = 0
  ) -> DeviceMachine {
    var record = DeviceRecord(
      identity: DeviceIdentity(owner: 1000, name: "default"),
      isSimulated: false
    )
    record.passcode = Self.account
    let failures = PasscodeThrottle(tally: Tally(failures: counted))
    record.attempts.throttle = failures
    let own = [Origin.user(1000), .host(""), Self.stranger].map { ($0, failures) }
    record.others = OtherAttempts(
      together: failures,
      origins: GuessCounts(
        capacity: OtherAttempts.originsMax,
        own: counted == 0 ? [:] : Dictionary(uniqueKeysWithValues: own)
      )
    )
    return DeviceMachine(
      record,
      isDistrusted: false,
      sensor: .absent,
      rules: DeviceAttempts.Rules(
        lockout: Self.lockout,
        delays: PasscodeDelays(name: "test", delays: delays)
      )
    )
  }

  private func request(
    _ number: UInt64,
    _ requirement: Requirement = .passcode,
    from origin: Origin
  ) -> DeviceRequest {
    let policy = Policy(name: "test", requirement: requirement)
    let rules = EvaluationMachine.Rules(policy: policy, profile: Self.lockout, isInteractive: true)
    var request = DeviceRequest(Self.id(number), of: policy, and: nil, under: rules, for: 1000)
    request.origin = origin
    return request
  }

  /// Makes durable whatever is on its way, and returns everything else that was asked for.
  @discardableResult
  private func settle(_ machine: inout DeviceMachine) -> [DeviceMachine.Effect] {
    var others: [DeviceMachine.Effect] = []
    var effects = machine.takeEffects()[...]
    while let effect = effects.popFirst() {
      if case .commit(let commit) = effect {
        machine.committed(commit, .success(()), at: Self.now)
        effects += machine.takeEffects()
      } else {
        others.append(effect)
      }
    }
    return others
  }

  /// Asks for a prompt, whose conversation asks its question if it has the prompt.
  private func ask(_ number: UInt64, from origin: Origin, _ machine: inout DeviceMachine) {
    machine.requested(request(number, from: origin), at: Self.now)
    settle(&machine)
    guard machine[Self.typed(number)] != nil else { return }
    machine.asked(Self.typed(number), at: Self.now)
    settle(&machine)
  }

  /// The judge that was told to stop says that it judged nothing; returns what follows.
  private func stop(_ number: UInt64, _ machine: inout DeviceMachine) -> [DeviceMachine.Effect] {
    machine.judged(DurableCharge(Self.typed(number)), Self.nothing, at: Self.now)
    return settle(&machine)
  }

  private func cancel(_ number: UInt64, _ machine: inout DeviceMachine) {
    machine.ended(Self.id(number), Outcome(.userCancel), at: Self.now)
    settle(&machine)
  }

  private func count(_ origin: Origin, _ machine: DeviceMachine) -> UInt32 {
    machine.wrongPasscodes(from: origin, at: Self.now)
  }

  private func judges(_ number: UInt64) -> DeviceMachine.Effect {
    .judge(DurableCharge(Self.typed(number)))
  }

  // MARK: One behind the other

  @Test(arguments: [Origin.owner, .user(1000), .host("")])
  func aStrangerWhoWaitsBehindTheOwnerMakesNothingOfItsPromptFinal(owner: Origin) {
    var machine = machine(counted: 4)
    for round in 0..<7 as Range<UInt64> {
      let (own, other) = (2 * round + 1, 2 * round + 2)
      ask(own, from: owner, &machine)
      ask(other, from: Self.stranger, &machine)
      cancel(own, &machine)
      #expect(stop(own, &machine).contains(judges(other)), "the stranger is asked")
      cancel(other, &machine)
      _ = stop(other, &machine)
      for origin in [owner, Self.stranger] { #expect(count(origin, machine) == 4) }
    }
  }

  @Test(arguments: [Origin.owner, .user(1000), .host("")])
  func aStrangersPromptThatGivesWayRefusesNobody(owner: Origin) {
    var machine = machine(counted: 4)
    for round in 0..<7 as Range<UInt64> {
      let (other, own) = (2 * round + 1, 2 * round + 2)
      ask(other, from: Self.stranger, &machine)
      ask(own, from: owner, &machine)
      #expect(stop(other, &machine).contains(judges(own)), "the owner is asked")
      cancel(own, &machine)
      _ = stop(own, &machine)
      for origin in [owner, Self.stranger] { #expect(count(origin, machine) == 4) }
    }
  }

  @Test(arguments: [Origin.owner, .user(1000), .host("")])
  func theOwnersSecondPromptIsNotRefusedForTheFirstOne(owner: Origin) {
    var machine = machine(counted: 4)
    for round in 0..<7 as Range<UInt64> {
      let (first, second) = (2 * round + 1, 2 * round + 2)
      ask(first, from: owner, &machine)
      ask(second, from: owner, &machine)
      cancel(first, &machine)
      #expect(stop(first, &machine).contains(judges(second)))
      cancel(second, &machine)
      _ = stop(second, &machine)
      #expect(count(owner, machine) == 4)
    }
  }

  @Test func theNextIsChargedOnlyAfterWhatWasBrokenOffIsGivenBack() {
    var machine = machine()
    ask(1, from: .owner, &machine)
    ask(2, from: .owner, &machine)
    cancel(1, &machine)
    #expect(machine.promptHolder == nil && machine.promptOrder == [Self.id(2)])
    #expect(count(.owner, machine) == 1, "the first one's charge alone")
    #expect(stop(1, &machine).contains(judges(2)))
    #expect(machine.promptHolder == Self.id(2))
    #expect(count(.owner, machine) == 1, "the second one's charge alone")
  }

  @Test func whatIsBrokenOffBeforeItsChargeIsStoredIsGivenBackToo() throws {
    var machine = machine(counted: 4)
    machine.requested(request(1, from: .owner), at: Self.now)
    let charge = machine.takeEffects()
    machine.requested(request(2, from: .owner), at: Self.now)
    machine.ended(Self.id(1), Outcome(.userCancel), at: Self.now)
    #expect(!settle(&machine).contains(judges(2)))
    for case .commit(let commit) in charge {
      machine.committed(commit, .success(()), at: Self.now)
    }
    let effects = settle(&machine)
    #expect(effects.contains(judges(2)) && !effects.contains(judges(1)))
    #expect(count(.owner, machine) == 5, "the second one's charge alone")
  }

  @Test func aPasscodeThatIsBeingJudgedKeepsNobodyWaiting() {
    var machine = machine()
    ask(1, from: .owner, &machine)
    ask(2, from: .owner, &machine)
    let isTaken = machine.answered(Self.id(1), at: Self.now)
    #expect(isTaken)
    settle(&machine)
    machine.ended(Self.id(1), Outcome(.userCancel), at: Self.now)
    #expect(settle(&machine).contains(judges(2)))
    _ = stop(1, &machine)
    #expect(count(.owner, machine) == 2, "what was answered stays charged")
  }

  @Test func anAnswerThatComesWhileItIsBrokenOffStaysCharged() {
    var machine = machine()
    ask(1, from: .owner, &machine)
    ask(2, from: .owner, &machine)
    cancel(1, &machine)
    machine.submitted(Self.typed(1))
    #expect(stop(1, &machine).contains(judges(2)))
    #expect(count(.owner, machine) == 2)
  }

  @Test func aJudgeThatRefusesUnansweredStaysCharged() {
    var machine = machine()
    ask(1, from: .owner, &machine)
    ask(2, from: .owner, &machine)
    cancel(1, &machine)
    machine.judged(DurableCharge(Self.typed(1)), .miss, at: Self.now)
    #expect(settle(&machine).contains(judges(2)))
    #expect(count(.owner, machine) == 2)
  }

  // MARK: Beside each other

  /// An act of the owner begins beside a prompt, as with `authctl enroll` in another window.
  private func act(_ number: UInt64, _ guess: Guess, _ machine: inout DeviceMachine) {
    machine.prove(Self.id(number), guess, isSubmitted: true, at: Self.now)
    settle(&machine)
  }

  private func judge(_ attempt: AttemptID, _ verdict: Verdict, _ machine: inout DeviceMachine) {
    machine.judged(DurableCharge(attempt), verdict, at: Self.now)
    settle(&machine)
  }

  @Test func whatIsJudgedBesideAPromptLeavesItsChargeToBeGivenBack() {
    var machine = machine()
    ask(1, from: .owner, &machine)
    act(2, .passcode(.owner), &machine)
    #expect(count(.owner, machine) == 2)
    judge(Self.typed(2), .miss, &machine)
    cancel(1, &machine)
    _ = stop(1, &machine)
    #expect(count(.owner, machine) == 1, "the act's")
  }

  @Test func whatIsGivenBackLeavesTheRefusalOfALaterGuess() {
    var machine = machine(counted: 3)
    ask(1, from: .owner, &machine)
    act(2, .passcode(.owner), &machine)
    judge(Self.typed(2), .miss, &machine)
    cancel(1, &machine)
    _ = stop(1, &machine)
    #expect(count(.owner, machine) == 4)
    #expect(
      machine.record.standing(of: .passcode(.owner), under: machine.rules, at: Self.now)
        == .refused(.seconds(30))
    )
  }

  @Test func afterAProofNothingOfBeforeIsGivenBack() {
    var machine = machine()
    ask(1, from: .owner, &machine)
    act(2, .passcode(.owner), &machine)
    judge(Self.typed(2), Self.proof, &machine)
    act(3, .passcode(.owner), &machine)
    judge(Self.typed(3), .miss, &machine)
    cancel(1, &machine)
    _ = stop(1, &machine)
    #expect(count(.owner, machine) == 1, "the wrong one after the right one stays")
  }

  @Test func whereTimeForgetsALaterGuessMakesAnEarlierChargeFinal() {
    var machine = machine(DelayTable(forgets: .one(every: .seconds(60))))
    ask(1, from: .owner, &machine)
    act(2, .passcode(.owner), &machine)
    judge(Self.typed(2), .miss, &machine)
    cancel(1, &machine)
    _ = stop(1, &machine)
    #expect(count(.owner, machine) == 2, "nobody can tell whose failure time forgets")
  }

  @Test(arguments: [Guess.item(7), .keybag, .passcode(.user(1000)), .passcode(stranger)])
  func guessesOnOtherCountsTakeNothingOfAPrompt(guess: Guess) {
    var machine = machine(DelayTable(forgets: .one(every: .seconds(60))))
    ask(1, from: .owner, &machine)
    act(2, guess, &machine)
    judge(AttemptID(Self.id(2), guess.factor), .miss, &machine)
    cancel(1, &machine)
    _ = stop(1, &machine)
    #expect(count(.owner, machine) == 0)
  }

  @Test(arguments: [Guess.item(7), .keybag])
  func proofsOnOtherCountsTakeNothingOfAPrompt(guess: Guess) {
    var machine = machine()
    ask(1, from: .owner, &machine)
    act(2, guess, &machine)
    judge(AttemptID(Self.id(2), guess.factor), Self.proof, &machine)
    cancel(1, &machine)
    _ = stop(1, &machine)
    #expect(count(.owner, machine) == 0)
  }

  @Test func aRebootLeavesTheRefusalAndGivesBackTheTry() {
    var machine = machine(counted: 4)
    ask(1, from: .owner, &machine)
    machine.cancelAll(at: Self.now)
    settle(&machine)
    machine.reboot(Self.id(9), at: Self.now)
    settle(&machine)
    _ = stop(1, &machine)
    #expect(count(.owner, machine) == 4)
  }

  // MARK: Readers and keys

  @Test func aTouchThatNobodyGaveCostsNothingWhileAnotherPromptWaits() {
    var machine = machine()
    machine.authenticators = [
      AuthenticatorDescription(
        name: "key",
        kind: .key,
        judging: .byItself,
        asking: .touch,
        method: "key",
        isSimulated: false,
        reportsPresence: true
      )
    ]
    for round in 0..<4 as Range<UInt64> {
      let (first, second) = (2 * round + 1, 2 * round + 2)
      for number in [first, second] {
        machine.requested(request(number, .possession(.any), from: .owner), at: Self.now)
        settle(&machine)
      }
      for number in [first, second] {
        let key = AttemptID(Self.id(number), .possession)
        #expect(machine[key]?.machine.isJudging == true)
        cancel(number, &machine)
        judge(key, Self.nothing, &machine)
      }
      #expect(machine.record.others.possession == Lockout())
    }
  }
}
