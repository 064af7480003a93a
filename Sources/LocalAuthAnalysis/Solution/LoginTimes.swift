import LocalAuthCore
import LocalAuthSensor

/// How long logins take that succeed: the exact distribution, as far as a grid tells.
///
/// A login takes a time that is fixed and so many presentations, each of which takes a lognormal time of its own.
/// Each presentation is rounded to a grid, once down and once up, and what was done before a wait is reckoned to it once
/// and once not; the truth lies between what both give.
public struct LoginTimes: Sendable {
  /// How many logins take that, fixed nanoseconds first; the shares add up to 1.
  typealias Parts = [(fixed: Int64, shares: [Double])]

  private let earliest: Parts
  private let latest: Parts
  private let latency: LognormalLatency

  init(_ weights: LoginWeights, _ latency: LognormalLatency) {
    self.latency = latency
    earliest = Self.parts(weights.earliest)
    latest = Self.parts(weights.latest)
  }

  private static func parts(_ table: LoginWeights.Table) -> Parts {
    let total = table.values.reduce(0) { $0 + $1.reduce(0, +) }
    return table.sorted { $0.key < $1.key }.compactMap { fixed, shares in
      var shares = shares.map { $0 / total }
      // What is left out is less, all together, than what a grid is off by.
      while let last = shares.last, last < 1e-11 { shares.removeLast() }
      return shares.isEmpty ? nil : (fixed, shares)
    }
  }

  /// How long a login takes on average, where nothing is done during a wait.
  public var mean: Duration {
    latest.reduce(.zero) { sum, part in
      part.shares.enumerated().reduce(sum) { sum, share in
        sum + (.nanoseconds(part.fixed) + latency.mean * share.offset) * share.element
      }
    }
  }

  /// The share of logins that take `time` at most: the least that it can be, and the most.
  public func share(within time: Duration) -> ClosedRange<Double> {
    let grid = TimeGrid(cell: Self.cell(for: time), earliest, latest, latency)
    let number = Int(time / grid.cell)
    let least = max(0, grid.atMost(number, roundedUp: true))
    let most = min(1, grid.atMost(number, roundedUp: false))
    return least...most
  }

  /// What each of these shares of the logins, at most 0.999, takes at most, between the two ends; zero where no
  /// login succeeds.
  public func percentiles(_ shares: [Double]) -> [ClosedRange<Duration>] {
    var found: [ClosedRange<Duration>?] = shares.map { _ in latest.isEmpty ? .zero ... .zero : nil }
    var cell = Self.finest
    while found.contains(nil) {
      let grid = TimeGrid(cell: cell, earliest, latest, latency)
      for (number, share) in shares.enumerated() where found[number] == nil {
        found[number] = grid.percentile(share)
      }
      cell *= 2
    }
    return found.compactMap(\.self)
  }

  /// An eighth of a millisecond, nearly: a second is a whole number of cells, and so are typing and waits.
  private static let finest = Duration.seconds(1) / 8192

  /// The finest grid on which `time` lies.
  private static func cell(for time: Duration) -> Duration {
    var cell = finest
    while cell * (TimeGrid.size - 1) < time { cell *= 2 }
    return cell
  }
}
