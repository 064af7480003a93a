import CommonCrypto
import Testing

/// Names, types and values are Apple's: client code and stored data depend on each.
@Suite struct ConstantTests {
  @Test func statusesHaveTheirValues() {
    let statuses: [Int] = [
      kCCSuccess, kCCParamError, kCCBufferTooSmall, kCCMemoryFailure, kCCAlignmentError,
      kCCDecodeError, kCCUnimplemented, kCCOverflow, kCCRNGFailure, kCCUnspecifiedError,
      kCCCallSequenceError, kCCKeySizeError, kCCInvalidKey,
    ]
    #expect(statuses == [0] + (4_300...4_311).map { -$0 })
  }

  @Test func cipherConstantsHaveTheirValues() {
    let algorithms: [Int] = [
      kCCAlgorithmAES, kCCAlgorithmDES, kCCAlgorithm3DES, kCCAlgorithmCAST, kCCAlgorithmRC4,
      kCCAlgorithmRC2, kCCAlgorithmBlowfish,
    ]
    #expect(algorithms == Array(0...6) && kCCAlgorithmAES128 == kCCAlgorithmAES)
    #expect([kCCEncrypt, kCCDecrypt, kCCOptionPKCS7Padding, kCCOptionECBMode] == [0, 1, 1, 2])
    let modes: [Int] = [
      kCCModeECB, kCCModeCBC, kCCModeCFB, kCCModeCTR, kCCModeOFB, kCCModeRC4, kCCModeCFB8,
    ]
    #expect(modes == [1, 2, 3, 4, 7, 9, 10])
    #expect([ccNoPadding, ccPKCS7Padding, kCCModeOptionCTR_BE] == [0, 1, 2])
    let keys: [Int] = [
      kCCKeySizeAES128, kCCKeySizeAES192, kCCKeySizeAES256, kCCKeySizeDES, kCCKeySize3DES,
      kCCKeySizeMinCAST, kCCKeySizeMaxCAST, kCCKeySizeMinRC4, kCCKeySizeMaxRC4, kCCKeySizeMinRC2,
      kCCKeySizeMaxRC2, kCCKeySizeMinBlowfish, kCCKeySizeMaxBlowfish,
    ]
    #expect(keys == [16, 24, 32, 8, 24, 5, 16, 1, 512, 1, 128, 8, 56])
    let blocks: [Int] = [
      kCCBlockSizeAES128, kCCBlockSizeDES, kCCBlockSize3DES, kCCBlockSizeCAST, kCCBlockSizeRC2,
      kCCBlockSizeBlowfish,
    ]
    #expect(blocks == [16, 8, 8, 8, 8, 8])
    let contexts: [Int] = [
      kCCContextSizeAES128, kCCContextSizeDES, kCCContextSize3DES, kCCContextSizeCAST,
      kCCContextSizeRC4,
    ]
    #expect(contexts == [404, 240, 496, 240, 1_072])
  }

  @Test func digestConstantsHaveTheirValues() {
    let lengths: [Int32] = [
      CC_MD4_DIGEST_LENGTH, CC_MD5_DIGEST_LENGTH, CC_SHA1_DIGEST_LENGTH, CC_SHA224_DIGEST_LENGTH,
      CC_SHA256_DIGEST_LENGTH, CC_SHA384_DIGEST_LENGTH, CC_SHA512_DIGEST_LENGTH,
    ]
    #expect(lengths == [16, 16, 20, 28, 32, 48, 64])
    let blocks: [Int32] = [
      CC_MD4_BLOCK_BYTES, CC_MD5_BLOCK_BYTES, CC_SHA1_BLOCK_BYTES, CC_SHA224_BLOCK_BYTES,
      CC_SHA256_BLOCK_BYTES, CC_SHA384_BLOCK_BYTES, CC_SHA512_BLOCK_BYTES,
    ]
    #expect(blocks == [64, 64, 64, 64, 64, 128, 128])
    let codes: [Int] = [
      kCCHmacAlgSHA1, kCCHmacAlgMD5, kCCHmacAlgSHA256, kCCHmacAlgSHA384, kCCHmacAlgSHA512,
      kCCHmacAlgSHA224,
    ]
    #expect(codes == Array(0...5))
    let functions: [Int] = [
      kCCPBKDF2, kCCPRFHmacAlgSHA1, kCCPRFHmacAlgSHA224, kCCPRFHmacAlgSHA256, kCCPRFHmacAlgSHA384,
      kCCPRFHmacAlgSHA512, kCCWRAPAES,
    ]
    #expect(functions == [2, 1, 2, 3, 4, 5, 1])
  }

  @Test func typesAreTheOnesThatClientsSpell() {
    let words: [UInt32] = [
      CC_LONG(1), CCOperation(kCCEncrypt), CCAlgorithm(kCCAlgorithmAES),
      CCOptions(kCCOptionPKCS7Padding | kCCOptionECBMode), CCMode(kCCModeCTR),
      CCPadding(ccPKCS7Padding), CCModeOptions(kCCModeOptionCTR_BE),
      CCHmacAlgorithm(kCCHmacAlgSHA256), CCPBKDFAlgorithm(kCCPBKDF2),
      CCPseudoRandomAlgorithm(kCCPRFHmacAlgSHA256), CCWrappingAlgorithm(kCCWRAPAES),
    ]
    let statuses: [Int32] = [
      CCCryptorStatus(kCCSuccess), CCStatus(kCCParamError), CCRNGStatus(kCCRNGFailure),
    ]
    #expect(words.count == 11 && statuses.count == 3 && CC_LONG64(1) == UInt64(1))
    #expect(CCCryptorRef.self == OpaquePointer.self)
    #expect(CC_SHA256_CTX.self == CC_SHA256state_st.self)
  }
}
