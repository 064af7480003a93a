internal import CommonCrypto
public import Foundation
internal import LocalAuthSecret

extension RNCryptor {
  /// Format 3: version, options, salts if there is a password, vector, ciphertext and HMAC.
  public enum FormatV3 {
    /// The bytes of a key of AES-256, and of an HMAC key.
    public static let keySize = 32
    /// The bytes of a salt.
    public static let saltSize = 8

    static let version: UInt8 = 3
    static let vectorSize = 16
    static let macSize = 32

    /// Returns a new random salt.
    public static func makeSalt() -> Data { RNCryptor.randomData(ofLength: saltSize) }

    /// Returns the key that `password` and `salt` make; the password must not be empty.
    ///
    /// HMAC fills a short key up with zeros, so that zero bytes at the end of a password make no other
    /// key.
    public static func makeKey(forPassword password: String, withSalt salt: Data) -> Data {
      precondition(!password.isEmpty, "a password has at least one character")
      let key = Secret(password.utf8).key(withSalt: salt)
      return unsafe key.withUnsafeBytes { unsafe Data($0) }
    }
  }
}

extension Secret {
  /// A copy of `bytes`.
  init(_ bytes: some Collection<UInt8>) {
    self.init(capacity: bytes.count)
    for byte in bytes { _ = append(byte) }
  }

  /// The first `count` bytes.
  func prefix(_ count: Int) -> Secret {
    unsafe withUnsafeBytes {
      unsafe Secret(copying: UnsafeRawBufferPointer(rebasing: $0[..<count]))
    }
  }

  /// The key that this password and `salt` make.
  func key(withSalt salt: Data) -> Secret {
    var key = Secret(capacity: RNCryptor.FormatV3.keySize)
    let status = unsafe withUnsafeBytes { password in
      unsafe salt.withUnsafeBytes { salt in
        unsafe key.withUnsafeMutableBytes { key, count in
          count = key.count
          return unsafe CCKeyDerivationPBKDF(
            CCPBKDFAlgorithm(kCCPBKDF2),
            password.baseAddress?.assumingMemoryBound(to: CChar.self),
            password.count,
            salt.baseAddress?.assumingMemoryBound(to: UInt8.self),
            salt.count,
            CCPseudoRandomAlgorithm(kCCPRFHmacAlgSHA1),
            rounds,
            key.baseAddress?.assumingMemoryBound(to: UInt8.self),
            key.count
          )
        }
      }
    }
    precondition(status == kCCSuccess, "a key can be derived from every password")
    return key
  }

  /// The rounds of PBKDF2 that format 3 fixes.
  private var rounds: UInt32 { 10_000 }
}
