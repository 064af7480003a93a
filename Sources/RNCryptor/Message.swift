internal import Foundation

/// The parts of a message, which nothing has verified yet.
struct Message {
  /// What opens a message.
  enum Credential {
    case password
    case keys

    /// The bytes before the vector.
    var headerSize: Int {
      switch self {
      case .password: 2 + 2 * RNCryptor.FormatV3.saltSize
      case .keys: 2
      }
    }

    /// The bytes of a message of nothing: a block of padding is always there.
    var messageSizeMin: Int {
      headerSize + RNCryptor.FormatV3.vectorSize + Message.blockSize + RNCryptor.FormatV3.macSize
    }
  }

  static let blockSize = 16

  /// The salts; empty without a password.
  let encryptionSalt: Data
  let macSalt: Data
  let vector: Data
  let ciphertext: Data
  /// What the HMAC covers.
  let authenticated: Data
  let tag: Data

  /// Takes `bytes`, a message of this format, apart.
  init(_ bytes: Data, for credential: Credential, version: UInt8) throws(RNCryptor.Error) {
    let bytes = Data(bytes)
    guard let first = bytes.first else { throw .messageTooShort }
    guard first == version else { throw .unknownHeader }
    guard bytes.count > 1 else { throw .messageTooShort }
    guard bytes[1] == (credential == .password ? 1 : 0) else { throw .invalidCredentialType }
    guard bytes.count >= credential.messageSizeMin else { throw .messageTooShort }
    let salts = bytes[2..<credential.headerSize]
    encryptionSalt = salts.prefix(RNCryptor.FormatV3.saltSize)
    macSalt = salts.dropFirst(RNCryptor.FormatV3.saltSize)
    authenticated = bytes.dropLast(RNCryptor.FormatV3.macSize)
    tag = bytes.suffix(RNCryptor.FormatV3.macSize)
    let body = authenticated.dropFirst(credential.headerSize)
    vector = body.prefix(RNCryptor.FormatV3.vectorSize)
    ciphertext = body.dropFirst(RNCryptor.FormatV3.vectorSize)
  }

  /// Verifies the message, and only then decrypts it.
  func open(with keys: borrowing MessageKeys) throws(RNCryptor.Error) -> Data {
    guard keys.verify(tag, of: authenticated), let content = keys.decrypt(ciphertext, vector) else {
      throw .hmacMismatch
    }
    return content
  }
}
