import LocalAuthCore
import LocalAuthService
import Testing

/// A reader that captures, judges and keeps the prints by itself, on a device without a simulated sensor.
@Suite struct PluggedInReaderTests {
  private let rig: Rig
  private let reader: HeldReader

  init() {
    let reader = HeldReader()
    rig = Rig(system: .withKeys, authenticators: { _ in [reader] })
    rig.makeDevice(fingers: [], hasSensor: false)
    self.reader = reader
  }

  private static let proof = Verdict.proven(finger: nil, generation: nil)
  private var misses: UInt32 { rig.store.device?.attempts.lockout.tally.failures ?? 0 }

  private func begin(_ policy: String = "biometrics") throws -> Hearing {
    let hearing = try rig.evaluate(policy)
    rig.run()
    return hearing
  }

  private func say(_ verdict: Verdict) throws {
    try #require(reader.touches.last).end(verdict)
    rig.run()
  }

  /// Something at the reader changed.
  private func changed(_ change: () -> Void) throws {
    change()
    rig.engine.authenticatorsChanged(on: DeviceIdentity(owner: 1000, name: "sim"))
    rig.run()
  }

  private func typePasscode(_ hearing: Hearing) throws {
    let nonce = try #require(hearing.prompts.last?.nonce)
    #expect(rig.respond(nonce, .passcode(.of("1234"))))
    rig.run()
  }

  /// Begins to enrol the left thumb.
  private func enroll(
    passcode: String,
    then body: @escaping (Result<Void, EngineError>) -> Void
  ) {
    rig.engine.enroll(
      .leftThumb,
      on: "sim",
      isManual: false,
      passcode: .of(passcode),
      caller: rig.caller,
      onEvent: { _ in },
      then: body
    )
    rig.run()
  }

  // MARK: Attempts

  @Test func aMatchMeetsAPolicyThatAsksForAFinger() throws {
    let hearing = try begin()
    #expect(hearing.prompts.last?.live == .biometry)
    try say(Self.proof)
    #expect(hearing.result?.outcome == .success)
    #expect(hearing.result?.method == "fingerprint")
    #expect(misses == 0)
  }

  @Test func itIsStartedOnlyWhenItsChargeIsDurable() throws {
    _ = try rig.evaluate("biometrics")
    while reader.touches.isEmpty {
      #expect(misses == 0)
      guard rig.step() else { break }
    }
    #expect(misses == 1)
    #expect(reader.touches.count == 1)
  }

  @Test func missesLockAndThePasscodeClearsThem() throws {
    let hearing = try begin()
    for _ in 0..<3 { try say(.miss) }
    #expect(hearing.result?.outcome.code == .biometryLockout)
    #expect(misses == 3)
    try typePasscode(try begin("passcode"))
    #expect(misses == 0)
  }

  @Test func theChargeOfItsLastTryDoesNotStopIt() throws {
    let hearing = try begin("device-owner-parallel")
    for _ in 0..<2 { try say(.miss) }
    #expect(misses == 3)
    // A wrong passcode shows the prompt anew.
    let nonce = try #require(hearing.prompts.last?.nonce)
    #expect(rig.respond(nonce, .passcode(.of("0000"))))
    rig.run()
    #expect(reader.touches.last?.isAborted == false)
    try say(Self.proof)
    #expect(hearing.result?.outcome == .success)
  }

  @Test func whatIsBrokenOffBeforeSomebodyTouchedItCostsNothing() throws {
    let hearing = try begin()
    #expect(misses == 1)
    rig.engine.cancel(hearing.id)
    rig.run()
    #expect(reader.touches.last?.isAborted == true)
    try say(.unjudged(Outcome(.systemCancel)))
    #expect(misses == 0)
  }

  @Test func whatIsBrokenOffAfterwardsStaysCharged() throws {
    let hearing = try begin()
    reader.touches.last?.say(.submitted)
    rig.engine.cancel(hearing.id)
    rig.run()
    try say(.unjudged(Outcome(.systemCancel)))
    #expect(misses == 1)
  }

  @Test func afterThePasscodeWasChosenNoFingerCounts() throws {
    let hearing = try begin("device-owner")
    let nonce = try #require(hearing.prompts.last?.nonce)
    #expect(rig.respond(nonce, .fallback))
    rig.run()
    #expect(reader.touches.last?.isAborted == true)
    try say(Self.proof)
    #expect(hearing.result == nil)
    try typePasscode(hearing)
    #expect(hearing.result?.method == "passcode")
  }

  @Test func aWordToTryAgainIsPassedOn() throws {
    let hearing = try begin()
    reader.touches.last?.say(.retry(.tooShort))
    rig.run()
    #expect(
      hearing.events.contains { if case .retry(.tooShort) = $0 { true } else { false } }
    )
    try say(Self.proof)
    #expect(hearing.result?.outcome == .success)
  }

  @Test func itsStrengthHasToMeetThePolicy() throws {
    try changed { reader.presence = .ready(.convenience) }
    #expect(try rig.outcome("biometrics")?.code == .biometryNotAvailable)
    #expect(reader.touches.isEmpty)
  }

  // MARK: Conditions

  @Test(arguments: [
    SensorHindrance.busy, .suspended, .lidClosed,
  ])
  func whileItIsHinderedNoFingerIsAskedAndTheReasonIsSaid(_ hindrance: SensorHindrance) throws {
    try changed { reader.presence = .hindered(hindrance) }
    let outcome = try rig.outcome("biometrics")
    #expect(outcome?.code == .biometryNotAvailable)
    #expect(outcome?.detail == hindrance.sentence)
    #expect(reader.touches.isEmpty)
  }

  @Test func aReaderThatComesBackIsAskedInTheSamePrompt() throws {
    let hearing = try begin("device-owner-parallel")
    try changed { reader.presence = .hindered(.suspended) }
    #expect(reader.touches.last?.isAborted == true)
    try say(.unjudged(Outcome(.systemCancel)))
    #expect(hearing.prompts.last?.live == .passcode)
    try changed { reader.presence = .ready(.weak) }
    #expect(reader.touches.count == 2)
    try say(Self.proof)
    #expect(hearing.result?.outcome == .success)
    #expect(misses == 0)
  }

  @Test func nobodyElsesRequestIsAnsweredByAFinger() throws {
    var other = rig.caller
    other.origin = .host("192.0.2.7")
    let hearing = try rig.evaluate("device-owner-parallel", as: other)
    rig.run()
    #expect(reader.touches.isEmpty)
    #expect(hearing.prompts.last?.live == .passcode)
  }

  @Test func aDeviceWithASensorOfItsOwnKeepsItsFingersAndAsksNoReader() throws {
    let reader = HeldReader()
    reader.prints = EnrolledPrints(fingers: [.leftThumb], token: 7)
    reader.noticesChanges = false
    let rig = Rig(system: .withKeys, authenticators: { _ in [reader] })
    rig.makeDevice(fingers: [.rightIndex])
    rig.engine.plugAuthenticators()
    rig.run()
    #expect(try rig.status().record.enrolment.fingers == [.rightIndex])
    let hearing = try rig.evaluate("biometrics")
    rig.run()
    rig.touch(.rightIndex)
    rig.run()
    #expect(hearing.result?.outcome == .success)
    #expect(reader.touches.isEmpty)
  }

  // MARK: The set of fingers

  private var generation: UInt64 { rig.store.device?.enrolment.generation ?? 0 }

  @Test func whatIsEnrolledThereIsAdoptedOnce() throws {
    let first = generation
    #expect(try rig.status().record.enrolment.fingers == [.rightIndex])
    try changed {}
    #expect(generation == first)
  }

  @Test func anotherSetIsAnotherGenerationAndTakesThePasscodeFirst() throws {
    let first = generation
    try changed {
      reader.prints = EnrolledPrints(fingers: [.rightIndex, .leftThumb], token: 2)
      reader.provenance = "program"
      rig.engine.plugAuthenticators()
    }
    #expect(generation == first + 1)
    #expect(try rig.outcome("biometrics")?.code == .biometryLockout)
    try typePasscode(try begin("passcode"))
    let hearing = try begin()
    try say(Self.proof)
    #expect(hearing.result?.outcome == .success)
  }

  /// A keybag that is being sealed has a secret of the enrolled set as it was.
  @Test(arguments: 0..<8) func aPasscodeIsSetAlthoughTheSetChangesAfterThatManySteps(
    _ steps: Int
  ) throws {
    var result: Result<Void, EngineError>?
    rig.engine.setPasscode(.of("5678"), on: "sim", passcode: .of("1234"), caller: rig.caller) {
      result = $0
    }
    for _ in 0..<steps { _ = rig.step() }
    try changed { reader.prints = EnrolledPrints(fingers: [.leftThumb], token: 3) }
    #expect(throws: Never.self) { try result?.get() }
    #expect(result != nil)
    let passcode = try begin("passcode")
    #expect(rig.respond(try #require(passcode.prompts.last?.nonce), .passcode(.of("5678"))))
    rig.run()
    #expect(passcode.result?.outcome == .success)
  }

  @Test func aDeviceIsMadeAlthoughItsReaderIsLookedUpMeanwhile() throws {
    let reader = HeldReader()
    reader.prints = nil
    let rig = Rig(system: .withKeys, authenticators: { _ in [reader] })
    var description = DeviceDescription(name: "sim")
    description.passcode = .of("1234")
    description.hasSensor = false
    var result: Result<Void, EngineError>?
    rig.engine.create(description, caller: rig.caller) { result = $0 }
    reader.prints = EnrolledPrints(fingers: [.leftThumb], token: 7)
    rig.engine.authenticatorsChanged(on: DeviceIdentity(owner: 1000, name: "sim"))
    rig.run()
    try #require(result).get()
    #expect(try rig.status().record.enrolment.fingers == [.leftThumb])
  }

  @Test func onTheLastTryAnotherSetEndsTheAttemptTooAndItsMatchIsNone() throws {
    try changed {
      reader.provenance = "program"
      rig.engine.plugAuthenticators()
    }
    try typePasscode(try begin("passcode"))
    let hearing = try begin()
    for _ in 0..<2 { try say(.miss) }
    #expect(misses == 3)
    try changed { reader.prints = EnrolledPrints(fingers: [.rightIndex, .leftThumb], token: 2) }
    #expect(reader.touches.last?.isAborted == true)
    try say(Self.proof)
    #expect(hearing.result?.outcome.code != .success)
    #expect(try rig.outcome("biometrics")?.code == .biometryLockout)
  }

  @Test func aSetThatIsNotKnownIsNoChange() throws {
    let first = generation
    try changed { reader.prints = nil }
    #expect(generation == first)
    #expect(try rig.status().record.enrolment.fingers == [.rightIndex])
  }

  @Test func whatAnActOfTheDeviceEnrolledCountsAtOnce() throws {
    try changed {
      reader.provenance = "program"
      rig.engine.plugAuthenticators()
    }
    try typePasscode(try begin("passcode"))
    var end: Result<Void, EngineError>?
    enroll(passcode: "1234") { end = $0 }
    let enrolment = try #require(reader.enrolments.last)
    enrolment.onEvent(.passed(1, of: 2))
    try changed { reader.prints = EnrolledPrints(fingers: [.rightIndex, .leftThumb], token: 2) }
    enrolment.onEvent(.ended(refusal: nil))
    rig.run()
    #expect(throws: Never.self) { try end?.get() }
    #expect(try rig.status().record.enrolment.fingers == [.rightIndex, .leftThumb])
    let hearing = try begin()
    try say(Self.proof)
    #expect(hearing.result?.outcome == .success)
  }

  @Test func anEnrolmentThatFailsSaysWhy() throws {
    var end: Result<Void, EngineError>?
    enroll(passcode: "1234") { end = $0 }
    try #require(reader.enrolments.last).onEvent(.ended(refusal: "No room."))
    rig.run()
    #expect(throws: EngineError.enrolmentFailed(code: "reader", message: "No room.")) {
      try end?.get()
    }
  }

  @Test func anEnrolmentWithoutThePasscodeNeverReachesIt() throws {
    enroll(passcode: "0000") { _ in }
    #expect(reader.enrolments.isEmpty)
  }
}
