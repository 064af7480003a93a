import LocalAuthCore
import Testing

@testable import LocalAuthProver

/// What surrounds a device besides fingers and passcodes: agents, time-outs, further questions, clocks
/// and acts.
@Suite struct SurroundingsTests {
  private func model(
    _ policy: String,
    _ events: [Event],
    _ kind: PasscodeKind = .own
  ) throws -> Model {
    var model = Model(try Setup.shipped(policy), kind)
    for event in events { model.apply(event) }
    return model
  }

  private let asks = Event.request(.first, Request())
  private let remembers = Event.request(
    .first,
    Request(wish: Wish(scope: 0, maxAge: .seconds(300)))
  )

  @Test func aSuccessThatWasDecidedBeforeAnErasureStands() throws {
    let decided: [Event] = [
      remembers, .touch(isRight: true), .commit(.durable), .commit(.durable),
    ]
    let erased: [Event] = [.act(.erase, isRight: true), .commit(.durable)]
    let model = try model("device-owner", decided + erased)
    #expect(model.state.violated == nil)
    #expect(model.state.answers.map(\.outcome.code) == [.success])
    // The same success, decided when there was no passcode any more.
    var broken = try self.model("device-owner", decided)
    broken.state.asked[0].isSuccessSeen = false
    broken.state.machine.record.passcode = .none
    broken.apply(.commit(.durable))
    #expect(broken.state.violated == .passcodeIsSet)
  }

  @Test func aPromptThatItsAgentHidesTakesNoFinger() throws {
    let shown: [Event] = [
      .request(.second, Request(asksAgent: true)), .agent(.admits), .agent(.shows),
    ]
    let hidden = try model("device-owner", shown + [.agent(.hides), .touch(isRight: true)])
    #expect(hidden.state.writes.isEmpty && hidden.premises.contains(Premises(.promptIsSeen)))
    let again = try model("device-owner", shown + [.touch(isRight: true)])
    #expect(again.state.writes.count == 1)
  }

  @Test func aTimeOutEndsAnEvaluation() throws {
    let model = try model("device-owner", [asks, .timeout(.first)])
    #expect(model.state.answers.map(\.outcome.code) == [.timeout])
  }

  @Test func aFurtherQuestionCostsAnotherAttempt() throws {
    let answered: [Event] = [asks, .commit(.durable), .passcode(isRight: false), .question]
    var model = try model("passcode", answered, .pam)
    #expect(model.failures(.passcode) == 1)
    for event: Event in [.passcode(isRight: true), .commit(.durable)] { model.apply(event) }
    #expect(model.failures(.passcode) == 2)
    #expect(model.state.history.passcode.judged == 1 && model.state.violated == nil)
  }

  @Test(arguments: [Act.removal, .erase]) func anActThatEndsThePasscodeEndsGrants(
    _ act: Act
  ) throws {
    let made: [Event] = [remembers, .touch(isRight: true), .settle]
    var model = try model("biometrics", made)
    #expect(!model.state.machine.record.grants.isEmpty)
    for event: Event in [.act(act, isRight: true), .settle] { model.apply(event) }
    #expect(model.state.machine.record.passcode == .none)
    #expect(model.state.machine.record.grants.isEmpty && model.state.violated == nil)
  }

  @Test func aGrantAnswersNoOtherScope() throws {
    let made: [Event] = [remembers, .touch(isRight: true), .settle]
    for scope in 1...Wish.lastScope {
      let other = Event.request(.first, Request(wish: Wish(scope: scope, maxAge: .seconds(300))))
      let model = try model("device-owner", made + [other, .settle])
      #expect(model.state.running(.first) != nil, "\(Wish.scopes[Int(scope)])")
    }
    #expect(try model("device-owner", made + [remembers, .settle]).state.running(.first) == nil)
  }

  @Test func theWallClockEndsNoRefusal() throws {
    var model = try model("passcode", [])
    for _ in 0..<2 {
      for event: Event in [
        asks, .passcode(isRight: false), .settle, .passcode(isRight: false), .settle,
        .cancel(.first), .settle,
      ] {
        model.apply(event)
      }
    }
    #expect(model.state.history.isRefusing)
    model.apply(.wall(Model.jumpAhead))
    #expect(model.state.wallAhead == 600_000, "it is told apart while the refusal lasts")
    #expect(model.wait(at: .passcode) == .seconds(60))
    model.apply(.pass(.seconds(60)))
    #expect(model.state.wallAhead == 0)
  }

  @Test func aCrashKeepsAnyBeginningOfWhatIsUnderWay() throws {
    var model = try model("device-owner", [asks, .touch(isRight: false)])
    model.apply(.act(.other, isRight: false))
    let kept = model.events(.free).compactMap { event in
      if case .crash(let kept, isReboot: false) = event { kept } else { nil }
    }
    #expect(kept == Array(0...model.state.writes.count) && kept.count > 2)
  }

  @Test func aSetThatNothingNamesIsTheSameAsAnother() throws {
    let changes: [Event] = [.act(.fingers, isRight: true), .settle]
    let twice = try model("device-owner", changes + changes)
    let four = try model("device-owner", changes + changes + changes + changes)
    #expect(twice.state.machine.record.enrolment == four.state.machine.record.enrolment)
  }

  @Test func aDelayIsWalkedPastEveryDoubling() throws {
    let rungs = Ladder.rungs(try Setup.shipped("biometrics", "fido"), .tried)
    #expect(rungs.allSatisfy { $0.model.state.violated == nil })
  }
}
