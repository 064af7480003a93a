import LocalAuthCore
import LocalAuthPolicies
import Testing

@testable import LocalAuthProver

/// Worlds that were broken by hand: each check can fail.
@Suite struct PropertyTests {
  private func scene(_ policy: String = "device-owner", _ kind: PasscodeKind = .own) throws -> Scene
  {
    Scene(try Setup.shipped(policy), World(kind))
  }

  private func play(_ scene: inout Scene, _ events: [Event]) {
    for event in events { scene.apply(event) }
  }

  private let asks = Event.request(.first, Request())

  @Test func aRunWithoutFaultBreaksNothing() throws {
    var scene = try scene()
    play(&scene, [asks, .touch(isRight: false), .settle, .touch(isRight: true), .settle])
    #expect(scene.world.violated == nil)
    #expect(scene.world.sessions.isEmpty)
    #expect(scene.world.disk.attempts.lockout == Lockout())
  }

  @Test func aChargeThatIsNotOnTheDiskBreaksChargedFirst() throws {
    var scene = try scene()
    play(&scene, [asks, .touch(isRight: false)])
    scene.world.writes[0].record?.attempts.lockout = Lockout()
    scene.apply(.commit(.durable))
    #expect(scene.world.violated == .chargedFirst)
  }

  @Test func aCountThatWasTakenBackBreaksChargedFirst() throws {
    var scene = try scene()
    play(&scene, [asks, .touch(isRight: false), .settle])
    scene.world.memory.attempts.lockout = Lockout()
    play(&scene, [.touch(isRight: false), .settle])
    #expect(scene.world.violated == .chargedFirst)
  }

  @Test func aTouchMoreThanTheProfileAllowsBreaksBoundedAttempts() throws {
    var scene = try scene()
    play(&scene, [asks, .touch(isRight: false), .settle, .touch(isRight: false), .settle])
    scene.world.history.finger.judged = 3
    scene.world.memory.attempts.lockout = Lockout(tally: Tally(failures: 2))
    scene.world.disk.attempts.lockout = Lockout(tally: Tally(failures: 2))
    play(&scene, [.touch(isRight: false), .settle])
    #expect(scene.world.violated == .boundedAttempts)
  }

  @Test func aRefusalThatIsForgottenBreaksRefusalHolds() throws {
    var scene = try scene("passcode")
    for _ in 0..<2 {
      play(&scene, [asks, .passcode(isRight: false), .settle, .passcode(isRight: false), .settle])
      play(&scene, [.cancel(.first), .settle])
    }
    #expect(scene.world.history.passcode.left == 60_000_000_000)
    let count = scene.world.memory.attempts.throttle.tally.failures
    scene.world.memory.attempts.throttle = PasscodeThrottle(tally: Tally(failures: count))
    play(&scene, [asks, .passcode(isRight: false)])
    #expect(scene.world.violated == .refusalHolds)
  }

  @Test func aFingerOnDistrustedStateBreaksDistrustHolds() throws {
    let setup = try Setup.shipped("device-owner")
    var scene = Scene(setup, World(.none, isDistrusted: true))
    scene.world.memory.passcode = .device
    scene.world.isDistrusted = false
    scene.world.memory.attempts.freshness.passcodeUsed(at: World.now)
    play(&scene, [asks, .touch(isRight: true)])
    #expect(scene.world.violated == .distrustHolds)
  }

  @Test func aFingerThatIsNotFreshBreaksFreshnessHolds() throws {
    var scene = try scene()
    scene.apply(.pass(.seconds(200 * 3600)))
    scene.world.memory.attempts.freshness.passcodeUsed(at: World.now)
    play(&scene, [asks, .touch(isRight: true)])
    #expect(scene.world.violated == .freshnessHolds)
  }

  @Test func aGrantThatIsKeptOverALockBreaksGrantEnds() throws {
    var scene = try scene()
    let asks = Event.request(.first, Request(wish: Wish(scope: 0, maxAge: .seconds(300))))
    play(&scene, [asks, .touch(isRight: true), .settle])
    let kept = scene.world.memory.grants
    #expect(kept.all.count == 1)
    play(&scene, [.lock, .settle])
    scene.world.memory.grants = kept
    scene.apply(asks)
    #expect(scene.world.violated == .grantEnds)
  }

  @Test func aUseThatIsGivenBackBreaksGrantUsedOnce() throws {
    var scene = try scene()
    let wish = Wish(scope: 0, maxAge: .seconds(300), uses: 1)
    let asks = Event.request(.first, Request(wish: wish))
    play(&scene, [asks, .touch(isRight: true), .settle])
    let kept = scene.world.memory.grants
    play(&scene, [asks, .settle])
    #expect(scene.world.violated == nil)
    scene.world.memory.grants = kept
    play(&scene, [asks, .settle])
    #expect(scene.world.violated == .grantUsedOnce)
  }

  @Test func aSuccessThatNobodyProvedBreaksSuccessIsProven() throws {
    var scene = try scene()
    play(&scene, [asks, .touch(isRight: true), .commit(.durable)])
    scene.world.sessions[0].witnessed = Proven()
    scene.apply(.settle)
    #expect(scene.world.violated == .successIsProven)
  }

  @Test func aSuccessThatIsNotOnTheDiskBreaksSuccessIsDurable() throws {
    var scene = try scene("passcode")
    play(&scene, [asks, .passcode(isRight: true), .commit(.durable), .verdict(0)])
    // The settlement is lost, and the attempt told that it is there.
    scene.world.writes = []
    scene.world.sessions[0].isRecorded = false
    scene.settled(0, .passcode, isDurable: true)
    #expect(scene.world.violated == .successIsDurable)
  }

  @Test func aSecondAnswerBreaksOneAnswer() throws {
    var scene = try scene()
    play(&scene, [asks, .touch(isRight: true)])
    scene.world.sessions[0].isAnswered = true
    scene.apply(.settle)
    #expect(scene.world.violated == .oneAnswer)
  }

  @Test func aSuccessThatClearsNothingBreaksSuccessClears() throws {
    var scene = try scene()
    play(&scene, [asks, .touch(isRight: true), .commit(.durable)])
    scene.world.memory.attempts.lockout = Lockout(tally: Tally(failures: 2))
    scene.apply(.commit(.durable))
    #expect(scene.world.violated == .successClears)
  }

  @Test func aPromptThatIsHandedToNobodyBreaksOnePrompt() throws {
    var scene = try scene()
    play(&scene, [asks, .request(.second, Request())])
    scene.world.arbiter = Arbiter()
    scene.apply(.pass(.seconds(1)))
    #expect(scene.world.violated == .onePrompt)
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
