import CLocalAuthOpenSSL
import CLocalAuthSodium
public import LocalAuthKeychain
public import LocalAuthSecret

/// Wraps and opens the keys of the files that can be made while the device is locked.
///
/// Such a key is wrapped under what X25519 (RFC 7748) makes of two pairs: one of the file alone, whose private
/// half is wiped at once, and one of the device. The device's private half comes from the class key of
/// ``ProtectionClass/whenUnlocked``, so that only an unlocked device opens the key; wrapping takes its
/// public half. The key between is that of the one-step function of NIST SP 800-56C with SHA-256, for the
/// public halves of the file and of the device.
public enum UnlessOpenCipher {
  /// The bytes of either half of a pair.
  public static let halfSize = 32

  /// The public half of the device's pair; nil if the class key is not among `keys`.
  public static func publicKey(_ keys: borrowing ClassKeys) -> [UInt8]? {
    guard let key = keys.key(for: label, of: .whenUnlocked) else { return nil }
    return publicHalf(of: key)
  }

  /// Makes the key of a new file of `device`, whose public half is `publicKey`; nil if that is no public
  /// key.
  public static func makeKey(
    for publicKey: [UInt8],
    of device: DeviceLabel
  ) -> (key: SecretBox, wrapped: WrappedFileKey)? {
    let key = DeviceKey.randomBytes()
    let identifier = WrappedFileKey.newIdentifier()
    let half = DeviceKey.randomBytes()
    let publicHalf = publicHalf(of: half)
    guard let sealer = sealer(half, publicKey, of: publicHalf, and: publicKey) else { return nil }
    let context = WrappedFileKey.context(.completeUnlessOpen, identifier, of: device)
    let wrapped = WrappedFileKey(
      .completeUnlessOpen,
      identifier: identifier,
      bytes: publicHalf + sealer.seal(key, with: context)
    )
    guard let wrapped else { return nil }
    return (SecretBox(key), wrapped)
  }

  /// Opens the key of a file of `device`; nil if the class key is not among `keys`, the file's key is another
  /// device's, or anything of it was changed.
  public static func open(
    _ wrapped: WrappedFileKey,
    _ keys: borrowing ClassKeys,
    of device: DeviceLabel
  ) -> Secret? {
    guard let key = keys.key(for: label, of: .whenUnlocked) else { return nil }
    return open(wrapped, key, of: device)
  }

  /// Opens the key of a file of the device with this private half.
  static func open(
    _ wrapped: WrappedFileKey,
    _ key: borrowing Secret,
    of device: DeviceLabel
  ) -> Secret? {
    let publicHalf = Array(wrapped.bytes.prefix(halfSize))
    guard wrapped.protection == .completeUnlessOpen,
      let sealer = sealer(key, publicHalf, of: publicHalf, and: self.publicHalf(of: key))
    else { return nil }
    let context = WrappedFileKey.context(.completeUnlessOpen, wrapped.identifier, of: device)
    return sealer.open(Array(wrapped.bytes.dropFirst(halfSize)), with: context)
  }

  /// What the device's private half is derived for.
  static let label = "files-b"

  private static func publicHalf(of key: borrowing Secret) -> [UInt8] {
    Sodium.ready
    var half = [UInt8](repeating: 0, count: halfSize)
    // SAFETY: both have 32 bytes.
    let isMade = unsafe half.withUnsafeMutableBytes { half in
      unsafe key.withUnsafeBytes {
        unsafe la_sodium_x25519_public(half.baseAddress, $0.baseAddress)
      }
    }
    precondition(isMade, "each 32 bytes are a private key of X25519")
    return half
  }

  /// The key that `key` and `peer` agree on, for the public halves of the file and of the device; nil if
  /// `peer` is no public key.
  private static func sealer(
    _ key: borrowing Secret,
    _ peer: [UInt8],
    of fileHalf: [UInt8],
    and deviceHalf: [UInt8]
  ) -> Sealer? {
    guard let shared = agree(key, peer) else { return nil }
    let info = Array("LAF1 unless open".utf8) + fileHalf + deviceHalf
    var derived = Secret(capacity: Sealer.keySize)
    // SAFETY: the result has room for a key; the others are lent with their sizes.
    let isDone = unsafe derived.withUnsafeMutableBytes { output, count in
      count = output.count
      return unsafe shared.withUnsafeBytes { shared in
        unsafe info.withUnsafeBytes { info in
          unsafe la_shared_kdf(
            "SSKDF",
            "SHA256",
            output.baseAddress,
            output.count,
            shared.baseAddress,
            shared.count,
            info.baseAddress,
            info.count
          )
        }
      }
    }
    return isDone ? Sealer(derived) : nil
  }

  private static func agree(_ key: borrowing Secret, _ peer: [UInt8]) -> Secret? {
    guard peer.count == halfSize else { return nil }
    var shared = Secret(capacity: halfSize)
    // SAFETY: all three have 32 bytes.
    let isAgreed = unsafe shared.withUnsafeMutableBytes { output, count in
      count = output.count
      return unsafe key.withUnsafeBytes { key in
        unsafe peer.withUnsafeBytes { peer in
          unsafe la_sodium_x25519(output.baseAddress, key.baseAddress, peer.baseAddress)
        }
      }
    }
    guard isAgreed else { return nil }
    return shared
  }
}
