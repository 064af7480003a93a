import LocalAuthCore
import LocalAuthPolicies
import Testing

@testable import LocalAuthProver

@Suite struct DifferenceTests {
  /// Each pair once.
  static let policyPairs = pairs(of: explored)
  /// All but those that ask for what a person has, which is not explored.
  private static let explored = PolicyCatalog().names.filter { name in
    let policy = try? PolicyCatalog().policy(named: name).get()
    return policy?.requirement.factors.contains(.possession) == false
  }
  static let lockoutPairs = pairs(of: PolicyCatalog().lockoutProfileNames)

  private static func pairs(of names: [String]) -> [(String, String)] {
    names.flatMap { left in names.filter { left < $0 }.map { (left, $0) } }
  }

  private let asks = Event.request(.first, Request())

  private func difference(_ left: Setup, _ right: Setup) throws -> Difference {
    try #require(Difference.find(left, right, Bounds(states: 20_000)).difference)
  }

  @Test func theFallbackTellsBiometricsFromDeviceOwner() throws {
    let found = try difference(.shipped("biometrics"), .shipped("device-owner"))
    #expect(found.trace == [asks, .fallback])
    #expect(found.asked.0 == .over(.userFallback))
    #expect(found.asked.1 == .open(.passcode, offersFallback: false))
    #expect(found.end == [.passcode(isRight: true)])
    #expect(found.endings.0 == Ending(.userFallback))
    #expect(found.endings.1 == Ending(.success))
  }

  @Test func whatIsAskedForAtOnceIsADifference() throws {
    let found = try difference(.shipped("device-owner"), .shipped("device-owner-parallel"))
    #expect(found.trace == [asks])
    #expect(found.asked.0 == .open(.biometry, offersFallback: true))
    #expect(found.asked.1 == .open([.biometry, .passcode], offersFallback: false))
    #expect(
      found.end == [.passcode(isRight: false), .touch(isRight: true), .cancel(.first)]
    )
    #expect(found.steps.map(\.left) == [.taken, .afterFallback, .leftOver, .taken])
    #expect(found.steps.map(\.right) == [.taken, .taken, .taken, .late])
    #expect(found.endings.0 == Ending(.userCancel, hasLeftOver: true))
    #expect(found.endings.1 == Ending(.success))
  }

  @Test func twoOutcomesGoBeforeWhatOneAsksForAfterAsManyEvents() throws {
    var policy = try Setup.shipped("biometrics-and-passcode").policy
    policy.presentation = .parallel
    // A miss ends only the first, a wrong passcode ends both.
    policy.passcodeTries = 1
    let left = Setup(policy: policy, lockout: .locking(at: 1), delays: .locking(at: 5))
    policy.passcodeTries = 5
    let right = Setup(policy: policy, lockout: .locking(at: 5), delays: .locking(at: 1))
    let found = try difference(left, right)
    #expect(found.trace == [asks, .passcode(isRight: false)])
    #expect(found.end.isEmpty)
    #expect(found.endings.0 == Ending(.authenticationFailed))
    #expect(found.endings.1 == Ending(.passcodeThrottled))
  }

  @Test func theFallbackOfTheFirstMomentTellsThreeStrikesFromApple() throws {
    let found = try difference(
      .shipped("biometrics", "three-strikes"),
      .shipped("biometrics", "apple")
    )
    #expect(found.trace == [asks])
    #expect(found.asked.0 == .open(.biometry, offersFallback: true))
    #expect(found.asked.1 == .open(.biometry, offersFallback: false))
    #expect(found.endings.0 == Ending(.userFallback))
    #expect(found.endings.1 == Ending(.success, hasLeftOver: true))
  }

  @Test func theThirdMissTellsThreeStrikesFromAndroid() throws {
    let found = try difference(
      .shipped("device-owner", "three-strikes"),
      .shipped("device-owner", "android")
    )
    let miss = Event.touch(isRight: false)
    #expect(found.trace == [asks, miss, miss, miss])
    #expect(found.asked.0 == .open(.passcode, offersFallback: false))
    #expect(found.asked.1 == .open(.biometry, offersFallback: true))
    #expect(found.end == [.touch(isRight: true), .cancel(.first)])
  }

  @Test func aPolicyWithoutPasscodeIsToldApartByADeviceWithoutOne() throws {
    var policy = try Setup.shipped("biometrics").policy
    policy.needsPasscodeSet = true
    let found = try difference(
      .shipped("biometrics"),
      try Setup.shipped("biometrics").with(policy)
    )
    #expect(found.kind == .none)
    #expect(found.trace == [asks])
    #expect(found.endings.1 == Ending(.passcodeNotSet))
  }

  @Test func anOlderPasscodeIsADifferenceOfTime() throws {
    var policy = try Setup.shipped("biometrics").policy
    policy.freshness.anyWithin = .seconds(24 * 3600)
    let left = try Setup.shipped("biometrics")
    let found = try difference(left.with(policy), left)
    let dayAndMinute = Duration.seconds((24 * 60 + 1) * 60)
    #expect(found.trace == [.pass(dayAndMinute), asks])
    #expect(found.asked.0 == .over(.biometryLockout))
    #expect(found.end == [.touch(isRight: true)])
  }

  @Test func aFingerThatCountsLongerIsADifferenceOfDays() throws {
    var policy = try Setup.shipped("biometrics").policy
    policy.freshness.passcodeWithin = .seconds(160 * 3600)
    let left = try Setup.shipped("biometrics")
    let found = try #require(
      Difference.find(left, left.with(policy), Bounds(states: 200_000)).difference
    )
    #expect(found.length == 11, "three matches within two days each, and then more than 156 hours")
    #expect(found.isShortest)
    #expect(found.asked.0 == .over(.biometryLockout))
  }

  @Test func theFortiethMissIsFoundWithoutComparingAllBefore() throws {
    let nist = try Setup.shipped("device-owner", "nist-800-63b")
    var lockout = nist.lockout
    lockout.delays.locksAt = 40
    let left = Setup(policy: nist.policy, lockout: lockout, delays: nist.delays)
    let search = Difference.find(left, nist, Bounds(depth: 1000, states: 6000))
    let (difference, states) = (search.difference, search.states)
    let found = try #require(difference)
    #expect(!found.isShortest)
    #expect(found.trace.count { $0 == .touch(isRight: false) } == 40)
    #expect(found.trace.count { $0 == .pass(.seconds(30)) } == 36)
    #expect(found.asked.0 != found.asked.1)
    #expect(states < 5000)
  }

  @Test func whatMayAnswerAgainIsADifference() throws {
    var policy = try Setup.shipped("passcode").policy
    policy.grant = nil
    let left = try Setup.shipped("passcode")
    let found = try difference(left, left.with(policy))
    #expect(found.length == 3)
    #expect(found.asked.0 == .over(.success))
    #expect(found.asked.1 == .open(.passcode, offersFallback: false))
  }

  @Test func aSearchThatIsEndedKeepsItsCount() throws {
    let setup = try Setup.shipped("biometrics")
    var asked: [Int] = []
    let search = Difference.find(setup, setup, Bounds(states: 5000)) { states in
      asked.append(states)
      return states < 100
    }
    #expect(!search.isComplete && search.difference == nil)
    #expect(search.states == asked.last && search.states >= 100 && search.states < 500)
    #expect(asked == asked.sorted())
  }

  @Test func aPolicyDoesNotDifferFromItself() throws {
    let setup = try Setup.shipped("passcode")
    let search = Difference.find(setup, setup, Bounds(states: 500))
    let (difference, states) = (search.difference, search.states)
    #expect(search.isComplete)
    #expect(difference == nil)
    #expect(states <= 600, "a third each with a passcode, without one, and after failures")
  }

  @Test func failuresWithoutEndAreComparedToAnEnd() throws {
    let setup = try Setup.shipped("device-owner", "fido", "gatekeeper")
    #expect(Difference.find(setup, setup, Bounds(depth: 1000, states: 30)).difference == nil)
  }

  @Test(arguments: policyPairs)
  func everyTwoShippedPoliciesDiffer(_ left: String, _ right: String) throws {
    try isShown(.shipped(left), .shipped(right), within: 2)
  }

  /// All but those of which no finger is asked.
  static let fingerPolicies = explored.filter { $0 != "passcode" }

  @Test(arguments: fingerPolicies, lockoutPairs)
  func everyTwoShippedProfilesDiffer(_ policy: String, _ pair: (String, String)) throws {
    try isShown(.shipped(policy, pair.0), .shipped(policy, pair.1), within: 10)
  }

  /// What tells two apart comes after so many events, is in no shorter run, and can be seen.
  private func isShown(_ left: Setup, _ right: Setup, within most: Int) throws {
    let found = try difference(left, right)
    #expect(found.length <= most)
    #expect(found.asked.0 != found.asked.1)
    #expect(found.endings.0.exit != found.endings.1.exit)
    let bounds = Bounds(depth: found.length - 1, states: 20_000)
    let shorter = Difference.find(left, right, bounds).difference
    #expect(shorter?.kind != found.kind || shorter?.isShortest == false)
    for setup in [left, right] {
      let reproduction = Reproduction(found.steps.map(\.event), setup, .calm, found.kind)
      #expect(reproduction.isComplete)
      #expect(reproduction.lines.last?.contains(" evaluate ") == true)
    }
  }
}

@Suite struct ReproductionTests {
  private let asks = Event.request(.first, Request())

  @Test func aReproductionSaysWhatCannotBePlayed() throws {
    let setup = try Setup.shipped("passcode")
    let played = Reproduction([asks, .passcode(isRight: true), .settle], setup, .free)
    #expect(played.isComplete)
    #expect(played.lines.last?.contains("--script 'passcode:1234'") == true)
    let crash = Event.crash(kept: 0, isReboot: false)
    #expect(!Reproduction([asks, crash], setup, .free).isComplete)
  }

  @Test func nothingIsPlayedForWhoeverHasTheAnswer() throws {
    let events: [Event] = [asks, .fallback, .passcode(isRight: true), asks, .touch(isRight: true)]
    let played = Reproduction(events, try Setup.shipped("biometrics"), .calm)
    #expect(played.lines.count == 3)
    #expect(played.lines[1].contains("--script 'fallback'"))
    #expect(played.lines[2].contains("--script 'match'"))
  }

  @Test func whatNobodyAsksForStaysInTheScript() throws {
    let events: [Event] = [asks, .passcode(isRight: true), .cancel(.first)]
    let played = Reproduction(events, try Setup.shipped("biometrics"), .calm)
    #expect(played.lines.last?.contains("--script 'passcode:1234, cancel'") == true)
  }
}

extension Difference {
  fileprivate var trace: [Event] { steps.prefix(length).map(\.event) }
  fileprivate var end: [Event] { steps.dropFirst(length).map(\.event) }
}

extension Setup {
  /// The same device with another policy.
  fileprivate func with(_ policy: Policy) -> Setup {
    Setup(policy: policy, policyLockout: policyLockout, lockout: lockout, delays: delays)
  }
}

extension LockoutProfile {
  fileprivate static func locking(at misses: UInt32) -> LockoutProfile {
    LockoutProfile(name: "of this test", delays: DelayTable(locksAt: misses))
  }
}

extension PasscodeDelays {
  fileprivate static func locking(at failures: UInt32) -> PasscodeDelays {
    PasscodeDelays(name: "of this test", delays: DelayTable(locksAt: failures))
  }
}
