import LocalAuthCore
import LocalAuthKeychain
import LocalAuthService
import Testing

@testable import LocalAuthHost

/// The keybag machine and a vault that does what it says.
private final class DrivenVault {
  let rig: VaultRig
  var vault: any KeyVault
  var machine: Keybag
  /// What a crash leaves.
  var stored: [UInt8]
  var now = BootInstant(nanoseconds: 0)

  init(_ rig: VaultRig) async throws {
    self.rig = rig
    vault = rig.vault()
    machine = Keybag(KeybagRecord())
    let keys = vault.keys(creating: DeviceState.noPasscode.opened)
    stored = try await keys.sealed(KeybagRecord()).orThrow()
    keys.install(.all)
  }

  private func perform(_ action: Keybag.Action, _ opened: (any OpenedKeys)? = nil) {
    switch action {
    case .nothing, .discard, .sealAt, .commit, .refuse: break
    case .install(let classes): opened?.install(classes)
    case .reopen(let classes): vault.bringBack(classes)
    case .seal(let classes): vault.setAside(classes)
    case .wipeSealed: vault.wipeAside(.all)
    case .wipe(let classes): vault.wipe(classes)
    case .adopt(let kept, let wiped):
      opened?.install(kept)
      vault.wipe(wiped)
    }
  }

  /// Makes a change durable, or lets it fail.
  private func commit(
    _ action: Keybag.Action,
    _ keys: any OpenedKeys,
    passcode: String?,
    fails: Bool = false
  ) async throws {
    guard case .commit(_, let record) = action else { throw Missing() }
    let bytes = try await keys.sealed(record, passcode: passcode).orThrow()
    if fails { return perform(machine.commitFailed(), keys) }
    stored = bytes
    perform(machine.committed(), keys)
  }

  private func opened(by passcode: String) async throws -> any OpenedKeys {
    guard case .opened(let keys) = await vault.opening(passcode, stored) else {
      throw Missing()
    }
    return keys
  }

  func setPasscode(_ passcode: String, fails: Bool = false) async throws {
    let keys = vault.keys(creating: .passcodeSet)
    try await commit(machine.setPasscode(), keys, passcode: passcode, fails: fails)
  }

  func changePasscode(_ old: String, to new: String, fails: Bool = false) async throws {
    let keys = try await opened(by: old)
    try await commit(machine.changePasscode(), keys, passcode: new, fails: fails)
  }

  func removePasscode(_ old: String, fails: Bool = false) async throws {
    let keys = try await opened(by: old)
    try await commit(machine.removePasscode(), keys, passcode: nil, fails: fails)
  }

  func unlock(_ passcode: String) async throws {
    let ticket = machine.beginUnlock()
    let keys = try await opened(by: passcode)
    perform(machine.passcodeOpened(ticket), keys)
  }

  func touch() { perform(machine.fingerMatched(machine.beginUnlock())) }

  func lockBeyondTheGrace() {
    perform(machine.lock(at: now))
    now = now + Keybag.grace
    perform(machine.timePassed(at: now))
  }

  func revokeFingers() { perform(machine.fingersRevoked()) }

  /// Another process on what was stored.
  func crash() throws {
    vault = rig.vault()
    machine = Keybag(try vault.load(stored).orThrow())
  }

  func enroll(_ generation: UInt64) throws {
    stored = try vault.renewEnrolledSet(generation, in: stored).orThrow()
  }
}

@Suite struct KeybagSequenceTests {
  private let rig: VaultRig

  init() throws { rig = try VaultRig() }

  private let akpu = ProtectionClass.whenPasscodeSetThisDeviceOnly

  /// An item of each class that can be sealed now.
  private func items(_ device: DrivenVault) throws -> [ProtectionClass: SealedItem] {
    var items: [ProtectionClass: SealedItem] = [:]
    for protection in device.vault.held.classes {
      items[protection] = try device.vault.sealed(rig.item(protection))
    }
    return items
  }

  private func opened(
    _ items: [ProtectionClass: SealedItem],
    by device: DrivenVault
  ) -> ProtectionClassSet {
    items.reduce(into: []) { set, entry in
      let isWhole = device.vault.text(entry.value) == "s3cret"
      #expect((device.vault.item(entry.value) != nil) == isWhole)
      if isWhole { set.formUnion(entry.key.alone) }
    }
  }

  @Test func aFirstPasscodeKeepsEveryItemAndAddsTheClassThatEndsWithIt() async throws {
    let device = try await DrivenVault(rig)
    let before = try items(device)
    #expect(before[akpu] == nil)
    try await device.setPasscode("1234")
    let all = try items(device)
    #expect(opened(before, by: device) == DeviceState.noPasscode.opened)
    #expect(opened(all, by: device) == .all)
    try device.crash()
    #expect(opened(all, by: device) == .always)
    try await device.unlock("1234")
    #expect(opened(all, by: device) == .all)
    #expect(opened(before, by: device) == DeviceState.noPasscode.opened)
  }

  @Test func lockingClosesAndAFingerOpensUntilItIsRevoked() async throws {
    let device = try await DrivenVault(rig)
    try await device.setPasscode("1234")
    let all = try items(device)
    device.lockBeyondTheGrace()
    #expect(opened(all, by: device) == DeviceState.locked.opened)
    device.touch()
    #expect(opened(all, by: device) == .all)
    device.lockBeyondTheGrace()
    device.revokeFingers()
    device.touch()
    #expect(opened(all, by: device) == DeviceState.locked.opened)
    try await device.unlock("1234")
    #expect(opened(all, by: device) == .all)
  }

  @Test func aChangedPasscodeKeepsItemsAndEnrolledSetAndEndsTheOldOne() async throws {
    let device = try await DrivenVault(rig)
    try await device.setPasscode("1234")
    try device.enroll(7)
    let all = try items(device)
    let ending = try device.vault.sealed(rig.item(flags: .biometryCurrentSet))
    device.lockBeyondTheGrace()
    try await device.changePasscode("1234", to: "5678")
    #expect(opened(all, by: device) == DeviceState.locked.opened)
    try device.crash()
    await #expect(throws: Missing.self) { try await device.unlock("1234") }
    try await device.unlock("5678")
    #expect(opened(all, by: device) == .all)
    #expect(try device.vault.textWithProof(ending) == "s3cret")
  }

  @Test func aRemovedPasscodeTakesItsClassWithItForGood() async throws {
    let device = try await DrivenVault(rig)
    try await device.setPasscode("1234")
    let all = try items(device)
    try await device.removePasscode("1234")
    let left = DeviceState.noPasscode.opened
    #expect(opened(all, by: device) == left)
    try device.crash()
    #expect(opened(all, by: device) == left)
    try await device.setPasscode("1234")
    #expect(device.machine.record.passcodeSetKeys == 2)
    #expect(opened(all, by: device) == left)
    #expect(opened(try items(device), by: device) == .all)
    try device.crash()
    try await device.unlock("1234")
    #expect(opened(all, by: device) == left)
  }

  @Test func aLockedDeviceWhosePasscodeIsRemovedIsOpen() async throws {
    let device = try await DrivenVault(rig)
    try await device.setPasscode("1234")
    let all = try items(device)
    try device.crash()
    try await device.removePasscode("1234")
    #expect(opened(all, by: device) == DeviceState.noPasscode.opened)
  }

  @Test func aChangeThatWasNotMadeDurableChangesNothing() async throws {
    let device = try await DrivenVault(rig)
    try await device.setPasscode("0000", fails: true)
    #expect(device.vault.held == DeviceState.noPasscode.opened)
    try await device.setPasscode("1234")
    let all = try items(device)
    try await device.changePasscode("1234", to: "5678", fails: true)
    try await device.removePasscode("1234", fails: true)
    #expect(opened(all, by: device) == .all)
    try device.crash()
    try await device.unlock("1234")
    #expect(opened(all, by: device) == .all)
  }

  @Test func theEnrolledSetOutlivesEveryChangeOfThePasscode() async throws {
    let device = try await DrivenVault(rig)
    try device.enroll(7)
    let ending = try device.vault.sealed(rig.item(flags: .biometryCurrentSet))
    try await device.setPasscode("1234")
    try await device.changePasscode("1234", to: "5678")
    try await device.removePasscode("5678")
    #expect(try device.vault.textWithProof(ending) == "s3cret")
    try device.crash()
    #expect(try device.vault.textWithProof(ending) == "s3cret")
    try device.enroll(8)
    try device.crash()
    #expect(try device.vault.textWithProof(ending) == nil)
  }
}
