import CommonCrypto
import Foundation
import Testing

/// What `CCCrypt` and the calls that make cryptors refuse, and how.
@Suite struct CryptErrorTests {
  private let key = [UInt8](0..<16)

  private func create(
    operation: CCOperation = 0,
    mode: Int = kCCModeCBC,
    algorithm: CCAlgorithm = 0,
    padding: CCPadding = 0,
    key: [UInt8]? = nil,
    count: Int? = nil
  ) -> CCCryptorStatus {
    var ref = CCCryptorRef(bitPattern: 1)
    let key = key ?? self.key
    let status = CCCryptorCreateWithMode(
      operation,
      CCMode(mode),
      algorithm,
      padding,
      nil,
      key,
      count ?? key.count,
      nil,
      0,
      0,
      0,
      &ref
    )
    if status == kCCSuccess { CCCryptorRelease(ref) } else { #expect(ref == nil) }
    return status
  }

  @Test(arguments: [
    (kCCAlgorithmAES, [16, 24, 32], [0, 1, 15, 17, 20, 33, 64]),
    (kCCAlgorithmDES, [8], [0, 7, 9, 16, 24]), (kCCAlgorithm3DES, [24], [0, 8, 16, 23, 25]),
    (kCCAlgorithmCAST, [5, 8, 10, 11, 16], [0, 4, 17]),
    (kCCAlgorithmRC4, [1, 5, 16, 256, 512], [0, 513]),
    (kCCAlgorithmRC2, [1, 5, 8, 16, 128], [0, 129]),
    (kCCAlgorithmBlowfish, [8, 16, 56], [0, 7, 57]),
  ])
  func takesTheSizesOfKeysThatTheAlgorithmHas(_ sizes: (Int, [Int], [Int])) {
    let (algorithm, good, bad) = sizes
    for size in good + bad + [-1, .max, .min] {
      let key = [UInt8](repeating: 1, count: 512)
      #expect(
        create(algorithm: CCAlgorithm(algorithm), key: key, count: size)
          == CCCryptorStatus(good.contains(size) ? kCCSuccess : kCCKeySizeError),
        "\(size)"
      )
    }
  }

  @Test func refusesWhatDoesNotExist() {
    for algorithm: CCAlgorithm in [7, 8, .max] {
      #expect(create(algorithm: algorithm) == kCCParamError)
    }
    for operation: CCOperation in [2, 3, .max] {
      #expect(create(operation: operation) == kCCParamError)
    }
    for mode in [0, 5, 6, kCCModeRC4, 13, 1_000] { #expect(create(mode: mode) == kCCParamError) }
    // XTS, GCM, CCM and ciphertext stealing are no part of the public interface.
    for mode in [8, 11, 12] { #expect(create(mode: mode) == kCCUnimplemented) }
    #expect(create(padding: 2) == kCCUnimplemented)
  }

  /// RC4 has one mode, which is taken whatever is asked for.
  @Test func rc4IsNeverInAnotherMode() {
    for mode in [kCCModeRC4, kCCModeECB, kCCModeCBC, 99] {
      #expect(create(mode: mode, algorithm: CCAlgorithm(kCCAlgorithmRC4)) == kCCSuccess)
    }
  }

  @Test func refusesPointersToNothing() {
    var ref: CCCryptorRef?
    var moved = -1
    var output = [UInt8](repeating: 0, count: 64)
    #expect(CCCryptorCreate(0, 0, 0, nil, 16, nil, &ref) == kCCParamError)
    #expect(CCCryptorCreate(0, 0, 0, key, 16, nil, nil) == kCCParamError)
    #expect(
      CCCryptorCreateWithMode(0, 2, 0, 0, nil, nil, 16, nil, 0, 0, 0, &ref) == kCCParamError
    )
    #expect(CCCryptorCreateFromData(0, 0, 0, key, 16, nil, nil, 99, &ref, nil) == kCCParamError)
    #expect(CCCryptorCreateFromData(0, 0, 0, key, 16, nil, output, 64, nil, nil) == kCCParamError)
    #expect(CCCrypt(0, 0, 1, nil, 16, nil, [1], 1, &output, 64, &moved) == kCCParamError)
    #expect(CCCrypt(0, 0, 1, key, 16, nil, nil, 1, &output, 64, &moved) == kCCParamError)
    #expect(CCCrypt(0, 0, 1, key, 16, nil, [1], 1, nil, 64, &moved) == kCCParamError)
    #expect(CCCrypt(0, 0, 0, key, 16, nil, nil, 16, &output, 64, nil) == kCCParamError)

    #expect(CCCryptorUpdate(nil, [1], 1, &output, 64, &moved) == kCCParamError)
    #expect(moved == 0)
    #expect(CCCryptorGetOutputLength(nil, 1, false) == kCCParamError)
    #expect(CCCryptorReset(nil, nil) == kCCParamError)
    // As on Apple's platforms.
    #expect(CCCryptorFinal(nil, &output, 64, &moved) == kCCSuccess)
    #expect(CCCryptorRelease(nil) == kCCSuccess)

    #expect(CCCryptorCreate(0, 0, 0, key, 16, nil, &ref) == kCCSuccess)
    #expect(CCCryptorUpdate(ref, nil, 16, &output, 64, &moved) == kCCParamError)
    #expect(CCCryptorUpdate(ref, key, 16, nil, 64, &moved) == kCCParamError)
    #expect(CCCryptorUpdate(ref, nil, 0, nil, 0, nil) == kCCSuccess)
    #expect(CCCryptorUpdate(ref, key, 16, &output, 64, nil) == kCCSuccess)
    #expect(CCCryptorFinal(ref, nil, 0, nil) == kCCSuccess)
    CCCryptorRelease(ref)
  }

  @Test(arguments: [Int.max, .max - 15, .min, -1, -16])
  func sizesBeyondAllMemoryAreRefused(_ size: Int) {
    var moved = 0
    var ref: CCCryptorRef?
    var output = [UInt8](repeating: 0, count: 32)
    for options in [0, 1, 2, 3] {
      for operation in [kCCEncrypt, kCCDecrypt] {
        let status = CCCrypt(
          CCOperation(operation),
          0,
          CCOptions(options),
          key,
          16,
          nil,
          key,
          size,
          &output,
          32,
          &moved
        )
        #expect([kCCBufferTooSmall, kCCParamError].contains(Int(status)))
      }
    }
    #expect(CCCryptorCreate(0, 0, 1, key, 16, nil, &ref) == kCCSuccess)
    #expect(CCCryptorUpdate(ref, [1, 2, 3], 3, &output, 32, &moved) == kCCSuccess)
    let status = CCCryptorUpdate(ref, key, size, &output, 32, &moved)
    #expect([kCCBufferTooSmall, kCCParamError].contains(Int(status)))
    CCCryptorRelease(ref)
  }

  @Test func tellsTheRoomThatIsNeeded() {
    var output = [UInt8](repeating: 0xee, count: 64)
    for (operation, options, size, needed) in [
      (kCCEncrypt, kCCOptionPKCS7Padding, 0, 16), (kCCEncrypt, kCCOptionPKCS7Padding, 15, 16),
      (kCCEncrypt, kCCOptionPKCS7Padding, 16, 32), (kCCEncrypt, 0, 32, 32),
      (kCCEncrypt, 0, 31, 16), (kCCDecrypt, kCCOptionPKCS7Padding, 32, 32), (kCCDecrypt, 0, 16, 16),
    ] {
      let data = [UInt8](repeating: 1, count: size)
      for room in [0, needed - 1] {
        var moved = -1
        let status = CCCrypt(
          CCOperation(operation),
          0,
          CCOptions(options),
          key,
          16,
          nil,
          data,
          size,
          &output,
          room,
          &moved
        )
        #expect(status == kCCBufferTooSmall && moved == needed)
      }
    }
    #expect(output.allSatisfy { $0 == 0xee })
    #expect(CCCrypt(0, 0, 1, key, 16, nil, key, 16, nil, 0, nil) == kCCBufferTooSmall)
  }

  @Test func refusesWhatIsNoWholeNumberOfBlocks() {
    for size in [1, 15, 17, 31] {
      let data = [UInt8](repeating: 1, count: size)
      for options in [0, kCCOptionECBMode] {
        #expect(crypt(kCCEncrypt, 0, options: options, key: key, data).status == kCCAlignmentError)
        #expect(crypt(kCCDecrypt, 0, options: options, key: key, data).status == kCCAlignmentError)
        let padded = options | kCCOptionPKCS7Padding
        #expect(crypt(kCCDecrypt, 0, options: padded, key: key, data).status == kCCAlignmentError)
      }
    }
  }

  @Test func nothingIsEncryptedToNothingWithoutPadding() {
    var moved = -1
    #expect(CCCrypt(0, 0, 0, key, 16, nil, nil, 0, nil, 0, &moved) == kCCSuccess && moved == 0)
    #expect(CCCrypt(1, 0, 1, key, 16, nil, nil, 0, nil, 0, &moved) == kCCSuccess && moved == 0)
  }

  /// As on Apple's platforms: the last byte decides, and nobody learns that it made no sense.
  @Test func badPaddingIsLeftInPlaceAndNotReported() {
    for (last, size) in [(0, 16), (17, 16), (255, 16), (1, 15), (5, 11), (16, 0)] {
      let block = [UInt8](repeating: 0x77, count: 15) + [UInt8(last)]
      let sealed = crypt(kCCEncrypt, 0, key: key, block)
      let opened = crypt(kCCDecrypt, 0, options: kCCOptionPKCS7Padding, key: key, sealed.result)
      #expect(opened.status == kCCSuccess)
      #expect(opened.result == Array(block.prefix(size)))
    }
  }

  @Test func anotherKeyOrVectorGivesAnotherText() {
    let plain = [UInt8](0..<40)
    let iv = [UInt8](repeating: 1, count: 16)
    let sealed = crypt(kCCEncrypt, 0, options: 1, key: key, iv: iv, plain).result
    let otherKey = crypt(kCCDecrypt, 0, options: 1, key: Array(key.reversed()), iv: iv, sealed)
    #expect(otherKey.status == kCCSuccess && otherKey.result != plain)
    // Without a vector it is all zeroes; another vector changes the first block only.
    let noVector = crypt(kCCDecrypt, 0, options: 1, key: key, sealed)
    let zeroes = [UInt8](repeating: 0, count: 16)
    #expect(noVector == crypt(kCCDecrypt, 0, options: 1, key: key, iv: zeroes, sealed))
    #expect(noVector.result.prefix(16) != plain.prefix(16))
    #expect(noVector.result.dropFirst(16) == plain.dropFirst(16))
  }

  @Test func encryptsInPlaceAtOnce() {
    let plain = [UInt8](0..<40)
    let sealed = crypt(kCCEncrypt, 0, options: 1, key: key, plain).result
    var buffer = plain + [UInt8](repeating: 0, count: 24)
    for (operation, size, wanted) in [(0, 40, sealed), (1, 48, plain)]
      as [(CCOperation, Int, [UInt8])]
    {
      var moved = 0
      let status = buffer.withUnsafeMutableBytes {
        CCCrypt(
          operation,
          0,
          1,
          key,
          16,
          nil,
          $0.baseAddress,
          size,
          $0.baseAddress,
          $0.count,
          &moved
        )
      }
      #expect(status == kCCSuccess && Array(buffer.prefix(moved)) == wanted)
    }
  }

  @Test func withoutTheLegacyProviderOnlyOldCiphersAreMissing() async {
    await #expect(processExitsWith: .success) {
      setenv("OPENSSL_MODULES", "/nonexistent", 1)
      let key = [UInt8](1...24)
      for cipher in CipherCase.blocks + [.rc4] {
        var ref: CCCryptorRef?
        let key = [UInt8](repeating: 3, count: cipher.keySize)
        let isOld = !cipher.testDescription.hasPrefix("AES") && cipher.testDescription != "3DES"
        let status = CCCryptorCreate(0, cipher.algorithm, 1, key, cipher.keySize, nil, &ref)
        #expect(status == (isOld ? kCCUnimplemented : kCCSuccess), "\(cipher.testDescription)")
        CCCryptorRelease(ref)
      }
      #expect(crypt(kCCEncrypt, kCCAlgorithm3DES, options: 1, key: key, [1]).status == kCCSuccess)
    }
  }
}
