import CLocalAuthOpenSSL
public import LocalAuthSecret
public import LocalAuthSync

/// What a device proves its role at a hub with: 256 random bits, as 64 hexadecimal digits in wiped memory.
///
/// Digits and letters have one encoding in whatever normal form a server wants passwords. Any thread may use it.
public final class HubPassword: Sendable {
  private static let rounds: Int32 = 4096
  private static let saltSize = 16
  private static let digits = Array("0123456789abcdef".utf8)

  /// The digits.
  public let text: Secret

  /// A new password.
  public static func generate() -> HubPassword { HubPassword(key: DeviceKey.randomBytes()) }

  init(key: borrowing Secret) {
    var text = Secret(capacity: key.count * 2)
    // SAFETY: the bytes are read while they are lent.
    unsafe key.withUnsafeBytes { bytes in
      for index in 0..<bytes.count {
        _ = text.append(Self.digits[Int(unsafe bytes[index] >> 4)])
        _ = text.append(Self.digits[Int(unsafe bytes[index] & 15)])
      }
    }
    self.text = text
  }

  /// What PostgreSQL keeps of it; see ``verifier(of:)``.
  public func verifier() -> String { Self.verifier(of: text) }

  /// What PostgreSQL keeps of a password (SCRAM-SHA-256, RFC 5803), with a fresh salt.
  ///
  /// Whoever reads it can pose as the hub to this device, and not as the device to the hub.
  public static func verifier(of text: borrowing Secret) -> String {
    var random = DeviceKey.randomBytes()
    // SAFETY: the secret is longer, and a salt is public.
    let salt = unsafe random.withUnsafeMutableBytes { bytes, count in
      count = saltSize
      return unsafe Array(bytes.prefix(saltSize))
    }
    let salted = salted(text, salt)
    let client = MessageCode.tag(over: Array("Client Key".utf8), key: salted)
    let server = MessageCode.tag(over: Array("Server Key".utf8), key: salted)
    let stored = MessageHash().sha256(of: client)
    return "SCRAM-SHA-256$\(rounds):\(Base64.text(salt))$\(Base64.text(stored)):"
      + Base64.text(server)
  }

  private static func salted(_ text: borrowing Secret, _ salt: [UInt8]) -> Secret {
    LibCrypto.outlivesExit
    var salted = Secret(capacity: MessageCode.size)
    // SAFETY: all buffers are lent for the call, and the output has room for 32 bytes.
    let isDone = unsafe salted.withUnsafeMutableBytes { output, count in
      count = output.count
      return unsafe text.withUnsafeBytes { text in
        unsafe PKCS5_PBKDF2_HMAC(
          text.bindMemory(to: CChar.self).baseAddress,
          Int32(text.count),
          salt,
          Int32(salt.count),
          rounds,
          EVP_sha256(),
          Int32(MessageCode.size),
          output.bindMemory(to: UInt8.self).baseAddress
        )
      } == 1
    }
    precondition(isDone, "a key is derived from every password")
    return salted
  }
}

extension InvitationCode {
  /// The role that a device joins with; nil if memory is short.
  public func hubRole() -> HubRole? {
    guard let key = SyncKeys.derive(key, "hub role") else { return nil }
    // SAFETY: a role is public; the bytes are copied while they are lent.
    return unsafe key.withUnsafeBytes { unsafe HubRole(bytes: Array($0.prefix(16))) }
  }

  /// The password that a device joins with, and changes as soon as it has; nil if memory is short.
  public func hubPassword() -> HubPassword? {
    guard let key = SyncKeys.derive(key, "hub password") else { return nil }
    return HubPassword(key: key)
  }
}

/// Base64 with its padding (RFC 4648, section 4).
private enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
  )

  static func text(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let part = bytes[start..<min(start + 3, bytes.count)]
      let bits = part.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - part.count))
      for place in 0..<4 {
        let isPadding = place > part.count
        text.append(isPadding ? UInt8(ascii: "=") : alphabet[bits >> (18 - 6 * place) & 63])
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
