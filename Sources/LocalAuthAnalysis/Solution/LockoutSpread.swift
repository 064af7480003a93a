import CLocalAuthMath
import LocalAuthSensor

/// How many people expect how many lockouts a year.
///
/// People who differ continuously are solved at many places of the order in which they are recognized,
/// each person by themselves as for the percentiles of ``Solution``, and what lies between two neighbours
/// is interpolated. The classes of a solution are too far apart for that: some ranges of lockouts have none.
public struct LockoutSpread: Sendable {
  /// People between two neighbours who were solved, and what the neighbours expect.
  private struct Span {
    var share: Double
    var low: Double
    var high: Double
  }

  /// How far neighbours are apart, in deviations of a normal distribution.
  private static let step = 1.0 / 16
  /// How many neighbours there are on each side of the median: less than a billionth is beyond.
  private static let reach = 96
  /// The lockouts a year that are as good as none, so that they have a logarithm.
  private static let none = 1e-12

  private let spans: [Span]

  /// Solves `plan` for this many days, or for those before `isStopped`, which is asked before each.
  public init(_ plan: PolicyCase, days: UInt32, isStopped: () -> Bool = { false }) {
    spans =
      plan.sensor.areSteps
      ? Self.kinds(plan, days, isStopped) : Self.neighbours(plan, days, isStopped)
  }

  /// Returns the share of people who expect at least `least` lockouts a year, and fewer than `most`.
  public func share(from least: Double, below most: Double) -> Double {
    max(0, share(below: most) - share(below: least))
  }

  private func share(below limit: Double) -> Double {
    spans.reduce(0) { $0 + $1.share * Self.part(of: $1, below: limit) }
  }

  /// The logarithm of what people expect is nearly straight between neighbours.
  private static func part(of span: Span, below limit: Double) -> Double {
    let (low, high) = (min(span.low, span.high), max(span.low, span.high))
    if high < limit { return 1 }
    guard low < limit else { return 0 }
    let from = la_log(max(low, none))
    let whole = la_log(max(high, none)) - from
    return whole > 0 ? min(max((la_log(max(limit, none)) - from) / whole, 0), 1) : 0
  }

  /// Where there are kinds of people, the classes of a solution are these kinds.
  private static func kinds(
    _ plan: PolicyCase,
    _ days: UInt32,
    _ isStopped: () -> Bool
  ) -> [Span] {
    Solution(plan, days: days, isStopped: isStopped).people.map {
      Span(share: $0.share, low: $0.lockoutsPerYear, high: $0.lockoutsPerYear)
    }
  }

  private static func neighbours(
    _ plan: PolicyCase,
    _ days: UInt32,
    _ isStopped: () -> Bool
  ) -> [Span] {
    let none = Chance.all(of: UInt64(plan.prints), each: plan.sensor.acquisition.failureToEnrol)
    let shares = (-reach...reach).map { StandardNormal.cumulative(Double($0) * step) }
    var population = SolvedPeople(
      plan,
      only: shares.map { none + (1 - none) * $0 },
      dropping: Solution.dropping
    )
    for _ in 0..<days where !isStopped() { population.liveOneDay() }
    let years = Double(days) / Year.days
    let lockouts = population.chosen.map { $0.sums.lockouts / years }
    let ends = [0] + shares + [1]
    return [Span(share: none, low: 0, high: 0)]
      + (0...shares.count).map { index in
        Span(
          share: (1 - none) * (ends[index + 1] - ends[index]),
          low: lockouts[max(index - 1, 0)],
          high: lockouts[min(index, shares.count - 1)]
        )
      }
  }
}
