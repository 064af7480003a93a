/// A histogram of whole numbers, with one bin each up to a maximum and one for everything above it.
public struct CountHistogram: Hashable, Sendable {
  /// The count of each number; the last bin holds its own number and everything above.
  public private(set) var bins: [UInt64]

  /// Creates a histogram of 0 to `most`.
  public init(most: Int) { bins = Array(repeating: 0, count: most + 1) }

  /// Adds a number that counts `weight` times.
  public mutating func add(_ value: UInt64, weight: UInt64 = 1) {
    bins[Int(min(value, UInt64(bins.count - 1)))] += weight
  }

  /// Adds another histogram of the same size.
  public mutating func merge(_ other: CountHistogram) {
    for bin in bins.indices { bins[bin] += other.bins[bin] }
  }

  /// The count of all numbers.
  public var total: UInt64 { bins.reduce(0, +) }

  /// The smallest number that this share of all does not exceed; 0 if empty.
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

/// A histogram of durations with 32 bins per doubling, so a value read from it is known to 3 %.
public struct DurationHistogram: Hashable, Sendable {
  /// The number of durations in each bin.
  public private(set) var bins = [UInt64](repeating: 0, count: 40 * 32)
  /// The sum of all durations, in microseconds.
  public private(set) var microseconds: UInt128 = 0

  /// Creates an empty histogram.
  public init() {}

  /// Adds a duration in microseconds.
  @inline(__always)
  public mutating func add(microseconds value: UInt64) {
    microseconds += UInt128(value)
    bins[Self.bin(of: value)] += 1
  }

  /// Adds another histogram whose durations count `weight` times.
  public mutating func merge(_ other: DurationHistogram, weight: UInt64 = 1) {
    microseconds += other.microseconds * UInt128(weight)
    for bin in bins.indices { bins[bin] += other.bins[bin] * weight }
  }

  /// Combines the upper 6 bits of a value with their shift, like the parts of a floating-point
  /// number.
  @inline(__always)
  private static func bin(of value: UInt64) -> Int {
    guard value >= 32 else { return Int(value) }
    let shift = 58 - value.leadingZeroBitCount
    return min(shift * 32 + Int(value >> UInt64(shift)), 40 * 32 - 1)
  }

  /// Returns the start of a bin, in microseconds.
  static func start(of bin: Int) -> UInt64 {
    guard bin >= 64 else { return UInt64(bin) }
    return UInt64(32 + bin % 32) << UInt64(bin / 32 - 1)
  }

  /// The number of durations.
  public var total: UInt64 { bins.reduce(0, +) }

  /// The mean duration; zero if empty.
  public var mean: Duration {
    total > 0 ? .microseconds(Double(microseconds) / Double(total)) : .zero
  }

  /// The bin of the duration that this share of all does not exceed: from its start to its end.
  public func percentile(_ share: Double) -> ClosedRange<Duration> {
    let wanted = share * Double(total)
    var seen = 0 as UInt64
    for (bin, count) in bins.enumerated() {
      seen += count
      if seen > 0, Double(seen) >= wanted {
        let ends = [bin, bin + 1].map { Duration.microseconds(Int64(Self.start(of: $0))) }
        return ends[0]...ends[1]
      }
    }
    return .zero ... .zero
  }
}
