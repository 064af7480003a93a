import LocalAuthCore
import LocalAuthPolicies
import Testing

@testable import LocalAuthProver

/// Models that were broken by hand: each check can fail.
@Suite struct PropertyTests {
  private func model(_ policy: String = "device-owner", _ kind: PasscodeKind = .own) throws -> Model
  {
    Model(try Setup.shipped(policy), kind)
  }

  private func play(_ model: inout Model, _ events: [Event]) {
    for event in events { model.apply(event) }
  }

  private let asks = Event.request(.first, Request())

  @Test func aRunWithoutFaultBreaksNothing() throws {
    var model = try model()
    play(&model, [asks, .touch(isRight: false), .settle, .touch(isRight: true), .settle])
    #expect(model.state.violated == nil)
    #expect(model.state.asked.isEmpty)
    #expect(model.state.disk.attempts.lockout == Lockout())
  }

  @Test func aChargeThatIsNotOnTheDiskBreaksChargedFirst() throws {
    var model = try model()
    play(&model, [asks, .touch(isRight: false)])
    model.state.writes[0].record?.attempts.lockout = Lockout()
    model.apply(.commit(.durable))
    #expect(model.state.violated == .chargedFirst)
  }

  @Test func aCountThatWasTakenBackBreaksChargedFirst() throws {
    var model = try model()
    play(&model, [asks, .touch(isRight: false), .settle])
    model.state.machine.record.attempts.lockout = Lockout()
    play(&model, [.touch(isRight: false), .settle])
    #expect(model.state.violated == .chargedFirst)
  }

  @Test func aTouchMoreThanTheProfileAllowsBreaksBoundedAttempts() throws {
    var model = try model()
    play(&model, [asks, .touch(isRight: false), .settle, .touch(isRight: false), .settle])
    model.state.history.finger.judged = 3
    model.state.machine.record.attempts.lockout = Lockout(tally: Tally(failures: 2))
    model.state.disk.attempts.lockout = Lockout(tally: Tally(failures: 2))
    play(&model, [.touch(isRight: false), .settle])
    #expect(model.state.violated == .boundedAttempts)
  }

  @Test func aRefusalThatIsForgottenBreaksRefusalHolds() throws {
    var model = try model("passcode")
    for _ in 0..<2 {
      play(&model, [asks, .passcode(isRight: false), .settle, .passcode(isRight: false), .settle])
      play(&model, [.cancel(.first), .settle])
    }
    #expect(model.state.history.passcode.left == 60_000_000_000)
    let count = model.state.machine.record.attempts.throttle.tally.failures
    model.state.machine.record.attempts.throttle = PasscodeThrottle(tally: Tally(failures: count))
    play(&model, [asks, .passcode(isRight: false)])
    #expect(model.state.violated == .refusalHolds)
  }

  @Test func aFingerOnDistrustedStateBreaksDistrustHolds() throws {
    let setup = try Setup.shipped("device-owner")
    var model = Model(setup, .none, isDistrusted: true)
    model.state.machine.record.passcode = .device
    model.state.machine.isDistrusted = false
    model.state.machine.record.attempts.freshness.passcodeUsed(at: ModelState.now)
    play(&model, [asks, .touch(isRight: true)])
    #expect(model.state.violated == .distrustHolds)
  }

  @Test func aFingerThatIsNotFreshBreaksFreshnessHolds() throws {
    var model = try model()
    model.apply(.pass(.seconds(200 * 3600)))
    model.state.machine.record.attempts.freshness.passcodeUsed(at: ModelState.now)
    play(&model, [asks, .touch(isRight: true)])
    #expect(model.state.violated == .freshnessHolds)
  }

  @Test func aGrantThatIsKeptOverALockBreaksGrantEnds() throws {
    var model = try model()
    let asks = Event.request(.first, Request(wish: Wish(scope: 0, maxAge: .seconds(300))))
    play(&model, [asks, .touch(isRight: true), .settle])
    let kept = model.state.machine.record.grants
    #expect(kept.all.count == 1)
    play(&model, [.lock, .settle])
    model.state.machine.record.grants = kept
    model.apply(asks)
    #expect(model.state.violated == .grantEnds)
  }

  @Test func aUseThatIsGivenBackBreaksGrantUsedOnce() throws {
    var model = try model()
    let wish = Wish(scope: 0, maxAge: .seconds(300), uses: 1)
    let asks = Event.request(.first, Request(wish: wish))
    play(&model, [asks, .touch(isRight: true), .settle])
    let kept = model.state.machine.record.grants
    play(&model, [asks, .settle])
    #expect(model.state.violated == nil)
    model.state.machine.record.grants = kept
    play(&model, [asks, .settle])
    #expect(model.state.violated == .grantUsedOnce)
  }

  @Test func aSuccessThatNobodyProvedBreaksSuccessIsProven() throws {
    var model = try model()
    play(&model, [asks, .touch(isRight: true), .commit(.durable)])
    model.state.asked[0].witnessed = Proven()
    model.apply(.settle)
    #expect(model.state.violated == .successIsProven)
  }

  @Test func aSuccessThatIsNotOnTheDiskBreaksSuccessIsDurable() throws {
    var model = try model("passcode")
    play(&model, [asks, .passcode(isRight: true), .commit(.durable), .verdict(0)])
    // The settlement is lost, and the attempt told that it is there.
    let settlement = model.state.writes.removeLast()
    model.state.asked[0].isRecorded = false
    model.run { $0.committed(settlement, .success(()), at: $1) }
    #expect(model.state.violated == .successIsDurable)
  }

  @Test func aSecondAnswerBreaksOneAnswer() throws {
    var model = try model()
    play(&model, [asks, .touch(isRight: true)])
    model.state.asked[0].isAnswered = true
    model.apply(.settle)
    #expect(model.state.violated == .oneAnswer)
  }

  @Test func aSuccessThatClearsNothingBreaksSuccessClears() throws {
    var model = try model()
    play(&model, [asks, .touch(isRight: true), .commit(.durable)])
    model.state.machine.record.attempts.lockout = Lockout(tally: Tally(failures: 2))
    model.apply(.commit(.durable))
    #expect(model.state.violated == .successClears)
  }

  @Test func aPromptThatEndsUnansweredIsGivenBackBeforeTheNextOneIsCharged() throws {
    var model = try model("passcode", .pam)
    play(&model, [asks, .settle, .request(.second, Request()), .cancel(.first)])
    #expect(model.state.machine.record.attempts.throttle.tally.failures == 1)
    model.apply(.settle)
    #expect(model.state.violated == nil)
    #expect(model.state.machine.record.attempts.throttle.tally.failures == 1, "the second one's")
    play(&model, [.cancel(.second), .settle])
    #expect(model.state.violated == nil)
    #expect(model.state.machine.record.attempts.throttle == PasscodeThrottle())
  }

  @Test func aChargeThatIsKeptBreaksUnansweredIsFree() throws {
    var model = try model("passcode", .pam)
    play(&model, [asks, .settle])
    model.state.machine.evaluations[0].passcode?.refund = .nothing
    play(&model, [.cancel(.first), .settle])
    #expect(model.state.violated == .unansweredIsFree)
  }

  @Test func aPromptThatIsHandedToNobodyBreaksOnePrompt() throws {
    var model = try model()
    play(&model, [asks, .request(.second, Request())])
    model.state.machine.arbiter = Arbiter()
    model.apply(.pass(.seconds(1)))
    #expect(model.state.violated == .onePrompt)
  }
}

extension Setup {
  /// A shipped policy with a shipped profile and table.
  static func shipped(
    _ policy: String,
    _ lockout: String = "three-strikes",
    _ delays: String = "apple"
  ) throws -> Setup {
    let catalog = PolicyCatalog()
    return Setup(
      policy: try catalog.policy(named: policy).get(),
      lockout: try catalog.lockoutProfile(named: lockout).get(),
      delays: try catalog.passcodeDelays(named: delays).get()
    )
  }
}
