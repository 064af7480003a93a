public import Foundation
internal import LocalAuthRNCryptor
internal import LocalAuthSecret

extension RNCryptor {
  /// Decrypts messages with a password.
  ///
  /// It keeps what ``update(withData:)`` takes and returns everything at the end, because the HMAC
  /// that says whether any of it is genuine comes last. For one thread at a time.
  public final class Decryptor: RNCryptorType {
    private let decryptor: DecryptorV3

    /// A decryptor of messages of format 3 that uses `password`.
    public convenience init(password: String) { self.init(password: password, acceptsV2: false) }

    /// A decryptor that uses `password`, and reads messages of format 2 too if `acceptsV2`.
    ///
    /// Format 2 uses only as many bytes of a password as it has characters, so that a password in an
    /// alphabet of several bytes a letter is worth a part of itself.
    public init(password: String, acceptsV2: Bool) {
      decryptor = DecryptorV3(password: password, acceptsV2: acceptsV2)
    }

    /// Returns the content of a whole message.
    ///
    /// - Throws: ``RNCryptor/Error``.
    public func decrypt(data: Data) throws -> Data { try decryptor.decrypt(data: data) }

    /// Takes the next part of the message; returns nothing, since nothing is verified yet.
    public func update(withData data: Data) -> Data { decryptor.update(withData: data) }

    /// Returns the content of the message; another one may follow.
    ///
    /// - Throws: ``RNCryptor/Error``.
    public func finalData() throws -> Data { try decryptor.finalData() }
  }

  /// Decrypts messages of format 3, with a password or with keys; see ``Decryptor``.
  public final class DecryptorV3: RNCryptorType {
    private enum Credential: ~Copyable {
      case password(Secret)
      case keys(MessageKeys)
    }

    private let credential: Credential
    private let versions: [UInt8]
    private var message = Data()

    /// A decryptor that uses `password`.
    public convenience init(password: String) { self.init(password: password, acceptsV2: false) }

    init(password: String, acceptsV2: Bool) {
      credential = .password(Secret(copying: password.utf8))
      versions = [MessageFormat.version] + (acceptsV2 ? [MessageFormat.version2] : [])
    }

    /// A decryptor that uses these keys, each of ``FormatV3/keySize`` bytes.
    public init(encryptionKey: Data, hmacKey: Data) {
      let encryption = Secret(copying: encryptionKey)
      let mac = Secret(copying: hmacKey)
      credential = .keys(MessageKeys(encryption: encryption, mac: mac))
      versions = [MessageFormat.version]
    }

    /// Returns the content of a whole message.
    ///
    /// - Throws: ``RNCryptor/Error``.
    public func decrypt(data: Data) throws -> Data {
      switch credential {
      case .keys(let keys):
        let header = try header(of: data, for: .keys)
        return try open(data, header, with: keys)
      case .password(let password):
        guard password.count > 0 else { throw Error.invalidCredentialType }
        let header = try header(of: data, for: .password)
        return try open(data, header, with: MessageKeys(password: password, for: header))
      }
    }

    private func header(
      of message: Data,
      for credential: MessageCredential
    ) throws(Error) -> MessageHeader {
      let start = Array(message.prefix(credential.headerSize))
      return try MessageHeader(
        start,
        ofMessageOf: message.count,
        for: credential,
        versions: versions
      )
    }

    /// Verifies the message, and only then decrypts it.
    private func open(
      _ message: Data,
      _ header: MessageHeader,
      with keys: borrowing MessageKeys
    ) throws(Error) -> Data {
      let ciphertext = message.dropFirst(header.credential.headerSize)
        .dropLast(MessageFormat.macSize)
      let mac = MessageMAC(keys, header)
      unsafe ciphertext.withUnsafeBytes { unsafe mac.update($0) }
      try mac.verify(Array(message.suffix(MessageFormat.macSize)))
      let cipher = MessageCipher(.decrypt, keys, header)
      var content = Data(count: MessageCipher.room(for: ciphertext.count))
      let count = unsafe content.withUnsafeMutableBytes { content -> Int? in
        let count = unsafe ciphertext.withUnsafeBytes { unsafe cipher.update($0, into: content) }
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: content[count...])
        return unsafe cipher.finish(into: rest).map { count + $0 }
      }
      // One error for a genuine HMAC over what has no padding, so that nothing can be asked with it.
      guard let count else { throw .hmacMismatch }
      content.count = count
      return content
    }

    /// Takes the next part of the message; returns nothing, since nothing is verified yet.
    public func update(withData data: Data) -> Data {
      message.append(data)
      return Data()
    }

    /// Returns the content of the message; another one may follow.
    ///
    /// - Throws: ``RNCryptor/Error``.
    public func finalData() throws -> Data {
      defer { message = Data() }
      return try decrypt(data: message)
    }
  }
}
