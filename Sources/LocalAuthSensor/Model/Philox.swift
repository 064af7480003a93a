/// Philox 4x32-10: a bijection of 128 bits under a 64-bit key, which allows random access to
/// numbers.
///
/// Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC 2011). It
/// passes TestU01's BigCrush. It is not a source of secrets.
struct Philox: Hashable, Sendable {
  /// Four words: a counter, or its image.
  struct Block: Hashable, Sendable {
    var a: UInt32
    var b: UInt32
    var c: UInt32
    var d: UInt32
  }

  /// The key's words.
  private let low: UInt32
  private let high: UInt32

  init(key: UInt64) {
    low = UInt32(truncatingIfNeeded: key)
    high = UInt32(key >> 32)
  }

  /// Returns the four random words of `counter`.
  func block(_ counter: Block) -> Block {
    var block = counter
    var k0 = low
    var k1 = high
    for _ in 0..<10 {
      let first = 0xD251_1F53 as UInt64 &* UInt64(block.a)
      let second = 0xCD9E_8D57 as UInt64 &* UInt64(block.c)
      block = Block(
        a: UInt32(second >> 32) ^ block.b ^ k0,
        b: UInt32(truncatingIfNeeded: second),
        c: UInt32(first >> 32) ^ block.d ^ k1,
        d: UInt32(truncatingIfNeeded: first)
      )
      // The golden ratio and sqrt(3) - 1, as fractions of 2^32.
      k0 &+= 0x9E37_79B9
      k1 &+= 0xBB67_AE85
    }
    return block
  }
}
