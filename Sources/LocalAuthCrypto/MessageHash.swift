import CLocalAuthOpenSSL
public import LocalAuthCore

/// SHA-256, for digests that other programs compute too.
public struct MessageHash: MessageHashing {
  /// Makes the hash function.
  public init() {}

  /// SHA-256 of `message`, 32 bytes.
  public func sha256(of message: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    // SAFETY: the message is lent with its size, and the digest has room for the 32 bytes written.
    let isMade = unsafe message.withUnsafeBytes { message in
      unsafe digest.withUnsafeMutableBytes { digest in
        guard let output = digest.baseAddress else { return false }
        return unsafe la_mac_digest(
          LA_MAC_SHA256,
          message.baseAddress,
          message.count,
          nil,
          0,
          output
        )
      }
    }
    precondition(isMade, "a digest in memory of its own cannot fail")
    return digest
  }
}
