import CLocalAuthOpenSSL
public import LocalAuthSecret

/// HKDF with SHA-256 (RFC 5869): one key from several secrets, bound to what it is for.
public enum KeyDerivation {
  /// The size of a derived key in bytes.
  public static let keySize = 32

  /// The key that follows from all `secrets`, in their order, for `info`.
  ///
  /// Each secret goes in with its length, so that no two lists of secrets run together; the salt is
  /// a string of this program's, as RFC 5869 section 3.1 allows, because the secrets are random.
  public static func derive(from secrets: borrowing KeyMaterial, info: [UInt8]) -> Secret {
    var key = Secret(capacity: keySize)
    let salt: StaticString = "LocalAuth key schedule 1"
    // SAFETY: OpenSSL writes 32 bytes and reads the others, each within its own memory.
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

/// Secrets that a key is derived from, each with its length before it.
public struct KeyMaterial: ~Copyable, Sendable {
  /// The longest secret, in bytes.
  public static let longestPart = 255

  fileprivate var bytes: Secret

  /// Room for `parts` secrets of at most ``longestPart`` bytes; none is there yet.
  public init(parts: Int) { bytes = Secret(capacity: parts * (Self.longestPart + 1)) }

  /// Adds an empty secret; false when there is no room.
  mutating func addNothing() -> Bool { bytes.append(0) }

  /// Adds a secret; false when it is too long or there is no room.
  public mutating func add(_ part: borrowing Secret) -> Bool {
    guard part.count <= Self.longestPart, bytes.capacity - bytes.count > part.count else {
      return false
    }
    var isAdded = bytes.append(UInt8(part.count))
    // SAFETY: the bytes are lent for the loop, which stays inside them.
    unsafe part.withUnsafeBytes { part in
      for index in 0..<part.count { isAdded = unsafe bytes.append(part[index]) && isAdded }
    }
    return isAdded
  }
}
