import LocalAuthCore
import LocalAuthSensor

extension ComplianceEvidence {
  /// NIST SP 800-63B-4: biometrics, and the activation secret of an authenticator.
  ///
  /// The counts are from the draft; the FNMR is from the final text, as quoted by a secondary
  /// source.
  var nist: ComplianceRule {
    let rule = "nist"
    // Ten in a row and a hundred in total if presentation attacks are detected, at 90 % or more.
    let detects = iapar.map { $0 <= 0.10 } ?? false
    let (row, all) = detects ? (10, 100) : (5, 50)
    return ComplianceRule(
      rule: rule,
      source: "NIST SP 800-63B-4",
      clauses: [
        atMost(1e-4, falseMatch, rule, "FMR at most 1 in 10000"),
        atMost(0.05, falseNonMatch, rule, "FNMR at most 5 %"),
        wait(
          30,
          fingers.shortestGap(1, from: row - 1),
          rule,
          "from miss \(row) on, 30 s before each attempt, or another factor"
        ),
        atMost(all, of: fingers, rule, "at most \(all) misses in a row"),
        atMost(10, of: passcodes, rule, "at most 10 wrong passcodes in a row"),
      ]
    )
  }

  /// FIDO: the security guidance for authenticators, and the biometric requirements.
  var fido: ComplianceRule {
    let rule = "fido"
    let span = 12.8 * 86_400
    let allowed = fingers.seconds.count { $0 <= span }
    let prints = Chance.any(of: UInt64(plan.prints), each: falseMatch)
    return ComplianceRule(
      rule: rule,
      source: "FIDO Authenticator Security Requirements; Biometric Requirements",
      clauses: [
        atMost(1e-4, falseMatch, rule, "FAR at most 1 in 10000"),
        atMost(0.03, rejected, rule, "FRR of a transaction at most 3 %"),
        ComplianceClause(
          rule,
          "FAR times attempts in the first 12.8 days below 0.017",
          "\(allowed) attempts, \(RateText.text(prints * Double(allowed)))",
          isMet: prints * Double(allowed) < 0.017
        ),
        atMost(0.15, iapar, rule, "IAPAR at most 15 %"),
      ]
    )
  }

  /// Apple: the figures that the Platform Security guide publishes for Touch ID.
  var apple: ComplianceRule {
    let rule = "apple"
    let freshness = plan.policy.freshness
    let hours = Duration.seconds(3600)
    return ComplianceRule(
      rule: rule,
      source: "Apple Platform Security",
      clauses: [
        atMost(2e-5, falseMatch, rule, "FMR at most 1 in 50000 for one print"),
        ComplianceClause(rule, "at most 5 prints", "\(plan.prints)", isMet: plan.prints <= 5),
        atMost(5, of: fingers, rule, "at most 5 misses, then the passcode"),
        ComplianceClause(
          rule,
          "the passcode after 48 h without any success",
          Self.text(freshness.anyWithin, alwaysAsksForPasscode),
          isMet: alwaysAsksForPasscode || isWithin(freshness.anyWithin, hours * 48)
        ),
        ComplianceClause(
          rule,
          "the passcode after 156 h, unless a finger matched within 4 h",
          Self.text(freshness.passcodeWithin, alwaysAsksForPasscode),
          isMet: alwaysAsksForPasscode
            || isWithin(freshness.passcodeWithin, hours * 156)
              && (freshness.unlessMatchedWithin ?? .zero) <= hours * 4
        ),
        atMost(10, of: passcodes, rule, "at most 10 wrong passcodes"),
      ]
    )
  }

  /// Three strikes in fifteen minutes, then locked: the guides of the US Department of Defense (STIG).
  var stig: ComplianceRule {
    let rule = "stig"
    func strikes(_ times: AttemptTimes, _ what: String) -> ComplianceClause {
      let most = times.most(within: 900)
      return ComplianceClause(
        rule,
        "at most 3 \(what) within 15 min",
        most >= Int(Attack.attemptsMax) ? "no end" : "\(most)",
        isMet: most <= 3
      )
    }
    return ComplianceRule(
      rule: rule,
      source: "STIG: lock after three failures in 15 minutes",
      clauses: [strikes(fingers, "misses"), strikes(passcodes, "wrong passcodes")]
    )
  }

  /// Android's classes of biometric sensors.
  enum AndroidClass: String {
    case class1 = "android-class-1"
    case class2 = "android-class-2"
    case class3 = "android-class-3"
  }

  /// The Compatibility Definition Document, section 7.3.10.
  func android(_ sensorClass: AndroidClass) -> ComplianceRule {
    let rule = sensorClass.rawValue
    var clauses = [
      atMost(2e-5, falseMatch, rule, "FAR at most 1 in 50000"),
      atMost(0.10, rejected, rule, "FRR below 10 % (recommended)"),
      wait(30, fingers.shortestGap(5), rule, "30 s after every 5 misses"),
    ]
    switch sensorClass {
    case .class3:
      clauses.append(atMost(0.07, iapar, rule, "SAR and IAR at most 7 %"))
      clauses.append(primary(every: 72, rule))
    case .class2:
      clauses.append(atMost(0.20, iapar, rule, "SAR and IAR at most 20 %"))
      clauses += weak(rule)
    case .class1: clauses += weak(rule)
    }
    return ComplianceRule(
      rule: rule,
      source: "Android Compatibility Definition, section 7.3.10",
      clauses: clauses
    )
  }

  private func weak(_ rule: String) -> [ComplianceClause] {
    let idle = plan.policy.freshness.anyWithin
    return [
      primary(every: 24, rule),
      ComplianceClause(
        rule,
        "the passcode after 4 h without any success",
        Self.text(idle, alwaysAsksForPasscode),
        isMet: alwaysAsksForPasscode || isWithin(idle, .seconds(4 * 3600))
      ),
      atMost(3, of: fingers, rule, "at most 3 misses, then the passcode"),
    ]
  }

  private func primary(every hours: Int, _ rule: String) -> ComplianceClause {
    let freshness = plan.policy.freshness
    let unless = freshness.unlessMatchedWithin.map { ", unless matched within \(Self.hours($0))" }
    return ComplianceClause(
      rule,
      "the passcode every \(hours) h",
      Self.text(freshness.passcodeWithin, alwaysAsksForPasscode)
        + (alwaysAsksForPasscode ? "" : unless ?? ""),
      isMet: asksForPasscode(within: .seconds(hours * 3600))
    )
  }

  private func isWithin(_ age: Duration?, _ limit: Duration) -> Bool {
    age.map { $0 <= limit } ?? false
  }

  private static func text(_ limit: Duration?, _ always: Bool) -> String {
    always ? "every time" : limit.map { hours($0) } ?? "never"
  }

  private static func hours(_ duration: Duration) -> String {
    DurationText.format(duration)
  }
}
