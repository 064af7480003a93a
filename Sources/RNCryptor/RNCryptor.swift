internal import CommonCrypto
public import Foundation

/// Encrypts and decrypts messages in RNCryptor's format 3, as its clients in other languages do.
///
/// A message is AES-256 in CBC mode with an HMAC over everything before it. Keys come from a password
/// by 10,000 rounds of PBKDF2, which is few today: use the format to exchange data with programs that
/// speak it. Nothing of a message is decrypted before its HMAC was verified.
public enum RNCryptor {
  /// Why a message cannot be decrypted; ``oddity(in:)`` says what looks wrong with it.
  public enum Error: Int, Swift.Error {
    /// The password or key is wrong, or the message was damaged: nothing tells the two apart.
    case hmacMismatch = 1
    /// The message has another format.
    case unknownHeader = 2
    /// The message is shorter than any of its kind.
    case messageTooShort = 3
    /// There was not enough memory.
    case memoryFailure = 4
    /// The message wants a password and has keys, or the other way; or the password is empty.
    case invalidCredentialType = 5
  }

  /// Returns `data` as a message that `password` opens.
  ///
  /// The password must not be empty; an empty one ends the process.
  public static func encrypt(data: Data, withPassword password: String) -> Data {
    Encryptor(password: password).encrypt(data: data)
  }

  /// Returns the content of a message of format 3.
  ///
  /// - Throws: ``Error``.
  public static func decrypt(data: Data, withPassword password: String) throws -> Data {
    try Decryptor(password: password).decrypt(data: data)
  }

  /// Returns this many random bytes of the kernel's.
  public static func randomData(ofLength length: Int) -> Data {
    var data = Data(count: length)
    let status = unsafe data.withUnsafeMutableBytes { bytes in
      unsafe CCRandomGenerateBytes(bytes.baseAddress, bytes.count)
    }
    precondition(status == kCCSuccess, "the kernel gives random bytes")
    return data
  }
}

/// What encrypts or decrypts a message in parts.
public protocol RNCryptorType {
  /// One that uses `password`.
  init(password: String)
  /// Takes the next part and returns what of the result is ready.
  func update(withData data: Data) throws -> Data
  /// Ends the message and returns the rest of the result.
  func finalData() throws -> Data
}
