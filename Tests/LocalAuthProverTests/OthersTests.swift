import LocalAuthCore
import Testing

@testable import LocalAuthProver

/// What programs of other users try has counts of its own, and the checks of that can fail.
@Suite struct OthersTests {
  private let own = Event.request(.first, Request())
  private let other = Event.request(.first, Request(other: 1))
  private let third = Event.request(.second, Request(other: 2))
  private let wrong: [Event] = [.passcode(isRight: false), .settle]
  private let right: [Event] = [.passcode(isRight: true), .settle]

  private func setup(_ policy: String = "passcode") throws -> Setup {
    try #require(Setup.shipped(policy).inAllSurroundings.first { $0.surroundings == .others })
  }

  private func play(_ model: inout Model, _ events: [Event]) {
    for event in events { model.apply(event) }
  }

  @Test(arguments: ["passcode", "device-owner", "biometrics-and-passcode"])
  func everyOrderOfEventsHolds(_ policy: String) throws {
    for pace in Pace.allCases {
      for beginning in Beginning.allCases {
        var exploration = Exploration(
          try setup(policy),
          Bounds(states: 3000),
          pace,
          from: beginning
        )
        exploration.run()
        #expect(exploration.violations.map(\.trace) == [])
        #expect(exploration.premises[Property.othersUseNothingUp] > 0)
      }
    }
  }

  @Test func whatOthersTryIsCountedForThem() throws {
    var model = Model(try setup(), .own)
    play(&model, [other] + wrong + wrong + [third, .cancel(.first), .settle] + wrong)
    #expect(model.state.violated == nil)
    #expect(model.failures(.passcode) == 0 && model.failures(.othersPasscode) == 3)
    #expect(model.state.history.othersShares == [2, 1])
    #expect(model.state.history.othersPasscode.judged == 3)
  }

  @Test func aProofOfOneUserClearsThatUsersShare() throws {
    var model = Model(try setup(), .own)
    play(&model, [other] + wrong + [third, .cancel(.first), .settle] + wrong + right)
    #expect(model.state.violated == nil)
    #expect(model.state.history.othersShares == [1, 0])
    #expect(model.failures(.othersPasscode) == 1)
  }

  @Test func aProofOfTheOwnerClearsAll() throws {
    var model = Model(try setup(), .own)
    play(&model, [other] + wrong + [.cancel(.first), .settle, own] + right)
    #expect(model.state.violated == nil)
    #expect(model.failures(.othersPasscode) == 0)
    #expect(model.state.history.othersShares == [0, 0])
  }

  // MARK: Faults that are planted

  @Test func aGuessOfOthersOnTheOwnersCountBreaksOthersUseNothingUp() throws {
    var model = Model(try setup(), .own)
    model.apply(other)
    let before = model.ownersCharges
    model.premises.insert(Premises(.othersUseNothingUp))
    model.state.machine.record.attempts.throttle = PasscodeThrottle(tally: Tally(failures: 1))
    model.checkOwnersCharges(before)
    #expect(model.state.violated == .othersUseNothingUp)
  }

  /// By what others judged already, or because the passcode is locked for the owner.
  @Test(arguments: [Counted.othersPasscode, .passcode])
  func oneMoreThanOthersMayTryBreaksBoundedAttempts(_ usedUp: Counted) throws {
    var model = Model(try setup(), .own)
    model.apply(other)
    model.state.history[usedUp].judged = 10
    play(&model, wrong)
    #expect(model.state.violated == .boundedAttempts)
  }

  @Test func aTouchForOthersWhileFingersAreRefusedBreaksRefusalHolds() throws {
    var model = Model(try setup("device-owner"), .own)
    model.apply(other)
    model.state.history.finger.left = 1
    model.apply(.touch(isRight: false))
    #expect(model.state.violated == .refusalHolds)
  }
}
