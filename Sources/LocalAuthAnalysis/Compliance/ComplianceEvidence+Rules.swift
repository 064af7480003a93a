import LocalAuthCore
import LocalAuthSensor

extension ComplianceEvidence {
  /// FIDO: the security guidance for authenticators, and the biometric requirements.
  var fido: ComplianceRule {
    let requirements = "FIDO Biometric Requirements; the levels of IAPAR at second hand"
    let allowed = fingers.seconds.count { $0 <= 12.8 * 86_400 }
    let prints = plan.prints == 1 ? "" : " with all \(plan.prints) prints"
    return rule(
      "fido",
      "FIDO Authenticator Security Requirements; Biometric Requirements",
      [
        ClauseDraft.atMost(1e-4, falseAccept, "FAR at most 1 in 10000\(prints)").ofFinger
          .from(requirements),
        ClauseDraft.atMost(0.03, rejected, "FRR of a transaction at most 3 %").ofFinger
          .from(requirements),
        ClauseDraft(
          "FAR times attempts in the first 12.8 days below 0.017",
          "\(CountText.of(allowed, "attempt")), "
            + RateText.text(falseAccept * Double(allowed)),
          isMet: RoundedLimit(0.017).isAbove(falseAccept * Double(allowed))
        ).ofFinger.from("FIDO Authenticator Security Guidance"),
        fidoFakes.ofFinger.from(requirements),
      ]
    )
  }

  /// There are two levels of certification.
  private var fidoFakes: ClauseDraft {
    let clause = "IAPAR below 15 %, or below 7 % for the higher level"
    guard let iapar else { return ClauseDraft(clause, unsaid: .iapar) }
    let level = iapar < 0.07 ? "both levels" : iapar < 0.15 ? "the lower level" : "neither level"
    return ClauseDraft(clause, "\(RateText.text(iapar)): \(level)", isMet: iapar < 0.15)
  }

  /// Apple: the figures that the Platform Security guide publishes for Touch ID.
  var apple: ComplianceRule {
    let freshness = plan.policy.freshness
    let hours = Duration.seconds(3600)
    return rule(
      "apple",
      "Apple Platform Security guide, Touch ID",
      [
        ClauseDraft.atMost(2e-5, falseMatch, "FMR at most 1 in 50000 for one print").ofFinger,
        ClauseDraft("at most 5 prints", "\(plan.prints)", isMet: plan.prints <= 5).ofFinger,
        ClauseDraft.atMost(5, of: fingers, "at most 5 misses, then the passcode").ofFinger,
        ClauseDraft(
          "the passcode after 48 h without any success",
          Self.text(freshness.anyWithin, alwaysAsksForPasscode),
          isMet: alwaysAsksForPasscode || isWithin(freshness.anyWithin, hours * 48)
        ).ofFinger,
        ClauseDraft(
          "the passcode after 156 h, unless a finger matched within 4 h",
          Self.text(freshness.passcodeWithin, alwaysAsksForPasscode),
          isMet: alwaysAsksForPasscode
            || isWithin(freshness.passcodeWithin, hours * 156)
              && (freshness.unlessMatchedWithin ?? .zero) <= hours * 4
        ).ofFinger,
        ClauseDraft.atMost(10, of: passcodes, "at most 10 wrong passcodes"),
      ]
    )
  }

  /// Three strikes in fifteen minutes, then locked: the guides of the US Department of Defense (STIG).
  var stig: ComplianceRule {
    func strikes(_ times: AttemptTimes, _ what: String) -> ClauseDraft {
      let most = times.most(within: 900)
      return ClauseDraft(
        "at most 3 \(what) within 15 min",
        ClauseDraft.text(most),
        isMet: most <= 3
      )
    }
    return rule(
      "stig",
      "STIG, after AC-7 of NIST SP 800-53: three failures in 15 minutes, and a lock",
      [strikes(fingers, "misses").ofFinger, strikes(passcodes, "wrong passcodes"), released]
    )
  }

  /// Nobody administers a passcode of the device: one that is locked can only be erased.
  ///
  /// A finger that is locked is another matter, which the owner's passcode ends.
  private var released: ClauseDraft {
    let finger =
      plan.asksForFinger && plan.rules.fingerTables.contains { $0.locksAt != nil }
      ? "; the owner's passcode opens the lock of fingers" : ""
    let isFinal = passcodes.count < AttemptTimes.countMax && plan.rules.delays.delays.locksAt != nil
    return ClauseDraft(
      "then locked until released by an administrator",
      isFinal
        ? "after \(CountText.of(passcodes.count, "wrong passcode")), until the device is erased"
          + finger
        : "opens again by itself" + finger,
      isMet: isFinal && passcodes.count <= 3
    )
  }

  private func isWithin(_ age: Duration?, _ limit: Duration) -> Bool {
    age.map { $0 <= limit } ?? false
  }

  static func text(_ limit: Duration?, _ always: Bool) -> String {
    always ? "every time" : limit.map { DurationText.format($0) } ?? "never"
  }
}
