import CLocalAuthSodium
import LocalAuthSecret

/// Argon2id (RFC 9106) with one lane, through libsodium.
enum Argon2id {
  /// Bytes of output.
  static let outputSize = 32
  /// Bytes of salt; libsodium knows no other size.
  static let saltSize = 16

  /// A salt that was never used.
  static func newSalt() -> [UInt8] {
    var generator = SecureRandom()
    return (0..<saltSize).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }

  /// Thirty-two bytes that cost `cost` to compute from `passcode` and `salt`; nil when memory is short.
  static func stretch(
    _ passcode: borrowing Secret,
    salt: [UInt8],
    _ cost: PasscodeCost
  ) -> Secret? {
    precondition(salt.count == saltSize, "libsodium reads 16 bytes of salt")
    Sodium.ready
    var output = Secret(capacity: outputSize)
    // SAFETY: libsodium writes 32 bytes, reads 16 of salt and the passcode's, and keeps no pointer.
    let isDone = unsafe passcode.withUnsafeBytes { passcode in
      unsafe output.withUnsafeMutableBytes { bytes, count in
        count = outputSize
        return unsafe la_sodium_argon2id(
          bytes.baseAddress,
          outputSize,
          passcode.baseAddress,
          passcode.count,
          salt,
          UInt64(cost.passes),
          Int(cost.kibibytes) * 1024
        )
      }
    }
    guard isDone else { return nil }
    return output
  }
}
