import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthService
import Synchronization
import Testing

@Suite struct KeybagAdministrationTests {
  private func change(_ rig: Rig, to new: String, from old: String?) -> Hearing {
    let hearing = Hearing()
    rig.engine.setPasscode(
      .of(new),
      on: "sim",
      passcode: old.map { .of($0) },
      caller: rig.caller
    ) { hearing.result = $0 }
    return hearing
  }

  private final class Hearing {
    var result: Result<Void, EngineError>?
    var hasSucceeded: Bool {
      if case .success? = result { return true }
      return false
    }
  }

  @Test func aDeviceWithNeitherPasscodeNorKeybagGetsOneAtTheStart() {
    let identity = DeviceIdentity(owner: 1000, name: "sim")
    let rig = Rig(
      state: StoredState(devices: [DeviceRecord(identity: identity, isSimulated: true)])
    )
    rig.run()
    #expect(rig.store.state.keybags.map(\.device) == [identity])
  }

  @Test func theOwnMachineFindsItsKeybagAgainWhenItsRecordWasLost() throws {
    let identity = DeviceIdentity(owner: 1000, name: "default")
    let rig = Rig(
      state: StoredState(
        keybags: [StoredKeybag(device: identity, sealed: [1, 1, 49])],
        mayHaveLostDevices: true
      )
    )
    #expect(try rig.engine.status(of: nil, caller: rig.caller).keychain == .ready)
  }

  @Test func aNewDeviceBeginsWithNothingOfALostOneOfItsName() {
    let identity = DeviceIdentity(owner: 1000, name: "sim")
    let rig = Rig(state: StoredState(keybags: [StoredKeybag(device: identity, sealed: [1, 1])]))
    var description = DeviceDescription(name: "sim")
    description.fingers = [.rightIndex]
    rig.engine.create(description, caller: rig.caller) { _ in }
    rig.run()
    let changes = rig.store.commits.withLock { $0.map(\.changes) }
    #expect(changes.first == [.deviceRemoved(identity)])
    #expect(rig.store.state.keybags.map(\.sealed) == [[0, 0]])
  }

  @Test func aPasscodeTakenOutOfTheRecordIsStillAskedFor() throws {
    let source = Rig()
    source.makeDevice()
    var state = source.store.state
    state.devices[0].passcode = .none
    let rig = Rig(state: state)
    #expect(try rig.status().record.passcode == .device)
    #expect(try rig.status().lockState == .beforeFirstUnlock)
  }

  @Test func aChangeThatCannotBeStoredLeavesTheOldPasscodeInForce() throws {
    let rig = Rig()
    rig.makeDevice()
    let hearing = change(rig, to: "5678", from: "1234")
    // The charge, the verdict, the sealing; then the commit of the change fails.
    while hearing.result == nil {
      let isChange = rig.store.waiting.withLock { $0.first?.holdsKeybag } ?? false
      let went =
        rig.store.finishNext(isChange ? .failure(.full) : .success(())) || rig.vaults.finishNext()
      #expect(went)
      rig.engine.completionsArrived()
    }
    #expect(!hearing.hasSucceeded)
    #expect(try rig.outcome("passcode", script: "passcode:1234") == .success)
    let again = change(rig, to: "5678", from: "1234")
    rig.run()
    #expect(again.hasSucceeded)
    #expect(try rig.outcome("passcode", script: "passcode:5678") == .success)
  }

  @Test func twoChangesAtOnceAreOneAndARefusal() throws {
    let rig = Rig()
    rig.makeDevice()
    let first = change(rig, to: "5678", from: "1234")
    let second = change(rig, to: "9999", from: "1234")
    rig.run()
    #expect([first, second].count { $0.hasSucceeded } == 1)
    let right = first.hasSucceeded ? "5678" : "9999"
    #expect(try rig.outcome("passcode", script: "passcode:\(right)") == .success)
  }

  @Test func aFingerRemovedWhileThePasscodeIsSealedHasItSealedAgain() throws {
    let rig = Rig()
    rig.makeDevice(passcode: nil)
    let hearing = change(rig, to: "5678", from: nil)
    rig.engine.remove(.rightIndex, on: "sim", passcode: nil, caller: rig.caller) { _ in }
    rig.run()
    #expect(hearing.hasSucceeded)
    #expect(try rig.outcome("passcode", script: "passcode:5678") == .success)
  }

  /// Keys that were erased must not come back with the passcode that was being set.
  @Test func anErasureWhileThePasscodeIsSealedMakesTheChangeFail() throws {
    let rig = Rig()
    rig.makeDevice(passcode: nil)
    let hearing = change(rig, to: "5678", from: nil)
    rig.engine.erase("sim", caller: rig.caller) { _ in }
    rig.run()
    #expect(!hearing.hasSucceeded)
    #expect(try rig.status().record.passcode == .none)
  }

  @Test func erasingForgetsKeybagAndItemsInOneCommit() throws {
    let rig = Rig()
    rig.makeDevice()
    rig.engine.erase("sim", caller: rig.caller) { _ in }
    rig.run()
    let commits = rig.store.commits.withLock { $0 }
    let erasing = try #require(commits.last { $0.holdsKeybag })
    let identity = DeviceIdentity(owner: 1000, name: "sim")
    #expect(erasing.kind == .guarded)
    #expect(erasing.changes.first == .deviceRemoved(identity))
    #expect(rig.store.state.keybags.map(\.sealed) == [[0, 0]])
    #expect(try rig.status().record.passcode == .none)
    #expect(try rig.status().lockState == .unlocked)
  }

  @Test func anErasureThatCouldNotBeStoredIsRepeatedBeforeAnythingElseIsStored() throws {
    let rig = Rig()
    rig.makeDevice()
    rig.engine.erase("sim", caller: rig.caller) { _ in }
    while !rig.store.isRemoving { try #require(rig.step()) }
    while rig.store.finishNext(.failure(.full)) { rig.engine.completionsArrived() }
    rig.store.commits.withLock { $0.removeAll() }
    _ = try rig.outcome(script: "match")
    let identity = DeviceIdentity(owner: 1000, name: "sim")
    let removals = rig.store.commits.withLock { commits in
      commits.map { $0.changes.contains(.deviceRemoved(identity)) }
    }
    #expect(removals.first == true)
    #expect(removals.count { $0 } == 1, "what is stored afterwards stays")
  }

  @Test func whatOnlyThePasscodeBringsBackKeepsTheServiceRunning() {
    let rig = Rig()
    rig.makeDevice()
    #expect(!rig.engine.isIdle, "it is past its first unlock")
    rig.engine.reboot("sim", caller: rig.caller) { _ in }
    rig.run()
    #expect(rig.engine.isIdle)
  }

  @Test func aNewFingerTakesBackWhatAFingerCouldUnlock() throws {
    let rig = Rig()
    rig.makeDevice()
    rig.engine.lock("sim", caller: rig.caller) { _ in }
    rig.run()
    rig.clock.pass(Keybag.grace)
    rig.engine.enroll(
      .leftThumb,
      on: "sim",
      isManual: false,
      passcode: .of("1234"),
      caller: rig.caller,
      onEvent: { _ in },
      then: { _ in }
    )
    rig.run()
    #expect(rig.store.device?.enrolment.fingers == [.rightIndex, .leftThumb])
    #expect(try unlockWithFinger(rig) != .success)
    #expect(try rig.status().lockState == .locked)
  }

  /// How an unlock with the right finger ends; nil where it does not begin.
  private func unlockWithFinger(_ rig: Rig) throws -> OutcomeCode? {
    var request = EvaluationRequest(
      purpose: .unlock,
      policy: "biometrics",
      reason: "unlock",
      device: "sim"
    )
    request.allowsSimulated = true
    request.script = ScriptSource(text: .of("match"), isArgument: true)
    var outcome: Outcome?
    _ = try? rig.engine.unlockWithFinger(request, caller: rig.caller) { event in
      if case .finished(let result) = event { outcome = result.outcome }
    }
    rig.run()
    return outcome?.code
  }

  @Test func theThirdMissTakesBackWhatAFingerCouldUnlock() throws {
    let rig = Rig()
    rig.makeDevice()
    rig.engine.lock("sim", caller: rig.caller) { _ in }
    rig.run()
    rig.clock.pass(Keybag.grace)
    _ = try rig.outcome(script: "miss,miss,miss")
    _ = try rig.outcome("passcode", script: "passcode:1234")
    #expect(try unlockWithFinger(rig) == .biometryLockout)
    #expect(try rig.status().lockState == .locked)
  }
}

extension HeldStore.Commit {
  fileprivate var holdsKeybag: Bool {
    changes.contains { if case .keybag = $0 { true } else { false } }
  }
}
