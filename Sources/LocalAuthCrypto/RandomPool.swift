import CLocalAuthSodium

/// Unpredictable numbers from the kernel, drawn in batches because a system call costs more than
/// most uses of an identifier.
///
/// It belongs to one thread. It is a class because a copy would repeat numbers. A process that
/// forks must not use it, because its child would repeat them too. Numbers are wiped once returned.
public final class RandomPool: RandomNumberGenerator {
  /// The number of words: 512 bytes, enough for 32 identifiers.
  private static let size = 64

  private var words = [UInt64](repeating: 0, count: size)
  private var left = 0

  /// Makes an empty pool.
  public init() { Sodium.ready }

  /// Returns 64 unpredictable bits.
  public func next() -> UInt64 {
    if left == 0 { fill() }
    left -= 1
    defer { words[left] = 0 }
    return words[left]
  }

  private func fill() {
    // SAFETY: the array's bytes stay in place during the call.
    unsafe words.withUnsafeMutableBytes { bytes in
      unsafe la_sodium_random(bytes.baseAddress, bytes.count)
    }
    left = words.count
  }
}
