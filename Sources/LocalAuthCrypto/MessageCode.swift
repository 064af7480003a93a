import CLocalAuthOpenSSL
import LocalAuthSecret

/// HMAC-SHA256, for codes that other devices verify.
enum MessageCode {
  static let size = 32

  static func tag(over message: [UInt8], key: borrowing Secret) -> [UInt8] {
    // SAFETY: the message is lent for the call.
    unsafe message.withUnsafeBytes { unsafe tag(over: $0, key: key) }
  }

  /// The code over a secret message.
  static func tag(over message: borrowing Secret, key: borrowing Secret) -> [UInt8] {
    // SAFETY: the message is lent for the call.
    unsafe message.withUnsafeBytes { unsafe tag(over: $0, key: key) }
  }

  private static func tag(
    over message: UnsafeRawBufferPointer,
    key: borrowing Secret
  ) -> [UInt8] {
    var tag = [UInt8](repeating: 0, count: size)
    // SAFETY: the array has room for the code of SHA-256; all else is lent for the call.
    let isDone = unsafe key.withUnsafeBytes { key in
      unsafe la_mac(
        LA_MAC_SHA256,
        key.baseAddress,
        key.count,
        message.baseAddress,
        message.count,
        &tag
      )
    }
    precondition(isDone, "a code is made of every message")
    return tag
  }
}
