import LocalAuthCore
import LocalAuthCrypto
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthService
import LocalAuthUnix
import Testing

@testable import LocalAuthHost

@Suite struct DeviceVaultTests {
  private let rig: VaultRig
  private let record = KeybagRecord(hasPasscode: true, passcodeSetKeys: 1)

  init() throws { rig = try VaultRig() }

  /// What an opening was, without its keys.
  private enum Answer: Equatable {
    case opened
    case wrong
    case failed
    case turnedAway
  }

  private func answer(_ opening: KeybagOpening) -> Answer {
    switch opening {
    case .opened: .opened
    case .wrong: .wrong
    case .failed: .failed
    case .turnedAway: .turnedAway
    }
  }

  // MARK: Passcodes

  @Test func theRightPasscodeOpensEveryClassAndInstallsNothing() async throws {
    let keybag = try await rig.enrolled().keybag
    let vault = rig.vault()
    guard case .opened(let keys) = await vault.opening("1234", keybag) else {
      throw Missing()
    }
    #expect(vault.held == [])
    keys.install(.afterFirstUnlock)
    #expect(vault.held == .afterFirstUnlock)
    keys.install(.all)
    #expect(vault.held == .all)
  }

  @Test func anErasedDeviceKeepsNoSecretOfItsFingers() async throws {
    let vault = try await rig.enrolled().vault
    let set = try #require(vault as? DeviceVault).enrolledSet
    vault.wipe(.whenUnlocked)
    #expect(set.current != nil)
    vault.wipe(.all)
    #expect(set.current == nil)
  }

  @Test(arguments: ["", "1", "1235", "12345", "1234\u{0}"])
  func anotherPasscodeIsWrong(_ passcode: String) async throws {
    let keybag = try await rig.enrolled().keybag
    #expect(answer(await rig.vault().opening(passcode, keybag)) == .wrong)
  }

  @Test func candidatesAreTriedUntilOneIsRight() async throws {
    let keybag = try await rig.enrolled().keybag
    let candidates = [box("0000"), box("1234"), box("9999")]
    #expect(
      answer(await rig.vault().opening(candidates, keybag)) == .opened
    )
    let wasTried = candidates.map { $0.take() == nil }
    #expect(wasTried == [true, true, false])
    let wrong = [box("0000"), box("9999")]
    #expect(answer(await rig.vault().opening(wrong, keybag)) == .wrong)
  }

  @Test func nobodyCanSayWithoutACandidate() async throws {
    let keybag = try await rig.enrolled().keybag
    let taken = box("1234")
    _ = taken.take()
    #expect(answer(await rig.vault().opening([], keybag)) == .failed)
    #expect(answer(await rig.vault().opening([taken], keybag)) == .failed)
    #expect(answer(await rig.vault().opening([box("0"), taken], keybag)) == .failed)
  }

  @Test func aPasscodeThatFindsNoRoomIsSaidNotToBeLookedAt() async throws {
    let (vault, keybag) = try await rig.enrolled()
    rig.threads.shutdown()
    let passcode = box("1234")
    #expect(answer(await vault.opening([passcode], keybag)) == .turnedAway)
    let isUntouched = passcode.take() != nil
    #expect(isUntouched)
  }

  @Test func aDamagedOrForeignKeybagIsNoWrongPasscode() async throws {
    let keybag = try await rig.enrolled().keybag
    var damaged = keybag
    damaged[damaged.count - 1] ^= 1
    let foreign = try await VaultRig().enrolled().keybag
    for bytes in [[], Array(keybag.dropLast()), damaged, foreign] {
      #expect(answer(await rig.vault().opening("1234", bytes)) == .failed)
    }
  }

  @Test func aKeybagWithoutAPasscodeIsOpenedByNone() async throws {
    let vault = rig.vault()
    let keys = vault.keys(creating: DeviceState.noPasscode.opened)
    let keybag = try await keys.sealed(KeybagRecord()).orThrow()
    #expect(answer(await vault.opening("", keybag)) == .failed)
    #expect(vault.load(keybag) == KeybagRecord())
    #expect(vault.held == DeviceState.noPasscode.opened)
  }

  // MARK: Sealing

  @Test func aRecordAndItsPasscodeBelongTogether() async {
    let keys = rig.vault().keys(creating: .all)
    #expect(await keys.sealed(record) == nil)
    #expect(await keys.sealed(KeybagRecord(), passcode: "1") == nil)
    #expect(await rig.vault().keys(creating: .always).sealed(record, passcode: "1") == nil)
  }

  @Test func newKeysAreNotInstalledByMakingThem() throws {
    let vault = rig.vault(with: .always)
    let sealed = try vault.sealed(rig.item(.always))
    let keys = vault.keys(creating: .all)
    #expect(vault.held == .always)
    #expect(vault.text(sealed) == "s3cret")
    keys.install(.whenUnlocked)
    #expect(vault.held == [.always, .whenUnlocked])
    #expect(vault.text(sealed) == "s3cret")
    keys.install(.always)
    #expect(vault.text(sealed) == nil, "they are other keys")
  }

  @Test func keysOutliveTheirVaultWithoutHarm() async {
    var vault: (any KeyVault)? = rig.vault(with: .all)
    let keys = vault?.keys(creating: [])
    vault = nil
    keys?.install(.all)
    #expect(await keys?.sealed(record, passcode: "1") != nil)
  }

  // MARK: Loading

  @Test func whatTheDeviceKeyOpensIsLoaded() async throws {
    let (vault, keybag) = try await rig.enrolled()
    let (always, locked) = try (vault.sealed(rig.item(.always)), vault.sealed(rig.item()))
    let ending = try vault.sealed(rig.item(.always, flags: .biometryCurrentSet))
    let restarted = rig.vault()
    #expect(restarted.load(keybag) == record)
    #expect(restarted.held == .always)
    #expect(restarted.text(always) == "s3cret")
    #expect(restarted.text(locked) == nil)
    #expect(try restarted.textWithProof(ending) == "s3cret")
  }

  @Test func aKeybagThatIsDamagedOrForeignLoadsNothing() async throws {
    let keybag = try await rig.enrolled().keybag
    let foreign = try await VaultRig().enrolled().keybag
    let other = rig.vault(of: DeviceIdentity(owner: 1000, name: "desks"))
    #expect(other.load(keybag) == nil)
    #expect(other.held == [])
    let vault = rig.vault()
    for bytes in [[], foreign, Array(keybag.dropLast()), keybag + [0]] {
      #expect(vault.load(bytes) == nil)
      #expect(vault.held == [])
    }
    // A byte of the secret of the enrolled set, which follows 34 bytes, its mark and 8 bytes.
    var damaged = keybag
    damaged[60] ^= 1
    #expect(vault.load(damaged) == nil)
    #expect(vault.held == [])
  }

  // MARK: Wiping

  @Test func keysThatWereSetAsideOpenNothingUntilTheyAreBack() throws {
    let vault = rig.vault(with: .all)
    let (unlocked, first) = try (vault.sealed(rig.item()), vault.sealed(rig.item(.always)))
    vault.setAside(.whenUnlocked)
    #expect(vault.held == [.always, .afterFirstUnlock])
    #expect(vault.item(unlocked) == nil)
    #expect(vault.text(unlocked) == nil)
    #expect(vault.text(first) == "s3cret")
    #expect(throws: Missing.self) { try vault.sealed(rig.item()) }
    vault.bringBack(.whenUnlocked)
    #expect(vault.text(unlocked) == "s3cret")
  }

  @Test func whatIsWipedAsideDoesNotComeBack() throws {
    let vault = rig.vault(with: .all)
    let sealed = try vault.sealed(rig.item())
    vault.setAside(.whenUnlocked)
    vault.wipeAside(.whenUnlocked)
    vault.bringBack(.whenUnlocked)
    #expect(vault.held == [.always, .afterFirstUnlock])
    #expect(vault.text(sealed) == nil)
  }

  @Test func wipingTakesTheKeysAndThoseAside() throws {
    let vault = rig.vault(with: .all)
    let sealed = try vault.sealed(rig.item(.afterFirstUnlock))
    #expect(vault.text(sealed) == "s3cret")
    vault.setAside(.whenUnlocked)
    vault.wipe(.all.subtracting(.always))
    vault.bringBack(.all)
    #expect(vault.held == .always)
    #expect(vault.text(sealed) == nil)
  }

  @Test func settingAsideTwiceKeepsTheKeys() throws {
    let vault = rig.vault(with: .all)
    let sealed = try vault.sealed(rig.item())
    vault.setAside(.whenUnlocked)
    vault.setAside(.whenUnlocked)
    vault.bringBack(.whenUnlocked)
    #expect(vault.text(sealed) == "s3cret")
  }

  @Test func installedKeysReplaceThoseAside() throws {
    let vault = rig.vault(with: .all)
    let old = try vault.sealed(rig.item())
    vault.setAside(.whenUnlocked)
    vault.keys(creating: .whenUnlocked).install(.whenUnlocked)
    let new = try vault.sealed(rig.item())
    vault.bringBack(.whenUnlocked)
    #expect(vault.text(old) == nil)
    #expect(vault.text(new) == "s3cret")
  }
}
