import LocalAuthCore
import LocalAuthSensor

/// The distribution of the duration of successful logins, exact up to the resolution of a grid.
///
/// A login takes a fixed time plus a number of presentations, each with a lognormal duration of its
/// own. Each presentation is rounded to the grid, once down and once up, and time spent before a
/// wait is counted as part of the wait once and in addition to it once; the truth lies between both
/// results.
public struct LoginTimes: Sendable {
  /// The share of logins by fixed nanoseconds and number of presentations; the shares add up to 1.
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
      // All the dropped shares together are smaller than the error of the grid.
      while let last = shares.last, last < 1e-11 { shares.removeLast() }
      return shares.isEmpty ? nil : (fixed, shares)
    }
  }

  /// The mean duration of a login, if no time spent before a wait counts towards it.
  public var mean: Duration {
    latest.reduce(.zero) { sum, part in
      part.shares.enumerated().reduce(sum) { sum, share in
        sum + (.nanoseconds(part.fixed) + latency.mean * share.offset) * share.element
      }
    }
  }

  /// Returns the lowest and highest possible share of logins that take at most `time`.
  public func share(within time: Duration) -> ClosedRange<Double> {
    let grid = TimeGrid(cell: Self.cell(for: time), earliest, latest, latency)
    let number = Int(time / grid.cell)
    let least = max(0, grid.atMost(number, roundedUp: true))
    let most = min(1, grid.atMost(number, roundedUp: false))
    return least...most
  }

  /// Returns, for each share of logins (at most 0.999), bounds on the duration that share does not
  /// exceed; zero if no login succeeds.
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

  /// About an eighth of a millisecond; a second, and so typing and waits, are whole numbers of
  /// cells.
  private static let finest = Duration.seconds(1) / 8192

  /// Returns the cell width of the finest grid that covers `time`.
  private static func cell(for time: Duration) -> Duration {
    var cell = finest
    while cell * (TimeGrid.size - 1) < time { cell *= 2 }
    return cell
  }
}
