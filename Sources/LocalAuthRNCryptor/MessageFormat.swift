/// The sizes of RNCryptor's formats 2 and 3, in bytes.
public enum MessageFormat {
  /// The format that is written.
  public static let version: UInt8 = 3
  /// The older format, which differs in what it takes of a password.
  public static let version2: UInt8 = 2
  /// A key of AES-256, and an HMAC key.
  public static let keySize = 32
  /// A salt.
  public static let saltSize = 8
  /// The vector of CBC mode.
  public static let vectorSize = 16
  /// A block of AES.
  public static let blockSize = 16
  /// The HMAC at the end.
  public static let macSize = 32
  /// The rounds of PBKDF2 with HMAC-SHA-1, which the format fixes.
  static let rounds: UInt32 = 10_000
}

/// What opens a message.
public enum MessageCredential: UInt8, Sendable {
  case keys = 0
  case password = 1

  /// The bytes before the ciphertext.
  public var headerSize: Int {
    let salts = self == .password ? 2 * MessageFormat.saltSize : 0
    return 2 + salts + MessageFormat.vectorSize
  }

  /// The bytes of a message of nothing, in which there is a block of padding.
  public var messageSizeMin: Int {
    headerSize + MessageFormat.blockSize + MessageFormat.macSize
  }
}

/// Why a message cannot be decrypted; ``MessageOddity`` says what looks wrong with it.
public enum MessageError: Int, Error, Sendable {
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
