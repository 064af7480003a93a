/// The random source of a sensor whose `seed` is set: SplitMix64, the same draws on every run.
///
/// It decides latencies only, of a sensor without model, and is no source of secrets.
public struct SensorRandomness: RandomNumberGenerator, Hashable, Sendable {
  private var state: UInt64

  /// The source that belongs to `seed`.
  public init(seed: UInt64) { state = seed }

  /// The next 64 bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
