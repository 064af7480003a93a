import CLocalAuthSodium

/// Unpredictable numbers from the kernel, through libsodium.
public struct SecureRandom: RandomNumberGenerator, Sendable {
  /// Makes the generator, which has no state of its own.
  public init() { Sodium.ready }

  /// Returns 64 unpredictable bits.
  public mutating func next() -> UInt64 {
    var bits: UInt64 = 0
    // SAFETY: the eight bytes of `bits` outlive the call.
    unsafe withUnsafeMutableBytes(of: &bits) { bytes in
      unsafe la_sodium_random(bytes.baseAddress, bytes.count)
    }
    return bits
  }
}
