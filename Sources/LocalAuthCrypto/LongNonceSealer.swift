import CLocalAuthSodium
import LocalAuthSecret

/// XChaCha20-Poly1305 with random nonces of 192 bits, for keys that several devices have and keep for long.
///
/// A sealed text is a nonce, the ciphertext and a tag. Any thread may use it.
final class LongNonceSealer: Sendable {
  static let keySize = 32
  static let nonceSize = 24
  static let tagSize = 16
  static let overhead = nonceSize + tagSize

  private let key: Secret

  /// Makes the sealer with this key; nil unless it has 32 bytes.
  init?(_ key: consuming Secret) {
    Sodium.ready
    guard key.count == Self.keySize else { return nil }
    self.key = key
  }

  /// Seals `secret` and authenticates `context`, which is not part of the result.
  func seal(_ secret: borrowing Secret, with context: [UInt8]) -> [UInt8] {
    // SAFETY: the bytes are lent for the call.
    unsafe secret.withUnsafeBytes { unsafe seal($0, context) }
  }

  /// As ``seal(_:with:)``, for bytes that need no wiped memory.
  func seal(bytes: [UInt8], with context: [UInt8]) -> [UInt8] {
    // SAFETY: the bytes are lent for the call.
    unsafe bytes.withUnsafeBytes { unsafe seal($0, context) }
  }

  private func seal(_ plain: UnsafeRawBufferPointer, _ context: [UInt8]) -> [UInt8] {
    var sealed = [UInt8](repeating: 0, count: Self.overhead + plain.count)
    // SAFETY: nonce, ciphertext and tag fill the array; all else is lent for the call with its size.
    let isSealed = unsafe sealed.withUnsafeMutableBytes { output in
      unsafe la_sodium_random(output.baseAddress, Self.nonceSize)
      return unsafe key.withUnsafeBytes { key in
        unsafe context.withUnsafeBytes { context in
          unsafe la_sodium_xchacha_seal(
            key.baseAddress,
            output.baseAddress,
            context.baseAddress,
            context.count,
            plain.baseAddress,
            plain.count,
            output.baseAddress.map { unsafe $0 + Self.nonceSize }
          )
        }
      }
    }
    precondition(isSealed, "XChaCha20-Poly1305 seals whatever fits into memory")
    return sealed
  }

  /// Opens a secret that was sealed with `context`; nil if either was changed or the key is another.
  func open(_ sealed: [UInt8], with context: [UInt8]) -> Secret? {
    guard sealed.count >= Self.overhead else { return nil }
    var secret = Secret(capacity: sealed.count - Self.overhead)
    // SAFETY: the secret has room for the plaintext; all else is lent for the call with its size.
    let isGenuine = unsafe secret.withUnsafeMutableBytes { plain, count in
      count = plain.count
      return unsafe open(sealed, context, plain.baseAddress)
    }
    guard isGenuine else { return nil }
    return secret
  }

  /// As ``open(_:with:)``, for bytes that need no wiped memory.
  func openBytes(_ sealed: [UInt8], with context: [UInt8]) -> [UInt8]? {
    guard sealed.count >= Self.overhead else { return nil }
    var plain = [UInt8](repeating: 0, count: sealed.count - Self.overhead)
    // SAFETY: the array has room for the plaintext; all else is lent for the call with its size.
    let isGenuine = unsafe plain.withUnsafeMutableBytes {
      unsafe open(sealed, context, $0.baseAddress)
    }
    return isGenuine ? plain : nil
  }

  private func open(
    _ sealed: [UInt8],
    _ context: [UInt8],
    _ plain: UnsafeMutableRawPointer?
  ) -> Bool {
    // SAFETY: the caller has room for the plaintext, and what is sealed has a nonce and a tag.
    unsafe key.withUnsafeBytes { key in
      unsafe sealed.withUnsafeBytes { sealed in
        unsafe context.withUnsafeBytes { context in
          unsafe la_sodium_xchacha_open(
            key.baseAddress,
            sealed.baseAddress,
            context.baseAddress,
            context.count,
            sealed.baseAddress.map { unsafe $0 + Self.nonceSize },
            sealed.count - Self.nonceSize,
            plain
          )
        }
      }
    }
  }
}
