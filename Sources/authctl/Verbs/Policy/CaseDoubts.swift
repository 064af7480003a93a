import LocalAuthAnalysis
import LocalAuthSensor

/// What is said of numbers that nobody can have measured, or that no device in use has.
struct CaseDoubts {
  /// The lowest false match rate that a test could find: more pairs of fingers were never compared.
  private static let leastFalseMatch = 1e-9

  private let plan: PolicyCase

  init(_ plan: PolicyCase) { self.plan = plan }

  /// A line for each; none if all are usual.
  var lines: [String] {
    var lines: [String] = []
    if plan.asksForFinger, plan.sensor.scores.falseMatch < Self.leastFalseMatch {
      lines.append("doubtful: an FMR below 1 in 10^9, which no test can have measured")
    }
    if plan.asksForFinger, plan.sensor.population.mean > 0.5 {
      lines.append("doubtful: an FNMR above 50 %, with which nobody would use a sensor")
    }
    if plan.habits.mistyped > 0.5 {
      lines.append("doubtful: passcodes that are mistyped more often than not")
    }
    return lines
  }
}
