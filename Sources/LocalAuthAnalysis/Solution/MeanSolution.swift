import LocalAuthCore
import LocalAuthSensor

/// The part of ``Solution`` that is a mean over people, many times as fast: what a search for
/// policies has to know of hundreds of them.
struct MeanSolution {
  /// The means over people.
  let people: ChoicePeople
  private let years: [CrowdYear]
  private let latency: LognormalLatency

  /// Solves `plan` for this many days under each of these rules, which share what is known of logins;
  /// nil if it was stopped, which is asked before each day.
  static func all(
    _ plan: PolicyCase,
    under freshness: [FreshnessRules],
    days: UInt32,
    isStopped: () -> Bool
  ) -> [MeanSolution]? {
    let classes = plan.sensor.classes(prints: plan.prints)
    var years = [true, false].map { hasFinger in
      CrowdYear(plan, classes.filter { $0.hasFinger == hasFinger }, hasFinger: hasFinger)
    }
    var solutions: [MeanSolution] = []
    for rules in freshness {
      for index in years.indices { years[index].begin(under: rules) }
      for _ in 0..<days {
        guard !isStopped() else { return nil }
        for index in years.indices { years[index].liveOneDay() }
      }
      solutions.append(MeanSolution(years, plan, days))
    }
    return solutions
  }

  private init(_ years: [CrowdYear], _ plan: PolicyCase, _ days: UInt32) {
    var sums = Sums()
    for year in years { year.add(to: &sums) }
    people = ChoicePeople(sums, days)
    self.years = years
    latency = plan.sensor.latency
  }

  /// The distribution of the duration of successful logins, as ``Solution/times()``.
  var times: LoginTimes {
    var weights = LoginWeights()
    for year in years { year.add(to: &weights) }
    return LoginTimes(weights, latency)
  }
}

extension ChoicePeople {
  /// The means of `sums`, over so many days.
  fileprivate init(_ sums: Sums, _ days: UInt32) {
    lockoutsPerYear = sums.lockouts / (Double(days) / Year.days)
    denied = sums.deniedShare
    rejected = sums.rejectedShare
    meanSeconds = sums.meanSeconds
  }
}
