import LocalAuthCore
import LocalAuthSecret
import LocalAuthService
import Testing

/// Whatever says right or wrong about a secret is charged first, on the right count, and only where that can be stored.
@Suite struct ChargeTests {
  private typealias Answer = Result<Void, EngineError>
  private typealias Call = @Sendable (Rig, String, @escaping (Answer) -> Void) -> Void

  private final class Heard {
    var answer: Answer?
    var hasSucceeded: Bool { if case .success? = answer { true } else { false } }
    var outcome: OutcomeCode? {
      if case .failure(.refused(let outcome))? = answer { outcome.code } else { nil }
    }
  }

  /// Every act that takes the passcode, by name.
  private static let acts: [(String, Call)] = [
    ("unlock", { $0.engine.unlock("sim", passcode: .of($1), caller: $0.caller, then: $2) }),
    (
      "passcode change",
      {
        $0.engine.setPasscode(
          .of("9999"),
          on: "sim",
          passcode: .of($1),
          caller: $0.caller,
          then: $2
        )
      }
    ),
    (
      "passcode remove",
      { $0.engine.removePasscode(on: "sim", passcode: .of($1), caller: $0.caller, then: $2) }
    ),
    (
      "lockout set",
      {
        $0.engine.setLockout(
          "apple",
          delays: nil,
          on: "sim",
          passcode: .of($1),
          caller: $0.caller,
          then: $2
        )
      }
    ),
    ("delete", { $0.engine.delete("sim", passcode: .of($1), caller: $0.caller, then: $2) }),
    (
      "clock advance",
      {
        $0.engine.advanceClock(
          "sim",
          by: .seconds(1),
          passcode: .of($1),
          caller: $0.caller,
          then: $2
        )
      }
    ),
  ]

  private static var names: [String] { acts.map(\.0) }

  private func make(_ name: String, _ rig: Rig, _ passcode: String) -> Heard {
    let heard = Heard()
    Self.acts.first { $0.0 == name }?.1(rig, passcode) { heard.answer = $0 }
    return heard
  }

  private func wrongPasscodes(_ rig: Rig) throws -> UInt32 {
    try rig.status().record.attempts.throttle.tally.failures
  }

  @Test(arguments: names) func everyActIsChargedBeforeItIsJudged(_ name: String) throws {
    let rig = Rig()
    rig.makeDevice()
    let heard = make(name, rig, "0000")
    #expect(rig.store.finishNext(.success(())))
    rig.engine.completionsArrived()
    #expect(rig.store.device?.attempts.throttle.tally.failures == 1, "before anybody looked at it")
    rig.run()
    #expect(heard.outcome == .authenticationFailed)
    #expect(try wrongPasscodes(rig) == 1)
  }

  @Test(arguments: names) func everyActIsRefusedByTheSameCount(_ name: String) throws {
    let rig = Rig()
    rig.makeDevice()
    for _ in 1...4 {
      _ = make("unlock", rig, "0000")
      rig.run()
    }
    let heard = make(name, rig, "1234")
    rig.run()
    #expect(heard.outcome == .passcodeThrottled, "the right one too")
  }

  @Test(arguments: names)
  func whatCannotBeStoredIsNotCountedAndTheRightPasscodeWorksOnceThereIsRoom(
    _ name: String
  ) throws {
    let rig = Rig()
    rig.makeDevice()
    for _ in 1...20 {
      let heard = make(name, rig, "1234")
      while rig.store.finishNext(.failure(.full)) { rig.engine.completionsArrived() }
      #expect(!heard.hasSucceeded)
      #expect(!rig.vaults.isAsked, "nothing is judged that was not charged")
    }
    #expect(try wrongPasscodes(rig) == 0)
    let heard = make(name, rig, "1234")
    rig.run()
    #expect(heard.hasSucceeded)
  }

  @Test func aTouchThatCannotBeChargedIsNotCounted() throws {
    let rig = Rig()
    rig.makeDevice()
    for _ in 1...5 {
      let hearing = try rig.evaluate(script: "miss,cancel")
      while rig.store.finishNext(.failure(.full)) { rig.engine.completionsArrived() }
      #expect(hearing.result?.outcome.code != .biometryLockout)
    }
    #expect(try rig.status().record.attempts.lockout.tally.failures == 0)
    #expect(try rig.outcome("passcode", script: "passcode:1234") == .success)
  }

  @Test func aFingerWhoseSensorIsGoneWhileTheStorageIsTriedAgainIsNotCharged() throws {
    let rig = Rig()
    rig.makeDevice()
    _ = try rig.evaluate("device-owner-parallel")
    // The charge of an act fails, so the next charge has to wait for the storage.
    rig.engine.unlock("sim", passcode: .of("0000"), caller: rig.caller) { _ in }
    #expect(rig.store.finishNext(.failure(.full)))
    rig.engine.completionsArrived()
    rig.touch(.leftThumb)
    let unplugging = ScriptSource(text: .of("unplug"), isArgument: true)
    rig.engine.present(event: unplugging, on: "sim", caller: rig.caller) { _ in }
    rig.run()
    #expect(try rig.status().record.attempts.lockout.tally.failures == 0)
  }

  @Test func aClockThatAnybodyMayTurnShortensNoRefusal() throws {
    let rig = Rig(isEphemeral: false)
    rig.makeDevice()
    for _ in 1...4 {
      _ = make("unlock", rig, "0000")
      rig.run()
    }
    let before = try rig.status().passcode
    #expect(before != .usable)
    rig.engine.advanceClock("sim", by: .seconds(86_400), caller: rig.caller) { _ in }
    rig.run()
    #expect(try rig.status().passcode == before)
  }

  @Test func onAnEphemeralDeviceAClockThatIsTurnedEndsARefusal() throws {
    let rig = Rig()
    rig.makeDevice()
    for _ in 1...4 {
      _ = make("unlock", rig, "0000")
      rig.run()
    }
    rig.engine.advanceClock("sim", by: .seconds(86_400), caller: rig.caller) { _ in }
    rig.run()
    #expect(try rig.status().passcode == .usable)
  }

  // MARK: Origins

  private func caller(_ rig: Rig, _ origin: Origin) -> Caller {
    var caller = rig.caller
    caller.origin = origin
    return caller
  }

  private func guess(_ rig: Rig, _ passcode: String, from origin: Origin) -> Heard {
    let heard = Heard()
    rig.engine.unlock("sim", passcode: .of(passcode), caller: caller(rig, origin)) {
      heard.answer = $0
    }
    rig.run()
    return heard
  }

  @Test func wrongPasscodesOfOthersRefuseOthersAndNotTheOwner() throws {
    let rig = Rig()
    rig.makeDevice()
    for number in UInt32(1)...20 {
      _ = guess(rig, "0000", from: number % 2 == 0 ? .user(number) : .host("h\(number)"))
    }
    #expect(guess(rig, "1234", from: .user(77)).outcome == .passcodeThrottled)
    #expect(guess(rig, "1234", from: .owner).hasSucceeded)
    #expect(guess(rig, "1234", from: .user(77)).hasSucceeded, "the owner's proof cleared it")
  }

  @Test func anEvaluationIsChargedToWhereItCameFrom() throws {
    let rig = Rig()
    rig.makeDevice()
    let stranger = caller(rig, .user(1001))
    for _ in 1...3 {
      let hearing = try rig.evaluate("passcode", script: "passcode:0000,cancel", as: stranger)
      rig.run()
      #expect(hearing.result?.outcome.code == .userCancel)
    }
    let device = try #require(rig.store.device)
    #expect(device.attempts.throttle.tally.failures == 0)
    #expect(device.others.origins[.user(1001)].tally.failures == 3)
    #expect(device.others.together.tally.failures == 3)
  }

  @Test func thePreflightSaysWhatTheCallerWouldMeet() throws {
    let rig = Rig()
    rig.makeDevice()
    for _ in 1...4 { _ = guess(rig, "0000", from: .user(1001)) }
    func preflight(_ origin: Origin) throws -> OutcomeCode {
      try rig.engine.canEvaluate(
        policy: "passcode",
        device: "sim",
        allowsSimulated: true,
        caller: caller(rig, origin)
      ).result.outcome.code
    }
    #expect(try preflight(.user(1001)) == .passcodeThrottled)
    #expect(try preflight(.owner) == .success)
  }

  // MARK: One account

  /// Wrong passwords on a device of PAM's that are judged.
  private func isJudged(_ rig: Rig, on device: String?) -> Bool {
    let before = rig.pam.conversations.count
    rig.engine.unlock(device, passcode: .of("guess"), caller: rig.caller) { _ in }
    while rig.store.finishNext(.success(())) { rig.engine.completionsArrived() }
    guard rig.pam.conversations.count > before, let last = rig.pam.conversations.last else {
      return false
    }
    last.say(.prompt(text: "Password:", echoes: false))
    last.say(.ended(.miss))
    rig.run()
    return true
  }

  @Test func oneAccountIsCountedInOnePlaceWhateverDeviceItIsTriedThrough() throws {
    let rig = Rig()
    rig.makeDevice(passcode: nil, pam: "one")
    var description = DeviceDescription(name: "second")
    description.pam = ("two", nil)
    rig.engine.create(description, caller: rig.caller) { _ in }
    rig.run()
    var judged = 0
    for round in 0..<30 where isJudged(rig, on: ["sim", "second", nil][round % 3]) {
      judged += 1
    }
    #expect(judged == 5, "the fifth is followed by half a minute")
    for device in ["sim", "second", nil] {
      let status = try rig.engine.status(of: device, caller: rig.caller)
      #expect(status.passcode != .usable)
    }
  }

  @Test func whoAsksOnAnotherDeviceHearsThatTheAccountRefusesMeanwhile() throws {
    let rig = Rig()
    rig.makeDevice(passcode: nil, pam: "one")
    for _ in 1...4 { #expect(isJudged(rig, on: nil)) }
    // The fifth is charged on the account's own device before the other device's charge gets there.
    let heard = Heard()
    let before = rig.pam.conversations.count
    rig.engine.unlock(nil, passcode: .of("guess"), caller: rig.caller) { _ in }
    rig.engine.unlock("sim", passcode: .of("guess"), caller: rig.caller) { heard.answer = $0 }
    while rig.store.finishNext(.success(())) { rig.engine.completionsArrived() }
    rig.run()
    #expect(rig.pam.conversations.count == before + 1)
    #expect(heard.outcome == .passcodeThrottled)
  }

  @Test func whoAsksOnAnotherDeviceHearsThatTheAccountCannotStoreIt() throws {
    let rig = Rig()
    rig.makeDevice(passcode: nil, pam: "one")
    let heard = Heard()
    rig.engine.unlock("sim", passcode: .of("guess"), caller: rig.caller) { heard.answer = $0 }
    while rig.store.finishNext(.failure(.full)) { rig.engine.completionsArrived() }
    #expect(rig.pam.conversations.isEmpty)
    #expect(heard.answer != nil)
    #expect(!heard.hasSucceeded)
  }

  @Test func anAccountsPasswordIsNeverRefusedForGood() throws {
    let rig = Rig()
    // Whatever table a simulated device has: the count is the account's.
    var description = DeviceDescription(name: "sim")
    description.pam = ("one", nil)
    description.passcodeDelays = "apple"
    rig.engine.create(description, caller: rig.caller) { _ in }
    rig.run()
    for round in 1...150 {
      rig.clock.pass(.seconds(86_400))
      let wasJudged = isJudged(rig, on: round.isMultiple(of: 2) ? "sim" : nil)
      try #require(wasJudged, "round \(round)")
    }
  }

  @Test func anAccountsCountOutlivesTheDeviceThatItWasTriedThrough() throws {
    let rig = Rig()
    rig.makeDevice(passcode: nil, pam: "one")
    for _ in 1...5 { #expect(isJudged(rig, on: "sim")) }
    rig.engine.erase("sim", caller: rig.caller) { _ in }
    rig.run()
    #expect(!isJudged(rig, on: "sim"))
    #expect(!isJudged(rig, on: nil))
  }

  @Test func theSystemsServiceMakesNoSimulatedDeviceWithAnAccountsPassword() {
    let rig = Rig(servesEverybody: true)
    var description = DeviceDescription(name: "sim")
    description.pam = ("localauth", nil)
    let heard = Heard()
    rig.engine.create(description, caller: rig.caller) { heard.answer = $0 }
    rig.run()
    guard case .failure(.notPermitted)? = heard.answer else {
      Issue.record("\(String(describing: heard.answer))")
      return
    }
  }
}
