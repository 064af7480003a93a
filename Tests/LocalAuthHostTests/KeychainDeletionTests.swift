import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthService
import Testing

/// What can never be opened again is deleted like anything else, and found like nothing.
@Suite struct KeychainDeletionTests {
  private func delete(_ account: String, in rig: KeychainRig) -> KeychainError? {
    rig.call(.delete(["class": .text("genp"), "acct": .text(account)])).error
  }

  @Test func anItemThatWentWithThePasscodeIsDeletedOnce() throws {
    let rig = try KeychainRig()
    #expect(rig.add("ann", accessible: .whenPasscodeSetThisDeviceOnly).error == nil)
    try rig.removePasscode()
    #expect(delete("ann", in: rig) == nil)
    #expect(delete("ann", in: rig) == .itemNotFound)
  }

  @Test func anItemOfFingersThatChangedIsDeletedOnce() throws {
    let rig = try KeychainRig()
    let control = try AccessControl(.whenUnlocked, flags: .biometryCurrentSet)
    #expect(rig.add("ann", accessControl: control).error == nil)
    try rig.enroll(.leftThumb)
    #expect(delete("ann", in: rig) == nil)
    #expect(delete("ann", in: rig) == .itemNotFound)
  }

  @Test func whatIsLeftAndWhatIsGoneAreDeletedTogether() throws {
    let rig = try KeychainRig()
    #expect(rig.add("ann", accessible: .whenPasscodeSetThisDeviceOnly).error == nil)
    #expect(rig.add("bob").error == nil)
    try rig.removePasscode()
    #expect(rig.call(.delete(["class": .text("genp")])).error == nil)
    #expect(rig.get("bob") == .failed(.itemNotFound))
    #expect(rig.call(.delete(["class": .text("genp")])).error == .itemNotFound)
  }
}
