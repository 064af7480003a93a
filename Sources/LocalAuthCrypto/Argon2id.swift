import CLocalAuthSodium
import LocalAuthSecret

/// Argon2id (RFC 9106) with one lane, through libsodium.
enum Argon2id {
  /// The size of the output in bytes.
  static let outputSize = 32
  /// The size of the salt in bytes, fixed by libsodium.
  static let saltSize = 16

  /// A new random salt.
  static func newSalt() -> [UInt8] {
    var generator = SecureRandom()
    return (0..<saltSize).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }

  /// Derives 32 bytes from `passcode` and `salt` at `cost`; nil if memory is short.
  static func stretch(
    _ passcode: borrowing Secret,
    salt: [UInt8],
    _ cost: PasscodeCost
  ) -> Secret? {
    stretch(passcode, salt: salt, passes: cost.passes, kibibytes: cost.kibibytes)
  }

  /// Derives 32 bytes from `passcode` and `salt`.
  ///
  /// - Parameters:
  ///   - passcode: The secret that is stretched.
  ///   - salt: ``saltSize`` bytes.
  ///   - passes: How often the memory is passed over.
  ///   - kibibytes: The memory, in KiB.
  /// - Returns: the bytes; nil if memory is short.
  static func stretch(
    _ passcode: borrowing Secret,
    salt: [UInt8],
    passes: UInt32,
    kibibytes: UInt32
  ) -> Secret? {
    precondition(salt.count == saltSize, "libsodium reads 16 bytes of salt")
    Sodium.ready
    var output = Secret(capacity: outputSize)
    // SAFETY: libsodium writes 32 bytes, reads 16 bytes of salt and the whole passcode, and keeps
    // no pointer.
    let isDone = unsafe passcode.withUnsafeBytes { passcode in
      unsafe output.withUnsafeMutableBytes { bytes, count in
        count = outputSize
        return unsafe la_sodium_argon2id(
          bytes.baseAddress,
          outputSize,
          passcode.baseAddress,
          passcode.count,
          salt,
          UInt64(passes),
          Int(kibibytes) * 1024
        )
      }
    }
    guard isDone else { return nil }
    return output
  }
}
