public import Foundation
internal import LocalAuthRNCryptor

// The names of RNCryptor for Objective-C, as Swift imports them.

/// The one way to encrypt that format 3 has.
public struct RNCryptorSettings: Sendable {
  fileprivate init() {}
}

/// AES-256 in CBC mode, HMAC-SHA-256, and 10,000 rounds of PBKDF2 for a password.
public let kRNCryptorAES256Settings = RNCryptorSettings()

/// Encrypts data in format 3; see ``RNCryptor``.
public enum RNEncryptor {
  /// Returns `data` as a message that `password` opens.
  ///
  /// - Throws: `RNCryptor.Error.invalidCredentialType` if the password is empty.
  public static func encryptData(
    _ data: Data,
    with settings: RNCryptorSettings,
    password: String
  ) throws -> Data {
    guard !password.isEmpty else { throw RNCryptor.Error.invalidCredentialType }
    return RNCryptor.encrypt(data: data, withPassword: password)
  }

  /// Returns `data` as a message that these keys open, each of 32 bytes.
  ///
  /// - Throws: `RNCryptor.Error.invalidCredentialType` if a key has another length.
  public static func encryptData(
    _ data: Data,
    with settings: RNCryptorSettings,
    encryptionKey: Data,
    hmacKey: Data
  ) throws -> Data {
    try checkKeys(encryptionKey, hmacKey)
    let encryptor = RNCryptor.EncryptorV3(encryptionKey: encryptionKey, hmacKey: hmacKey)
    return encryptor.encrypt(data: data)
  }
}

/// Decrypts data in format 3; see ``RNCryptor``.
public enum RNDecryptor {
  /// Returns the content of a message for a password.
  ///
  /// - Throws: `RNCryptor.Error`.
  public static func decryptData(_ data: Data, withPassword password: String) throws -> Data {
    try RNCryptor.decrypt(data: data, withPassword: password)
  }

  /// Returns the content of a message for keys, each of 32 bytes.
  ///
  /// - Throws: `RNCryptor.Error`.
  public static func decryptData(
    _ data: Data,
    withEncryptionKey encryptionKey: Data,
    hmacKey: Data
  ) throws -> Data {
    try checkKeys(encryptionKey, hmacKey)
    let decryptor = RNCryptor.DecryptorV3(encryptionKey: encryptionKey, hmacKey: hmacKey)
    return try decryptor.decrypt(data: data)
  }
}

private func checkKeys(_ keys: Data...) throws(RNCryptor.Error) {
  guard keys.allSatisfy({ $0.count == MessageFormat.keySize }) else { throw .invalidCredentialType }
}
