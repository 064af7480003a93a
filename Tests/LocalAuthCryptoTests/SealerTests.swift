import LocalAuthSecret
import LocalAuthTestSupport
import Testing

@testable import LocalAuthCrypto

@Suite struct SealerTests {
  private struct NoSealer: Error {}

  private func sealer(_ fill: UInt8 = 7) throws -> Sealer {
    guard let sealer = Sealer(Sample.secret([UInt8](repeating: fill, count: 32))) else {
      throw NoSealer()
    }
    return sealer
  }

  private func opened(
    _ sealed: [UInt8],
    with data: [UInt8],
    by sealer: borrowing Sealer
  ) -> [UInt8]? {
    Sample.bytes(sealer.open(sealed, with: data))
  }

  @Test(arguments: [0, 1, 15, 16, 17, 4_096, 100_000])
  func opensWhatItSealed(size: Int) throws {
    let sealer = try sealer()
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
    let sealed = sealer.seal(Sample.secret(bytes), with: [1, 2])
    #expect(sealed.count == size + Sealer.overhead)
    #expect(opened(sealed, with: [1, 2], by: sealer) == bytes)
  }

  /// Test case 16 of the specification that McGrew and Viega submitted to NIST.
  @Test func opensWhatTheSpecificationSealed() throws {
    let key = Sample.bytes(
      "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308"
    )
    guard let sealer = Sealer(Sample.secret(key)) else { throw NoSealer() }
    let nonce = Sample.bytes("cafebabefacedbaddecaf888")
    let content = Sample.bytes(
      "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
        + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662"
    )
    let tag = Sample.bytes("76fc6ece0f4e1768cddf8853bb2d551b")
    let data = Sample.bytes("feedfacedeadbeeffeedfacedeadbeefabaddad2")
    let plain = Sample.bytes(
      "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
        + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39"
    )
    #expect(opened(nonce + content + tag, with: data, by: sealer) == plain)
  }

  @Test func noChangedBitIsOpened() throws {
    let sealer = try sealer()
    let sealed = sealer.seal(Sample.secret([1, 2, 3, 4]), with: [9])
    for bit in 0..<sealed.count * 8 {
      var changed = sealed
      changed[bit / 8] ^= 1 << (bit % 8)
      #expect(opened(changed, with: [9], by: sealer) == nil, "bit \(bit)")
    }
  }

  @Test func neitherAPartNorAnExtensionIsOpened() throws {
    let sealer = try sealer()
    let sealed = sealer.seal(Sample.secret([1, 2, 3, 4]), with: [])
    for size in 0..<sealed.count {
      #expect(opened(Array(sealed[..<size]), with: [], by: sealer) == nil, "\(size) bytes")
    }
    #expect(opened(sealed + [0], with: [], by: sealer) == nil)
  }

  @Test func otherDataOrAnotherKeyOpensNothing() throws {
    let sealer = try sealer()
    let sealed = sealer.seal(Sample.secret([1]), with: [1, 2])
    for data in [[], [1], [2, 1], [1, 2, 0]] as [[UInt8]] {
      #expect(opened(sealed, with: data, by: sealer) == nil)
    }
    let other = try self.sealer(8)
    #expect(opened(sealed, with: [1, 2], by: other) == nil)
  }

  @Test func aFailureLeavesTheKeyUsable() throws {
    let sealer = try sealer()
    let sealed = sealer.seal(Sample.secret([1, 2]), with: [])
    #expect(opened([UInt8](repeating: 0, count: 40), with: [], by: sealer) == nil)
    #expect(opened(sealed, with: [], by: sealer) == [1, 2])
    let again = sealer.seal(Sample.secret([1, 2]), with: [])
    #expect(opened(again, with: [], by: sealer) == [1, 2])
  }

  @Test func nothingIsSealedTwiceAlike() throws {
    let sealer = try sealer()
    var seen: Set<[UInt8]> = []
    for _ in 0..<1_000 {
      seen.insert(Array(sealer.seal(Sample.secret([]), with: [])[..<12]))
    }
    #expect(seen.count == 1_000)
  }

  @Test(arguments: [0, 1, 16, 31, 33, 64]) func onlyKeysOf32BytesAreTaken(size: Int) {
    let isTaken = Sealer(Sample.secret([UInt8](repeating: 1, count: size))) != nil
    #expect(!isTaken)
  }
}
