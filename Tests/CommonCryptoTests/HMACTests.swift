import CommonCrypto
import LocalAuthTestSupport
import Testing

@Suite struct HMACTests {
  private static let lengths: [Int: Int32] = [
    kCCHmacAlgMD5: CC_MD5_DIGEST_LENGTH, kCCHmacAlgSHA1: CC_SHA1_DIGEST_LENGTH,
    kCCHmacAlgSHA224: CC_SHA224_DIGEST_LENGTH, kCCHmacAlgSHA256: CC_SHA256_DIGEST_LENGTH,
    kCCHmacAlgSHA384: CC_SHA384_DIGEST_LENGTH, kCCHmacAlgSHA512: CC_SHA512_DIGEST_LENGTH,
  ]
  private static let algorithms = lengths.keys.sorted()

  /// The code, and proof that nothing is written behind it.
  private func code(_ algorithm: Int, _ key: [UInt8], _ data: [UInt8]) -> [UInt8] {
    let length = Int(Self.lengths[algorithm] ?? 0)
    var mac = [UInt8](repeating: 0xee, count: length + 8)
    CCHmac(CCHmacAlgorithm(algorithm), key, key.count, data, data.count, &mac)
    #expect(mac.suffix(8).allSatisfy { $0 == 0xee })
    return Array(mac.prefix(length))
  }

  private func begun(_ algorithm: Int, _ key: [UInt8]) -> CCHmacContext {
    var context = CCHmacContext()
    CCHmacInit(&context, CCHmacAlgorithm(algorithm), key, key.count)
    return context
  }

  private func end(_ context: inout CCHmacContext, _ algorithm: Int) -> [UInt8] {
    var mac = [UInt8](repeating: 0, count: Int(Self.lengths[algorithm] ?? 0))
    CCHmacFinal(&context, &mac)
    return mac
  }

  /// RFC 2202 and RFC 4231: a short key, a text, a key that is longer than a block.
  @Test(arguments: [
    (kCCHmacAlgMD5, 1, "9294727a3638bb1c13f48ef8158bfc9d"),
    (kCCHmacAlgMD5, 2, "750c783e6ab0b503eaa86e310a5db738"),
    (kCCHmacAlgMD5, 6, "6b1ab7fe4bd7bf8f0b62e6ce61b9d0cd"),
    (kCCHmacAlgSHA1, 1, "b617318655057264e28bc0b6fb378c8ef146be00"),
    (kCCHmacAlgSHA1, 2, "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"),
    (kCCHmacAlgSHA1, 6, "aa4ae5e15272d00e95705637ce8a3b55ed402112"),
    (kCCHmacAlgSHA224, 1, "896fb1128abbdf196832107cd49df33f47b4b1169912ba4f53684b22"),
    (kCCHmacAlgSHA224, 2, "a30e01098bc6dbbf45690f3a7e9e6d0f8bbea2a39e6148008fd05e44"),
    (kCCHmacAlgSHA224, 6, "95e9a0db962095adaebe9b2d6f0dbce2d499f112f2d2b7273fa6870e"),
    (
      kCCHmacAlgSHA256, 1, "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    ),
    (
      kCCHmacAlgSHA256, 2, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    (
      kCCHmacAlgSHA256, 6, "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
    (
      kCCHmacAlgSHA384, 1,
      "afd03944d84895626b0825f4ab46907f15f9dadbe4101ec682aa034c7cebc59c"
        + "faea9ea9076ede7f4af152e8b2fa9cb6"
    ),
    (
      kCCHmacAlgSHA384, 2,
      "af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e"
        + "8e2240ca5e69e2c78b3239ecfab21649"
    ),
    (
      kCCHmacAlgSHA384, 6,
      "4ece084485813e9088d2c63a041bc5b44f9ef1012a2b588f3cd11f05033ac4c6"
        + "0c2ef6ab4030fe8296248df163f44952"
    ),
    (
      kCCHmacAlgSHA512, 1,
      "87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cde"
        + "daa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854"
    ),
    (
      kCCHmacAlgSHA512, 2,
      "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
        + "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737"
    ),
    (
      kCCHmacAlgSHA512, 6,
      "80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f352"
        + "6b56d037e05f2598bd0fd2215d6a1e5295e64f73f63f0aec8b915a985d786598"
    ),
  ])
  func matchesThePublishedAnswers(_ example: (Int, Int, String)) {
    let (algorithm, number, answer) = example
    let isOld = [kCCHmacAlgMD5, kCCHmacAlgSHA1].contains(algorithm)
    let cases: [Int: (key: [UInt8], data: String)] = [
      1: (.init(repeating: 0x0b, count: algorithm == kCCHmacAlgMD5 ? 16 : 20), "Hi There"),
      2: (Array("Jefe".utf8), "what do ya want for nothing?"),
      6: (
        .init(repeating: 0xaa, count: isOld ? 80 : 131),
        "Test Using Larger Than Block-Size Key - Hash Key First"
      ),
    ]
    guard let (key, data) = cases[number] else { return }
    #expect(hex(code(algorithm, key, Array(data.utf8))) == answer)
  }

  @Test(arguments: algorithms)
  func anyDivisionIntoPiecesGivesTheSameCode(_ algorithm: Int) {
    var generator = SeededGenerator.ofThisRun
    let seed = generator.seed
    for _ in 0..<30 {
      let key = generator.bytes(Int.random(in: 0...200, using: &generator))
      let data = generator.bytes(Int.random(in: 0...1_000, using: &generator))
      var context = begun(algorithm, key)
      for piece in generator.parts(of: data, upTo: 300) {
        CCHmacUpdate(&context, piece, piece.count)
      }
      #expect(end(&context, algorithm) == code(algorithm, key, data), "SEED=\(seed)")
    }
  }

  @Test(arguments: algorithms)
  func aCopyOfAContextGoesItsOwnWay(_ algorithm: Int) {
    var context = begun(algorithm, [1, 2, 3])
    CCHmacUpdate(&context, [4], 1)
    var copy = context
    CCHmacUpdate(&context, [5], 1)
    CCHmacUpdate(&copy, [6], 1)
    #expect(end(&context, algorithm) == code(algorithm, [1, 2, 3], [4, 5]))
    #expect(end(&copy, algorithm) == code(algorithm, [1, 2, 3], [4, 6]))
  }

  @Test(arguments: algorithms)
  func anEmptyKeyMayBeAPointerToNothing(_ algorithm: Int) {
    var mac = [UInt8](repeating: 0, count: Int(Self.lengths[algorithm] ?? 0))
    CCHmac(CCHmacAlgorithm(algorithm), nil, 0, nil, 0, &mac)
    #expect(mac == code(algorithm, [], []))
  }

  /// A buffer left as it was, or a code of less than was meant, would be what a forger can send.
  @Test(arguments: algorithms)
  func aMissingPointerGivesACodeThatNothingVerifiesAgainst(_ algorithm: Int) {
    var codes: Set<[UInt8]> = [code(algorithm, [], []), code(algorithm, [1], [1])]
    let empty = [UInt8](repeating: 0, count: Int(Self.lengths[algorithm] ?? 0))
    codes.insert(empty)
    for _ in 0..<3 {
      var mac = empty
      CCHmac(CCHmacAlgorithm(algorithm), nil, 1, [1], 1, &mac)
      #expect(codes.insert(mac).inserted)
      mac = empty
      CCHmac(CCHmacAlgorithm(algorithm), [1], 1, nil, .max, &mac)
      #expect(codes.insert(mac).inserted)
    }
  }

  @Test func anUnknownAlgorithmWritesNothing() {
    for algorithm: CCHmacAlgorithm in [6, 7, .max] {
      var mac = [UInt8](repeating: 0xee, count: 64)
      CCHmac(algorithm, [1], 1, [1], 1, &mac)
      #expect(mac.allSatisfy { $0 == 0xee })
    }
  }

  @Test func noCallTrapsOnPointersToNothing() {
    let algorithm = CCHmacAlgorithm(kCCHmacAlgSHA256)
    var context = begun(kCCHmacAlgSHA256, [1])
    CCHmacInit(nil, algorithm, [1], 1)
    CCHmacUpdate(nil, [1], 1)
    CCHmacFinal(nil, nil)
    CCHmacFinal(&context, nil)
    CCHmac(algorithm, [1], 1, [1], 1, nil)
    // What was never begun, and what has ended, gives nothing.
    for var context in [CCHmacContext(), context] {
      var mac = [UInt8](repeating: 0xee, count: 64)
      CCHmacUpdate(&context, [1], 1)
      CCHmacFinal(&context, &mac)
      #expect(mac.allSatisfy { $0 == 0xee })
    }
  }

  @Test(arguments: algorithms)
  func theEndWipesTheContext(_ algorithm: Int) {
    var context = begun(algorithm, [1, 2, 3])
    CCHmacUpdate(&context, [4], 1)
    _ = end(&context, algorithm)
    #expect(withUnsafeBytes(of: &context) { $0.allSatisfy { $0 == 0 } })
  }

  @Test func aContextHasTheSizeThatIsPublished() {
    #expect(CC_HMAC_CONTEXT_SIZE == 96)
    #expect(MemoryLayout<CCHmacContext>.size == Int(CC_HMAC_CONTEXT_SIZE) * 4)
  }
}
