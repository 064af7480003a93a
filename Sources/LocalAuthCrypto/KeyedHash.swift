import CLocalAuthSodium
import LocalAuthSecret

/// Keyed BLAKE2b: a message authentication code of 32 bytes, in a third of the time of HMAC-SHA256.
enum KeyedHash {
  /// The size of a tag in bytes.
  static let size = 32

  /// The tag over `message` under `key`, of 32 bytes.
  static func tag(over message: [UInt8], key: borrowing Secret) -> [UInt8] {
    // SAFETY: the message is lent for the call.
    unsafe message.withUnsafeBytes { unsafe tag(over: $0, key: key) }
  }

  /// The tag over a secret message.
  static func tag(over message: borrowing Secret, key: borrowing Secret) -> [UInt8] {
    // SAFETY: the message is lent for the call.
    unsafe message.withUnsafeBytes { unsafe tag(over: $0, key: key) }
  }

  private static func tag(over message: UnsafeRawBufferPointer, key: borrowing Secret) -> [UInt8] {
    // SAFETY: the tag is copied while it is lent.
    unsafe withTag(over: message, key: key) { unsafe [UInt8]($0) }
  }

  /// Lends the tag over `message` under `key` to `body`.
  static func withTag<R>(
    over message: [UInt8],
    key: borrowing Secret,
    _ body: (UnsafeRawBufferPointer) -> R
  ) -> R {
    // SAFETY: the message is lent for the call.
    unsafe message.withUnsafeBytes { unsafe withTag(over: $0, key: key, body) }
  }

  private static func withTag<R>(
    over message: UnsafeRawBufferPointer,
    key: borrowing Secret,
    _ body: (UnsafeRawBufferPointer) -> R
  ) -> R {
    var tag: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    // SAFETY: the tag has `size` bytes; tag, key and message are lent for the calls.
    return unsafe withUnsafeMutableBytes(of: &tag) { output in
      let isWritten = unsafe key.withUnsafeBytes { key in
        unsafe la_sodium_keyed_hash(
          output.baseAddress,
          size,
          message.baseAddress,
          message.count,
          key.baseAddress,
          key.count
        )
      }
      precondition(isWritten, "a keyed hash takes a key of 16 to 64 bytes")
      return unsafe body(UnsafeRawBufferPointer(output))
    }
  }

  /// Whether both tags are equal, compared in constant time.
  static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard left.count == size, right.count == size else { return false }
    // SAFETY: both have `size` bytes.
    return unsafe sodium_memcmp(left, right, size) == 0
  }
}
