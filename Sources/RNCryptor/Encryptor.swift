public import Foundation
internal import LocalAuthRNCryptor
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
    private let cipher: MessageCipher
    private let mac: MessageMAC
    /// Leaves before the first ciphertext.
    private var header: Data
    private var hasEnded = false

    /// An encryptor that uses `password`, which must not be empty; the salts are random.
    public convenience init(password: String) {
      self.init(password: password, header: MessageHeader(for: .password))
    }

    /// An encryptor that uses these keys, each of ``FormatV3/keySize`` random bytes.
    public convenience init(encryptionKey: Data, hmacKey: Data) {
      let header = MessageHeader(for: .keys)
      self.init(encryptionKey: encryptionKey, hmacKey: hmacKey, header: header)
    }

    convenience init(password: String, header: MessageHeader) {
      precondition(!password.isEmpty, "a password has at least one character")
      let secret = Secret(copying: password.utf8)
      self.init(MessageKeys(password: secret, for: header), header)
    }

    convenience init(encryptionKey: Data, hmacKey: Data, header: MessageHeader) {
      let encryption = Secret(copying: encryptionKey)
      let mac = Secret(copying: hmacKey)
      self.init(MessageKeys(encryption: encryption, mac: mac), header)
    }

    private init(_ keys: borrowing MessageKeys, _ header: MessageHeader) {
      cipher = MessageCipher(.encrypt, keys, header)
      mac = MessageMAC(keys, header)
      self.header = Data(header.bytes)
    }

    /// Returns `data` as a whole message.
    public func encrypt(data: Data) -> Data { update(withData: data) + finalData() }

    /// Takes the next part and returns what of the message is ready.
    public func update(withData data: Data) -> Data {
      precondition(!hasEnded, "the message has ended")
      let ciphertext = unsafe authenticated(MessageCipher.room(for: data.count)) { room in
        unsafe data.withUnsafeBytes { unsafe cipher.update($0, into: room) }
      }
      return takeHeader() + ciphertext
    }

    /// Ends the message and returns the rest of it; anything after that ends the process.
    public func finalData() -> Data {
      precondition(!hasEnded, "the message has ended")
      hasEnded = true
      let last = unsafe authenticated(MessageFormat.blockSize) {
        unsafe cipher.finish(into: $0) ?? 0
      }
      return takeHeader() + last + mac.finish()
    }

    private func takeHeader() -> Data {
      defer { header = Data() }
      return header
    }

    /// Returns the ciphertext that `write` makes, once the HMAC has it.
    private func authenticated(
      _ room: Int,
      _ write: (UnsafeMutableRawBufferPointer) -> Int
    ) -> Data {
      var ciphertext = Data(count: room)
      ciphertext.count = unsafe ciphertext.withUnsafeMutableBytes { unsafe write($0) }
      unsafe ciphertext.withUnsafeBytes { unsafe mac.update($0) }
      return ciphertext
    }
  }
}
