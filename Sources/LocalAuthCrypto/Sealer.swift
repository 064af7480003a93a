import CLocalAuthOpenSSL
import CLocalAuthSodium
public import LocalAuthSecret

/// AES-256-GCM under one key, whose schedule is kept for the lifetime of the value.
///
/// A sealed message is a random nonce of 12 bytes, a ciphertext as long as the secret, and a tag of
/// 16 bytes over the ciphertext and the authenticated data. One key may seal 2^32 messages before
/// the probability of a repeated random nonce exceeds 2^-32 (NIST SP 800-38D, 8.3).
///
/// Only one thread at a time may use it. The key schedule is in memory that OpenSSL allocates. It
/// is wiped when the value is destroyed; the kernel may swap it out unless the process has locked
/// all of its memory.
@safe
public struct Sealer: ~Copyable, @unchecked Sendable {
  // @unchecked: the contexts have one owner, and the language passes ownership between threads.

  /// The size of a key in bytes.
  public static let keySize = Int(LA_GCM_KEY_SIZE)
  /// The number of bytes by which a sealed message exceeds its secret.
  public static let overhead = nonceSize + tagSize

  private static let nonceSize = Int(LA_GCM_NONCE_SIZE)
  private static let tagSize = Int(LA_GCM_TAG_SIZE)

  private let contexts: GCMContexts

  /// Prepares `key`, which has ``keySize`` bytes; nil for any other size, or if memory is short.
  public init?(_ key: borrowing Secret) {
    guard let contexts = GCMContexts(key) else { return nil }
    self.contexts = contexts
  }

  /// Seals `secret` and authenticates `data`, which is not part of the result.
  ///
  /// The process ends if the system cannot provide randomness.
  public func seal(_ secret: borrowing Secret, with data: [UInt8]) -> [UInt8] {
    // SAFETY: the bytes are lent for the call.
    unsafe secret.withUnsafeBytes { unsafe Self.seal(contexts.sealing, $0, data) }
  }

  /// As ``seal(_:with:)``, for bytes that need no wiped memory.
  func seal(bytes: [UInt8], with data: [UInt8]) -> [UInt8] {
    // SAFETY: the bytes are lent for the call.
    unsafe bytes.withUnsafeBytes { unsafe Self.seal(contexts.sealing, $0, data) }
  }

  /// Seals one secret under a key that seals no other; nil if the key has the wrong size.
  static func sealOnce(
    _ secret: borrowing Secret,
    with data: [UInt8],
    under key: borrowing Secret
  ) -> [UInt8]? {
    guard let context = unsafe GCMContexts.context(key, seals: true) else { return nil }
    defer { unsafe EVP_CIPHER_CTX_free(context) }
    // SAFETY: the bytes are lent for the call.
    return unsafe secret.withUnsafeBytes { unsafe seal(context, $0, data) }
  }

  /// Opens a secret sealed with `data`; nil if either was changed, the key is wrong, or the message
  /// is too short.
  public func open(_ sealed: RawSpan, with data: [UInt8]) -> Secret? {
    unsafe Self.open(contexts.opening, sealed, data)
  }

  /// As ``open(_:with:)``, for a message in an array.
  public func open(_ sealed: [UInt8], with data: [UInt8]) -> Secret? {
    // SAFETY: the bytes are the array's own and stay in place during the call.
    unsafe open(sealed.span.bytes, with: data)
  }

  /// As ``open(_:with:)``, for bytes that need no wiped memory.
  func openBytes(_ sealed: RawSpan, with data: [UInt8]) -> [UInt8]? {
    guard sealed.byteCount >= Self.overhead else { return nil }
    let size = sealed.byteCount - Self.overhead
    // SAFETY: the ciphertext is copied while it is lent.
    var bytes = unsafe sealed.withUnsafeBytes { message in
      unsafe [UInt8](message[Self.nonceSize..<Self.nonceSize + size])
    }
    // SAFETY: the array has room for `size` bytes.
    let isGenuine = unsafe bytes.withUnsafeMutableBytes { plain in
      unsafe Self.open(contexts.opening, sealed, data, into: plain.baseAddress)
    }
    return isGenuine ? bytes : nil
  }

  /// Opens one secret under a key that opens no other.
  static func openOnce(
    _ sealed: RawSpan,
    with data: [UInt8],
    under key: borrowing Secret
  ) -> Secret? {
    guard let context = unsafe GCMContexts.context(key, seals: false) else { return nil }
    defer { unsafe EVP_CIPHER_CTX_free(context) }
    return unsafe open(context, sealed, data)
  }

  // MARK: OpenSSL

  private static func seal(
    _ context: OpaquePointer,
    _ plain: UnsafeRawBufferPointer,
    _ data: [UInt8]
  ) -> [UInt8] {
    let size = plain.count
    var isSealed = false
    // SAFETY: the array has room for nonce, ciphertext and tag, and all of it is written.
    let sealed = unsafe [UInt8](unsafeUninitializedCapacity: size + overhead) { message, count in
      let start = UnsafeMutableRawPointer(message.baseAddress)
      unsafe la_sodium_random(start, nonceSize)
      isSealed = unsafe data.withUnsafeBytes { data in
        unsafe la_gcm_seal(
          context,
          start,
          data.baseAddress,
          data.count,
          plain.baseAddress,
          size,
          start.map { unsafe $0 + nonceSize },
          start.map { unsafe $0 + nonceSize + size }
        )
      }
      count = size + overhead
    }
    precondition(isSealed, "AES-GCM seals whatever fits into memory")
    return sealed
  }

  private static func open(
    _ context: OpaquePointer,
    _ sealed: RawSpan,
    _ data: [UInt8]
  ) -> Secret? {
    guard sealed.byteCount >= overhead else { return nil }
    let size = sealed.byteCount - overhead
    var secret = Secret(capacity: size)
    // SAFETY: the secret has room for `size` bytes.
    let isGenuine = unsafe secret.withUnsafeMutableBytes { plain, count in
      count = size
      return unsafe open(context, sealed, data, into: plain.baseAddress)
    }
    guard isGenuine else { return nil }
    return secret
  }

  /// Opens a message of at least ``overhead`` bytes; returns false if it is not authentic, and then
  /// the output must not be used.
  ///
  /// `plain` has room for the plaintext.
  private static func open(
    _ context: OpaquePointer,
    _ sealed: RawSpan,
    _ data: [UInt8],
    into plain: UnsafeMutableRawPointer?
  ) -> Bool {
    let size = sealed.byteCount - overhead
    // SAFETY: the message has a nonce, `size` bytes and a tag; all buffers are lent for the call.
    return unsafe sealed.withUnsafeBytes { message in
      unsafe data.withUnsafeBytes { data in
        unsafe la_gcm_open(
          context,
          message.baseAddress,
          data.baseAddress,
          data.count,
          message.baseAddress.map { unsafe $0 + nonceSize },
          size,
          message.baseAddress.map { unsafe $0 + nonceSize + size },
          plain
        )
      }
    }
  }
}
