public import Foundation
internal import LocalAuthSecret

extension RNCryptor {
  /// Decrypts messages with a password.
  ///
  /// It keeps what ``update(withData:)`` takes and returns everything at the end, because the HMAC
  /// that says whether any of it is genuine comes last. For one thread at a time.
  public final class Decryptor: RNCryptorType {
    private static let version2: UInt8 = 2

    private let password: String
    private let acceptsV2: Bool
    private var message = Data()

    /// A decryptor of messages of format 3 that uses `password`.
    public convenience init(password: String) { self.init(password: password, acceptsV2: false) }

    /// A decryptor that uses `password`, and reads messages of format 2 too if `acceptsV2`.
    ///
    /// Format 2 uses only as many bytes of a password as it has characters, so that a password in an
    /// alphabet of several bytes a letter is worth a part of itself.
    public init(password: String, acceptsV2: Bool) {
      self.password = password
      self.acceptsV2 = acceptsV2
    }

    /// Returns the content of a whole message.
    ///
    /// - Throws: ``RNCryptor/Error``.
    public func decrypt(data: Data) throws -> Data {
      guard !password.isEmpty else { throw Error.invalidCredentialType }
      let versions: Set = acceptsV2 ? [FormatV3.version, Self.version2] : [FormatV3.version]
      let message = try Message(data, for: .password, versions: versions)
      let isV2 = data.first == Self.version2
      let count = isV2 ? password.utf16.count : password.utf8.count
      let secret = Secret(password.utf8.prefix(count))
      return try message.open(
        with: MessageKeys(password: secret, message.encryptionSalt, message.macSalt)
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
    private enum Credential {
      case password(Decryptor)
      case keys(encryption: Data, mac: Data)
    }

    private let credential: Credential
    private var message = Data()

    /// A decryptor that uses `password`.
    public init(password: String) { credential = .password(Decryptor(password: password)) }

    /// A decryptor that uses these keys, each of ``FormatV3/keySize`` bytes.
    public init(encryptionKey: Data, hmacKey: Data) {
      credential = .keys(encryption: encryptionKey, mac: hmacKey)
    }

    /// Returns the content of a whole message.
    ///
    /// - Throws: ``RNCryptor/Error``.
    public func decrypt(data: Data) throws -> Data {
      switch credential {
      case .password(let decryptor): return try decryptor.decrypt(data: data)
      case .keys(let encryption, let mac):
        let message = try Message(data, for: .keys, versions: [FormatV3.version])
        return try message.open(with: MessageKeys(encryption: encryption, mac: mac))
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
