import CLocalAuthOpenSSL

/// The hash functions for signatures and key derivation, named as in Apple's documentation.
public enum HashFunction: String, CaseIterable, Hashable, Sendable {
  case sha1 = "SHA1"
  case sha224 = "SHA224"
  case sha256 = "SHA256"
  case sha384 = "SHA384"
  case sha512 = "SHA512"

  /// The size of a digest in bytes.
  public var size: Int {
    switch self {
    case .sha1: 20
    case .sha224: 28
    case .sha256: 32
    case .sha384: 48
    case .sha512: 64
    }
  }

  /// Computes the digest of `message`.
  public func digest(of message: [UInt8]) throws(PKIError) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: size)
    // SAFETY: both arrays are lent for the call, and the digest has its size.
    let isDone = unsafe message.withUnsafeBytes { message in
      unsafe digest.withUnsafeMutableBytes { digest in
        unsafe la_hash(
          rawValue,
          message.baseAddress,
          message.count,
          digest.baseAddress,
          digest.count
        )
      }
    }
    guard isDone else { throw .failed }
    return digest
  }
}
