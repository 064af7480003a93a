import LocalAuthCore
import LocalAuthPolicies
import Testing

@testable import LocalAuthProver

/// Judges that judge by themselves: what counts of their words, and that a machine which took more
/// would be found.
@Suite struct ByItselfTests {
  private static let key = Policy(name: "key", requirement: .possession(.any))
  private static let first = Policy(
    name: "first",
    requirement: .biometry(.current(generation: 2))
  )

  private func setup(_ policy: Policy) throws -> Setup {
    let own = try Setup.shipped("passcode")
    return Setup(policy: policy, lockout: own.lockout, delays: own.delays, surroundings: .byItself)
  }

  private func shipped(_ policy: String = "device-owner") throws -> Setup {
    try setup(Setup.shipped(policy).policy)
  }

  private func model(_ setup: Setup, _ events: [Event], _ kind: PasscodeKind = .own) -> Model {
    var model = Model(setup, kind)
    play(&model, events)
    return model
  }

  private func play(_ model: inout Model, _ events: [Event]) {
    for event in events { model.apply(event) }
  }

  private let asks: [Event] = [.request(.first, Request()), .settle]
  private let matches: [Event] = [.word(0, .match), .settle]
  private let misses: [Event] = [.word(0, .miss), .settle]
  private let fails: [Event] = [.word(0, .failed), .settle]

  private func misses(_ model: Model) -> UInt32 { model.failures(.finger) }

  private func explored(_ setup: Setup, _ pace: Pace, _ states: Int) -> Exploration {
    var exploration = Exploration(setup, Bounds(states: states), pace)
    exploration.run()
    return exploration
  }

  // MARK: What is explored

  @Test(arguments: Pace.allCases, ["biometrics", "device-owner-parallel"])
  func shippedPoliciesHoldWithAReader(_ pace: Pace, _ policy: String) throws {
    let exploration = explored(try shipped(policy), pace, 6000)
    #expect(exploration.violations.isEmpty)
    #expect(exploration.states == 6000, "the bound is what ends it")
  }

  /// What a charge forgets belongs to what came before it, and so does its verdict.
  @Test(arguments: [true, false]) func aVerdictOnWhatIsForgottenCountsOnlyIfItIsNot(
    _ isForgotten: Bool
  ) throws {
    let own = try Setup.shipped("work-laptop", "faillock")
    let setup = try #require(own.inAllSurroundings.first { $0.surroundings == .byItself })
    let begun: [Event] = asks + [.word(0, .match), .settle]
    let pause: [Event] = isForgotten ? [.pass(.seconds(172_800))] : []
    let again: [Event] = asks + [.word(1, .match), .settle, .word(0, .match)]
    let model = model(setup, begun + pause + again)
    #expect(model.state.violated == nil)
    #expect(model.state.history.possession.judged == (isForgotten ? 0 : 1))
  }

  @Test(arguments: Pace.allCases) func possessionHoldsWithAKey(_ pace: Pace) throws {
    let exploration = explored(try setup(Self.key), pace, 6000)
    #expect(exploration.violations.isEmpty)
    #expect(exploration.states == 6000, "the bound is what ends it")
  }

  @Test func itMakesADifferenceToWhatAsksForAFingerOrAThing() throws {
    #expect(Setup.surroundings(of: Self.key) == [.own, .byItself])
    #expect(Setup.surroundings(of: try shipped("biometrics").policy) == [.own, .byItself, .others])
    #expect(Setup.surroundings(of: try shipped("passcode").policy) == [.own, .others])
  }

  @Test func beginningsReachTheLastTryOfAThing() throws {
    let rungs = Ladder.rungs(try setup(Self.key), .tried)
    let counts = rungs.map { $0.model.failures(.possession) }
    #expect(counts.max() ?? 0 >= 3)
    #expect(rungs.allSatisfy { $0.model.state.violated == nil })
  }

  @Test func theThingIsTheOneThatThePolicyNames() throws {
    for possession in [Possession.any, .kind("code"), .authenticator("work")] {
      let policy = Policy(name: "thing", requirement: .possession(possession))
      let started = model(try setup(policy), asks).started
      #expect(started.map(\.factor) == [.possession])
    }
  }

  // MARK: What counts

  @Test func aMatchMeetsThePolicyAndClearsTheMisses() throws {
    let model = model(try shipped(), asks + misses + matches)
    #expect(model.state.asked.isEmpty && misses(model) == 0)
    #expect(model.state.violated == nil)
  }

  @Test func aMatchAfterItWasToldToStopProvesAndClearsNothing() throws {
    var model = model(try shipped(), asks + misses + [.fallback] + matches)
    #expect(model.state.violated == nil)
    #expect(model.asking == .open(.passcode, offersFallback: false))
    #expect(misses(model) == 2, "a miss, and a match of which nobody was asked")
    model.apply(.cancel(.first))
    #expect(model.state.machine.record.attempts.freshness.match == nil)
  }

  @Test func whatWasNotTouchedIsGivenBackAndWhatWasIsNot() throws {
    let untouched = model(try shipped(), asks + [.cancel(.first)] + fails)
    #expect(misses(untouched) == 0)
    let touched = model(try shipped(), asks + [.cancel(.first), .word(0, .touched)] + fails)
    #expect(misses(touched) == 1)
    #expect([untouched, touched].allSatisfy { $0.state.violated == nil })
  }

  @Test func onlyTheFirstVerdictIsOne() throws {
    let words: [Event] = [.word(0, .miss), .word(0, .match), .settle]
    let model = model(try shipped(), asks + words)
    #expect(model.state.violated == nil)
    #expect(model.asking != nil, "it is asked for again")
  }

  @Test func aReaderThatIsBusyIsStoppedAndAskedAgainInTheSamePrompt() throws {
    var model = model(try shipped("biometrics-and-passcode"), asks)
    #expect(model.started.count == 1)
    model.apply(.presence(.hindered(.busy)))
    #expect(model.state.machine.evaluations.allSatisfy { $0.finger?.isAborted ?? true })
    play(&model, fails + [.presence(.ready(.strong)), .settle])
    #expect(model.state.violated == nil)
  }

  @Test func otherPrintsTakeThePasscodeEvenWhileTheLastTryIsUnderWay() throws {
    let last = asks + misses + misses
    let model = model(try shipped(), last + [.prints] + matches)
    #expect(model.state.violated == nil)
    #expect(model.asking == .open(.passcode, offersFallback: false))
  }

  @Test func aJudgeThatWasToldToStopBeforeItWasStartedIsNotStarted() throws {
    for change in [Event.prints, .programs] {
      let model = model(try shipped(), [.request(.first, Request()), change, .settle])
      #expect(model.started.isEmpty)
      #expect(model.state.violated == nil)
    }
  }

  @Test func otherProgramsAreNotStartedForAThingThatWasAskedForBefore() throws {
    let asks = Event.request(.first, Request())
    let model = model(try setup(Self.key), [asks, .programs, .settle])
    #expect(model.started.isEmpty && model.state.violated == nil)
  }

  // MARK: Machines that would be found

  @Test func aMatchOfPrintsThatNobodyVouchedForBreaksDistrustHolds() throws {
    var model = model(try shipped(), asks)
    model.state.outside?.prints = 2
    play(&model, matches)
    #expect(model.state.violated == .distrustHolds)
  }

  @Test func aJudgeThatIsStartedUnknownBreaksDistrustHolds() throws {
    var model = model(try setup(Self.key), [.request(.first, Request())])
    model.state.outside?.programs = 2
    model.apply(.settle)
    #expect(model.state.violated == .distrustHolds)
  }

  @Test func aMachineThatDidNotStopItBreaksSuccessIsProven() throws {
    var model = model(try shipped(), asks)
    model.state.asked[0].finger?.isAborted = true
    play(&model, matches)
    #expect(model.state.violated == .successIsProven)
  }

  @Test func aTouchThatIsGivenBackBreaksChargedFirst() throws {
    var model = model(try shipped(), asks)
    model.state.asked[0].finger?.isTouched = true
    play(&model, fails + [.cancel(.first), .settle] + asks + misses)
    #expect(model.state.violated == .chargedFirst)
  }

  @Test func aVerdictThatCountsTwiceBreaksSuccessIsProven() throws {
    var model = model(try shipped(), asks)
    model.state.asked[0].finger?.hasSpoken = true
    play(&model, matches)
    #expect(model.state.violated == .successIsProven)
  }

  @Test func aMatchInAnEarlierGenerationBreaksSuccessIsProven() throws {
    var model = model(try setup(Self.first), asks, .none)
    // The machine never hears that the reader has other prints.
    model.state.outside?.prints = 2
    play(&model, matches)
    #expect(model.state.violated == .successIsProven)
  }

  @Test func aMissOfAThingThatIsNotCountedBreaksChargedFirst() throws {
    var model = model(try setup(Self.key), asks + misses)
    model.state.disk.others.possession = Lockout()
    play(&model, misses)
    #expect(model.state.violated == .chargedFirst)
  }
}
