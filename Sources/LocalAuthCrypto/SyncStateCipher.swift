public import LocalAuthCore
import LocalAuthKeychain
public import LocalAuthSecret

/// Seals what a device keeps of its synchronization: rows, the keys of zones, and its own keys as a peer.
///
/// Everything is under the class keys of this device only, so nothing of it opens anywhere else, or before the first
/// unlock; what a locked device must not have is under the key that goes with the lock. One thread at a time may use it.
public final class SyncStateCipher {
  private let rows: LongNonceSealer
  private let names: Secret
  private let unlocked: LongNonceSealer?
  private let device: DeviceLabel

  /// Makes the cipher; nil before the first unlock.
  public init?(_ keys: borrowing ClassKeys, of device: DeviceLabel) {
    guard let key = keys.key(for: "sync", of: .afterFirstUnlockThisDeviceOnly),
      let rows = LongNonceSealer(key),
      let names = keys.key(for: "sync names", of: .afterFirstUnlockThisDeviceOnly)
    else { return nil }
    self.rows = rows
    self.names = names
    self.device = device
    switch keys.key(for: "sync", of: .whenUnlockedThisDeviceOnly) {
    case .some(let key): unlocked = LongNonceSealer(key)
    case .none: unlocked = nil
    }
  }

  /// Whether the device is unlocked.
  public var isUnlocked: Bool { unlocked != nil }

  // MARK: Rows

  /// The name under which the row of `key` is stored, which says nothing of the key.
  public func name(of key: [UInt8]) -> [UInt8] { KeyedHash.tag(over: key, key: names) }

  /// Seals a row.
  ///
  /// - Parameters:
  ///   - key: What the row is about; at most 65,535 bytes.
  ///   - value: What it says.
  /// - Returns: the row as it is stored.
  public func seal(_ key: [UInt8], _ value: [UInt8]) -> SealedRow {
    let name = name(of: key)
    precondition(key.count <= UInt16.max, "a row's key has a limit")
    let size = [UInt8(key.count >> 8), UInt8(key.count & 255)]
    let sealed = rows.seal(bytes: size + key + value, with: context("row") + name)
    return SealedRow(name: name, sealed: sealed)
  }

  /// Opens a row; nil if it was changed, or is another's.
  public func open(_ row: SealedRow) -> (key: [UInt8], value: [UInt8])? {
    guard let sealed = row.sealed, row.name.count == SealedRow.nameSize,
      let bytes = rows.openBytes(sealed, with: context("row") + row.name), bytes.count >= 2
    else { return nil }
    let size = Int(bytes[0]) << 8 | Int(bytes[1])
    guard bytes.count >= 2 + size else { return nil }
    let key = Array(bytes[2..<2 + size])
    guard name(of: key) == row.name else { return nil }
    return (key, Array(bytes[(2 + size)...]))
  }

  // MARK: Keys

  /// Seals a secret for `use`; what only an unlocked device may have, nil while it is locked.
  ///
  /// - Parameters:
  ///   - secret: The secret.
  ///   - use: What it is, and of what.
  ///   - whenUnlocked: Whether a locked device must not have it.
  /// - Returns: the sealed secret.
  public func seal(
    _ secret: borrowing Secret,
    for use: [UInt8],
    whenUnlocked: Bool
  ) -> [UInt8]? {
    guard let sealer = whenUnlocked ? unlocked : rows else { return nil }
    return sealer.seal(secret, with: context("secret") + use)
  }

  /// Opens what ``seal(_:for:whenUnlocked:)`` sealed; nil if it was changed, is another's, or while the device is locked.
  public func open(_ sealed: [UInt8], for use: [UInt8], whenUnlocked: Bool) -> Secret? {
    guard let sealer = whenUnlocked ? unlocked : rows else { return nil }
    return sealer.open(sealed, with: context("secret") + use)
  }

  /// No context is the beginning of another: a device's label has its size in front.
  private func context(_ kind: String) -> [UInt8] {
    Array("LocalAuth sync \(kind) 1 ".utf8) + device.bytes
  }
}
