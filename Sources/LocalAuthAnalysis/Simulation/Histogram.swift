/// Whole numbers by how often they came: up to a bound each its own bin, beyond it one for all.
public struct CountHistogram: Hashable, Sendable {
  /// How often each number came; the last bin is for itself and everything above.
  public private(set) var bins: [UInt64]

  /// A histogram of 0 to `most`.
  public init(most: Int) { bins = Array(repeating: 0, count: most + 1) }

  /// Adds a number.
  public mutating func add(_ value: UInt64) { bins[Int(min(value, UInt64(bins.count - 1)))] += 1 }

  /// Adds another histogram of the same size.
  public mutating func merge(_ other: CountHistogram) {
    for bin in bins.indices { bins[bin] += other.bins[bin] }
  }

  /// How many numbers there are.
  public var total: UInt64 { bins.reduce(0, +) }

  /// The least number that this share of all does not exceed; 0 without any.
  public func percentile(_ share: Double) -> Int {
    let wanted = share * Double(total)
    var seen = 0 as UInt64
    for (value, count) in bins.enumerated() {
      seen += count
      if seen > 0, Double(seen) >= wanted { return value }
    }
    return 0
  }
}

/// Durations, in bins of one part in 32: each doubling has 32, so what is read from it is 3 % off at most.
public struct DurationHistogram: Hashable, Sendable {
  /// How often a duration fell into each bin.
  public private(set) var bins = [UInt64](repeating: 0, count: 40 * 32)
  /// All of them together, in microseconds.
  public private(set) var microseconds: UInt64 = 0

  /// A histogram of nothing.
  public init() {}

  /// Adds a duration of so many microseconds.
  @inline(__always)
  public mutating func add(microseconds value: UInt64) {
    microseconds += value
    bins[Self.bin(of: value)] += 1
  }

  /// Adds another histogram.
  public mutating func merge(_ other: DurationHistogram) {
    microseconds += other.microseconds
    for bin in bins.indices { bins[bin] += other.bins[bin] }
  }

  /// The upper 6 bits of a number and how far they were moved, as a floating-point number has them.
  @inline(__always)
  private static func bin(of value: UInt64) -> Int {
    guard value >= 32 else { return Int(value) }
    let shift = 58 - value.leadingZeroBitCount
    return min(shift * 32 + Int(value >> UInt64(shift)), 40 * 32 - 1)
  }

  /// Where a bin begins, in microseconds.
  static func start(of bin: Int) -> UInt64 {
    guard bin >= 64 else { return UInt64(bin) }
    return UInt64(32 + bin % 32) << UInt64(bin / 32 - 1)
  }

  /// How many durations there are.
  public var total: UInt64 { bins.reduce(0, +) }

  /// Their mean; zero without any.
  public var mean: Duration {
    total > 0 ? .microseconds(Double(microseconds) / Double(total)) : .zero
  }

  /// What this share of them did not exceed, but for the width of a bin.
  public func percentile(_ share: Double) -> Duration {
    let wanted = share * Double(total)
    var seen = 0 as UInt64
    for (bin, count) in bins.enumerated() {
      seen += count
      if seen > 0, Double(seen) >= wanted { return .microseconds(Int64(Self.start(of: bin))) }
    }
    return .zero
  }
}
