import LocalAuthAnalysis
import LocalAuthCore
import LocalAuthJSON
import LocalAuthSensor

/// The description of a case, however it was computed.
struct CaseReport {
  let plan: PolicyCase
  /// What is asked about attackers.
  private let questions: [AttackQuestion]
  let sensorName: String
  /// The sensor's own lockout, in words; it does not affect the numbers.
  private let ownLockout: String?

  init(_ plan: PolicyCase, _ sensor: SensorChoice, _ questions: [AttackQuestion]) {
    (self.plan, self.questions) = (plan, questions)
    sensorName = sensor.profile.name
    ownLockout = sensor.profile.lockout.flatMap(Self.words)
  }

  private static func words(_ lockout: DelayTable) -> String? {
    if let count = lockout.locksAt {
      return "until something else is proven, at \(CountText.of(count, "miss", "misses"))"
    }
    return lockout.rows.first.map { row in
      "for \(DurationText.words(row.delay)) at each miss from \(row.from) on"
    }
  }

  /// The assumptions of the case, in words.
  var head: [String] {
    let scores = plan.sensor.scores
    let other = plan.rules.policyLockout.map { " and \($0.name)" } ?? ""
    return [
      "\(plan.policy.name), lockout \(plan.rules.lockout.name)\(other), passcode delays "
        + plan.rules.delays.name,
      "sensor \(sensorName): d' \(RateText.significant(scores.separation)), "
        + "FMR \(RateText.text(scores.falseMatch)), FNMR \(RateText.text(plan.sensor.population.mean)), "
        + CountText.of(plan.prints, "print"),
    ] + (ownLockout.map { ["the sensor blocks by itself \($0): not in these numbers"] } ?? [])
      + CaseDoubts(plan).lines + AssumptionText.marks(plan, questions)
  }

  /// Writes the assumptions of the case.
  func write<Sink: ~Copyable>(_ days: UInt32, _ writer: inout JSONWriter<Sink>) {
    let scores = plan.sensor.scores
    writer.member("policy", plan.policy.name)
    writer.member("lockout", plan.rules.lockout.name)
    writer.member("policyLockout", plan.rules.policyLockout?.name)
    writer.member("passcodeDelays", plan.rules.delays.name)
    writer.member("sensor") {
      $0.member("name", sensorName)
      $0.member("dPrime", number: scores.separation)
      $0.member("fmr", number: scores.falseMatch)
      $0.member("fnmr", number: plan.sensor.population.mean)
      $0.member("prints", Int64(plan.prints))
      $0.member("ownLockout", ownLockout)
    }
    AssumptionText.write(AssumptionText.numbers(plan, questions), &writer)
    writer.member("days", Int64(days))
    writer.member("loginsPerDay", Int64(plan.habits.loginsPerDay))
  }
}
