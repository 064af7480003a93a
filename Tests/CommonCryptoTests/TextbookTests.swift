// swift-format-ignore-file: NeverForceUnwrap

import CommonCrypto
import Foundation
import Testing

/// The listings that client code consists of, written as it is written for Apple's platforms.
@Suite struct TextbookTests {
  private func hex(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { String(format: "%02x", $0) }.joined()
  }

  @Test func hashesDataAtOnce() {
    let data = Data("abc".utf8)
    var hash = [UInt8](repeating: 0, count: Int(CC_SHA256_DIGEST_LENGTH))
    data.withUnsafeBytes {
      _ = CC_SHA256($0.baseAddress, CC_LONG(data.count), &hash)
    }
    let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    #expect(Data(hash).map { String(format: "%02hhx", $0) }.joined() == expected)

    // Without an underscore: the result may be ignored.
    var digest = Data(count: Int(CC_SHA256_DIGEST_LENGTH))
    digest.withUnsafeMutableBytes { digestBytes in
      data.withUnsafeBytes { bytes in
        CC_SHA256(
          bytes.baseAddress,
          CC_LONG(bytes.count),
          digestBytes.bindMemory(to: UInt8.self).baseAddress
        )
        CC_SHA256(bytes.baseAddress, CC_LONG(bytes.count), digestBytes.baseAddress)
      }
    }
    #expect(hex(digest) == expected)
  }

  @Test func hashesAStringWithMD5AndSHA1() {
    let string = "The quick brown fox jumps over the lazy dog"
    let messageData = string.data(using: .utf8)!
    var digestData = Data(count: Int(CC_MD5_DIGEST_LENGTH))
    _ = digestData.withUnsafeMutableBytes { digestBytes in
      messageData.withUnsafeBytes { messageBytes in
        CC_MD5(
          messageBytes.baseAddress,
          CC_LONG(messageData.count),
          digestBytes.bindMemory(to: UInt8.self).baseAddress
        )
      }
    }
    #expect(hex(digestData) == "9e107d9d372bb6826bd81d3542a419d6")

    var sha1 = [UInt8](repeating: 0, count: Int(CC_SHA1_DIGEST_LENGTH))
    CC_SHA1(string, CC_LONG(string.utf8.count), &sha1)
    #expect(hex(sha1) == "2fd4e1c67a2d28fced849ee1bb76e7391b93eb12")

    // The older way, with a buffer of one's own.
    let result = UnsafeMutablePointer<CUnsignedChar>.allocate(capacity: Int(CC_MD5_DIGEST_LENGTH))
    defer { result.deallocate() }
    CC_MD5(string.cString(using: .utf8)!, CC_LONG(string.lengthOfBytes(using: .utf8)), result)
    #expect(hex((0..<Int(CC_MD5_DIGEST_LENGTH)).map { result[$0] }) == hex(digestData))
  }

  @Test func hashesAFileInChunks() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: url) }
    try Data(repeating: 0x61, count: 1_000_000).write(to: url)

    let file = try FileHandle(forReadingFrom: url)
    defer { file.closeFile() }
    var context = CC_SHA256_CTX()
    CC_SHA256_Init(&context)
    while case let data = file.readData(ofLength: 65_536), data.count > 0 {
      data.withUnsafeBytes { _ = CC_SHA256_Update(&context, $0.baseAddress, CC_LONG(data.count)) }
    }
    var digest = [UInt8](repeating: 0, count: Int(CC_SHA256_DIGEST_LENGTH))
    CC_SHA256_Final(&digest, &context)
    #expect(hex(digest) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  enum HMACAlgorithm {
    case sha1
    case sha256

    var algorithm: CCHmacAlgorithm {
      switch self {
      case .sha1: return CCHmacAlgorithm(kCCHmacAlgSHA1)
      case .sha256: return CCHmacAlgorithm(kCCHmacAlgSHA256)
      }
    }
  }

  @Test func authenticatesAMessage() {
    let key = "key"
    let message = "The quick brown fox jumps over the lazy dog"
    var mac = [CUnsignedChar](repeating: 0, count: Int(CC_SHA256_DIGEST_LENGTH))
    CCHmac(HMACAlgorithm.sha256.algorithm, key, key.count, message, message.count, &mac)
    #expect(hex(mac) == "f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8")

    var context = CCHmacContext()
    CCHmacInit(&context, CCHmacAlgorithm(kCCHmacAlgSHA256), key, key.count)
    for word in message.split(separator: " ", omittingEmptySubsequences: false) {
      if !word.hasPrefix("The") { CCHmacUpdate(&context, " ", 1) }
      let data = Data(word.utf8)
      data.withUnsafeBytes { CCHmacUpdate(&context, $0.baseAddress, data.count) }
    }
    var streamed = Data(count: mac.count)
    streamed.withUnsafeMutableBytes { CCHmacFinal(&context, $0.baseAddress) }
    #expect([UInt8](streamed) == mac)
  }

  /// A one-time code as in RFC 4226, appendix D.
  @Test func computesAOneTimeCode() {
    var counter = UInt64(1).bigEndian
    let secret = Data("12345678901234567890".utf8)
    let counterData = Data(bytes: &counter, count: MemoryLayout.size(ofValue: counter))
    let hashPtr = UnsafeMutablePointer<UInt8>.allocate(capacity: Int(CC_SHA1_DIGEST_LENGTH))
    defer { hashPtr.deallocate() }
    secret.withUnsafeBytes { keyBytes in
      counterData.withUnsafeBytes { dataBytes in
        CCHmac(
          CCHmacAlgorithm(kCCHmacAlgSHA1),
          keyBytes.baseAddress!,
          secret.count,
          dataBytes.baseAddress!,
          counterData.count,
          hashPtr
        )
      }
    }
    let offset = Int(hashPtr[19] & 0x0f)
    var truncated: UInt32 = 0
    for index in 0..<4 { truncated = truncated << 8 | UInt32(hashPtr[offset + index]) }
    #expect((truncated & 0x7fff_ffff) % 1_000_000 == 287_082)
  }

  struct AES {
    enum Failure: Error {
      case badKeyLength
      case cryptionFailed(status: CCCryptorStatus)
      case randomBytesFailed(Int32)
    }

    let key: Data

    init(keyBytes: Data) throws {
      guard keyBytes.count == kCCKeySizeAES128 || keyBytes.count == kCCKeySizeAES256 else {
        throw Failure.badKeyLength
      }
      key = keyBytes
    }

    func encrypt(_ plain: Data) throws -> Data {
      var iv = Data(count: kCCBlockSizeAES128)
      let status = iv.withUnsafeMutableBytes {
        CCRandomGenerateBytes($0.baseAddress!, kCCBlockSizeAES128)
      }
      guard status == kCCSuccess else { throw Failure.randomBytesFailed(status) }
      return iv + (try crypt(plain, iv: iv, option: CCOperation(kCCEncrypt)))
    }

    func decrypt(_ sealed: Data) throws -> Data {
      try crypt(
        sealed.dropFirst(kCCBlockSizeAES128),
        iv: sealed.prefix(kCCBlockSizeAES128),
        option: CCOperation(kCCDecrypt)
      )
    }

    private func crypt(_ data: Data, iv: Data, option: CCOperation) throws -> Data {
      let cryptLength = data.count + kCCBlockSizeAES128
      var cryptData = Data(count: cryptLength)
      var bytesLength = Int(0)
      let status = cryptData.withUnsafeMutableBytes { cryptBytes in
        data.withUnsafeBytes { dataBytes in
          iv.withUnsafeBytes { ivBytes in
            key.withUnsafeBytes { keyBytes in
              CCCrypt(
                option,
                CCAlgorithm(kCCAlgorithmAES),
                CCOptions(kCCOptionPKCS7Padding),
                keyBytes.baseAddress,
                key.count,
                ivBytes.baseAddress,
                dataBytes.baseAddress,
                data.count,
                cryptBytes.baseAddress,
                cryptLength,
                &bytesLength
              )
            }
          }
        }
      }
      guard UInt32(bitPattern: status) == UInt32(kCCSuccess) else {
        throw Failure.cryptionFailed(status: status)
      }
      cryptData.removeSubrange(bytesLength..<cryptData.count)
      return cryptData
    }
  }

  @Test func sealsAndOpensWithARandomVector() throws {
    let password = "correct horse"
    let salt = Data("a salt of 16 byt".utf8)
    var derived = Data(repeating: 0, count: kCCKeySizeAES256)
    let derivedCount = derived.count
    let status = derived.withUnsafeMutableBytes { derivedBytes in
      salt.withUnsafeBytes { saltBytes in
        CCKeyDerivationPBKDF(
          CCPBKDFAlgorithm(kCCPBKDF2),
          password,
          password.utf8.count,
          saltBytes.bindMemory(to: UInt8.self).baseAddress,
          salt.count,
          CCPseudoRandomAlgorithm(kCCPRFHmacAlgSHA256),
          UInt32(1_000),
          derivedBytes.bindMemory(to: UInt8.self).baseAddress,
          derivedCount
        )
      }
    }
    #expect(status == Int32(kCCSuccess))

    let aes = try AES(keyBytes: derived)
    for count in [0, 1, 15, 16, 17, 1_000] {
      let plain = Data((0..<count).map { UInt8(truncatingIfNeeded: $0) })
      let sealed = try aes.encrypt(plain)
      #expect(sealed.count == 16 + (count / 16 + 1) * 16)
      #expect(try aes.decrypt(sealed) == plain)
      #expect(try aes.encrypt(plain) != sealed)
    }
    #expect(throws: AES.Failure.self) { try AES(keyBytes: Data(count: 10)) }
  }

  /// C takes bytes for characters and raw pointers for typed ones; a Swift function would not.
  @Test func derivesFromBytesAndRawPointers() {
    let password: [UInt8] = Array("password".utf8)
    let salt = Data("salt".utf8)
    var key = [UInt8](repeating: 0, count: 20)
    let status = salt.withUnsafeBytes { saltBytes in
      key.withUnsafeMutableBytes { keyBytes in
        CCKeyDerivationPBKDF(
          CCPBKDFAlgorithm(kCCPBKDF2),
          password,
          password.count,
          saltBytes.baseAddress,
          saltBytes.count,
          CCPBKDFAlgorithm(kCCPRFHmacAlgSHA1),
          2,
          keyBytes.baseAddress,
          keyBytes.count
        )
      }
    }
    #expect(status == kCCSuccess)
    #expect(hex(key) == "ea6c014dc72d6f8ccd1ed92ace1d41f0d8de8957")
  }

  final class StreamCryptor {
    private var context: CCCryptorRef?

    init?(operation: Int, key: [UInt8], iv: [UInt8]) {
      let status = CCCryptorCreateWithMode(
        CCOperation(operation),
        CCMode(kCCModeCTR),
        CCAlgorithm(kCCAlgorithmAES),
        CCPadding(ccNoPadding),
        iv,
        key,
        key.count,
        nil,
        0,
        0,
        CCModeOptions(kCCModeOptionCTR_BE),
        &context
      )
      if status != CCCryptorStatus(kCCSuccess) { return nil }
    }

    deinit { CCCryptorRelease(context) }

    func update(_ bytes: [UInt8]) -> [UInt8] {
      var output = [UInt8](
        repeating: 0,
        count: CCCryptorGetOutputLength(context, bytes.count, false)
      )
      var moved: size_t = 0
      guard
        CCCryptorUpdate(context, bytes, bytes.count, &output, output.count, &moved) == kCCSuccess
      else { return [] }
      return Array(output[0..<moved])
    }
  }

  @Test func streamsThroughACounter() throws {
    let key = [UInt8](0..<16)
    let iv = [UInt8](repeating: 9, count: 16)
    let writer = try #require(StreamCryptor(operation: kCCEncrypt, key: key, iv: iv))
    let reader = try #require(StreamCryptor(operation: kCCDecrypt, key: key, iv: iv))
    for size in [1, 15, 16, 17, 100] {
      let plain = [UInt8](repeating: UInt8(size), count: size)
      let sealed = writer.update(plain)
      #expect(sealed.count == size && sealed != plain)
      #expect(reader.update(sealed) == plain)
    }
  }

  @Test func wrapsAKey() {
    let kek = [UInt8](0..<16)
    let key = [UInt8](0..<32)
    var wrapped = [UInt8](
      repeating: 0,
      count: CCSymmetricWrappedSize(CCWrappingAlgorithm(kCCWRAPAES), key.count)
    )
    var wrappedCount = wrapped.count
    let wrapping = CCSymmetricKeyWrap(
      CCWrappingAlgorithm(kCCWRAPAES),
      CCrfc3394_iv,
      CCrfc3394_ivLen,
      kek,
      kek.count,
      key,
      key.count,
      &wrapped,
      &wrappedCount
    )
    #expect(wrapping == kCCSuccess && wrappedCount == 40)

    var unwrapped = [UInt8](repeating: 0, count: 64)
    var unwrappedCount = unwrapped.count
    let unwrapping = CCSymmetricKeyUnwrap(
      CCWrappingAlgorithm(kCCWRAPAES),
      CCrfc3394_iv,
      CCrfc3394_ivLen,
      kek,
      kek.count,
      wrapped,
      wrappedCount,
      &unwrapped,
      &unwrappedCount
    )
    #expect(unwrapping == kCCSuccess)
    #expect(Array(unwrapped.prefix(unwrappedCount)) == key)
  }
}
