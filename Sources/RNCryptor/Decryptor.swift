public import Foundation
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

    private static let version2: UInt8 = 2

    private let credential: Credential
    /// How many bytes of the password format 2 uses; nil if that is not read.
    private let usedInV2: Int?
    private var message = Data()

    /// A decryptor that uses `password`.
    public convenience init(password: String) { self.init(password: password, acceptsV2: false) }

    init(password: String, acceptsV2: Bool) {
      credential = .password(Secret(password.utf8))
      usedInV2 = acceptsV2 ? min(password.utf16.count, password.utf8.count) : nil
    }

    /// A decryptor that uses these keys, each of ``FormatV3/keySize`` bytes.
    public init(encryptionKey: Data, hmacKey: Data) {
      credential = .keys(MessageKeys(encryption: encryptionKey, mac: hmacKey))
      usedInV2 = nil
    }

    /// Returns the content of a whole message.
    ///
    /// - Throws: ``RNCryptor/Error``.
    public func decrypt(data: Data) throws -> Data {
      switch credential {
      case .keys(let keys):
        return try Message(data, for: .keys, version: FormatV3.version).open(with: keys)
      case .password(let password):
        guard password.count > 0 else { throw Error.invalidCredentialType }
        guard let usedInV2, data.first == Self.version2 else {
          return try open(data, password, FormatV3.version)
        }
        return try open(data, password.prefix(usedInV2), Self.version2)
      }
    }

    private func open(_ data: Data, _ password: borrowing Secret, _ version: UInt8) throws -> Data {
      let message = try Message(data, for: .password, version: version)
      return try message.open(
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
}
