import Foundation
import LocalAuthRNCryptor
import LocalAuthSecret
import Testing

@testable import RNCryptor

@Suite struct MessageTests {
  private let key = Data(repeating: 7, count: 32)
  private let macKey = Data(repeating: 8, count: 32)

  private func sealed(_ count: Int) -> (plaintext: Data, message: Data) {
    let plaintext = Data((0..<count).map { UInt8(truncatingIfNeeded: $0) })
    let encryptor = RNCryptor.EncryptorV3(encryptionKey: key, hmacKey: macKey)
    return (plaintext, encryptor.encrypt(data: plaintext))
  }

  private func opened(_ message: Data) throws -> Data {
    try RNCryptor.DecryptorV3(encryptionKey: key, hmacKey: macKey).decrypt(data: message)
  }

  // MARK: Parts

  @Test func everySplitOfAMessageGivesTheSame() throws {
    let (plaintext, message) = sealed(200)
    for split in 0...message.count {
      let decryptor = RNCryptor.DecryptorV3(encryptionKey: key, hmacKey: macKey)
      #expect(decryptor.update(withData: message.prefix(split)).isEmpty)
      #expect(decryptor.update(withData: message.dropFirst(split)).isEmpty)
      #expect(try decryptor.finalData() == plaintext)
    }
  }

  @Test func everySplitOfAPlaintextGivesAMessageOfIt() throws {
    let (plaintext, _) = sealed(200)
    for split in 0...plaintext.count {
      let encryptor = RNCryptor.EncryptorV3(encryptionKey: key, hmacKey: macKey)
      var message = encryptor.update(withData: plaintext.prefix(split))
      message += encryptor.update(withData: plaintext.dropFirst(split))
      message += encryptor.finalData()
      #expect(try opened(message) == plaintext)
    }
  }

  @Test(arguments: [0, 1, 15, 16, 17, 32_753, 1_000_000])
  func everyLengthComesBack(_ count: Int) throws {
    let (plaintext, message) = sealed(count)
    #expect(message.count == 66 + count / 16 * 16)
    #expect(try opened(message) == plaintext)
  }

  @Test func messageThatWasCutSinceItsSizeWasAskedForIsTooShort() {
    let message = [UInt8](sealed(100).message)
    for count in 0..<18 {
      #expect(throws: MessageError.messageTooShort) {
        try MessageHeader(Array(message.prefix(count)), ofMessageOf: message.count, for: .keys)
      }
    }
  }

  @Test func aDecryptorReadsOneMessageAfterAnother() throws {
    let decryptor = RNCryptor.DecryptorV3(encryptionKey: key, hmacKey: macKey)
    for count in [3, 40] {
      let (plaintext, message) = sealed(count)
      _ = decryptor.update(withData: message)
      #expect(try decryptor.finalData() == plaintext)
    }
  }

  @Test func messagesOfTheSameContentDiffer() {
    let messages = (0..<4).map { _ in RNCryptor.encrypt(data: Data("x".utf8), withPassword: "p") }
    #expect(Set(messages).count == 4)
    #expect(Set(messages.map { $0[2..<34] }).count == 4)
  }

  @Test(arguments: ["p", "pass\0word", "中文密码", String(repeating: "long", count: 100_000)])
  func everyPasswordOpensItsOwnMessageAndNoOtherDoes(_ password: String) throws {
    let message = RNCryptor.encrypt(data: Data("content".utf8), withPassword: password)
    let content = try RNCryptor.decrypt(data: message, withPassword: password)
    #expect(content == Data("content".utf8))
    for other in ["pass", password + "x", String(password.dropLast()) + "\0"] {
      #expect(throws: RNCryptor.Error.hmacMismatch) {
        try RNCryptor.decrypt(data: message, withPassword: other)
      }
    }
  }

  /// HMAC fills a short key up with zeros, so that these are one key in every implementation.
  @Test func zerosAtTheEndOfAPasswordMakeNoOtherKey() throws {
    let message = RNCryptor.encrypt(data: Data("content".utf8), withPassword: "p")
    #expect(try RNCryptor.decrypt(data: message, withPassword: "p\0") == Data("content".utf8))
  }

  // MARK: Damage

  @Test func noFlippedBitLetsAByteOut() {
    let (_, message) = sealed(40)
    for bit in 0..<(message.count * 8) {
      var damaged = message
      damaged[bit / 8] ^= 1 << (bit % 8)
      let expected: RNCryptor.Error =
        switch bit / 8 {
        case 0: .unknownHeader
        case 1: .invalidCredentialType
        default: .hmacMismatch
        }
      #expect(throws: expected) { try opened(damaged) }
    }
  }

  @Test func everyCutIsAnError() {
    let (_, message) = sealed(40)
    for count in 0..<message.count {
      let expected: RNCryptor.Error = count < 66 ? .messageTooShort : .hmacMismatch
      #expect(throws: expected) { try opened(message.prefix(count)) }
    }
    for count in 1...40 {
      #expect(throws: RNCryptor.Error.hmacMismatch) { try opened(message + Data(count: count)) }
    }
  }

  @Test func everyCutOfAMessageForAPasswordIsAnError() {
    let message = RNCryptor.encrypt(data: Data(), withPassword: "p")
    for count in 0..<message.count {
      #expect(throws: RNCryptor.Error.messageTooShort) {
        try RNCryptor.decrypt(data: message.prefix(count), withPassword: "p")
      }
    }
  }

  /// A holder of the keys can seal what is no whole number of blocks; nobody learns where it failed.
  @Test func aGenuineMessageOfBrokenBlocksIsAMismatchToo() throws {
    let (_, message) = sealed(40)
    let header = MessageHeader(for: .keys, vector: Array(message[2..<18]))
    let mac = MessageMAC(
      MessageKeys(encryption: Secret(copying: key), mac: Secret(copying: macKey)),
      header
    )
    let ciphertext = message[18...].dropLast(32) + [1]
    unsafe ciphertext.withUnsafeBytes { unsafe mac.update($0) }
    #expect(throws: RNCryptor.Error.hmacMismatch) {
      try opened(Data(header.bytes) + ciphertext + mac.finish())
    }
  }

  @Test func theOtherCredentialAndNoneAreRefused() {
    let (_, message) = sealed(3)
    #expect(throws: RNCryptor.Error.invalidCredentialType) {
      try RNCryptor.decrypt(data: message, withPassword: "p")
    }
    let forPassword = RNCryptor.encrypt(data: Data(), withPassword: "p")
    #expect(throws: RNCryptor.Error.invalidCredentialType) { try opened(forPassword) }
    #expect(throws: RNCryptor.Error.invalidCredentialType) {
      try RNCryptor.decrypt(data: forPassword, withPassword: "")
    }
  }

  @Test func sliceOfAMessageIsReadFromItsOwnBeginning() throws {
    let (plaintext, message) = sealed(20)
    let whole = Data([1, 2, 3]) + message + Data([4])
    #expect(try opened(whole[3..<(3 + message.count)]) == plaintext)
  }
}
