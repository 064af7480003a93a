import LocalAuthCore

extension ComplianceEvidence {
  /// NIST SP 800-63B-4, initial public draft: biometrics, and the activation secret of an authenticator.
  ///
  /// The clauses are from the text of the draft, but for FNMR and IAPAR, which are from the final one
  /// as a secondary source quotes it.
  var nist: ComplianceRule {
    let draft = "SP 800-63B-4, initial public draft, December 2022, 5.2.3"
    let final = "SP 800-63B-4, final, 2025, by a secondary source"
    let secret = "SP 800-63B-4, initial public draft, December 2022, 5.2.11"
    // Ten in a row and a hundred in all if presentation attacks are detected as the final text asks.
    let (row, all) = iapar.map { $0 < 0.07 } ?? false ? (10, 100) : (5, 50)
    return rule(
      "nist",
      "NIST SP 800-63B-4, initial public draft; FNMR and IAPAR of the final text",
      [
        ClauseDraft.atMost(1e-4, falseMatch, "FMR at most 1 in 10000").ofFinger.from(draft),
        ClauseDraft.below(0.05, falseNonMatch, "FNMR below 5 %").ofFinger.from(final),
        ClauseDraft.below(0.07, iapar, "IAPAR below 7 % (recommended for fingers)").ofFinger
          .from(final),
        ClauseDraft.wait(
          30,
          fingers.shortestGap(1, from: row - 1),
          "from miss \(row) on, 30 s before each attempt, or another factor"
        ).ofFinger.from(draft),
        ClauseDraft.atMost(all, of: fingers, "at most \(all) misses in a row").ofFinger.from(draft),
        multiFactor.ofFinger.from(draft),
        minimumLength.from(secret),
        blocklist.from(secret),
        ClauseDraft.atMost(10, of: passcodes, "at most 10 wrong passcodes in a row").from(secret),
      ]
    )
  }

  private var multiFactor: ClauseDraft {
    let clause = "a finger only together with a physical authenticator"
    let without = FactorSet([.biometry, .passcode, .applicationPassword, .companion])
    guard plan.policy.requirement.isReachable(from: Proven(), with: without) else {
      return ClauseDraft(clause, "the policy asks for something that one has", isMet: true)
    }
    return .notAssessed(clause, "the device may be the authenticator; the policy asks for no other")
  }

  private var minimumLength: ClauseDraft {
    let clause = "a passcode of at least 6 characters"
    guard let digits = secrets.digits else { return ClauseDraft(clause, unsaid: .digits) }
    return ClauseDraft(clause, "\(digits)", isMet: digits >= 6)
  }

  private var blocklist: ClauseDraft {
    let clause = "a blocklist of at least 10 common passcodes"
    guard let blocked = secrets.blocked else { return ClauseDraft(clause, unsaid: .blocked) }
    return ClauseDraft(clause, "\(blocked)", isMet: blocked >= 10)
  }
}
