public import Foundation
internal import LocalAuthSecret

extension RNCryptor {
  /// Decrypts messages with a password.
  ///
  /// It keeps what ``update(withData:)`` takes and returns everything at the end, because the HMAC
  /// that says whether any of it is genuine comes last. For one thread at a time.
  public final class Decryptor: RNCryptorType {
    private static let version2: UInt8 = 2

    private let password: Secret
    /// How many bytes of the password format 2 uses; nil if that is not read.
    private let usedInV2: Int?
    private var message = Data()

    /// A decryptor of messages of format 3 that uses `password`.
    public convenience init(password: String) { self.init(password: password, acceptsV2: false) }

    /// A decryptor that uses `password`, and reads messages of format 2 too if `acceptsV2`.
    ///
    /// Format 2 uses only as many bytes of a password as it has characters, so that a password in an
    /// alphabet of several bytes a letter is worth a part of itself.
    public init(password: String, acceptsV2: Bool) {
      self.password = Secret(password.utf8)
      usedInV2 = acceptsV2 ? min(password.utf16.count, password.utf8.count) : nil
    }

    /// Returns the content of a whole message.
    ///
    /// - Throws: ``RNCryptor/Error``.
    public func decrypt(data: Data) throws -> Data {
      guard password.count > 0 else { throw Error.invalidCredentialType }
      let versions: Set = usedInV2 == nil ? [FormatV3.version] : [FormatV3.version, Self.version2]
      let message = try Message(data, for: .password, versions: versions)
      guard let usedInV2, data.first == Self.version2 else {
        return try open(message, password)
      }
      return try open(message, password.prefix(usedInV2))
    }

    private func open(_ message: Message, _ password: borrowing Secret) throws -> Data {
      try message.open(
        with: MessageKeys(password: password, message.encryptionSalt, message.macSalt)
      )
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

  /// Decrypts messages of format 3, with a password or with keys; see ``Decryptor``.
  public final class DecryptorV3: RNCryptorType {
    private enum Credential: ~Copyable {
      case password(Decryptor)
      case keys(MessageKeys)
    }

    private let credential: Credential
    private var message = Data()

    /// A decryptor that uses `password`.
    public init(password: String) { credential = .password(Decryptor(password: password)) }

    /// A decryptor that uses these keys, each of ``FormatV3/keySize`` bytes.
    public init(encryptionKey: Data, hmacKey: Data) {
      credential = .keys(MessageKeys(encryption: encryptionKey, mac: hmacKey))
    }

    /// Returns the content of a whole message.
    ///
    /// - Throws: ``RNCryptor/Error``.
    public func decrypt(data: Data) throws -> Data {
      switch credential {
      case .password(let decryptor): return try decryptor.decrypt(data: data)
      case .keys(let keys):
        return try Message(data, for: .keys, versions: [FormatV3.version]).open(with: keys)
      }
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
