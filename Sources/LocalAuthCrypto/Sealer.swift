import CLocalAuthOpenSSL
import CLocalAuthSodium
public import LocalAuthSecret

/// AES-256-GCM under one key, whose schedule is kept for as long as the value lives.
///
/// A sealed message is a random nonce of 12 bytes, as many bytes as the secret has, and a tag of 16
/// bytes over them and the data that is authenticated with them. One key may seal 2^32 messages
/// before random nonces repeat with a chance of 2^-32 (NIST SP 800-38D, 8.3).
///
/// One thread at a time may use it. The key schedule lies in memory of OpenSSL's, which is wiped
/// when the value goes, and which the kernel may swap out unless the process has locked all of its
/// memory.
@safe
public struct Sealer: ~Copyable, @unchecked Sendable {
  // @unchecked: the contexts have one owner, and the language hands that owner from thread to thread.

  /// The size of a key in bytes.
  public static let keySize = Int(LA_GCM_KEY_SIZE)
  /// How much longer a sealed message is than its secret.
  public static let overhead = nonceSize + tagSize

  private static let nonceSize = Int(LA_GCM_NONCE_SIZE)
  private static let tagSize = Int(LA_GCM_TAG_SIZE)

  private let sealing: OpaquePointer
  private let opening: OpaquePointer

  /// Prepares `key`, which has ``keySize`` bytes; nil for any other size, or without memory.
  public init?(_ key: borrowing Secret) {
    Sodium.ready
    guard key.count == Self.keySize else { return nil }
    // SAFETY: OpenSSL reads 32 bytes and keeps no pointer to them.
    let contexts = unsafe key.withUnsafeBytes { key in
      unsafe (la_gcm_new(key.baseAddress, true), la_gcm_new(key.baseAddress, false))
    }
    guard let sealing = unsafe contexts.0, let opening = unsafe contexts.1 else {
      unsafe EVP_CIPHER_CTX_free(contexts.0)
      unsafe EVP_CIPHER_CTX_free(contexts.1)
      return nil
    }
    unsafe self.sealing = sealing
    unsafe self.opening = opening
  }

  deinit {
    unsafe EVP_CIPHER_CTX_free(sealing)
    unsafe EVP_CIPHER_CTX_free(opening)
  }

  /// Seals `secret` together with `data`, which is authenticated and not part of the result.
  ///
  /// The process ends when the system has no randomness to give.
  public func seal(_ secret: borrowing Secret, with data: [UInt8]) -> [UInt8] {
    let size = secret.count
    var sealed = [UInt8](repeating: 0, count: size + Self.overhead)
    // SAFETY: the array has room for nonce, content and tag; the content is as long as the secret.
    let isSealed = unsafe sealed.withUnsafeMutableBytes { message in
      let start = message.baseAddress
      unsafe la_sodium_random(start, Self.nonceSize)
      return unsafe secret.withUnsafeBytes { plain in
        unsafe data.withUnsafeBytes { data in
          unsafe la_gcm_seal(
            sealing,
            start,
            data.baseAddress,
            data.count,
            plain.baseAddress,
            size,
            start.map { unsafe $0 + Self.nonceSize },
            start.map { unsafe $0 + Self.nonceSize + size }
          )
        }
      }
    }
    precondition(isSealed, "AES-GCM seals whatever fits into memory")
    return sealed
  }

  /// The secret that was sealed with `data`; nil when a bit of either was changed, when the key is
  /// another, or when the message is too short to be one.
  public func open(_ sealed: UnsafeRawBufferPointer, with data: [UInt8]) -> Secret? {
    guard sealed.count >= Self.overhead else { return nil }
    let size = sealed.count - Self.overhead
    var secret = Secret(capacity: size)
    // SAFETY: the message has nonce, `size` bytes and tag; the secret has room for `size` bytes.
    let isGenuine = unsafe secret.withUnsafeMutableBytes { plain, count in
      count = size
      return unsafe data.withUnsafeBytes { data in
        unsafe la_gcm_open(
          opening,
          sealed.baseAddress,
          data.baseAddress,
          data.count,
          sealed.baseAddress.map { unsafe $0 + Self.nonceSize },
          size,
          sealed.baseAddress.map { unsafe $0 + Self.nonceSize + size },
          plain.baseAddress
        )
      }
    }
    guard isGenuine else { return nil }
    return secret
  }

  /// As ``open(_:with:)``, of a message in an array.
  public func open(_ sealed: [UInt8], with data: [UInt8]) -> Secret? {
    // SAFETY: the bytes are the array's own, valid inside the closure.
    unsafe sealed.span.withUnsafeBytes { unsafe open($0, with: data) }
  }
}
