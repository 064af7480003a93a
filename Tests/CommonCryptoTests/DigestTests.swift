import CommonCrypto
import LocalAuthTestSupport
import Testing

/// One of the digests, behind the same three calls.
struct DigestCase: CustomTestStringConvertible, Sendable {
  typealias Pieces = [[UInt8]]
  let testDescription: String
  let length: Int32
  /// The one-shot call, with what it returns.
  let atOnce:
    @Sendable (UnsafeRawPointer?, CC_LONG, UnsafeMutablePointer<UInt8>?) ->
      UnsafeMutablePointer<UInt8>?
  /// The digest of pieces; of `first` and then `second` and, from a copy, of `first` and `third`.
  let inPieces: @Sendable (Pieces) -> [UInt8]
  let forked: @Sendable (_ first: Pieces, _ second: Pieces, _ third: Pieces) -> [[UInt8]]
  /// What lies in a context after its end, and what the calls without a pointer return.
  let leftovers: @Sendable () -> [UInt8]
  let withoutPointers: @Sendable () -> [Int32]
  /// The digest of a context that nobody initialised.
  let uninitialised: @Sendable ([UInt8]) -> [UInt8]

  init<Context>(
    _ name: String,
    _ length: Int32,
    _ new: @escaping @Sendable () -> Context,
    _ begin: @escaping @Sendable (UnsafeMutablePointer<Context>?) -> Int32,
    _ add:
      @escaping @Sendable (UnsafeMutablePointer<Context>?, UnsafeRawPointer?, CC_LONG) ->
      Int32,
    _ end:
      @escaping @Sendable (UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<Context>?) ->
      Int32,
    _ atOnce:
      @escaping @Sendable (UnsafeRawPointer?, CC_LONG, UnsafeMutablePointer<UInt8>?) ->
      UnsafeMutablePointer<UInt8>?
  ) {
    testDescription = name
    self.length = length
    self.atOnce = atOnce
    @Sendable func take(_ pieces: Pieces, _ context: inout Context) {
      for piece in pieces { #expect(add(&context, piece, CC_LONG(piece.count)) == 1) }
    }
    @Sendable func finish(_ context: inout Context) -> [UInt8] {
      var digest = [UInt8](repeating: 0, count: Int(length))
      #expect(end(&digest, &context) == 1)
      return digest
    }
    inPieces = { pieces in
      var context = new()
      #expect(begin(&context) == 1)
      take(pieces, &context)
      return finish(&context)
    }
    forked = { first, second, third in
      var context = new()
      _ = begin(&context)
      take(first, &context)
      var copy = context
      take(second, &context)
      take(third, &copy)
      return [finish(&context), finish(&copy)]
    }
    leftovers = {
      var context = new()
      _ = begin(&context)
      take([[1, 2, 3]], &context)
      _ = finish(&context)
      return withUnsafeBytes(of: &context) { Array($0) }
    }
    withoutPointers = {
      var context = new()
      var digest = [UInt8](repeating: 0, count: Int(length))
      return [
        begin(nil), add(nil, [1], 1), end(&digest, nil), end(nil, &context), add(&context, nil, 1),
      ]
    }
    uninitialised = { piece in
      var context = new()
      take([piece], &context)
      return finish(&context)
    }
  }

  static let md4 = DigestCase(
    "MD4",
    CC_MD4_DIGEST_LENGTH,
    { CC_MD4_CTX() },
    { CC_MD4_Init($0) },
    { CC_MD4_Update($0, $1, $2) },
    { CC_MD4_Final($0, $1) },
    { CC_MD4($0, $1, $2) }
  )
  static let md5 = DigestCase(
    "MD5",
    CC_MD5_DIGEST_LENGTH,
    { CC_MD5_CTX() },
    { CC_MD5_Init($0) },
    { CC_MD5_Update($0, $1, $2) },
    { CC_MD5_Final($0, $1) },
    { CC_MD5($0, $1, $2) }
  )
  static let sha1 = DigestCase(
    "SHA-1",
    CC_SHA1_DIGEST_LENGTH,
    { CC_SHA1_CTX() },
    { CC_SHA1_Init($0) },
    { CC_SHA1_Update($0, $1, $2) },
    { CC_SHA1_Final($0, $1) },
    { CC_SHA1($0, $1, $2) }
  )
  static let sha224 = DigestCase(
    "SHA-224",
    CC_SHA224_DIGEST_LENGTH,
    { CC_SHA256_CTX() },
    { CC_SHA224_Init($0) },
    { CC_SHA224_Update($0, $1, $2) },
    { CC_SHA224_Final($0, $1) },
    { CC_SHA224($0, $1, $2) }
  )
  static let sha256 = DigestCase(
    "SHA-256",
    CC_SHA256_DIGEST_LENGTH,
    { CC_SHA256_CTX() },
    { CC_SHA256_Init($0) },
    { CC_SHA256_Update($0, $1, $2) },
    { CC_SHA256_Final($0, $1) },
    { CC_SHA256($0, $1, $2) }
  )
  static let sha384 = DigestCase(
    "SHA-384",
    CC_SHA384_DIGEST_LENGTH,
    { CC_SHA512_CTX() },
    { CC_SHA384_Init($0) },
    { CC_SHA384_Update($0, $1, $2) },
    { CC_SHA384_Final($0, $1) },
    { CC_SHA384($0, $1, $2) }
  )
  static let sha512 = DigestCase(
    "SHA-512",
    CC_SHA512_DIGEST_LENGTH,
    { CC_SHA512_CTX() },
    { CC_SHA512_Init($0) },
    { CC_SHA512_Update($0, $1, $2) },
    { CC_SHA512_Final($0, $1) },
    { CC_SHA512($0, $1, $2) }
  )
  static let all = [md4, md5, sha1, sha224, sha256, sha384, sha512]
}

@Suite struct DigestTests {
  private static let long = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
  private static let longer =
    "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmno"
    + "ijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu"

  private func digest(_ digest: DigestCase, of data: [UInt8]) -> [UInt8] {
    var md = [UInt8](repeating: 0, count: Int(digest.length))
    md.withUnsafeMutableBufferPointer {
      #expect(digest.atOnce(data, CC_LONG(data.count), $0.baseAddress) == $0.baseAddress)
    }
    return md
  }

  /// RFC 1320, RFC 1321 and the examples of FIPS 180.
  @Test(arguments: [
    (DigestCase.md4, "", "31d6cfe0d16ae931b73c59d7e0c089c0"),
    (.md4, "abc", "a448017aaf21d8525fc10ae87aa6729d"),
    (.md4, "message digest", "d9130a8164549fe818874806e1c7014b"),
    (.md5, "", "d41d8cd98f00b204e9800998ecf8427e"),
    (.md5, "abc", "900150983cd24fb0d6963f7d28e17f72"),
    (.md5, "message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
    (.sha1, "", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
    (.sha1, "abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
    (.sha1, long, "84983e441c3bd26ebaae4aa1f95129e5e54670f1"),
    (.sha224, "", "d14a028c2a3a2bc9476102bb288234c415a2b01f828ea62ac5b3e42f"),
    (.sha224, "abc", "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7"),
    (.sha224, long, "75388b16512776cc5dba5da1fd890150b0c6455cb4f58b1952522525"),
    (.sha256, "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    (.sha256, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (.sha256, long, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
    (
      .sha384, "abc",
      "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed"
        + "8086072ba1e7cc2358baeca134c825a7"
    ),
    (
      .sha384, longer,
      "09330c33f71147e83d192fc782cd1b4753111b173b3b05d22fa08086e3b0f712"
        + "fcc7c71a557e2db966c3e9fa91746039"
    ),
    (
      .sha512, "abc",
      "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
        + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
    ),
    (
      .sha512, longer,
      "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018"
        + "501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909"
    ),
  ])
  func matchesThePublishedAnswers(_ example: (DigestCase, String, String)) {
    let (digest, message, answer) = example
    #expect(hex(self.digest(digest, of: Array(message.utf8))) == answer)
    #expect(hex(digest.inPieces(message.utf8.map { [$0] })) == answer)
  }

  @Test(arguments: DigestCase.all)
  func anyDivisionIntoPiecesGivesTheSameDigest(_ digest: DigestCase) {
    var generator = SeededGenerator.ofThisRun
    let seed = generator.seed
    for _ in 0..<50 {
      let data = generator.bytes(Int.random(in: 0...1_000, using: &generator))
      let pieces = generator.parts(of: data, upTo: 200)
      #expect(digest.inPieces(pieces) == self.digest(digest, of: data), "SEED=\(seed)")
    }
  }

  @Test(arguments: DigestCase.all)
  func aCopyOfAContextGoesItsOwnWay(_ digest: DigestCase) {
    let first = [UInt8](repeating: 7, count: 77)
    let digests = digest.forked([first], [[1]], [[2], [3]])
    #expect(digests[0] == self.digest(digest, of: first + [1]))
    #expect(digests[1] == self.digest(digest, of: first + [2, 3]))
  }

  @Test(arguments: DigestCase.all)
  func theEndWipesTheContext(_ digest: DigestCase) {
    #expect(digest.leftovers().allSatisfy { $0 == 0 })
  }

  @Test(arguments: DigestCase.all)
  func refusesPointersToNothing(_ digest: DigestCase) {
    var md = [UInt8](repeating: 0xee, count: Int(digest.length))
    #expect(digest.atOnce([1], 1, nil) == nil)
    #expect(digest.atOnce(nil, 1, &md) == nil)
    #expect(digest.atOnce(nil, .max, &md) == nil)
    #expect(md.allSatisfy { $0 == 0xee })
    #expect(digest.withoutPointers() == [0, 0, 0, 0, 0])
  }

  @Test(arguments: DigestCase.all)
  func nothingMayBeAPointerToNothing(_ digest: DigestCase) {
    var md = [UInt8](repeating: 0, count: Int(digest.length))
    #expect(digest.atOnce(nil, 0, &md) != nil)
    #expect(md == self.digest(digest, of: []))
  }

  /// Or every message would have the digest that lay in the buffer before.
  @Test(arguments: DigestCase.all)
  func aForgottenBeginningStillDependsOnTheMessage(_ digest: DigestCase) {
    #expect(digest.uninitialised([1]) != digest.uninitialised([2]))
  }
}
