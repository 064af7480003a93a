import Foundation
import RNCryptor
import Testing

/// The names that programs in Objective-C use, as Swift sees them.
@Suite struct RNEncryptorTests {
  private let data = Data("content".utf8)
  private let settings = kRNCryptorAES256Settings

  @Test func messagesForPasswordsComeBack() throws {
    let message = try RNEncryptor.encryptData(data, with: settings, password: "p")
    #expect(try RNDecryptor.decryptData(message, withPassword: "p") == data)
    #expect(try RNCryptor.decrypt(data: message, withPassword: "p") == data)
  }

  @Test func messagesForKeysComeBack() throws {
    let (key, macKey) = (Data(repeating: 1, count: 32), Data(repeating: 2, count: 32))
    let message = try RNEncryptor.encryptData(
      data,
      with: settings,
      encryptionKey: key,
      hmacKey: macKey
    )
    let content = try RNDecryptor.decryptData(message, withEncryptionKey: key, hmacKey: macKey)
    #expect(content == data)
    #expect(throws: RNCryptor.Error.hmacMismatch) {
      try RNDecryptor.decryptData(message, withEncryptionKey: key, hmacKey: key)
    }
  }

  @Test func credentialsThatCannotBeAreErrors() {
    let (key, short) = (Data(repeating: 1, count: 32), Data(repeating: 1, count: 31))
    #expect(throws: RNCryptor.Error.invalidCredentialType) {
      try RNEncryptor.encryptData(data, with: settings, password: "")
    }
    for (one, other) in [(key, short), (short, key)] {
      #expect(throws: RNCryptor.Error.invalidCredentialType) {
        try RNEncryptor.encryptData(data, with: settings, encryptionKey: one, hmacKey: other)
      }
      #expect(throws: RNCryptor.Error.invalidCredentialType) {
        try RNDecryptor.decryptData(data, withEncryptionKey: one, hmacKey: other)
      }
    }
  }
}
