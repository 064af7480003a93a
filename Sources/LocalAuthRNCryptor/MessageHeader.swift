import CommonCrypto

/// The beginning of a message: version, options, salts if there is a password, and vector.
public struct MessageHeader: Equatable, Sendable {
  /// The format.
  public let version: UInt8
  /// What opens the message.
  public let credential: MessageCredential
  /// The salts; empty without a password.
  let encryptionSalt: [UInt8]
  let macSalt: [UInt8]
  let vector: [UInt8]

  /// The header as it stands in a message.
  public var bytes: [UInt8] {
    [version, credential.rawValue] + encryptionSalt + macSalt + vector
  }

  /// The header of a new message, with random salts and vector.
  public init(for credential: MessageCredential) {
    let saltSize = credential == .password ? MessageFormat.saltSize : 0
    self.init(
      for: credential,
      encryptionSalt: randomBytes(saltSize),
      macSalt: randomBytes(saltSize),
      vector: randomBytes(MessageFormat.vectorSize)
    )
  }

  /// A header of exactly these parts.
  public init(
    version: UInt8 = MessageFormat.version,
    for credential: MessageCredential,
    encryptionSalt: [UInt8] = [],
    macSalt: [UInt8] = [],
    vector: [UInt8]
  ) {
    let saltSize = credential == .password ? MessageFormat.saltSize : 0
    precondition(encryptionSalt.count == saltSize, "a salt has 8 bytes")
    precondition(macSalt.count == saltSize, "a salt has 8 bytes")
    precondition(vector.count == MessageFormat.vectorSize, "a vector has 16 bytes")
    self.version = version
    self.credential = credential
    self.encryptionSalt = encryptionSalt
    self.macSalt = macSalt
    self.vector = vector
  }

  /// Reads the header of a message, which nothing has verified yet.
  ///
  /// - Parameters:
  ///   - start: The first bytes of the message, at least 34 if it has as many.
  ///   - messageSize: The bytes of the whole message.
  ///   - credential: What is there to open it.
  ///   - versions: The formats that are read.
  /// - Throws: `MessageError`.
  public init(
    _ start: [UInt8],
    ofMessageOf messageSize: Int,
    for credential: MessageCredential,
    versions: [UInt8] = [MessageFormat.version]
  ) throws(MessageError) {
    guard let version = start.first else { throw .messageTooShort }
    guard versions.contains(version) else { throw .unknownHeader }
    guard start.count > 1 else { throw .messageTooShort }
    guard start[1] == credential.rawValue else { throw .invalidCredentialType }
    guard messageSize >= credential.messageSizeMin, start.count >= credential.headerSize else {
      throw .messageTooShort
    }
    var rest = start[2..<credential.headerSize]
    func take(_ count: Int) -> [UInt8] {
      defer { rest = rest.dropFirst(count) }
      return Array(rest.prefix(count))
    }
    let saltSize = credential == .password ? MessageFormat.saltSize : 0
    self.init(
      version: version,
      for: credential,
      encryptionSalt: take(saltSize),
      macSalt: take(saltSize),
      vector: take(MessageFormat.vectorSize)
    )
  }
}

/// Returns this many random bytes of the kernel's.
public func randomBytes(_ count: Int) -> [UInt8] {
  var bytes = [UInt8](repeating: 0, count: count)
  let status = unsafe bytes.withUnsafeMutableBytes { bytes in
    unsafe CCRandomGenerateBytes(bytes.baseAddress, bytes.count)
  }
  precondition(status == kCCSuccess, "the kernel gives random bytes")
  return bytes
}
