import LocalAuthSecret
import LocalAuthTestSupport
import Testing

@testable import LocalAuthCrypto

@Suite struct NumberedSealerTests {
  private static let key = [UInt8](repeating: 7, count: 32)

  private func sealer() -> NumberedSealer {
    guard let sealer = NumberedSealer(Sample.secret(Self.key)) else {
      preconditionFailure("a key of 32 bytes makes a sealer")
    }
    return sealer
  }

  @Test(arguments: [0, 1, 15, 16, 17, 4_096, 100_000])
  func opensWhatItSealed(size: Int) {
    var sealer = sealer()
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
    for number in [0, 1, 300, UInt64.max - 1] {
      let sealed = sealer.seal(Sample.secret(bytes), as: number, with: [1, 2])
      #expect(sealed.count == size + 16)
      #expect(Sample.bytes(sealer.open(sealed, as: number, with: [1, 2])) == bytes)
    }
  }

  @Test func theNumberIsTheNonce() throws {
    var numbered = sealer()
    let sealed = numbered.seal(Sample.secret([1, 2, 3]), as: 0x0102, with: [9])
    let nonce: [UInt8] = [0, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0]
    guard let other = Sealer(Sample.secret(Self.key)) else { preconditionFailure("as above") }
    #expect(Sample.bytes(other.open(nonce + sealed, with: [9])) == [1, 2, 3])
  }

  @Test func noChangedBitAndNoOtherNumberIsOpened() {
    var sealer = sealer()
    let sealed = sealer.seal(Sample.secret([1, 2, 3, 4]), as: 5, with: [9])
    for bit in 0..<sealed.count * 8 {
      var changed = sealed
      changed[bit / 8] ^= 1 << (bit % 8)
      #expect(Sample.bytes(sealer.open(changed, as: 5, with: [9])) == nil, "bit \(bit)")
    }
    for number in [0, 4, 6, 5 << 32] as [UInt64] {
      #expect(Sample.bytes(sealer.open(sealed, as: number, with: [9])) == nil)
    }
    #expect(Sample.bytes(sealer.open(sealed, as: 5, with: [8])) == nil)
    for size in 0..<sealed.count {
      #expect(Sample.bytes(sealer.open(Array(sealed.prefix(size)), as: 5, with: [9])) == nil)
    }
  }

  @Test func aNumberSealsOneMessage() async {
    await #expect(processExitsWith: .failure) {
      guard var sealer = NumberedSealer(Sample.secret([UInt8](repeating: 7, count: 32))) else {
        return
      }
      for _ in 0..<2 { _ = sealer.seal(Sample.secret([1]), as: 3, with: []) }
    }
  }

  @Test func keyOfAnotherSizeIsNone() {
    for size in [0, 16, 31, 33] {
      let isMade = NumberedSealer(Sample.secret([UInt8](repeating: 1, count: size))) != nil
      #expect(!isMade)
    }
  }
}
