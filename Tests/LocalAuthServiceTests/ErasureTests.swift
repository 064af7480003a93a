import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthService
import Synchronization
import Testing

/// An erasure takes place at once or not at all: nothing is cleared while its keybag is being sealed.
@Suite struct ErasureTests {
  private typealias Answer = Result<Void, EngineError>

  /// What was heard of an act.
  private final class Heard {
    var answer: Answer?
    var error: EngineError? {
      if case .failure(let error) = answer { error } else { nil }
    }
    var hasSucceeded: Bool { answer != nil && error == nil }
  }

  private func begin(_ act: (@escaping (Answer) -> Void) -> Void) -> Heard {
    let heard = Heard()
    act { heard.answer = $0 }
    return heard
  }

  private func erase(_ rig: Rig) -> Heard {
    begin { rig.engine.erase("sim", caller: rig.caller, then: $0) }
  }

  /// A device whose passcode somebody guesses wrongly so often.
  private func guessed(_ tries: Int = 3) throws -> Rig {
    let rig = Rig()
    rig.makeDevice()
    for _ in 0..<tries { _ = try rig.outcome("passcode", script: "passcode:0000,cancel") }
    #expect(rig.store.device?.attempts.throttle.tally.failures == UInt32(tries))
    return rig
  }

  /// Lets the store do all it has to, and the vaults nothing.
  private func finishCommits(_ rig: Rig) {
    while rig.store.finishNext(.success(())) { rig.engine.completionsArrived() }
  }

  /// The keybag that `1234` opens, as the vaults of the tests seal it.
  private static let old = [[1, 1] + Array("1234".utf8)]

  @Test func aCommitWhileTheKeybagIsSealedGivesNoTryBack() throws {
    let rig = try guessed()
    let erased = erase(rig)
    let set = begin { rig.engine.set("latency", "1s", on: "sim", caller: rig.caller, then: $0) }
    finishCommits(rig)
    #expect(set.hasSucceeded && erased.answer == nil, "the keybag is sealed later")
    let device = try #require(rig.store.device)
    #expect(device.passcode == .device)
    #expect(device.attempts.throttle.tally.failures == 3)
    #expect(device.enrolment.fingers == [.rightIndex])
    #expect(rig.store.state.keybags.map(\.sealed) == Self.old)
    // The daemon is killed here, and starts again.
    let next = Rig(state: rig.store.state)
    #expect(try next.status().record.attempts.throttle.tally.failures == 3)
    // Or it goes on.
    rig.run()
    #expect(erased.hasSucceeded)
    #expect(rig.store.device?.passcode == PasscodeProvider.none)
    #expect(rig.store.device?.attempts.throttle.tally.failures == 0)
    #expect(rig.store.device?.enrolment.fingers == [])
    #expect(rig.store.state.keybags.map(\.sealed) == [[0, 0]])
  }

  @Test func whatIsAskedBeforeTheKeysAreGoneTakesThePasscode() throws {
    let rig = try guessed()
    let erased = erase(rig)
    var refusals: [EngineError] = []
    var request = BackupRequest(of: "sim", groups: AccessGroups(["local"]))
    request.allowsSimulated = true
    request.hasFileKeys = true
    rig.engine.beginBackup(request, on: 5, caller: rig.caller) {
      if case .failure(let error) = $0 { refusals.append(error) }
    }
    let lockout = begin {
      rig.engine.setLockout(
        nil,
        delays: nil,
        on: "sim",
        passcode: nil,
        caller: rig.caller,
        then: $0
      )
    }
    let removed = begin {
      rig.engine.remove(.rightIndex, on: "sim", passcode: nil, caller: rig.caller, then: $0)
    }
    refusals += [lockout.error, removed.error].compactMap { $0 }
    #expect(erased.answer == nil)
    #expect(refusals == [.passcodeRequired, .passcodeRequired, .passcodeRequired])
  }

  @Test func aGuessWhileTheKeybagIsSealedIsCharged() throws {
    let rig = try guessed(1)
    _ = erase(rig)
    _ = try rig.evaluate("passcode", script: "passcode:0000,cancel")
    finishCommits(rig)
    #expect(rig.store.device?.attempts.throttle.tally.failures == 2)
    #expect(rig.store.state.keybags.map(\.sealed) == Self.old)
  }

  @Test func anErasureWhoseKeybagCannotBeSealedChangesNothing() throws {
    let rig = try guessed(1)
    rig.vaults.refusesToSeal.store(true, ordering: .relaxed)
    let erased = erase(rig)
    rig.run()
    #expect(erased.error != nil)
    rig.vaults.refusesToSeal.store(false, ordering: .relaxed)
    let record = try rig.status().record
    #expect(record.passcode == .device)
    #expect(record.attempts.throttle.tally.failures == 1)
    #expect(record.enrolment.fingers == [.rightIndex])
    #expect(try rig.outcome("passcode", script: "passcode:1234") == .success)
    #expect(rig.store.state.keybags.map(\.sealed) == Self.old)
  }

  @Test func whatBeganWhileTheKeybagWasSealedEnds() throws {
    let rig = try guessed(0)
    let erased = erase(rig)
    let hearing = try rig.evaluate()
    #expect(hearing.result == nil)
    rig.run()
    #expect(erased.hasSucceeded)
    #expect(hearing.result?.outcome.code == .systemCancel)
  }

  @Test func anErasureOfADeviceThatIsDeletedMeanwhileWritesNothing() throws {
    let rig = Rig()
    rig.makeDevice(passcode: nil)
    let erased = erase(rig)
    let deleted = begin {
      rig.engine.delete("sim", passcode: nil, caller: rig.caller, then: $0)
    }
    finishCommits(rig)
    #expect(deleted.hasSucceeded && erased.answer == nil)
    rig.run()
    #expect(erased.error != nil)
    #expect(!rig.store.wasWrittenAfterItsRemoval)
    #expect(throws: EngineError.deviceNotFound("sim")) { try rig.status() }
  }

  @Test func aDeviceThatIsLockedMeanwhileIsErased() throws {
    let rig = try guessed()
    let erased = erase(rig)
    let locked = begin { rig.engine.lock("sim", caller: rig.caller, then: $0) }
    rig.run()
    #expect(erased.hasSucceeded && locked.hasSucceeded)
    rig.clock.pass(Keybag.grace)
    #expect(try rig.status().lockState == .unlocked)
    #expect(try rig.status().record.passcode == .none)
  }

  @Test func aDeviceThatIsErasedTwiceAtOnceIsErased() throws {
    let rig = try guessed()
    let (first, second) = (erase(rig), erase(rig))
    rig.run()
    #expect(first.hasSucceeded && second.hasSucceeded)
    #expect(try rig.status().record.passcode == .none)
    #expect(rig.store.state.keybags.map(\.sealed) == [[0, 0]])
  }

  /// The change was being written when the erasure took place: what was before it does not come back.
  @Test func aChangeThatCouldNotBeStoredBringsNoErasedPasscodeBack() throws {
    let rig = try guessed(0)
    let changed = begin {
      rig.engine.setPasscode(
        .of("5678"),
        on: "sim",
        passcode: .of("1234"),
        caller: rig.caller,
        then: $0
      )
    }
    while !isStoringKeybag(rig) { try #require(rig.step()) }
    let erased = erase(rig)
    #expect(rig.vaults.finishNext())
    rig.engine.completionsArrived()
    rig.finishCommit(.failure(.full))
    rig.run()
    #expect(changed.error != nil && erased.hasSucceeded)
    #expect(try rig.status().record.passcode == .none)
    #expect(try rig.status().lockState == .unlocked)
    #expect(rig.store.state.keybags.map(\.sealed) == [[0, 0]])
  }

  private func isStoringKeybag(_ rig: Rig) -> Bool {
    rig.store.waiting.withLock { commits in
      commits.contains { commit in
        commit.changes.contains { if case .keybag = $0 { true } else { false } }
      }
    }
  }
}
