import Foundation
import LocalAuthRNCryptor
import LocalAuthSecret
import Testing

@testable import RNCryptor

@Suite struct VectorTests {
  @Test(arguments: PasswordVector.version3.indices)
  func messagesForPasswordsAreThePublishedOnesInBothDirections(_ index: Int) throws {
    let vector = PasswordVector.version3[index]
    let message = Data(hexadecimal: vector.message)
    let plaintext = Data(hexadecimal: vector.plaintext)
    let encryptor = RNCryptor.EncryptorV3(
      password: vector.password,
      header: MessageHeader(
        for: .password,
        encryptionSalt: Array(Data(hexadecimal: vector.encryptionSalt)),
        macSalt: Array(Data(hexadecimal: vector.macSalt)),
        vector: Array(Data(hexadecimal: vector.vector))
      )
    )
    #expect(encryptor.encrypt(data: plaintext) == message)
    #expect(try RNCryptor.decrypt(data: message, withPassword: vector.password) == plaintext)
  }

  @Test(arguments: KeyVector.version3.indices)
  func messagesForKeysAreThePublishedOnesInBothDirections(_ index: Int) throws {
    let vector = KeyVector.version3[index]
    let message = Data(hexadecimal: vector.message)
    let plaintext = Data(hexadecimal: vector.plaintext)
    let (key, macKey) = (Data(hexadecimal: vector.encryptionKey), Data(hexadecimal: vector.macKey))
    let header = MessageHeader(for: .keys, vector: Array(Data(hexadecimal: vector.vector)))
    let encryptor = RNCryptor.EncryptorV3(encryptionKey: key, hmacKey: macKey, header: header)
    #expect(encryptor.encrypt(data: plaintext) == message)
    let decryptor = RNCryptor.DecryptorV3(encryptionKey: key, hmacKey: macKey)
    #expect(try decryptor.decrypt(data: message) == plaintext)
  }

  @Test(arguments: (DerivationVector.version3 + DerivationVector.version2).indices)
  func keysAreThePublishedOnes(_ index: Int) {
    let vector = (DerivationVector.version3 + DerivationVector.version2)[index]
    let key = RNCryptor.FormatV3.makeKey(
      forPassword: vector.password,
      withSalt: Data(hexadecimal: vector.salt)
    )
    #expect(key == Data(hexadecimal: vector.key))
  }

  @Test(arguments: PasswordVector.version2.indices)
  func version2IsReadWhereThatIsAskedForAndNowhereElse(_ index: Int) throws {
    let vector = PasswordVector.version2[index]
    let message = Data(hexadecimal: vector.message)
    let reader = RNCryptor.Decryptor(password: vector.password, acceptsV2: true)
    #expect(try reader.decrypt(data: message) == Data(hexadecimal: vector.plaintext))
    #expect(throws: RNCryptor.Error.unknownHeader) {
      try RNCryptor.decrypt(data: message, withPassword: vector.password)
    }
    #expect(RNCryptor.oddity(in: message) == .version(2))
  }

  /// No vector of format 2 has a password of several bytes a letter; its first programs counted letters.
  @Test func version2UsesAsManyBytesOfAPasswordAsItHasCharacters() throws {
    let header = MessageHeader(
      version: MessageFormat.version2,
      for: .password,
      encryptionSalt: Array(repeating: 1, count: 8),
      macSalt: Array(repeating: 2, count: 8),
      vector: Array(repeating: 3, count: 16)
    )
    let used = Secret(copying: "中文密码".utf8.prefix(4))
    let keys = MessageKeys(
      encryption: used.key(withSalt: Array(repeating: 1, count: 8)),
      mac: used.key(withSalt: Array(repeating: 2, count: 8))
    )
    let message = Data(header.sealing(Array("content".utf8), keys))
    let reader = RNCryptor.Decryptor(password: "中文密码", acceptsV2: true)
    #expect(try reader.decrypt(data: message) == Data("content".utf8))
  }

  @Test(arguments: PasswordVector.version1.indices)
  func version1IsRefused(_ index: Int) {
    let message = Data(hexadecimal: PasswordVector.version1[index].message)
    #expect(throws: RNCryptor.Error.unknownHeader) {
      let password = PasswordVector.version1[index].password
      return try RNCryptor.Decryptor(password: password, acceptsV2: true).decrypt(data: message)
    }
    #expect(RNCryptor.oddity(in: message) == .version(1))
  }
}
