import LocalAuthCore

extension ComplianceEvidence {
  /// Android's classes of biometric sensors.
  enum AndroidClass: String {
    case class1 = "android-class-1"
    case class2 = "android-class-2"
    case class3 = "android-class-3"
  }

  /// The Compatibility Definition Document, section 7.3.10, in the words that know three classes.
  func android(_ sensorClass: AndroidClass) -> ComplianceRule {
    var clauses = [
      ClauseDraft.below(2e-5, falseMatch, "FAR less than 1 in 50000 (C-1-1)").ofFinger,
      ClauseDraft.below(0.10, rejected, "FRR less than 10 % (recommended)").ofFinger,
      ClauseDraft.wait(30, fingers.shortestGap(5), "30 s after every 5 misses (C-1-3)").ofFinger,
    ]
    switch sensorClass {
    case .class3:
      clauses.append(ClauseDraft.atMost(0.07, iapar, "SAR and IAR at most 7 % (C-3-3)").ofFinger)
      clauses.append(passcode(every: 72, "C-3-4"))
      clauses.append(isolation("C-2-3 to C-2-8, C-3-2"))
    case .class2:
      clauses.append(ClauseDraft.atMost(0.20, iapar, "SAR and IAR at most 20 % (C-2-2)").ofFinger)
      clauses += [passcode(every: 24, "C-1-7"), idle, failures, isolation("C-2-3 to C-2-8")]
    case .class1:
      clauses += [passcode(every: 24, "C-1-7"), idle, failures]
      clauses.append(
        .notAssessed(
          "weaknesses are disclosed, and prints removed with the account (C-1-2, C-1-5)",
          "no part of a policy"
        )
      )
    }
    return rule(
      sensorClass.rawValue,
      "Android Compatibility Definition, section 7.3.10, of Android 11 or later",
      clauses
    )
  }

  private func isolation(_ clauses: String) -> ClauseDraft {
    .notAssessed(
      "matching is isolated, prints are encrypted, keys are in hardware (\(clauses))",
      "no part of a policy"
    )
  }

  /// C-1-8, first half: what is idle since the last passcode, because nothing else resets it.
  private var idle: ClauseDraft {
    let clause = "the passcode after 4 h idle, which only the passcode ends (C-1-8)"
    let limit = Duration.seconds(4 * 3600)
    let found = needsPasscode(at: limit, matchedAt: nil)
    let isAsked = found && needsPasscode(at: limit, matchedAt: limit - .seconds(1))
    return ClauseDraft(
      clause,
      alwaysAsksForPasscode
        ? "every time" : isAsked ? "asked" : found ? "a match ends it too" : "not asked",
      isMet: alwaysAsksForPasscode || isAsked
    ).ofFinger
  }

  /// C-1-8, second half: three misses since the last passcode, whatever matched in between.
  private var failures: ClauseDraft {
    let clause = "the passcode after 3 misses, which only the passcode clears (C-1-8)"
    let most = missesBesideMatches
    return ClauseDraft(
      clause,
      alwaysAsksForPasscode
        ? "every time"
        : fingers.count <= 3 && most > 3 ? "a match clears them too" : ClauseDraft.text(most),
      isMet: alwaysAsksForPasscode || most <= 3
    ).ofFinger
  }

  private func passcode(every hours: Int, _ clause: String) -> ClauseDraft {
    let limit = Duration.seconds(hours * 3600)
    let isAsked = needsPasscode(at: limit, matchedAt: limit - .seconds(1))
    let freshness = plan.policy.freshness
    let unless = freshness.unlessMatchedWithin.map {
      ", unless matched within \(DurationText.format($0))"
    }
    return ClauseDraft(
      "the passcode every \(hours) h (\(clause))",
      Self.text(freshness.passcodeWithin, alwaysAsksForPasscode)
        + (alwaysAsksForPasscode ? "" : unless ?? ""),
      isMet: alwaysAsksForPasscode || isAsked
    ).ofFinger
  }

  // MARK: What the machines do

  /// Whether the passcode comes first right after `age`, if it was typed at the start and a finger
  /// matched at `matchedAt`.
  private func needsPasscode(at age: Duration, matchedAt: Duration?) -> Bool {
    var freshness = Freshness()
    freshness.passcodeUsed(at: .virtual(0))
    if let matchedAt { freshness.matched(at: .virtual(matchedAt.wholeNanoseconds)) }
    let after = Moment.virtual(age.wholeNanoseconds + 1)
    return freshness.needsPasscode(under: plan.policy.freshness, at: after)
  }

  /// The misses that are judged within a day without a passcode, if a finger matches after each.
  private var missesBesideMatches: Int {
    var attempts = DeviceAttempts()
    var (now, misses) = (0 as Int64, 0)
    func isCharged() -> Bool {
      while now < Duration.seconds(86_400).wholeNanoseconds {
        switch attempts.charge(.biometry, under: plan.rules, at: .virtual(now)) {
        case .charged: return true
        case .refused(let left): now += left.wholeNanoseconds
        case .locked: return false
        }
      }
      return false
    }
    // More than any rule allows are as good as no end.
    while misses < AttemptTimes.countMax, isCharged() {
      misses += 1
      guard isCharged() else { break }
      attempts.settle(
        .biometry,
        .proven(finger: .rightIndex, generation: 0),
        wasSubmitted: true,
        under: plan.rules,
        at: .virtual(now)
      )
    }
    return misses
  }
}
