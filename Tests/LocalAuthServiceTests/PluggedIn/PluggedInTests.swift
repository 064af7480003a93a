import LocalAuthCore
import LocalAuthService
import Synchronization
import Testing

/// An authenticator of a kind that LocalAuth does not have, plugged into an engine: everything that holds for fingers
/// and passcodes holds for it.
@Suite struct PluggedInTests {
  private let rig: Rig
  private let key: HeldKey

  init() {
    let key = HeldKey()
    rig = Rig(system: .withKeys, authenticators: { _ in [key] })
    rig.makeDevice()
    self.key = key
  }

  private var misses: UInt32 { rig.store.device?.others.possession.tally.failures ?? 0 }

  /// Lets the key say something, and all that follows.
  private func say(_ verdict: Verdict) throws {
    try #require(key.touches.last).end(verdict)
    rig.run()
  }

  private static let proof = Verdict.proven(finger: nil, generation: nil)

  // MARK: Success

  @Test func aTouchOfItMeetsAPolicyThatAsksForPossession() throws {
    let hearing = try rig.evaluate("key")
    rig.run()
    try say(Self.proof)
    #expect(hearing.result?.outcome == .success)
    #expect(hearing.result?.method == "key")
    #expect(hearing.result?.attempts == 1)
  }

  @Test func thePromptDescribesIt() throws {
    let hearing = try rig.evaluate("key")
    rig.run()
    let prompt = try #require(hearing.prompts.last)
    #expect(prompt.live == .possession)
    #expect(prompt.authenticators == [key.description])
    #expect(prompt.authenticators.first?.instruction == "Touch your key")
  }

  @Test func eitherOfTwoThatAreAskedForAtOnceIsEnough() throws {
    let byKey = try rig.evaluate("finger-or-key")
    rig.run()
    #expect(byKey.prompts.last?.live == [.biometry, .possession])
    try say(Self.proof)
    #expect(byKey.result?.method == "key")
    let byFinger = try rig.evaluate("finger-or-key")
    rig.run()
    rig.touch(.rightIndex)
    rig.run()
    #expect(byFinger.result?.method == "fingerprint")
    #expect(key.touches.last?.isAborted == true)
  }

  @Test func togetherWithThePasscodeItTakesBoth() throws {
    let hearing = try rig.evaluate("key-and-passcode")
    rig.run()
    try say(Self.proof)
    #expect(hearing.result == nil)
    let nonce = try #require(hearing.prompts.last?.nonce)
    #expect(rig.respond(nonce, .passcode(.of("1234"))))
    rig.run()
    #expect(hearing.result?.method == "passcode+key")
  }

  @Test func theAuditSaysThatItProvedIt() throws {
    _ = try rig.evaluate("key")
    rig.run()
    try say(Self.proof)
    let lines = rig.store.commits.withLock { commits in
      commits.flatMap(\.changes).compactMap { if case .audit(let line) = $0 { line } else { nil } }
    }
    #expect(lines.last?.method == "key")
    #expect(lines.last?.detail == "authenticator work-key (badge)")
    #expect(lines.last?.outcome == .success)
  }

  // MARK: Several of them

  @Test func aPolicyThatNamesOneStartsThatOneAlone() throws {
    let (work, home) = (HeldKey(), HeldKey(name: "home-key"))
    let rig = Rig(system: .withKeys, authenticators: { _ in [work, home] })
    rig.makeDevice()
    let named = try rig.evaluate("home")
    rig.run()
    #expect(work.touches.isEmpty)
    #expect(named.prompts.last?.authenticators.map(\.name) == ["home-key"])
    try #require(home.touches.last).touch()
    rig.run()
    #expect(named.result?.outcome == .success)
    home.isReady = false
    #expect(try rig.outcome("home")?.code == .authenticatorNotAvailable)
    _ = try rig.evaluate("key")
    rig.run()
    #expect(work.touches.count == 1)
  }

  @Test func missesOfAllOfThemHaveOneCount() throws {
    let (work, home) = (HeldKey(), HeldKey(name: "home-key"))
    let rig = Rig(system: .withKeys, authenticators: { _ in [work, home] })
    rig.makeDevice()
    for (policy, key) in [("key", work), ("home", home), ("home", home)] {
      let hearing = try rig.evaluate(policy)
      rig.run()
      try #require(key.touches.last).say(.submitted)
      key.touches.last?.end(.miss)
      rig.run()
      if hearing.result == nil {
        rig.engine.cancel(hearing.id)
        rig.run()
        key.touches.last?.end(.unjudged(Outcome(.systemCancel)))
        rig.run()
      }
    }
    #expect(try rig.outcome("key")?.code == .authenticatorLockout)
    #expect(try rig.outcome("home")?.code == .authenticatorLockout)
  }

  // MARK: A new judge

  @Test func anotherJudgeCountsOnlyAfterThePasscode() throws {
    let key = HeldKey(provenance: "one")
    let rig = Rig(system: .withKeys, authenticators: { _ in [key] })
    rig.makeDevice()
    _ = try rig.evaluate("key")
    rig.run()
    #expect(key.touches.count == 1, "the passcode was set with it plugged in")
    try #require(key.touches.last).touch()
    rig.run()
    key.provenance = "another"
    rig.engine.plugAuthenticators()
    let refused = try rig.outcome("key")
    #expect(refused?.code == .authenticatorLockout)
    #expect(refused?.detail?.contains("passcode is needed first") == true)
    rig.engine.unlock("sim", passcode: .of("0000"), caller: rig.caller) { _ in }
    rig.run()
    #expect(try rig.outcome("key")?.code == .authenticatorLockout, "a wrong one changes nothing")
    rig.engine.unlock("sim", passcode: .of("1234"), caller: rig.caller) { _ in }
    rig.run()
    #expect(rig.store.device?.programs != 0)
    _ = try rig.evaluate("key")
    rig.run()
    #expect(key.touches.count == 2)
  }

  // MARK: Texts

  @Test func whileThePasscodeCanBeGivenNoOtherQuestionIsShown() throws {
    let key = HeldKey(asking: .text)
    let rig = Rig(system: .withKeys, authenticators: { _ in [key] })
    rig.makeDevice()
    let hearing = try rig.evaluate("key-with-passcode")
    rig.run()
    let touch = try #require(key.touches.last)
    touch.say(.prompt(text: "Your code:", echoes: true))
    rig.run()
    #expect(hearing.prompts.last?.passcodePrompt == "Passcode:")
    #expect(rig.respond(try #require(hearing.prompts.last?.nonce), .passcode(.of("1234"))))
    rig.run()
    #expect(touch.answers == 0, "the passcode went to the device alone")
    #expect(hearing.prompts.last?.passcodePrompt == "work-key asks: Your code:")
    #expect(hearing.prompts.last?.passcodeEchoes == true)
    #expect(rig.respond(try #require(hearing.prompts.last?.nonce), .passcode(.of("42"))))
    rig.run()
    #expect(touch.answers == 1)
    touch.touch()
    rig.run()
    #expect(hearing.result?.outcome == .success)
  }

  @Test func aFurtherAnswerIsChargedBeforeItIsGiven() throws {
    let key = HeldKey(asking: .text)
    let rig = Rig(system: .withKeys, authenticators: { _ in [key] })
    rig.makeDevice()
    let hearing = try rig.evaluate("key")
    rig.run()
    for expected in 1...2 {
      key.touches.last?.say(.prompt(text: "Your code:", echoes: true))
      rig.run()
      #expect(rig.respond(try #require(hearing.prompts.last?.nonce), .passcode(.of("42"))))
      rig.run()
      #expect(key.touches.last?.answers == expected)
      #expect(rig.store.device?.others.possession.tally.failures == UInt32(expected))
    }
  }

  // MARK: The order of effects

  @Test func itIsStartedOnlyWhenItsChargeIsDurable() throws {
    _ = try rig.evaluate("key")
    #expect(key.touches.isEmpty)
    rig.run()
    #expect(key.touches.count == 1)
    #expect(misses == 1)
  }

  @Test func itIsNotStartedWhenItsChargeCannotBeStored() throws {
    let hearing = try rig.evaluate("key")
    while rig.store.finishNext(.failure(.failed("full"))) { rig.engine.completionsArrived() }
    #expect(key.touches.isEmpty)
    #expect(hearing.result?.outcome.code == .internalError)
  }

  @Test func itsVerdictCountsOnlyWhenItIsDurable() throws {
    let hearing = try rig.evaluate("key")
    rig.run()
    try #require(key.touches.last).touch()
    #expect(hearing.result == nil)
    while rig.store.finishNext(.failure(.failed("full"))) { rig.engine.completionsArrived() }
    #expect(hearing.result?.outcome.code == .internalError)
  }

  @Test func aSecondVerdictChangesNothing() throws {
    let hearing = try rig.evaluate("key-or-passcode")
    rig.run()
    let touch = try #require(key.touches.last)
    touch.end(.miss)
    touch.touch()
    rig.run()
    #expect(hearing.result == nil)
    #expect(hearing.misses == 1)
  }

  @Test func aVerdictAfterTheEndProvesNothing() throws {
    let hearing = try rig.evaluate("key")
    rig.run()
    let touch = try #require(key.touches.last)
    #expect(rig.respond(try #require(hearing.prompts.last?.nonce), .cancel))
    touch.touch()
    rig.run()
    #expect(hearing.result?.outcome.code == .userCancel)
    #expect(hearing.result?.method == nil)
  }

  // MARK: Misses

  @Test func afterAMissItIsStartedAgainForAChargeOfItsOwn() throws {
    let hearing = try rig.evaluate("key")
    rig.run()
    try #require(key.touches.last).say(.submitted)
    try say(.miss)
    #expect(key.touches.count == 2)
    #expect(hearing.misses == 1)
    #expect(misses == 2)
  }

  @Test func threeMissesLockItAndTheFingerStaysOpen() throws {
    let hearing = try rig.evaluate("key")
    rig.run()
    for _ in 1...3 {
      try #require(key.touches.last).say(.submitted)
      try say(.miss)
    }
    #expect(hearing.result?.outcome.code == .authenticatorLockout)
    #expect(key.touches.count == 3)
    #expect(try rig.outcome("key")?.code == .authenticatorLockout)
    #expect(try rig.outcome(script: "match") == .success)
    #expect(try rig.outcome("key")?.code == .authenticatorLockout, "a finger opens no other lock")
  }

  @Test func thePasscodeOpensItsLock() throws {
    _ = try rig.evaluate("key")
    rig.run()
    for _ in 1...3 {
      try #require(key.touches.last).say(.submitted)
      try say(.miss)
    }
    #expect(try rig.outcome("passcode", script: "passcode:1234") == .success)
    let hearing = try rig.evaluate("key")
    rig.run()
    try say(Self.proof)
    #expect(hearing.result?.outcome == .success)
    #expect(misses == 0)
  }

  @Test func whatIsBrokenOffBeforeSomebodyTouchedItCostsNothing() throws {
    let hearing = try rig.evaluate("key")
    rig.run()
    let touch = try #require(key.touches.last)
    #expect(rig.respond(try #require(hearing.prompts.last?.nonce), .cancel))
    #expect(touch.isAborted)
    touch.end(.unjudged(Outcome(.systemCancel)))
    rig.run()
    #expect(misses == 0)
  }

  @Test func whatIsBrokenOffAfterSomebodyTouchedItStaysCounted() throws {
    let hearing = try rig.evaluate("key")
    rig.run()
    let touch = try #require(key.touches.last)
    touch.say(.submitted)
    #expect(rig.respond(try #require(hearing.prompts.last?.nonce), .cancel))
    touch.end(.unjudged(Outcome(.systemCancel)))
    rig.run()
    #expect(misses == 1)
  }

  @Test func oneThatCannotSayWhetherItWasTouchedIsCountedWhenItIsStarted() throws {
    let key = HeldKey(reportsPresence: false)
    let rig = Rig(system: .withKeys, authenticators: { _ in [key] })
    rig.makeDevice()
    let hearing = try rig.evaluate("key")
    rig.run()
    #expect(rig.respond(try #require(hearing.prompts.last?.nonce), .cancel))
    key.touches.last?.end(.unjudged(Outcome(.systemCancel)))
    rig.run()
    #expect(rig.store.device?.others.possession.tally.failures == 1)
  }

  @Test func oneThatIsGoneWhileTheStorageIsTriedAgainIsNotCharged() throws {
    _ = try rig.evaluate("key-or-passcode")
    rig.run()
    let touch = try #require(key.touches.last)
    touch.say(.submitted)
    // The charge of an act fails while the miss is being settled, so the next charge has to wait for the storage.
    rig.engine.unlock("sim", passcode: .of("0000"), caller: rig.caller) { _ in }
    touch.end(.miss)
    #expect(rig.store.finishNext(.failure(.full)))
    rig.engine.completionsArrived()
    #expect(rig.store.finishNext(.success(())))
    rig.engine.completionsArrived()
    key.isReady = false
    rig.run()
    #expect(key.touches.count == 1)
    #expect(misses == 1)
  }

  @Test func othersAndTheOwnerHaveOneCount() throws {
    var other = rig.caller
    other.origin = .user(77)
    for caller in [rig.caller, other, rig.caller] {
      let hearing = try rig.evaluate("key", as: caller)
      rig.run()
      try #require(key.touches.last).say(.submitted)
      try say(.miss)
      if let nonce = hearing.prompts.last?.nonce { _ = rig.respond(nonce, .cancel) }
      key.touches.last?.end(.unjudged(Outcome(.systemCancel)))
      rig.run()
    }
    #expect(try rig.outcome("key")?.code == .authenticatorLockout)
  }

  // MARK: What is there

  @Test func withoutItTheNextFactorIsAskedFor() throws {
    key.isReady = false
    let hearing = try rig.evaluate("key-or-passcode")
    rig.run()
    #expect(hearing.prompts.last?.live == .passcode)
    #expect(try rig.outcome("key")?.code == .authenticatorNotAvailable)
  }

  @Test func whatIsConnectedDuringAPromptIsAskedFor() throws {
    key.isReady = false
    let hearing = try rig.evaluate("finger-or-key")
    rig.run()
    #expect(hearing.prompts.last?.live == .biometry)
    key.isReady = true
    rig.engine.authenticatorsChanged(on: DeviceIdentity(owner: 1000, name: "sim"))
    rig.run()
    #expect(hearing.prompts.last?.live == [.biometry, .possession])
    try say(Self.proof)
    #expect(hearing.result?.method == "key")
  }

  @Test func aDoubtfulStateTakesThePasscodeFirst() throws {
    let machine = machine(isDistrusted: true)
    let conditions = machine.conditions(
      for: Policy(name: "key", requirement: .possession(.any)),
      at: rig.clock.moment
    )
    #expect(conditions.possession == .lockedOut(retryAfter: nil))
  }

  @Test func whileNobodySeesThePromptItIsStoppedAndStartedAnewForAnotherCharge() throws {
    var machine = machine()
    let id = EvaluationID(high: 0, low: 7)
    let policy = Policy(name: "key", requirement: .possession(.any))
    let rules = EvaluationMachine.Rules(
      policy: policy,
      profile: machine.rules.lockout,
      isInteractive: true
    )
    let request = DeviceRequest(id, of: policy, and: nil, under: rules, for: 1000)
    machine.requested(request, at: rig.clock.moment)
    let first = try #require(started(&machine).first)
    machine.hidden(id)
    #expect(machine.takeEffects().contains(.abort(first.attempt)))
    machine.judged(first, Self.proof, at: rig.clock.moment)
    #expect(started(&machine).isEmpty)
    #expect(machine[evaluation: id]?.machine.outcome == nil, "nobody saw what was approved")
    machine.shown(id, at: rig.clock.moment)
    let second = try #require(started(&machine).first)
    machine.judged(second, Self.proof, at: rig.clock.moment)
    _ = started(&machine)
    #expect(machine[evaluation: id] == nil, "answered")
  }

  private func machine(isDistrusted: Bool = false) -> DeviceMachine {
    var machine = DeviceMachine(
      DeviceRecord(identity: DeviceIdentity(owner: 1000, name: "d"), isSimulated: false),
      isDistrusted: isDistrusted,
      sensor: .absent,
      rules: DeviceAttempts.Rules(
        lockout: LockoutProfile(name: "l", delays: DelayTable(rows: [], locksAt: 3)),
        delays: PasscodeDelays(name: "d", delays: DelayTable(rows: [], locksAt: 3))
      )
    )
    machine.authenticators = [key.description]
    return machine
  }

  /// Makes everything durable that the machine asks for, and says for which charges it starts a judge.
  private func started(_ machine: inout DeviceMachine) -> [DurableCharge] {
    var charges: [DurableCharge] = []
    var effects = machine.takeEffects()
    while !effects.isEmpty {
      switch effects.removeFirst() {
      case .commit(let commit): machine.committed(commit, .success(()), at: rig.clock.moment)
      case .judge(let charge): charges.append(charge)
      default: break
      }
      effects += machine.takeEffects()
    }
    return charges
  }

  // MARK: Simulated or real

  @Test func aSimulatedOneCountsOnlyForThoseWhoAllowThat() throws {
    let key = HeldKey(isSimulated: true)
    let rig = Rig(system: .withKeys, authenticators: { _ in [key] })
    let refused = try onTheRealDevice(of: rig, allowsSimulated: false)
    #expect(try #require(refused.result).outcome.code == .authenticatorNotAvailable)
    let proven = try onTheRealDevice(of: rig, allowsSimulated: true)
    try #require(key.touches.last).touch()
    rig.run()
    #expect(try #require(proven.result).outcome == .success)
    #expect(try #require(proven.result).isSimulated, "the device is real, what proved it is not")
    #expect(rig.store.account?.isSimulated != true)
  }

  @Test func aSimulatedOneThatIsGoneWhenItsVerdictComesIsStillSimulated() throws {
    let key = HeldKey(isSimulated: true)
    let rig = Rig(system: .withKeys, authenticators: { _ in [key] })
    let hearing = try onTheRealDevice(of: rig, allowsSimulated: true)
    key.isReady = false
    try #require(key.touches.last).touch()
    rig.run()
    let proven = try #require(hearing.result)
    #expect(proven.isSimulated || proven.outcome != .success)
  }

  @Test func aRealOneOnTheRealDeviceIsNotSimulated() throws {
    let hearing = try onTheRealDevice(of: rig, allowsSimulated: false)
    try #require(key.touches.last).touch()
    rig.run()
    #expect(try #require(hearing.result).outcome == .success)
    #expect(try !#require(hearing.result).isSimulated)
  }

  /// Begins an evaluation that asks for the key on the user's own machine, and lets it come to its prompt.
  private func onTheRealDevice(of rig: Rig, allowsSimulated: Bool) throws -> Hearing {
    var request = EvaluationRequest(policy: "key", reason: "test")
    request.allowsSimulated = allowsSimulated
    let hearing = Hearing()
    hearing.id = try rig.engine.evaluate(request, caller: rig.caller) { hearing.events.append($0) }
    rig.run()
    return hearing
  }
}
