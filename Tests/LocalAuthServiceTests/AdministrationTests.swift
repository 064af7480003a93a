import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthService
import Testing

@Suite struct AdministrationTests {
  private func failure(
    _ rig: Rig,
    _ body: (@escaping (Result<Void, EngineError>) -> Void) -> Void
  ) -> EngineError? {
    var heard: Result<Void, EngineError>?
    body { heard = $0 }
    rig.run()
    if case .failure(let error) = heard { return error }
    if heard == nil { Issue.record("nothing was heard") }
    return nil
  }

  @Test func enrollingTakesThePasscode() throws {
    let rig = Rig()
    rig.makeDevice()
    func enroll(_ passcode: String?) -> EngineError? {
      failure(rig) { then in
        rig.engine.enroll(
          .leftThumb,
          on: "sim",
          isManual: false,
          passcode: passcode.map { SecretBox.of($0) },
          caller: rig.caller,
          onEvent: { _ in },
          then: then
        )
      }
    }
    #expect(enroll(nil) == .passcodeRequired)
    guard case .refused(let outcome) = enroll("0000") else {
      Issue.record("a wrong passcode enrolled a finger")
      return
    }
    #expect(outcome.code == .authenticationFailed)
    #expect(rig.store.device?.attempts.throttle.tally.failures == 1)
    #expect(enroll("1234") == nil)
    #expect(rig.store.device?.enrolment.fingers == [.rightIndex, .leftThumb])
    #expect(try rig.outcome(script: "touch:left-thumb") == .success)
  }

  @Test func guessingAtAnActIsThrottledLikeAnyOther() throws {
    let rig = Rig()
    rig.makeDevice()
    for _ in 1...4 {
      _ = failure(rig) {
        rig.engine.removePasscode(
          on: "sim",
          passcode: .of("0"),
          caller: rig.caller,
          then: $0
        )
      }
    }
    #expect(try rig.outcome("passcode", script: "passcode:1234")?.code == .passcodeThrottled)
  }

  @Test func anErasedDeviceKnowsNoFingerAndNoPasscode() throws {
    let rig = Rig()
    rig.makeDevice()
    #expect(failure(rig) { rig.engine.erase("sim", caller: rig.caller, then: $0) } == nil)
    #expect(try rig.outcome(script: "match")?.code == .biometryNotEnrolled)
    #expect(try rig.outcome("passcode")?.code == .passcodeNotSet)
    #expect(rig.store.device?.enrolment.generation == 2)
    #expect(
      try rig.engine.dumpSensor(on: "sim", caller: rig.caller).contains {
        $0.value.contains("right-index")
      } == false
    )
  }

  @Test(arguments: [true, false])
  func whatTakesKeysAwayOnAFullDiskIsSaidToBeDone(_ isLock: Bool) throws {
    let rig = Rig()
    rig.makeDevice()
    var heard: Result<Void, EngineError>?
    if isLock {
      rig.engine.lock("sim", caller: rig.caller) { heard = $0 }
    } else {
      rig.engine.reboot("sim", caller: rig.caller) { heard = $0 }
    }
    while rig.store.finishNext(.failure(.full)) { rig.engine.completionsArrived() }
    let done = isLock ? "The device is locked" : "The device has restarted"
    guard case .failure(.internalError(let text)) = heard else {
      Issue.record("\(String(describing: heard))")
      return
    }
    #expect(text.hasPrefix(done + ", but that could not be written down"))
    #expect(!text.contains("nothing was changed"))
  }

  @Test func aDeviceThatWasDeletedSoonAfterALockHasNoTimerLeft() throws {
    let rig = Rig()
    rig.makeDevice()
    #expect(failure(rig) { rig.engine.lock("sim", caller: rig.caller, then: $0) } == nil)
    #expect(
      failure(rig) {
        rig.engine.delete("sim", passcode: .of("1234"), caller: rig.caller, then: $0)
      } == nil
    )
    // Ten seconds after a lock its keys are set aside.
    rig.clock.pass(.seconds(11))
    rig.run()
    #expect(throws: EngineError.self) { try rig.status() }
  }

  @Test func aTouchThatWaitsIsAnsweredOnceWhenItsDeviceIsDeleted() throws {
    let rig = Rig()
    rig.makeDevice()
    var heard: [EngineError?] = []
    rig.engine.touch(.rightIndex, on: "sim", waitingFor: .seconds(2), caller: rig.caller) {
      result in
      if case .failure(let error) = result { heard.append(error) } else { heard.append(nil) }
    }
    #expect(
      failure(rig) {
        rig.engine.delete("sim", passcode: .of("1234"), caller: rig.caller, then: $0)
      } == nil
    )
    rig.clock.pass(.seconds(3))
    rig.run()
    #expect(heard == [.deviceNotFound("sim")])
  }

  @Test func erasingDoesNotForgetAttemptsAgainstPAM() throws {
    let rig = Rig()
    rig.makeDevice(passcode: nil, pam: "login")
    _ = try rig.evaluate("passcode")
    rig.run()
    rig.pam.conversations[0].say(.ended(.miss))
    rig.run()
    let before = try #require(rig.store.account?.attempts.throttle.tally.failures)
    #expect(before >= 1)
    _ = failure(rig) { rig.engine.erase("sim", caller: rig.caller, then: $0) }
    #expect(try #require(rig.store.account?.attempts.throttle.tally.failures) >= 1)
  }

  @Test func removingAFingerEndsWhatOnlyItCouldProve() throws {
    let rig = Rig()
    rig.makeDevice()
    let hearing = try rig.evaluate()
    #expect(
      failure(rig) {
        rig.engine.remove(
          .rightIndex,
          on: "sim",
          passcode: .of("1234"),
          caller: rig.caller,
          then: $0
        )
      } == nil
    )
    #expect(hearing.result?.outcome.code == .biometryNotEnrolled)
  }

  @Test func theDomainStateChangesWithTheSetAndNeverComesBack() throws {
    let rig = Rig()
    rig.makeDevice(passcode: nil)
    let first = try rig.status().domainState
    _ = failure(rig) {
      rig.engine.enroll(
        .leftThumb,
        on: "sim",
        isManual: false,
        passcode: nil,
        caller: rig.caller,
        onEvent: { _ in },
        then: $0
      )
    }
    let second = try rig.status().domainState
    _ = failure(rig) {
      rig.engine.remove(.leftThumb, on: "sim", passcode: nil, caller: rig.caller, then: $0)
    }
    let third = try rig.status().domainState
    #expect(Set([first, second, third]).count == 3)
  }

  @Test func lockingCancelsWhatRunsAndAFingerUnlocksLater() throws {
    let rig = Rig()
    rig.makeDevice()
    let hearing = try rig.evaluate()
    #expect(failure(rig) { rig.engine.lock("sim", caller: rig.caller, then: $0) } == nil)
    #expect(hearing.result?.outcome.code == .systemCancel)
    #expect(try rig.status().lockState == .locked)
    var request = EvaluationRequest(
      purpose: .unlock,
      policy: "biometrics",
      reason: "unlock",
      device: "sim"
    )
    request.allowsSimulated = true
    request.script = ScriptSource(text: .of("match"), isArgument: true)
    _ = try rig.engine.unlockWithFinger(request, caller: rig.caller) { _ in }
    rig.run()
    #expect(try rig.status().lockState == .unlocked)
    #expect(try rig.outcome(reuse: .seconds(10)) == .success)
    rig.clock.pass(.seconds(11))
    let later = try rig.evaluate(reuse: .seconds(10))
    rig.run()
    #expect(later.result == nil, "an unlock that is too old stands in for nothing")
  }

  @Test(arguments: [("passcode:1234", true), ("passcode:9999,cancel", false)])
  func aPasscodeThatAnUnlockAsksForOpensTheKeys(script: String, opens: Bool) throws {
    let rig = Rig()
    rig.makeDevice()
    #expect(failure(rig) { rig.engine.lock("sim", caller: rig.caller, then: $0) } == nil)
    var request = EvaluationRequest(
      purpose: .unlock,
      policy: "passcode",
      reason: "test",
      device: "sim"
    )
    request.allowsSimulated = true
    request.script = ScriptSource(text: .of(script), isArgument: true)
    _ = try rig.engine.evaluate(request, caller: rig.caller) { _ in }
    rig.run()
    #expect(try rig.status().lockState == (opens ? .unlocked : .locked))
  }

  @Test func anEvaluationIsNoUnlockToReuse() throws {
    let rig = Rig()
    rig.makeDevice()
    #expect(try rig.outcome(script: "match") == .success)
    let second = try rig.evaluate(reuse: .seconds(300))
    rig.run()
    #expect(second.result == nil)
  }

  @Test func afterARebootAFingerCannotUnlock() throws {
    let rig = Rig()
    rig.makeDevice()
    _ = failure(rig) { rig.engine.reboot("sim", caller: rig.caller, then: $0) }
    let request = EvaluationRequest(
      purpose: .unlock,
      policy: "biometrics",
      reason: "unlock",
      device: "sim"
    )
    #expect(throws: EngineError.self) {
      try rig.engine.unlockWithFinger(request, caller: rig.caller) { _ in }
    }
    #expect(
      failure(rig) {
        rig.engine.unlock("sim", passcode: .of("1234"), caller: rig.caller, then: $0)
      } == nil
    )
    #expect(try rig.status().lockState == .unlocked)
  }

  @Test func changingThePasscodeTakesTheOldOne() throws {
    let rig = Rig()
    rig.makeDevice()
    #expect(
      failure(rig) {
        rig.engine.setPasscode(
          .of("new"),
          on: "sim",
          passcode: nil,
          caller: rig.caller,
          then: $0
        )
      } == .passcodeRequired
    )
    #expect(
      failure(rig) {
        rig.engine.setPasscode(
          .of("new"),
          on: "sim",
          passcode: .of("1234"),
          caller: rig.caller,
          then: $0
        )
      } == nil
    )
    #expect(try rig.outcome("passcode", script: "passcode:new") == .success)
  }

  @Test(arguments: [0, 512]) func aPasscodeThatIsSetHasOneByteOrMoreAndNoMoreThanPAMTakes(
    _ size: Int
  ) {
    let rig = Rig()
    rig.makeDevice()
    let passcode = String(repeating: "1", count: size)
    #expect(
      failure(rig) {
        rig.engine.setPasscode(
          .of(passcode),
          on: "sim",
          passcode: .of("1234"),
          caller: rig.caller,
          then: $0
        )
      } == .invalidArgument("A passcode has 1 to 511 bytes.")
    )
  }

  @Test(arguments: ["", "-x", "a b", "default", String(repeating: "x", count: 65), "../up"])
  func aBadDeviceNameIsRefused(name: String) {
    let rig = Rig()
    #expect(
      failure(rig) {
        rig.engine.create(DeviceDescription(name: name), caller: rig.caller, then: $0)
      } != nil
    )
  }

  @Test func theUsersOwnMachineCannotBeDeletedRebootedOrDriven() {
    let rig = Rig()
    #expect(
      failure(rig) {
        rig.engine.delete("default", passcode: .of("x"), caller: rig.caller, then: $0)
      } != nil
    )
    #expect(failure(rig) { rig.engine.reboot(nil, caller: rig.caller, then: $0) } != nil)
    #expect(
      failure(rig) {
        rig.engine.advanceClock(nil, by: .seconds(1), caller: rig.caller, then: $0)
      } != nil
    )
  }

  @Test func nobodySeesAnothersDevices() {
    let rig = Rig()
    rig.makeDevice()
    let other = Caller(uid: 1001, pid: 7, program: "other")
    #expect(throws: EngineError.self) { try rig.engine.status(of: "sim", caller: other) }
    #expect(rig.engine.statuses(of: other).isEmpty)
  }

  @Test func aClockThatStandsStillBelongsToEphemeralDevicesOnly() {
    let rig = Rig()
    rig.makeDevice()
    #expect(
      failure(rig) {
        rig.engine.advanceClock("sim", by: .seconds(-1), caller: rig.caller, then: $0)
      } != nil
    )
  }
}
