public import Foundation
internal import LocalAuthSecret

extension RNCryptor {
  /// Encrypts one message with a password, in the newest format.
  ///
  /// For one thread at a time, and for one message.
  public final class Encryptor: RNCryptorType {
    private let encryptor: EncryptorV3

    /// An encryptor that uses `password`, which must not be empty.
    public init(password: String) { encryptor = EncryptorV3(password: password) }

    /// Returns `data` as a whole message.
    public func encrypt(data: Data) -> Data { encryptor.encrypt(data: data) }

    /// Takes the next part and returns what of the message is ready.
    public func update(withData data: Data) -> Data { encryptor.update(withData: data) }

    /// Ends the message and returns the rest of it.
    public func finalData() -> Data { encryptor.finalData() }
  }

  /// Encrypts one message of format 3, with a password or with keys.
  ///
  /// For one thread at a time, and for one message.
  public final class EncryptorV3: RNCryptorType {
    private let sealing: Sealing
    /// Leaves before the first ciphertext.
    private var header: Data

    /// An encryptor that uses `password`, which must not be empty; the salts are random.
    public convenience init(password: String) {
      self.init(
        password: password,
        encryptionSalt: FormatV3.makeSalt(),
        hmacSalt: FormatV3.makeSalt(),
        iv: RNCryptor.randomData(ofLength: FormatV3.vectorSize)
      )
    }

    /// An encryptor that uses these keys, each of ``FormatV3/keySize`` random bytes.
    public convenience init(encryptionKey: Data, hmacKey: Data) {
      self.init(
        encryptionKey: encryptionKey,
        hmacKey: hmacKey,
        iv: RNCryptor.randomData(ofLength: FormatV3.vectorSize)
      )
    }

    convenience init(password: String, encryptionSalt: Data, hmacSalt: Data, iv: Data) {
      precondition(!password.isEmpty, "a password has at least one character")
      let secret = Secret(password.utf8)
      let keys = MessageKeys(password: secret, encryptionSalt, hmacSalt)
      self.init(keys, iv, header: Data([FormatV3.version, 1]) + encryptionSalt + hmacSalt + iv)
    }

    convenience init(encryptionKey: Data, hmacKey: Data, iv: Data) {
      let keys = MessageKeys(encryption: encryptionKey, mac: hmacKey)
      self.init(keys, iv, header: Data([FormatV3.version, 0]) + iv)
    }

    private init(_ keys: borrowing MessageKeys, _ vector: Data, header: Data) {
      sealing = keys.sealing(vector, after: header)
      self.header = header
    }

    /// Returns `data` as a whole message.
    public func encrypt(data: Data) -> Data { update(withData: data) + finalData() }

    /// Takes the next part and returns what of the message is ready.
    public func update(withData data: Data) -> Data { takeHeader() + sealing.update(data) }

    /// Ends the message and returns the rest of it; anything after that ends the process.
    public func finalData() -> Data { takeHeader() + sealing.final() }

    private func takeHeader() -> Data {
      defer { header = Data() }
      return header
    }
  }
}
