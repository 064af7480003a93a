import LocalAuthCore
import LocalAuthSecret
import LocalAuthService
import Testing

/// What hangs on a device ends with it: nothing that falls due later finds it, and nothing brings it back.
@Suite struct DeviceEndTests {
  private typealias Answer = Result<Void, EngineError>

  /// Begins to delete `sim` and says what was heard by then.
  private func delete(_ rig: Rig, passcode: String? = "1234") -> () -> Answer? {
    var heard: Answer?
    let secret = passcode.map { SecretBox.of($0) }
    rig.engine.delete("sim", passcode: secret, caller: rig.caller) { heard = $0 }
    return { heard }
  }

  private func enroll(
    _ rig: Rig,
    isManual: Bool = true,
    passcode: String? = "1234"
  ) -> () -> Answer? {
    var heard: Answer?
    rig.engine.enroll(
      .leftThumb,
      on: "sim",
      isManual: isManual,
      passcode: passcode.map { .of($0) },
      caller: rig.caller,
      onEvent: { _ in },
      then: { heard = $0 }
    )
    return { heard }
  }

  private func interruption(_ answer: Answer?) -> String? {
    guard case .failure(.enrolmentFailed(let code, _)) = answer else { return nil }
    return code
  }

  @Test func aLockedDeviceIsDeletedBeforeItsKeysAreSealed() {
    let rig = Rig()
    rig.makeDevice()
    rig.engine.lock("sim", caller: rig.caller) { _ in }
    let answer = delete(rig)
    rig.run()
    #expect((try? answer()?.get()) != nil)
    rig.clock.pass(.seconds(60))
    #expect(rig.clock.isEmpty, "a timer of the device is left")
  }

  @Test(arguments: [true, false])
  func whoWaitsIsNeverAskedWhenAllAreCancelled(_ isLocked: Bool) throws {
    let rig = Rig()
    rig.makeDevice()
    let shown = try rig.evaluate()
    let waiting = try (0..<8).map { _ in try rig.evaluate() }
    if isLocked {
      rig.engine.lock("sim", caller: rig.caller) { _ in }
    } else {
      rig.engine.shutDown()
    }
    rig.run()
    for hearing in [shown] + waiting { #expect(hearing.result?.outcome.code == .systemCancel) }
    #expect(shown.prompts.count == 1 && waiting.allSatisfy(\.prompts.isEmpty))
  }

  @Test func aDeviceWithEveryTimerArmedIsDeleted() throws {
    let rig = Rig()
    rig.makeDevice()
    let evaluated = try rig.evaluate()
    let queued = try rig.evaluate()
    var touched: Result<SensorEffect, EngineError>?
    rig.engine.touch(.leftThumb, on: "sim", waitingFor: .seconds(30), caller: rig.caller) {
      touched = $0
    }
    let answer = delete(rig)
    rig.run()
    #expect((try? answer()?.get()) != nil)
    #expect(evaluated.result?.outcome.code == .systemCancel)
    #expect(queued.result?.outcome.code == .systemCancel)
    rig.clock.pass(.seconds(3600))
    #expect(rig.clock.isEmpty, "a timer of the device is left")
    #expect(touched != nil)
  }

  @Test func aTouchThatIsBeingSampledIsDropped() {
    let rig = Rig()
    rig.makeDevice()
    _ = try? rig.evaluate()
    rig.engine.set("latency", "1s", on: "sim", caller: rig.caller) { _ in }
    rig.run()
    var touched: Result<SensorEffect, EngineError>?
    rig.engine.touch(.rightIndex, on: "sim", waitingFor: nil, caller: rig.caller) { touched = $0 }
    #expect(touched == nil)
    _ = delete(rig)
    rig.run()
    #expect(touched == .success(.dropped))
  }

  @Test func aTouchThatWaitsHearsThatItsDeviceIsGone() {
    let rig = Rig()
    rig.makeDevice()
    var touched: Result<SensorEffect, EngineError>?
    rig.engine.touch(.leftThumb, on: "sim", waitingFor: .seconds(30), caller: rig.caller) {
      touched = $0
    }
    _ = delete(rig)
    rig.run()
    #expect(touched == .failure(.deviceNotFound("sim")))
  }

  @Test func anEnrolmentEndsWithItsDevice() {
    let rig = Rig()
    rig.makeDevice()
    let enrolled = enroll(rig)
    rig.run()
    _ = delete(rig)
    rig.run()
    #expect(interruption(enrolled()) == "interrupted")
    rig.makeDevice()
    let next = enroll(rig, isManual: false)
    rig.run()
    rig.clock.pass(.seconds(60))
    rig.run()
    #expect((try? next()?.get()) != nil, "the next device of that name can enrol")
  }

  @Test func ofTwoEnrolmentsAtOnceOneIsRefused() {
    let rig = Rig()
    rig.makeDevice()
    let (first, second) = (enroll(rig), enroll(rig))
    rig.run()
    #expect(first() == nil, "the first goes on")
    guard case .failure(.refused(let outcome)) = second() else {
      Issue.record("the second heard \(String(describing: second()))")
      return
    }
    #expect(outcome.code == .busy)
  }

  @Test(arguments: ["lock", "erase", "reboot"])
  func anEnrolmentIsInterruptedByA(_ act: String) {
    let rig = Rig()
    rig.makeDevice()
    let enrolled = enroll(rig)
    rig.run()
    switch act {
    case "lock": rig.engine.lock("sim", caller: rig.caller) { _ in }
    case "erase": rig.engine.erase("sim", caller: rig.caller) { _ in }
    default: rig.engine.reboot("sim", caller: rig.caller) { _ in }
    }
    rig.run()
    #expect(interruption(enrolled()) == "interrupted")
  }

  @Test func whatIsUnderWayDoesNotWriteADeletedDeviceAgain() throws {
    let rig = Rig()
    rig.makeDevice()
    // The right passcode is proven, and its change is being sealed, when the device goes.
    rig.engine.setPasscode(.of("new"), on: "sim", passcode: .of("1234"), caller: rig.caller) { _ in
    }
    let answer = delete(rig)
    while !rig.store.isRemoving, rig.step() {}
    rig.engine.lock("sim", caller: rig.caller) { _ in }
    rig.engine.erase("sim", caller: rig.caller) { _ in }
    _ = try? rig.evaluate("passcode", script: "passcode:1234")
    rig.run()
    #expect((try? answer()?.get()) != nil)
    #expect(!rig.store.wasWrittenAfterItsRemoval)
    #expect(throws: EngineError.deviceNotFound("sim")) { try rig.status() }
  }

  @Test func twoDeletionsRemoveOneDeviceOnce() {
    let rig = Rig()
    rig.makeDevice()
    let (first, second) = (delete(rig), delete(rig))
    rig.run()
    #expect((try? first()?.get()) != nil)
    guard case .failure = second() else {
      Issue.record("the second heard \(String(describing: second()))")
      return
    }
  }

  /// Its creation fails while its deletion is on the way to the disk: it goes at the first and is gone at the second.
  @Test func aDeviceThatGoesTwiceTakesNoOtherOfItsName() throws {
    let rig = Rig()
    rig.engine.create(Self.withPasscode, caller: rig.caller) { _ in }
    // Another set of fingers than the one that is being sealed: the creation fails.
    rig.engine.erase("sim", caller: rig.caller) { _ in }
    let deleted = delete(rig, passcode: nil)
    while rig.vaults.finishNext() { rig.engine.completionsArrived() }
    rig.engine.create(Self.withPasscode, caller: rig.caller) { _ in }
    let enrolled = enroll(rig, passcode: nil)
    var touches: [Result<SensorEffect, EngineError>] = []
    rig.engine.touch(.leftThumb, on: "sim", waitingFor: .seconds(30), caller: rig.caller) {
      touches.append($0)
    }
    rig.run()
    #expect((try? deleted()?.get()) != nil)
    #expect(throws: Never.self) { try rig.status() }
    #expect(enrolled() == nil, "the second device's enrolment goes on")
    #expect(touches.isEmpty, "and its touch still waits")
    rig.clock.pass(.seconds(60))
    #expect(touches == [.failure(.notArmed)])
  }

  @Test func aDeviceThatCouldNotBeMadeDoesNotComeBackAtTheNextStart() throws {
    let rig = Rig()
    var created: Result<Void, EngineError>?
    rig.engine.create(Self.withPasscode, caller: rig.caller) { created = $0 }
    // The erasure is stored, and the creation fails at another set of fingers than it began with.
    rig.engine.erase("sim", caller: rig.caller) { _ in }
    rig.run()
    #expect(throws: EngineError.self) { try #require(created).get() }
    #expect(throws: EngineError.self) { try rig.status() }
    #expect(rig.store.device == nil)
  }

  private static var withPasscode: DeviceDescription {
    var description = DeviceDescription(name: "sim")
    description.passcode = .of("1234")
    return description
  }

  @Test func aDeviceWhoseRemovalCannotBeStoredIsStillThere() throws {
    let rig = Rig()
    rig.makeDevice(passcode: nil)
    let answer = delete(rig, passcode: nil)
    rig.finishCommit(.failure(.full))
    guard case .failure = answer() else {
      Issue.record("a removal that failed was heard as \(String(describing: answer()))")
      return
    }
    #expect(try rig.outcome(script: "match") == .success)
    let again = delete(rig, passcode: nil)
    rig.run()
    #expect((try? again()?.get()) != nil)
  }

  /// A program that embeds an engine may drop it with everything under way.
  @Test func anEngineThatIsGoneHearsOfNothing() throws {
    var rig: Rig? = Rig()
    let (clock, pam) = (try #require(rig).clock, try #require(rig).pam)
    try armEverything(try #require(rig))
    rig = nil
    pam.conversations.first?.say(.prompt(text: "Password: ", echoes: false))
    pam.conversations.first?.say(.ended(.miss))
    clock.pass(.seconds(3600))
    #expect(clock.isEmpty)
  }

  private func armEverything(_ rig: Rig) throws {
    rig.makeDevice()
    _ = try rig.outcome(script: "match")
    rig.engine.lock("sim", caller: rig.caller) { _ in }
    rig.run()
    _ = try rig.evaluate()
    rig.engine.touch(.leftThumb, on: "sim", waitingFor: .seconds(30), caller: rig.caller) { _ in }
    var account = EvaluationRequest(policy: "passcode", reason: "test", device: nil)
    account.isInteractive = true
    _ = try rig.engine.evaluate(account, caller: rig.caller) { _ in }
    rig.run()
    #expect(rig.pam.conversations.count == 1)
  }
}
