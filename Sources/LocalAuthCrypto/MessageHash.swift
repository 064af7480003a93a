import CLocalAuthSodium
public import LocalAuthCore

/// SHA-256, for digests that others compute too.
public struct MessageHash: MessageHashing {
  /// The hash function.
  public init() {}

  /// The 32 bytes of SHA-256 over `message`.
  public func sha256(of message: [UInt8]) -> [UInt8] {
    Sodium.ready
    var digest = [UInt8](repeating: 0, count: 32)
    // SAFETY: the message is lent with its size, and the digest has the 32 bytes that are written.
    unsafe message.withUnsafeBytes { message in
      unsafe digest.withUnsafeMutableBytes { digest in
        unsafe la_sodium_sha256(digest.baseAddress, message.baseAddress, message.count)
      }
    }
    return digest
  }
}
