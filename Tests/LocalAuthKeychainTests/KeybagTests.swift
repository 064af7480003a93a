import LocalAuthCore
import LocalAuthKeychain
import Testing

@Suite struct KeybagTests {
  private static let protected = KeybagRecord(hasPasscode: true, passcodeSetKeys: 1)
  private static let wrapped = ProtectionClassSet.all.subtracting(.always)
  private static let bareWrapped = wrapped.subtracting(.passcodeSet)

  /// A keybag that the passcode opened.
  private func unlocked() -> Keybag {
    var keybag = Keybag(Self.protected)
    #expect(keybag.passcodeOpened(keybag.beginUnlock()) == .install(.all))
    return keybag
  }

  /// One that was locked at 0 and is past its grace.
  private func locked() -> Keybag {
    var keybag = unlocked()
    #expect(keybag.lock(at: boot(0)) == .sealAt(boot(10)))
    #expect(keybag.timePassed(at: boot(10)) == .seal(.whenUnlocked))
    return keybag
  }

  // MARK: Unlocking and locking

  @Test func aDeviceThatJustStartedIsBeforeItsFirstUnlock() {
    #expect(Keybag(Self.protected).deviceState(at: boot(0)) == .beforeFirstUnlock)
    #expect(Keybag(KeybagRecord()).deviceState(at: boot(0)) == .noPasscode)
  }

  @Test func aFingerCannotDoTheFirstUnlock() {
    var keybag = Keybag(Self.protected)
    #expect(keybag.fingerMatched(keybag.beginUnlock()) == .refuse(.passcodeNeeded))
    #expect(keybag.deviceState(at: boot(0)) == .beforeFirstUnlock)
  }

  @Test func afterLockingTheKeysStayForTenSecondsAndNoLonger() {
    var keybag = unlocked()
    #expect(keybag.lock(at: boot(100)) == .sealAt(boot(110)))
    #expect(keybag.access(to: .whenUnlocked, at: boot(109.9)) == .available)
    #expect(keybag.timePassed(at: boot(109.9)) == .sealAt(boot(110)))
    // The clock decides, also where the timer is late.
    #expect(keybag.access(to: .whenUnlocked, at: boot(110)) == .locked)
    #expect(keybag.access(to: .whenPasscodeSetThisDeviceOnly, at: boot(110)) == .locked)
    #expect(keybag.timePassed(at: boot(110)) == .seal(.whenUnlocked))
    #expect(keybag.access(to: .afterFirstUnlock, at: boot(110)) == .available)
  }

  @Test func lockingTwiceDoesNotStretchTheGrace() {
    var keybag = unlocked()
    _ = keybag.lock(at: boot(0))
    #expect(keybag.lock(at: boot(9)) == .nothing)
    #expect(keybag.access(to: .whenUnlocked, at: boot(10)) == .locked)
  }

  @Test func anUnlockWithinTheGraceKeepsTheKeys() {
    var keybag = unlocked()
    _ = keybag.lock(at: boot(0))
    #expect(keybag.passcodeOpened(keybag.beginUnlock()) == .discard(.all))
    #expect(keybag.timePassed(at: boot(10)) == .nothing)
    #expect(keybag.access(to: .whenUnlocked, at: boot(50)) == .available)
  }

  @Test func aFingerReopensWhatTheLockSealed() {
    var keybag = locked()
    #expect(keybag.fingerMatched(keybag.beginUnlock()) == .reopen(.whenUnlocked))
    #expect(keybag.deviceState(at: boot(20)) == .unlocked)
  }

  @Test func thePasscodeReopensWhatTheLockSealed() {
    var keybag = locked()
    #expect(keybag.passcodeOpened(keybag.beginUnlock()) == .install(.whenUnlocked))
    #expect(keybag.deviceState(at: boot(20)) == .unlocked)
  }

  @Test func onceFingersAreRevokedOnlyThePasscodeUnlocks() {
    var keybag = locked()
    #expect(keybag.fingersRevoked() == .wipeSealed)
    #expect(keybag.fingerMatched(keybag.beginUnlock()) == .refuse(.passcodeNeeded))
    #expect(keybag.passcodeOpened(keybag.beginUnlock()) == .install(.whenUnlocked))
  }

  @Test func fingersRevokedWithinTheGraceLeaveNothingSealed() {
    var keybag = unlocked()
    _ = keybag.lock(at: boot(0))
    #expect(keybag.fingersRevoked() == .nothing)
    #expect(keybag.fingerMatched(keybag.beginUnlock()) == .refuse(.passcodeNeeded))
    #expect(keybag.timePassed(at: boot(10)) == .wipe(.whenUnlocked))
  }

  @Test func anUnlockThatBeganBeforeALockIsTooLate() {
    var keybag = unlocked()
    let ticket = keybag.beginUnlock()
    _ = keybag.lock(at: boot(0))
    #expect(keybag.passcodeOpened(ticket) == .discard(.all))
    #expect(keybag.fingerMatched(ticket) == .refuse(.late))
    #expect(keybag.deviceState(at: boot(1)) == .lockedInGrace)
  }

  @Test func aRestartIsBeforeFirstUnlockAgain() {
    for var keybag in [unlocked(), locked(), Keybag(Self.protected)] {
      #expect(keybag.restarted() == .wipe(Self.wrapped))
      #expect(keybag.deviceState(at: boot(0)) == .beforeFirstUnlock)
    }
    var bare = Keybag(KeybagRecord())
    #expect(bare.restarted() == .nothing)
    #expect(bare.deviceState(at: boot(0)) == .noPasscode)
  }

  @Test func withoutAPasscodeThereIsNothingToUnlockAndLockingDoesNothing() {
    var keybag = Keybag(KeybagRecord())
    #expect(keybag.passcodeOpened(keybag.beginUnlock()) == .refuse(.passcodeNotSet))
    #expect(keybag.fingerMatched(keybag.beginUnlock()) == .refuse(.passcodeNotSet))
    #expect(keybag.lock(at: boot(0)) == .nothing)
    #expect(keybag.access(to: .whenUnlocked, at: boot(99)) == .available)
  }

  // MARK: The passcode

  @Test func settingAPasscodeIsDurableBeforeItsClassKeyIsKept() {
    var keybag = Keybag(KeybagRecord())
    let next = KeybagRecord(hasPasscode: true, passcodeSetKeys: 1)
    let change = PasscodeChange.set(rewrapped: Self.bareWrapped, created: .passcodeSet)
    #expect(keybag.setPasscode() == .commit(change, next))
    #expect(keybag.access(to: .whenPasscodeSetThisDeviceOnly, at: boot(0)) == .absent)
    #expect(keybag.record == KeybagRecord())
    #expect(keybag.committed() == .adopt(kept: .passcodeSet, wiped: []))
    #expect(keybag.record == next)
    #expect(keybag.deviceState(at: boot(0)) == .unlocked)
    #expect(keybag.access(to: .whenPasscodeSetThisDeviceOnly, at: boot(0)) == .available)
  }

  @Test func aPasscodeThatCouldNotBeSetLeavesNothing() {
    var keybag = Keybag(KeybagRecord())
    _ = keybag.setPasscode()
    #expect(keybag.commitFailed() == .discard(.passcodeSet))
    #expect(keybag == Keybag(KeybagRecord()))
  }

  @Test func changingThePasscodeRewrapsEveryClassAndKeepsEveryItem() {
    var keybag = unlocked()
    let change = PasscodeChange.change(rewrapped: Self.wrapped)
    #expect(keybag.changePasscode() == .commit(change, Self.protected))
    #expect(keybag.committed() == .adopt(kept: [], wiped: []))
    #expect(keybag.record == Self.protected)
    for protection in ProtectionClass.allCases {
      #expect(keybag.access(to: protection, key: 1, at: boot(0)) == .available)
    }
  }

  @Test func changingThePasscodeOfALockedDeviceLeavesItLocked() {
    var keybag = locked()
    _ = keybag.changePasscode()
    #expect(keybag.committed() == .adopt(kept: [], wiped: .whenUnlocked))
    #expect(keybag.deviceState(at: boot(20)) == .locked)
    var before = Keybag(Self.protected)
    _ = before.changePasscode()
    #expect(before.commitFailed() == .discard(Self.wrapped))
    #expect(before.deviceState(at: boot(0)) == .beforeFirstUnlock)
  }

  @Test func anUnlockWithTheOldPasscodeIsTooLateAfterTheChange() {
    var keybag = locked()
    let ticket = keybag.beginUnlock()
    _ = keybag.changePasscode()
    _ = keybag.committed()
    #expect(keybag.passcodeOpened(ticket) == .discard(.all))
  }

  @Test func removingThePasscodeDestroysTheKeyOfWhenPasscodeSetForGood() {
    var keybag = unlocked()
    let next = KeybagRecord(hasPasscode: false, passcodeSetKeys: 1)
    let change = PasscodeChange.remove(rewrapped: Self.bareWrapped, destroyed: .passcodeSet)
    #expect(keybag.removePasscode() == .commit(change, next))
    #expect(keybag.committed() == .adopt(kept: Self.bareWrapped, wiped: .passcodeSet))
    let akpu = ProtectionClass.whenPasscodeSetThisDeviceOnly
    #expect(keybag.access(to: akpu, key: 1, at: boot(0)) == .absent)
    #expect(keybag.access(to: .whenUnlocked, key: 1, at: boot(0)) == .available)
  }

  @Test func settingAPasscodeAgainDoesNotReviveIt() {
    var keybag = unlocked()
    _ = keybag.removePasscode()
    _ = keybag.committed()
    _ = keybag.setPasscode()
    _ = keybag.committed()
    let akpu = ProtectionClass.whenPasscodeSetThisDeviceOnly
    #expect(keybag.access(to: akpu, key: 1, at: boot(0)) == .absent)
    #expect(keybag.access(to: akpu, key: 2, at: boot(0)) == .available)
  }

  @Test func whileThePasscodeIsBeingRemovedNothingIsAddedToWhatEndsWithIt() {
    var keybag = unlocked()
    _ = keybag.removePasscode()
    let akpu = ProtectionClass.whenPasscodeSetThisDeviceOnly
    #expect(keybag.access(to: akpu, key: 1, at: boot(0)) == .locked)
    #expect(keybag.access(to: .whenUnlocked, at: boot(0)) == .available)
    #expect(keybag.commitFailed() == .discard([]))
    #expect(keybag.access(to: akpu, key: 1, at: boot(0)) == .available)
  }

  @Test func onlyOneChangeAtATime() {
    var keybag = unlocked()
    _ = keybag.changePasscode()
    #expect(keybag.changePasscode() == .refuse(.busy))
    #expect(keybag.removePasscode() == .refuse(.busy))
  }

  @Test func aChangeThatDoesNotFitIsRefused() {
    var keybag = unlocked()
    #expect(keybag.setPasscode() == .refuse(.passcodeAlreadySet))
    var bare = Keybag(KeybagRecord())
    #expect(bare.changePasscode() == .refuse(.passcodeNotSet))
    #expect(bare.removePasscode() == .refuse(.passcodeNotSet))
  }

  @Test func aCompletionThatNobodyWaitsForIsIgnored() {
    var keybag = unlocked()
    #expect(keybag.committed() == .nothing)
    #expect(keybag.commitFailed() == .nothing)
    #expect(keybag.deviceState(at: boot(0)) == .unlocked)
  }

  @Test func aRestartDuringTheCommitLeavesNothingInMemory() {
    var setting = Keybag(KeybagRecord())
    _ = setting.setPasscode()
    _ = setting.restarted()
    #expect(setting.committed() == .adopt(kept: [], wiped: Self.wrapped))
    #expect(setting.deviceState(at: boot(0)) == .beforeFirstUnlock)
    var removing = unlocked()
    _ = removing.removePasscode()
    _ = removing.restarted()
    #expect(removing.committed() == .adopt(kept: [], wiped: .passcodeSet))
    #expect(removing.deviceState(at: boot(0)) == .noPasscode)
  }
}
