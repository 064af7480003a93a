import CommonCrypto
import Testing

/// One published answer of a cipher.
struct CipherAnswer: Sendable {
  let mode: Int
  let algorithm: Int
  let key: String
  let iv: String?
  let plain: String
  let cipher: String

  init(
    _ mode: Int,
    _ algorithm: Int,
    key: String,
    iv: String? = nil,
    _ plain: String,
    _ cipher: String
  ) {
    (self.mode, self.algorithm, self.key, self.iv) = (mode, algorithm, key, iv)
    (self.plain, self.cipher) = (plain, cipher)
  }

  // NIST SP 800-38A, appendix F: the first two blocks.
  private static let text = "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
  private static let vector = "000102030405060708090a0b0c0d0e0f"
  private static let counter = "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"
  private static let keys = [
    "2b7e151628aed2a6abf7158809cf4f3c",
    "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
    "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
  ]
  static let aes = [
    (kCCModeECB, 0, "3ad77bb40d7a3660a89ecaf32466ef97f5d3d58503b9699de785895a96fdbaaf"),
    (kCCModeECB, 1, "bd334f1d6e45f25ff712a214571fa5cc974104846d0ad3ad7734ecb3ecee4eef"),
    (kCCModeECB, 2, "f3eed1bdb5d2a03c064b5a7e3db181f8591ccb10d410ed26dc5ba74a31362870"),
    (kCCModeCBC, 0, "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2"),
    (kCCModeCBC, 1, "4f021db243bc633d7178183a9fa071e8b4d9ada9ad7dedf4e5e738763f69145a"),
    (kCCModeCBC, 2, "f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d"),
    (kCCModeCFB, 0, "3b3fd92eb72dad20333449f8e83cfb4ac8a64537a0b3a93fcde3cdad9f1ce58b"),
    (kCCModeCFB, 1, "cdc80d6fddf18cab34c25909c99a417467ce7f7f81173621961a2b70171d3d7a"),
    (kCCModeCFB, 2, "dc7e84bfda79164b7ecd8486985d386039ffed143b28b1c832113c6331e5407b"),
    (kCCModeCFB8, 0, "3b79424c9c0dd436bace9e0ed4586a4f32b9ded50ae3ba69d472e88267fb5052"),
    (kCCModeCFB8, 1, "cda2521ef0a905ca44cd057cbf0d47a0678a7bcfb6aeaa3047b38936021f48bb"),
    (kCCModeCFB8, 2, "dc1f1a8520a64db55fcc8ac554844e889700adc6e10c63cf2d8cd2d8ce668f3e"),
    (kCCModeOFB, 0, "3b3fd92eb72dad20333449f8e83cfb4a7789508d16918f03f53c52dac54ed825"),
    (kCCModeOFB, 1, "cdc80d6fddf18cab34c25909c99a4174fcc28b8d4c63837c09e81700c1100401"),
    (kCCModeOFB, 2, "dc7e84bfda79164b7ecd8486985d38604febdc6740d20b3ac88f6ad82a4fb08d"),
    (kCCModeCTR, 0, "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff"),
    (kCCModeCTR, 1, "1abc932417521ca24f2b0459fe7e6e0b090339ec0aa6faefd5ccc2c6f4ce8e94"),
    (kCCModeCTR, 2, "601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5"),
  ].map { mode, key, cipher in
    CipherAnswer(
      mode,
      kCCAlgorithmAES,
      key: keys[key],
      iv: mode == kCCModeCTR ? counter : vector,
      text,
      cipher
    )
  }

  // FIPS 81, appendix B: "Now is the time for all ".
  private static let now = "4e6f77206973207468652074696d6520666f7220616c6c20"
  private static let desKey = "0123456789abcdef"
  private static let desVector = "1234567890abcdef"
  static let des = [
    (kCCModeECB, "3fa40e8a984d48156a271787ab8883f9893d51ec4b563b53"),
    (kCCModeCBC, "e5c7cdde872bf27c43e934008c389c0f683788499a7c05f6"),
    (kCCModeCFB, "f3096249c7f46e51a69e839b1a92f78403467133898ea622"),
    (kCCModeCFB8, "f31fda07011462ee187f43d80a7cd9b5b0d290da6e5b9a87"),
    (kCCModeOFB, "f3096249c7f46e5135f24a242eeb3d3f3d6d5be3255af8c3"),
  ].map { mode, cipher in
    CipherAnswer(mode, kCCAlgorithmDES, key: desKey, iv: desVector, now, cipher)
  }

  // NIST's examples for SP 800-67.
  private static let tripleKey = "0123456789abcdef23456789abcdef01456789abcdef0123"
  static let tripleDES = [
    (kCCModeECB, "714772f339841d34267fcc4bd2949cc3ee11c22a576a303876183f99c0b6de87"),
    (kCCModeCBC, "2079c3d53aa763e193b79e2569ab5262516570481f25b50f73c0bda85c8e0da7"),
    (kCCModeCFB8, "07951b729dc23ab448fc82b40372623dc443a4b443b6b4a66c20d892236028d5"),
  ].map { mode, cipher in
    CipherAnswer(mode, kCCAlgorithm3DES, key: tripleKey, iv: "f69f2445df4f9b17", text, cipher)
  }

  // RFC 2144, appendix B.1.
  static let cast = [
    ("0123456712345678234567893456789a", "238b4fe5847e44b2"),
    ("01234567123456782345", "eb6a711a2c02271b"), ("0123456712", "7ac816d16e9b302e"),
  ].map { key, cipher in
    CipherAnswer(kCCModeECB, kCCAlgorithmCAST, key: key, desKey, cipher)
  }

  // RFC 2268, section 5: those whose strength is that of their key.
  static let rc2 = [
    ("ffffffffffffffff", "ffffffffffffffff", "278b27e42e2f0d49"),
    ("3000000000000000", "1000000000000001", "30649edf9be7d2c2"),
    ("88bca90e90875a7f0f79c384627bafb2", "0000000000000000", "2269552ab0f85ca6"),
  ].map { key, plain, cipher in
    CipherAnswer(kCCModeECB, kCCAlgorithmRC2, key: key, plain, cipher)
  }

  // The author's test vectors.
  private static let blowfishText =
    "37363534333231204e6f77206973207468652074696d6520666f722000000000"
  private static let blowfishKey = "0123456789abcdeff0e1d2c3b4a59687"
  private static let blowfishVector = "fedcba9876543210"
  static let blowfish =
    [
      ("0000000000000000", "0000000000000000", "4ef997456198dd78"),
      ("ffffffffffffffff", "ffffffffffffffff", "51866fd5b85ecb8a"),
      ("3000000000000000", "1000000000000001", "7d856f9a613063f2"),
      ("0123456789abcdef", "1111111111111111", "61f9c3802281b096"),
    ].map { key, plain, cipher in
      CipherAnswer(kCCModeECB, kCCAlgorithmBlowfish, key: key, plain, cipher)
    }
    + [
      (kCCModeCBC, "6b77b4d63006dee605b156e27403979358deb9e7154616d959f1652bd5ff92cc"),
      (kCCModeCFB, "e73214a2822139caf26ecf6d2eb9e76e3da3de04d1517200519d57a6c3"),
      (kCCModeOFB, "e73214a2822139ca62b343cc5b65587310dd908d0c241b2263c2cf80da"),
    ].map { mode, cipher in
      CipherAnswer(
        mode,
        kCCAlgorithmBlowfish,
        key: blowfishKey,
        iv: blowfishVector,
        String(blowfishText.prefix(cipher.count)),
        cipher
      )
    }

  // RFC 6229: the first bytes of the stream.
  static let rc4 = [
    ("0102030405", "b2396305f03dc027ccc3524a0a1118a86982944f18fc82d589c403a47a0d0919"),
    (
      "0102030405060708090a0b0c0d0e0f10",
      "9ac7cc9a609d1ef7b2932899cde41b975248c4959014126a6e8a84f11d1a9e1c"
    ),
  ].map { key, cipher in
    CipherAnswer(
      kCCModeRC4,
      kCCAlgorithmRC4,
      key: key,
      String(repeating: "0", count: 64),
      cipher
    )
  }

  static let all = aes + des + tripleDES + cast + rc2 + blowfish + rc4
}

@Suite struct CipherAnswerTests {
  @Test(arguments: CipherAnswer.all)
  func matchesThePublishedAnswer(_ answer: CipherAnswer) throws {
    let algorithm = CCAlgorithm(answer.algorithm)
    for (operation, given, wanted) in [
      (kCCEncrypt, answer.plain, answer.cipher), (kCCDecrypt, answer.cipher, answer.plain),
    ] {
      for size in [1, 7, 64] {
        let cryptor = try #require(
          Cryptor(
            operation,
            mode: answer.mode,
            algorithm,
            key: bytes(answer.key),
            iv: answer.iv.map(bytes)
          )
        )
        let data = bytes(given)
        let parts = stride(from: 0, to: data.count, by: size).map {
          Array(data[$0..<min($0 + size, data.count)])
        }
        #expect(hex(cryptor.run(parts)) == wanted)
      }
    }
  }

  @Test(arguments: CipherAnswer.all.filter { [1, 2, 9].contains($0.mode) })
  func matchesThePublishedAnswerAtOnce(_ answer: CipherAnswer) {
    let options = answer.mode == kCCModeECB ? kCCOptionECBMode : 0
    let key = bytes(answer.key)
    let iv = answer.iv.map(bytes)
    let sealed = crypt(
      kCCEncrypt,
      answer.algorithm,
      options: options,
      key: key,
      iv: iv,
      bytes(answer.plain)
    )
    #expect(sealed.status == kCCSuccess && hex(sealed.result) == answer.cipher)
    let opened = crypt(
      kCCDecrypt,
      answer.algorithm,
      options: options,
      key: key,
      iv: iv,
      bytes(answer.cipher)
    )
    #expect(opened.status == kCCSuccess && hex(opened.result) == answer.plain)
  }

  /// There are no published answers for these modes of the old ciphers: they are made of ECB.
  @Test(arguments: CipherCase.blocks)
  func countersAndBytewiseFeedbackAreMadeOfSingleBlocks(_ cipher: CipherCase) throws {
    let key = [UInt8]((1...UInt8(cipher.keySize)))
    // Its last bytes carry into the others.
    let iv = [UInt8](repeating: 0xff, count: cipher.block).enumerated().map { $0 == 0 ? 7 : $1 }
    let data = [UInt8](0..<100)
    func block(_ input: [UInt8]) -> [UInt8] {
      crypt(kCCEncrypt, Int(cipher.algorithm), options: kCCOptionECBMode, key: key, input).result
    }

    var counter = iv
    var counted: [UInt8] = []
    for start in stride(from: 0, to: data.count, by: cipher.block) {
      counted += zip(data[start...], block(counter)).map { $0 ^ $1 }
      for place in counter.indices.reversed() {
        counter[place] &+= 1
        if counter[place] != 0 { break }
      }
    }
    var register = iv
    var fed: [UInt8] = []
    for byte in data {
      fed.append(byte ^ block(register)[0])
      register = register.dropFirst() + fed.suffix(1)
    }

    for (mode, wanted) in [(kCCModeCTR, counted), (kCCModeCFB8, fed)] {
      let writer = try #require(
        Cryptor(kCCEncrypt, mode: mode, cipher.algorithm, key: key, iv: iv)
      )
      #expect(writer.run([data]) == wanted)
      let reader = try #require(
        Cryptor(kCCDecrypt, mode: mode, cipher.algorithm, key: key, iv: iv)
      )
      #expect(reader.run([wanted]) == data)
    }
  }
}
