/// The random source of a sensor with a `seed`: SplitMix64, with the same draws on every run.
///
/// It decides only latencies of a sensor without a model. It is not a source of secrets.
public struct SensorRandomness: RandomNumberGenerator, Hashable, Sendable {
  private var state: UInt64

  /// Creates the source of `seed`.
  public init(seed: UInt64) { state = seed }

  /// Returns the next 64 bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
