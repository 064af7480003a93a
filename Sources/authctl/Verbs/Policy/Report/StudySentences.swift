import LocalAuthAnalysis
import LocalAuthCore
import LocalAuthPolicies

/// What a study means, in whole sentences for somebody who is no statistician.
struct StudySentences {
  let study: PolicyStudy

  private var solution: Solution { study.solution }

  /// What the policy means for a thousand people; each sentence explains its terms.
  var people: [String] {
    let logins = study.report.plan.habits.loginsPerDay
    return [
      "Each person logs in \(logins) times a day. A login takes \(time(solution.meanTime)) on "
        + "average; 99 in 100 take at most \(time(study.times[2]))."
    ] + fingers + ["Of all logins, \(share(solution.denied)) given up without success."]
  }

  /// What fingers mean for them.
  private var fingers: [String] {
    guard study.report.plan.asksForFinger else {
      return ["The policy asks for no finger, so none is refused, and no misses lock the sensor."]
    }
    return [
      "Of 1,000 logins that begin with a finger, \(ofThousand(solution.rejected)) with it being "
        + "refused although it is the right one (a false rejection).",
      "Of 1,000 logins, \(inThousand(solution.fallbacks)) the passcode although a finger should have "
        + "been enough (a fallback).",
      "Of 1,000 people, \(people(solution.everLockedOut)) locked out at least once in "
        + "\(solution.days) days: after too many misses the sensor refuses every finger, for a time or "
        + "until the passcode is typed.",
      "All 1,000 together meet \(Self.number(1000 * solution.lockoutsPerYear)) lockouts a year."
        + Self.spread(
          solution.percentiles[0].lockoutsPerYear,
          solution.percentiles[2].lockoutsPerYear
        ),
    ]
  }

  /// How lockouts are spread, if half of the people expect as many at most and 99 in 100 so many at
  /// most; nothing if that is the same in words.
  static func spread(_ half: Double, _ most: Double) -> String {
    guard often(half) != often(most) else { return "" }
    let few = half < leastOften ? "none in a lifetime" : "at most \(often(half)) each"
    return
      " They are not spread evenly: half of the people expect \(few), and 990 of the 1,000 at most "
      + "\(often(most))."
  }

  /// What holds for all attackers.
  var introduction: String {
    "Each of them has the device for \(DurationText.words(study.attackTime)), alone, and makes the "
      + "best of what it allows, in the order that succeeds most often; so nobody like them does "
      + "better. Passcodes count as drawn by lot unless the options say otherwise; those that "
      + "people choose are guessed sooner."
  }

  /// How often an attacker gets in.
  func attack(_ choice: AttackerChoice, _ success: Double) -> String {
    "\(Self.who(choice)) " + (success > 0 ? "gets in, \(Self.chance(success))." : "cannot get in.")
  }

  /// What touching on purpose costs.
  var denial: String {
    guard study.report.plan.asksForFinger else {
      return "\(Self.who(.maliciousToucher)) keeps nobody out: the policy asks for no finger."
    }
    guard let touches = study.denial.touches else {
      return "Somebody who touches the sensor on purpose locks nobody out."
    }
    let end =
      study.denial.refusal.map { "for \(DurationText.words($0)) at first" }
      ?? "until the passcode is typed"
    return "Somebody who touches the sensor on purpose locks fingers out with \(touches) touches, "
      + "\(end). The owner still gets in with the passcode if the policy takes one."
  }

  /// Who an attacker is.
  static func who(_ choice: AttackerChoice) -> String {
    switch choice {
    case .zeroEffort: "A finder who tries their own finger"
    case .targeted: "Somebody who chose the one owner in a hundred whose finger is easiest to match"
    case .presentation: "Somebody with a fake of the owner's finger"
    case .pin: "A thief who tries their own finger and guesses the passcode"
    case .fakeAndPIN: "A thief with a fake finger who guesses the passcode too"
    case .knownPIN: "A thief who knows the passcode"
    case .shoulder: "Somebody who watched the passcode being typed once"
    case .insider: "A program in the owner's own session, just after the owner was there,"
    case .maliciousToucher: "Somebody who touches the sensor on purpose"
    }
  }

  // MARK: Numbers in words

  /// `in about 12 of 1,000 cases`, `in about 1 of 16,700 cases` or `in all but about 1 of 5,000 cases`.
  static func chance(_ rate: Double) -> String {
    // So little is the rounding of what comes to 1.
    guard rate < 1 - 1e-12 else { return "every time" }
    guard rate < 0.9995 else { return "in all but about 1 of \(number(1 / (1 - rate))) cases" }
    return rate >= 0.001
      ? "in about \(number(1000 * rate)) of 1,000 cases"
      : "in about 1 of \(number(1 / rate)) cases"
  }

  private func ofThousand(_ rate: Double) -> String {
    rate < 0.0005 ? "fewer than one ends" : "about \(Self.number(1000 * rate)) end"
  }

  private func inThousand(_ rate: Double) -> String {
    rate < 0.0005 ? "fewer than one takes" : "about \(Self.number(1000 * rate)) take"
  }

  private func people(_ rate: Double) -> String {
    rate < 0.0005 ? "fewer than one is" : "about \(Self.number((1000 * rate).rounded())) are"
  }

  private func share(_ rate: Double) -> String {
    if rate == 0 { return "none is" }
    return rate < 1e-6 ? "fewer than one in a million is" : "\(RateText.text(rate)) are"
  }

  /// Fewer lockouts a year than these are none in a lifetime.
  private static let leastOften = 0.001

  /// `3 lockouts a year`, or `one in 55 years`.
  private static func often(_ rate: Double) -> String {
    if rate < leastOften { return "none in a lifetime" }
    return rate < 1 ? "one in \(number(1 / rate)) years" : "\(number(rate)) a year"
  }

  private func time(_ time: Duration) -> String {
    "\(RateText.significant(time / .seconds(1))) seconds"
  }

  /// Three digits, with commas between thousands; nobody counts further than 10^15.
  static func number(_ value: Double) -> String {
    value < 1e15 ? grouped(RateText.rounded(value)) : "10^15 or more"
  }

  /// Returns `text` with commas between the thousands of whole numbers of four digits and more.
  static func grouped(_ text: String) -> String {
    text.replacing(#/\.?\d+/#) { match in
      let digits = Array(match.output)
      guard digits.first != ".", digits.count >= 4 else { return String(match.output) }
      return digits.indices.map { index in
        let isThousand = index > 0 && (digits.count - index).isMultiple(of: 3)
        return (isThousand ? "," : "") + String(digits[index])
      }.joined()
    }
  }
}
