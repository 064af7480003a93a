import CLocalAuthOpenSSL
import CLocalAuthSodium
import LocalAuthKeychain
import LocalAuthSecret

/// AES-256-GCM under a key that is new with a sequence of messages, each of which has a number.
///
/// The number is the nonce, so a sealed message is a ciphertext and a tag of 16 bytes. Numbers only rise while one
/// sealer has the key, and no other sealer may have it. Only one thread at a time may use it.
@safe
struct NumberedSealer: ~Copyable, @unchecked Sendable {
  // @unchecked: the contexts have one owner, and the language passes ownership between threads.

  /// The number of bytes by which a sealed message exceeds its secret.
  static let overhead = Int(LA_GCM_TAG_SIZE)

  private let contexts: GCMContexts
  private var next: UInt64 = 0

  /// Prepares `key`; nil if it has another size than ``Sealer/keySize``, or memory is short.
  init?(_ key: borrowing Secret) {
    guard let contexts = GCMContexts(key) else { return nil }
    self.contexts = contexts
  }

  /// Seals `secret` as the message of this number, and authenticates `data`, which is not part of the result.
  ///
  /// The process ends if a message with this number or a higher one was sealed.
  mutating func seal(
    _ secret: borrowing Secret,
    as number: UInt64,
    with data: [UInt8]
  ) -> [UInt8] {
    precondition(number >= next, "a number is the nonce of one message")
    next = number + 1
    let size = secret.count
    let nonce = Self.nonce(number)
    var isSealed = false
    // SAFETY: the array has room for ciphertext and tag, and all of it is written; the rest is lent for the call.
    let sealed = unsafe [UInt8](unsafeUninitializedCapacity: size + Self.overhead) { room, count in
      let start = UnsafeMutableRawPointer(room.baseAddress)
      isSealed = unsafe secret.withUnsafeBytes { plain in
        let tag = unsafe start.map { unsafe $0 + size }
        return unsafe la_gcm_seal(
          contexts.sealing,
          nonce,
          data,
          data.count,
          plain.baseAddress,
          size,
          start,
          tag
        )
      }
      count = size + Self.overhead
    }
    precondition(isSealed, "AES-GCM seals whatever fits into memory")
    return sealed
  }

  /// Opens the message of this number, sealed with `data`; nil if anything was changed.
  func open(_ sealed: [UInt8], as number: UInt64, with data: [UInt8]) -> Secret? {
    let size = sealed.count - Self.overhead
    guard size >= 0 else { return nil }
    let nonce = Self.nonce(number)
    var secret = Secret(capacity: size)
    // SAFETY: the message has `size` bytes and a tag, and the secret has room for `size`; all is lent for the call.
    let isGenuine = unsafe secret.withUnsafeMutableBytes { plain, count in
      count = size
      return unsafe sealed.withUnsafeBytes { message in
        let tag = unsafe message.baseAddress.map { unsafe $0 + size }
        return unsafe la_gcm_open(
          contexts.opening,
          nonce,
          data,
          data.count,
          message.baseAddress,
          size,
          tag,
          plain.baseAddress
        )
      }
    }
    guard isGenuine else { return nil }
    return secret
  }

  private static func nonce(_ number: UInt64) -> [UInt8] {
    var nonce = [UInt8](repeating: 0, count: Int(LA_GCM_NONCE_SIZE) - 8)
    nonce.append(littleEndian: number)
    return nonce
  }
}
