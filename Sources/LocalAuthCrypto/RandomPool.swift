import CLocalAuthSodium

/// Unpredictable numbers from the kernel, drawn many at a time: a call of the kernel costs more than
/// most of what asks for an identifier.
///
/// It belongs to one thread. A class, because a copy would hand out the same numbers again; and not for a
/// process that forks, whose child would too. What was handed out is wiped.
public final class RandomPool: RandomNumberGenerator {
  /// 512 bytes: 32 identifiers.
  private static let size = 64

  private var words = [UInt64](repeating: 0, count: size)
  private var left = 0

  /// An empty pool.
  public init() { Sodium.ready }

  /// 64 unpredictable bits.
  public func next() -> UInt64 {
    if left == 0 { fill() }
    left -= 1
    defer { words[left] = 0 }
    return words[left]
  }

  private func fill() {
    // SAFETY: the array's bytes stay in place for the call.
    unsafe words.withUnsafeMutableBytes { bytes in
      unsafe la_sodium_random(bytes.baseAddress, bytes.count)
    }
    left = words.count
  }
}
