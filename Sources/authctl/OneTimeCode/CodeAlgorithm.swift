internal import CLocalAuthOpenSSL
import LocalAuthSecret

/// The hash functions of one-time codes.
enum CodeAlgorithm: String, CaseIterable {
  case sha1 = "SHA1"
  case sha256 = "SHA256"
  case sha512 = "SHA512"

  /// Returns the HMAC of `message`; nil if the library fails.
  func authenticationCode(of message: [UInt8], key: borrowing Secret) -> Secret? {
    var code = Secret(capacity: la_mac_size(mac))
    // SAFETY: all bytes stay in place during the call, which fills the room of `code`.
    let isDone = unsafe key.withUnsafeBytes { key in
      unsafe message.withUnsafeBytes { message in
        unsafe code.withUnsafeMutableBytes { room, used in
          guard let start = room.baseAddress,
            unsafe la_mac(
              mac,
              key.baseAddress,
              key.count,
              message.baseAddress,
              message.count,
              start
            )
          else { return false }
          used = room.count
          return true
        }
      }
    }
    guard isDone else { return nil }
    return code
  }

  private var mac: la_mac {
    switch self {
    case .sha1: LA_MAC_SHA1
    case .sha256: LA_MAC_SHA256
    case .sha512: LA_MAC_SHA512
    }
  }
}
