import CommonCrypto
import Testing

@Suite struct KeyWrapTests {
  private static let kek = bytes("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f")
  private static let key = bytes("00112233445566778899aabbccddeeff000102030405060708090a0b0c0d0e0f")
  private let kek = Array(Self.kek.prefix(16))
  private let key = Array(Self.key.prefix(16))

  private func wrap(
    _ key: [UInt8],
    kek: [UInt8],
    iv: [UInt8]? = nil,
    room: Int? = nil
  ) -> (status: Int32, result: [UInt8]) {
    var wrapped = [UInt8](repeating: 0xee, count: 80)
    var count = room ?? 72
    let size = iv?.count ?? 0
    let status = CCSymmetricKeyWrap(
      CCWrappingAlgorithm(kCCWRAPAES),
      iv,
      size,
      kek,
      kek.count,
      key,
      key.count,
      &wrapped,
      &count
    )
    return (status, Array(wrapped.prefix(count)))
  }

  private func unwrap(
    _ wrapped: [UInt8],
    kek: [UInt8],
    iv: [UInt8]? = nil,
    room: Int = 72
  ) -> (status: Int32, result: [UInt8]) {
    var key = [UInt8](repeating: 0xee, count: 80)
    var count = room
    let status = CCSymmetricKeyUnwrap(
      CCWrappingAlgorithm(kCCWRAPAES),
      iv,
      iv?.count ?? 0,
      kek,
      kek.count,
      wrapped,
      wrapped.count,
      &key,
      &count
    )
    // What failed leaves nothing of the key.
    if status == kCCDecodeError {
      #expect(key.prefix(max(0, wrapped.count - 8)).allSatisfy { $0 == 0 })
    }
    return (status, Array(key.prefix(count)))
  }

  /// RFC 3394, section 4.
  @Test(arguments: [
    (16, 16, "1fa68b0a8112b447aef34bd8fb5a7b829d3e862371d2cfe5"),
    (24, 16, "96778b25ae6ca435f92b5b97c050aed2468ab8a17ad84e5d"),
    (32, 16, "64e8c3f9ce0f5ba263e9777905818a2a93c8191e7d6e8ae7"),
    (24, 24, "031d33264e15d33268f24ec260743edce1c6c7ddee725a936ba814915c6762d2"),
    (32, 24, "a8f9bc1612c68b3ff6e6f4fbe30e71e4769c8b80a32cb8958cd5d17d6b254da1"),
    (
      32, 32,
      "28c9f404c4b810f4cbccb35cfb87f8263f5786e2d80ed326cbc7f0e71a99f43bfb988b9b7a02dd21"
    ),
  ])
  func matchesThePublishedAnswers(_ example: (Int, Int, String)) {
    let (kekSize, keySize, answer) = example
    let kek = Array(Self.kek.prefix(kekSize))
    let key = Array(Self.key.prefix(keySize))
    for iv in [nil, [UInt8](repeating: 0xa6, count: 8)] {
      let wrapped = wrap(key, kek: kek, iv: iv)
      #expect(wrapped.status == kCCSuccess && hex(wrapped.result) == answer)
      let unwrapped = unwrap(wrapped.result, kek: kek, iv: iv)
      #expect(unwrapped.status == kCCSuccess && unwrapped.result == key)
    }
  }

  @Test func theInitialValueIsTheStandards() {
    #expect(CCrfc3394_ivLen == 8)
    #expect((0..<CCrfc3394_ivLen).allSatisfy { CCrfc3394_iv[$0] == 0xa6 })
  }

  @Test func anInitialValueOfOnesOwnIsPartOfTheResult() {
    let own: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
    let wrapped = wrap(key, kek: kek, iv: own)
    #expect(wrapped.result != wrap(key, kek: kek).result)
    #expect(unwrap(wrapped.result, kek: kek, iv: own).result == key)
    #expect(unwrap(wrapped.result, kek: kek).status == kCCDecodeError)
    // As on Apple's platforms.
    let standard = wrap(key, kek: kek)
    #expect(unwrap(standard.result, kek: kek, iv: own).result == key)
  }

  @Test func anyChangeIsADecodeError() {
    let wrapped = wrap(key, kek: kek).result
    for place in wrapped.indices {
      var changed = wrapped
      changed[place] ^= 1
      #expect(unwrap(changed, kek: kek).status == kCCDecodeError)
      #expect(unwrap(changed, kek: kek).result.isEmpty)
    }
    #expect(unwrap(wrapped, kek: Array(kek.reversed())).status == kCCDecodeError)
    for size in [0, 8, 16, 23] {
      #expect(unwrap(Array(wrapped.prefix(size)), kek: kek).status == kCCDecodeError)
    }
    #expect(unwrap(wrapped + [0], kek: kek).status == kCCDecodeError)
  }

  @Test func theResultMayReplaceItsSource() {
    var buffer = wrap(key, kek: kek).result
    var count = buffer.count
    let status = buffer.withUnsafeMutableBufferPointer {
      CCSymmetricKeyUnwrap(1, nil, 0, kek, 16, $0.baseAddress, 24, $0.baseAddress, &count)
    }
    #expect(status == kCCSuccess && Array(buffer.prefix(count)) == key)
  }

  @Test func refusesSizesThatMakeNoSense() {
    for size in [0, 1, 8, 15, 17, 20] {
      let key = [UInt8](repeating: 1, count: size)
      #expect(wrap(key, kek: kek).status == kCCParamError)
      #expect(wrap(key, kek: kek).result.isEmpty)
    }
    for size in [0, 1, 15, 17, 33] {
      let kek = [UInt8](repeating: 1, count: size)
      #expect(wrap(key, kek: kek).status == kCCParamError)
      #expect(unwrap(wrap(key, kek: self.kek).result, kek: kek).status == kCCParamError)
    }
    #expect(wrap(key, kek: kek, iv: [1, 2, 3]).status == kCCParamError)
    #expect(unwrap(wrap(key, kek: kek).result, kek: kek, iv: [1]).status == kCCParamError)
    #expect(wrap(key, kek: kek, room: 23).status == kCCParamError)
    #expect(wrap(key, kek: kek, room: 24).status == kCCSuccess)
    #expect(unwrap(wrap(key, kek: kek).result, kek: kek, room: 15).status == kCCParamError)
    #expect(unwrap(wrap(key, kek: kek).result, kek: kek, room: 16).status == kCCSuccess)
  }

  @Test func refusesPointersToNothingAndHugeSizes() {
    var output = [UInt8](repeating: 0, count: 64)
    var count = 64
    #expect(CCSymmetricKeyWrap(1, nil, 0, nil, 16, key, 16, &output, &count) == kCCParamError)
    count = 64
    #expect(CCSymmetricKeyWrap(1, nil, 0, kek, 16, nil, 16, &output, &count) == kCCParamError)
    count = 64
    #expect(CCSymmetricKeyWrap(1, nil, 0, kek, 16, key, 16, nil, &count) == kCCParamError)
    #expect(CCSymmetricKeyWrap(1, nil, 0, kek, 16, key, 16, &output, nil) == kCCParamError)
    count = 64
    #expect(CCSymmetricKeyUnwrap(1, nil, 0, nil, 16, key, 16, &output, &count) != kCCSuccess)
    count = 64
    #expect(CCSymmetricKeyUnwrap(1, nil, 0, kek, 16, nil, 24, &output, &count) == kCCParamError)
    count = 64
    #expect(CCSymmetricKeyUnwrap(1, nil, 0, kek, 16, key, 24, nil, &count) == kCCParamError)
    #expect(CCSymmetricKeyUnwrap(1, nil, 0, kek, 16, key, 24, &output, nil) == kCCParamError)
    for size in [Int.max, -1, -8, .min] {
      count = 64
      #expect(CCSymmetricKeyWrap(1, nil, 0, kek, 16, key, size, &output, &count) == kCCParamError)
      count = 64
      #expect(
        CCSymmetricKeyUnwrap(1, nil, 0, kek, 16, key, size, &output, &count) == kCCParamError
      )
    }
  }

  @Test func sizesAreForetold() {
    #expect(CCSymmetricWrappedSize(1, 16) == 24 && CCSymmetricUnwrappedSize(1, 24) == 16)
    #expect(CCSymmetricWrappedSize(1, 0) == 8 && CCSymmetricUnwrappedSize(1, 8) == 0)
    #expect(CCSymmetricUnwrappedSize(1, 7) == 0 && CCSymmetricWrappedSize(1, -1) == 0)
  }
}
