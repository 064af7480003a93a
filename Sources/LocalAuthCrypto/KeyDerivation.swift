import CLocalAuthOpenSSL
public import LocalAuthSecret

/// HKDF with SHA-256 (RFC 5869): derives one key from several secrets, bound to its purpose.
public enum KeyDerivation {
  /// The size of a derived key in bytes.
  public static let keySize = 32

  /// Derives a key from `secrets`, in their order, for `info`.
  ///
  /// Each secret is preceded by its length, so that different lists never encode alike. The salt is
  /// a constant of this program, which RFC 5869 section 3.1 allows because the secrets are random.
  public static func derive(from secrets: borrowing KeyMaterial, info: [UInt8]) -> Secret {
    var key = Secret(capacity: keySize)
    let salt: StaticString = "LocalAuth key schedule 1"
    // SAFETY: OpenSSL writes 32 bytes and reads the other buffers, each within its size.
    let isDerived = unsafe key.withUnsafeMutableBytes { output, count in
      count = keySize
      return unsafe secrets.bytes.withUnsafeBytes { material in
        unsafe info.withUnsafeBytes { info in
          unsafe la_hkdf_sha256(
            output.baseAddress,
            keySize,
            material.baseAddress,
            material.count,
            salt.utf8Start,
            salt.utf8CodeUnitCount,
            info.baseAddress,
            info.count
          )
        }
      }
    }
    precondition(isDerived, "HKDF gives 32 bytes of any material")
    return key
  }
}

/// Input secrets of a key derivation, each preceded by its length.
public struct KeyMaterial: ~Copyable, Sendable {
  /// The size of the longest secret, in bytes.
  public static let longestPart = 255

  fileprivate var bytes: Secret

  /// Makes an empty list with room for `parts` secrets of at most ``longestPart`` bytes.
  public init(parts: Int) { bytes = Secret(capacity: parts * (Self.longestPart + 1)) }

  /// Adds an empty secret; returns false if there is no room.
  mutating func addNothing() -> Bool { bytes.append(0) }

  /// Adds a secret; returns false if it is too long or there is no room.
  public mutating func add(_ part: borrowing Secret) -> Bool {
    guard part.count <= Self.longestPart, bytes.capacity - bytes.count > part.count else {
      return false
    }
    var isAdded = bytes.append(UInt8(part.count))
    // SAFETY: the bytes are lent for the loop, which stays within them.
    unsafe part.withUnsafeBytes { part in
      for index in 0..<part.count { isAdded = unsafe bytes.append(part[index]) && isAdded }
    }
    return isAdded
  }
}
