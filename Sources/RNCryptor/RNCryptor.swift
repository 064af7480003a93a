public import Foundation
public import LocalAuthRNCryptor

/// Encrypts and decrypts messages in RNCryptor's format 3, as its clients in other languages do.
///
/// A message is AES-256 in CBC mode with an HMAC over everything before it. Keys come from a password
/// by 10,000 rounds of PBKDF2, which is few today: use the format to exchange data with programs that
/// speak it. Nothing of a message is decrypted before its HMAC was verified.
public enum RNCryptor {
  /// Why a message cannot be decrypted; ``oddity(in:)`` says what looks wrong with it.
  public typealias Error = MessageError

  /// What looks wrong with a message, besides a password that may be.
  public typealias Oddity = MessageOddity

  /// Returns what looks wrong with `message`; nil if only the password or single bytes may be.
  public static func oddity(in message: Data) -> Oddity? {
    Oddity(in: Array(message.prefix(Oddity.startSize)), ofMessageOf: message.count)
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
    Data(randomBytes(length))
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
