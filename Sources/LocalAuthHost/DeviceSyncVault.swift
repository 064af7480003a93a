import LocalAuthCore
import LocalAuthCrypto
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthService
import LocalAuthSync

/// What a device has for its synchronization, under its class keys.
final class DeviceSyncVault: SyncVault {
  /// Unowned because it is the vault's own.
  private unowned let vault: DeviceVault

  init(_ vault: DeviceVault) { self.vault = vault }

  var isOpen: Bool { vault.syncCipher != nil }
  var isUnlocked: Bool { vault.syncCipher?.isUnlocked ?? false }

  // MARK: Rows

  func seal(_ key: [UInt8], _ value: [UInt8]) -> SealedRow? { vault.syncCipher?.seal(key, value) }

  func name(of key: [UInt8]) -> [UInt8]? { vault.syncCipher?.name(of: key) }

  func open(_ row: SealedRow) -> (key: [UInt8], value: [UInt8])? { vault.syncCipher?.open(row) }

  // MARK: The peer

  func makePeer(_ name: String) -> (secrets: any PeerSecrets, sealed: [UInt8])? {
    let seed = DeviceKey.randomBytes()
    let agreement = DeviceKey.randomBytes()
    var both = Secret(capacity: seed.count + agreement.count)
    both.append(contentsOf: seed)
    both.append(contentsOf: agreement)
    let sealed = vault.syncCipher?.seal(both, for: Self.peer, whenUnlocked: false)
    guard let sealed, let peer = OwnPeer(.device, seed: seed, agreement: agreement, name: name)
    else { return nil }
    return (peer, sealed)
  }

  func openPeer(_ sealed: [UInt8], _ name: String) -> (any PeerSecrets)? {
    guard let both = vault.syncCipher?.open(sealed, for: Self.peer, whenUnlocked: false),
      both.count == 2 * PeerKeys.keySize
    else { return nil }
    // SAFETY: each half is copied while the bytes are lent.
    let seed = unsafe both.withUnsafeBytes { unsafe Secret(copying: $0.prefix(PeerKeys.keySize)) }
    let agreement = unsafe both.withUnsafeBytes {
      unsafe Secret(copying: $0.suffix(PeerKeys.keySize))
    }
    return OwnPeer(.device, seed: seed, agreement: agreement, name: name)
  }

  private static let peer = Array("peer".utf8)

  // MARK: Zones

  func makeZoneKeys() -> any ZoneKeys { EpochKeys(SyncKeys.generate()) }

  func seal(_ keys: any ZoneKeys, of zone: ZoneName) -> SealedZoneKeys? {
    guard let keys = (keys as? EpochKeys)?.syncKeys, let cipher = vault.syncCipher else {
      return nil
    }
    let use = Self.use(keys.epoch, zone)
    guard let locked = cipher.seal(keys.lockedPart, for: use, whenUnlocked: false) else {
      return nil
    }
    guard let root = keys.rootKeys else { return SealedZoneKeys(locked: locked, whole: nil) }
    return SealedZoneKeys(
      locked: locked,
      whole: cipher.seal(root, for: use, whenUnlocked: true)
    )
  }

  func open(_ keys: SealedZoneKeys, epoch: UInt32, of zone: ZoneName) -> (any ZoneKeys)? {
    guard let cipher = vault.syncCipher else { return nil }
    let use = Self.use(epoch, zone)
    if cipher.isUnlocked, let whole = keys.whole {
      guard let root = cipher.open(whole, for: use, whenUnlocked: true) else { return nil }
      return SyncKeys(epoch: epoch, root: root).map { EpochKeys($0) }
    }
    guard let part = cipher.open(keys.locked, for: use, whenUnlocked: false) else { return nil }
    return SyncKeys(epoch: epoch, lockedPart: part).map { EpochKeys($0) }
  }

  private static func use(_ epoch: UInt32, _ zone: ZoneName) -> [UInt8] {
    Array("zone \(epoch) \(zone.text)".utf8)
  }

  // MARK: The hub

  func seal(password: borrowing Secret) -> [UInt8]? {
    vault.syncCipher?.seal(password, for: Self.password, whenUnlocked: false)
  }

  func openPassword(_ sealed: [UInt8]) -> Secret? {
    vault.syncCipher?.open(sealed, for: Self.password, whenUnlocked: false)
  }

  private static let password = Array("hub password".utf8)

  func makePassword() -> SecretBox { HubPassword.generate().box() }

  func verifier(of password: borrowing Secret) -> String { HubPassword.verifier(of: password) }

  func makeJoinCode() -> (any JoinCode)? { ShownCode(InvitationCode.generate()) }

  func joinCode(typed text: borrowing Secret) -> (any JoinCode)? {
    InvitationCode(typed: text).flatMap { ShownCode($0) }
  }

  func makeRecoveryCode() -> (any RecoveryCode)? { PaperKey(RecoveryKey.generate()) }

  func recoveryCode(typed text: borrowing Secret) -> (any RecoveryCode)? {
    guard let key = RecoveryKey(typed: text) else { return nil }
    return PaperKey(key)
  }
}
