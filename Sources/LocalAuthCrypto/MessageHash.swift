import CLocalAuthSodium
public import LocalAuthCore

/// SHA-256, for digests that other programs compute too.
public struct MessageHash: MessageHashing {
  /// Makes the hash function.
  public init() {}

  /// SHA-256 of `message`, 32 bytes.
  public func sha256(of message: [UInt8]) -> [UInt8] {
    Sodium.ready
    var digest = [UInt8](repeating: 0, count: 32)
    // SAFETY: the message is lent with its size, and the digest has room for the 32 bytes written.
    unsafe message.withUnsafeBytes { message in
      unsafe digest.withUnsafeMutableBytes { digest in
        unsafe la_sodium_sha256(digest.baseAddress, message.baseAddress, message.count)
      }
    }
    return digest
  }
}
