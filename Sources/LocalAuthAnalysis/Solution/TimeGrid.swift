import CLocalAuthMath
import LocalAuthCore
import LocalAuthSensor

/// The distribution of a random number of latencies plus a fixed time, in the cells of a grid.
///
/// The generating function of a compound distribution is a polynomial in that of one latency. It is
/// evaluated and inverted on a circle of radius r below 1, so that aliasing from beyond the grid is
/// damped by r^size (Grübel and Hermesmeier, ASTIN Bulletin 29, 1999).
struct TimeGrid {
  /// The number of cells.
  static let size = 8192
  /// The error bound of the shares: aliasing plus rounding in the inversion.
  static let error = 1e-6

  /// The width of a cell.
  let cell: Duration
  /// The cumulative share per cell, of the earliest times with every part rounded down to the grid.
  private let early: [Double]
  /// The same for the latest times, rounded up.
  private let late: [Double]

  /// r^size = e^-14: aliasing is damped to a millionth, and the sums keep twelve digits.
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
      // Rounding up makes each latency one cell longer.
      let lows = Self.value(earliest, at: one[index], width, .down, transform, index)
      let highs = Self.value(latest, at: one[index] * step, width, .up, transform, index)
      // Both results are real, so one inversion yields both.
      sum[index] = lows + highs.turned
    }
    let values = transform.inverse(sum)
    early = Self.sums(values.map(\.real))
    late = Self.sums(values.map(\.imaginary))
  }

  /// Returns the share of times of at most `number` cells, with the error on the safe side.
  func atMost(_ number: Int, roundedUp: Bool) -> Double {
    let sums = roundedUp ? late : early
    return sums[min(max(number, 0), Self.size - 1)] + (roundedUp ? -Self.error : Self.error)
  }

  /// Returns bounds on the time that this share does not exceed; nil if it lies beyond the grid.
  func percentile(_ share: Double) -> ClosedRange<Duration>? {
    guard let latest = late.firstIndex(where: { $0 >= share + Self.error }) else { return nil }
    let earliest = early.firstIndex { $0 >= share - Self.error } ?? latest
    return cell * earliest...cell * latest
  }

  /// Returns the generating function of one latency rounded down to a cell, without the part beyond
  /// the grid.
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
