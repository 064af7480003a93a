public import Foundation
internal import LocalAuthRNCryptor
internal import LocalAuthSecret

extension RNCryptor {
  /// Format 3: version, options, salts if there is a password, vector, ciphertext and HMAC.
  public enum FormatV3 {
    /// The bytes of a key of AES-256, and of an HMAC key.
    public static let keySize = MessageFormat.keySize
    /// The bytes of a salt.
    public static let saltSize = MessageFormat.saltSize

    /// Returns a new random salt.
    public static func makeSalt() -> Data { RNCryptor.randomData(ofLength: saltSize) }

    /// Returns the key that `password` and `salt` make; the password must not be empty.
    ///
    /// HMAC fills a short key up with zeros, so that zero bytes at the end of a password make no other
    /// key.
    public static func makeKey(forPassword password: String, withSalt salt: Data) -> Data {
      precondition(!password.isEmpty, "a password has at least one character")
      let key = Secret(copying: password.utf8).key(withSalt: Array(salt))
      return unsafe key.withUnsafeBytes { unsafe Data($0) }
    }
  }
}
