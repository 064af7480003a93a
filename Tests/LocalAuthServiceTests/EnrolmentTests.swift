import LocalAuthCore
import LocalAuthSecret
import LocalAuthService
import Testing

/// Whose an enrolment or a waiting touch is: whoever leaves takes theirs along, and nobody else's.
@Suite struct EnrolmentTests {
  private typealias Answer = Result<Void, EngineError>

  /// Begins to enrol a finger by hand; gives its identifier and what was heard of it by then.
  private func enroll(
    _ rig: Rig,
    passcode: String? = nil
  ) -> (id: EnrolmentID, heard: () -> Answer?) {
    var heard: Answer?
    let id = rig.engine.enroll(
      .leftThumb,
      on: "sim",
      isManual: true,
      passcode: passcode.map { .of($0) },
      caller: rig.caller,
      onEvent: { _ in },
      then: { heard = $0 }
    )
    return (id, { heard })
  }

  private func isInterrupted(_ answer: Answer?) -> Bool {
    guard case .failure(.enrolmentFailed(code: "interrupted", _)) = answer else { return false }
    return true
  }

  @Test func whoeverLeavesBreaksOffTheirOwnEnrolment() {
    let rig = Rig()
    rig.makeDevice(passcode: nil)
    let mine = enroll(rig)
    rig.engine.cancelEnrolment(mine.id)
    #expect(isInterrupted(mine.heard()))
  }

  @Test func whoeverLeavesAfterARefusalBreaksOffNobodyElsesEnrolment() {
    let rig = Rig()
    rig.makeDevice(passcode: nil)
    let first = enroll(rig)
    let second = enroll(rig)
    rig.engine.cancelEnrolment(second.id)
    #expect(first.heard() == nil)
    rig.engine.cancelEnrolment(first.id)
    #expect(isInterrupted(first.heard()))
  }

  @Test func whoeverWaitsForTheirPasscodeBreaksOffNobodyElsesEnrolment() {
    let rig = Rig()
    rig.makeDevice()
    let (first, second) = (enroll(rig, passcode: "1234"), enroll(rig, passcode: "1234"))
    // The first has begun; the passcode of the second is still being judged.
    while !rig.isEnrolling, rig.step() {}
    rig.engine.cancelEnrolment(second.id)
    rig.run()
    #expect(first.heard() == nil)
    #expect(isInterrupted(second.heard()))
  }

  @Test func whoeverLeavesBeforeTheirPasscodeIsJudgedEnrolsNothing() throws {
    let rig = Rig()
    rig.makeDevice()
    let mine = enroll(rig, passcode: "1234")
    rig.engine.cancelEnrolment(mine.id)
    #expect(isInterrupted(mine.heard()))
    rig.run()
    #expect(try rig.outcome(script: "match") == .success, "the sensor is free")
  }

  @Test func aTouchThatIsCalledOffTakesNoOtherAlong() throws {
    let rig = Rig()
    rig.makeDevice(passcode: nil)
    var heard: [Int] = []
    let touch = { (number: Int) in
      rig.engine.touch(.leftThumb, on: "sim", waitingFor: .seconds(30), caller: rig.caller) { _ in
        heard.append(number)
      }
    }
    let first = try #require(touch(1))
    rig.engine.delete("sim", passcode: nil, caller: rig.caller) { _ in }
    rig.run()
    rig.makeDevice(passcode: nil)
    _ = touch(2)
    rig.engine.cancelTouch(first)
    rig.clock.pass(.seconds(30))
    #expect(heard == [1, 2])
  }
}

extension Rig {
  /// Whether the sensor is taken by an enrolment.
  fileprivate var isEnrolling: Bool {
    let state = try? engine.dumpSensor(on: "sim", caller: caller)
    return state?.contains { $0.key == "state" && $0.value.hasPrefix("enrolling") } ?? false
  }
}
