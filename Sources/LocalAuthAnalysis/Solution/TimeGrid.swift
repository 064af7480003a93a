import CLocalAuthMath
import LocalAuthCore
import LocalAuthSensor

/// The distribution of a time that is a random number of latencies and a fixed time, in cells of a grid.
///
/// The generating function of a compound distribution is a polynomial in that of one latency. It is taken on a
/// circle of radius r below 1 and inverted there, so that what lies beyond the grid, and would fold back into it,
/// is lessened by r^size (Grübel and Hermesmeier, ASTIN Bulletin 29, 1999).
struct TimeGrid {
  /// The cells.
  static let size = 8192
  /// What shares may be off by: what folds back, and digits that are lost in the inversion.
  static let error = 1e-6

  /// How long a cell is.
  let cell: Duration
  /// The share of times up to each cell, of the earliest and with every part rounded down to the grid.
  private let early: [Double]
  /// The same of the latest, rounded up.
  private let late: [Double]

  /// r^size = e^-14: a millionth, and twelve digits are left of the sums.
  private static let damping = 14 / Double(size)

  init(
    cell: Duration,
    _ earliest: LoginTimes.Parts,
    _ latest: LoginTimes.Parts,
    _ latency: LognormalLatency
  ) {
    self.cell = cell
    let one = Self.spectrum(of: latency, cell)
    let transform = FourierTransform(size: Self.size)
    let width = cell / .nanoseconds(1)
    var sum = [Complex](repeating: Complex(), count: Self.size)
    for index in sum.indices {
      let step = transform.root(index).times(la_exp(-Self.damping))
      // Rounded up each latency is one cell longer.
      let lows = Self.value(earliest, at: one[index], width, .down, transform, index)
      let highs = Self.value(latest, at: one[index] * step, width, .up, transform, index)
      // Both are real, so that one inversion does for two.
      sum[index] = lows + highs.turned
    }
    let values = transform.inverse(sum)
    early = Self.sums(values.map(\.real))
    late = Self.sums(values.map(\.imaginary))
  }

  /// The share of times of at most `number` cells.
  func atMost(_ number: Int, roundedUp: Bool) -> Double {
    let sums = roundedUp ? late : early
    return sums[min(max(number, 0), Self.size - 1)] + (roundedUp ? -Self.error : Self.error)
  }

  /// What this share of the times does not exceed, between the two ends; nil when that lies beyond the grid.
  func percentile(_ share: Double) -> ClosedRange<Duration>? {
    guard let latest = late.firstIndex(where: { $0 >= share + Self.error }) else { return nil }
    let earliest = early.firstIndex { $0 >= share - Self.error } ?? latest
    return cell * earliest...cell * latest
  }

  /// The generating function of one latency, rounded down to a cell; what is longer than the grid is left out.
  private static func spectrum(of latency: LognormalLatency, _ cell: Duration) -> [Complex] {
    var shorter = 0.0
    let masses = (0..<size).map { number in
      let shares = latency.share(below: cell * (number + 1))
      defer { shorter = shares }
      return Complex((shares - shorter) * la_exp(-damping * Double(number)))
    }
    return FourierTransform(size: size).forward(masses)
  }

  private static func value(
    _ parts: LoginTimes.Parts,
    at one: Complex,
    _ width: Double,
    _ rounding: FloatingPointRoundingRule,
    _ transform: FourierTransform,
    _ index: Int
  ) -> Complex {
    var sum = Complex()
    for part in parts {
      let cells = Int((Double(part.fixed) / width).rounded(rounding))
      guard cells < size else { continue }
      // Horner's scheme.
      let polynomial = part.shares.reversed().reduce(Complex()) { $0 * one + Complex($1) }
      let shift = transform.root(index * cells).times(la_exp(-damping * Double(cells)))
      sum = sum + polynomial * shift
    }
    return sum
  }

  private static func sums(_ masses: [Double]) -> [Double] {
    var sum = 0.0
    return masses.enumerated().map { number, mass in
      sum += mass * la_exp(damping * Double(number))
      return sum
    }
  }
}
