import LocalAuthCore
import Testing

@Suite struct LockStateTests {
  @Test func aFingerCannotDoTheFirstUnlock() {
    var state = LockState(hasPasscode: true)
    #expect(state.unlock(with: .finger) == false)
    #expect(state.position == .beforeFirstUnlock)
  }

  @Test func afterAFirstUnlockAFingerUnlocks() {
    var state = LockState(hasPasscode: true)
    #expect(state.unlock(with: .passcode) == true)
    #expect(state.lock() == true)
    #expect(state.position == .locked)
    #expect(state.unlock(with: .finger) == true)
    #expect(state.position == .unlocked)
  }

  @Test func lockingBeforeTheFirstUnlockChangesNothing() {
    var state = LockState(hasPasscode: true)
    #expect(state.lock() == false)
    #expect(state.position == .beforeFirstUnlock)
  }

  @Test func withoutAPasscodeADeviceIsUnlocked() {
    #expect(LockState(hasPasscode: false).position == .unlocked)
  }
}
