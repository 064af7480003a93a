import LocalAuthKeychain
import LocalAuthSecret

@testable import LocalAuthCrypto

/// What the tests of this target are made of.
enum Sample {
  static func secret(_ bytes: [UInt8]) -> Secret {
    var secret = Secret(capacity: bytes.count)
    for byte in bytes { _ = secret.append(byte) }
    return secret
  }

  /// The bytes of a secret, or nil of none; tests know their secrets anyway.
  static func bytes(_ secret: consuming Secret?) -> [UInt8]? {
    switch consume secret {
    case .some(let secret):
      // SAFETY: the bytes are read within the call.
      return unsafe secret.withUnsafeBytes { unsafe Array($0) }
    case .none: return nil
    }
  }

  /// Both keys of each class, to compare them by.
  static func fingerprint(_ keys: borrowing ClassKeys) -> [ProtectionClass: [UInt8]] {
    var prints: [ProtectionClass: [UInt8]] = [:]
    for protection in keys.classes.classes { prints[protection] = bytes(keys.joined(protection)) }
    return prints
  }

  /// The bytes that `hexadecimal` digits stand for.
  static func bytes(_ hexadecimal: String) -> [UInt8] {
    var digits = hexadecimal.compactMap(\.hexDigitValue)[...]
    var bytes: [UInt8] = []
    while let high = digits.popFirst(), let low = digits.popFirst() {
      bytes.append(UInt8(high << 4 | low))
    }
    return bytes
  }
}
