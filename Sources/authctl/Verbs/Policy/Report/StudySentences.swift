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
    let often = logins == 1 ? "once" : "\(logins) times"
    // A mean and a percentile of nothing would be no times.
    let times =
      solution.denied < 1
      ? "A login that succeeds takes \(Self.time(solution.meanTime)) on average."
        + range("time") { Self.time(.seconds($0)) }
        + " 99 in 100 of them take \(Self.time(study.times[2])) at most."
        + range("time.p99") { Self.time(.seconds($0)) }
      : "No login succeeds."
    return ["Each person logs in \(often) a day. \(times)"] + fingers + [
      "Of all logins, \(Self.share(solution.denied)) given up without success."
        + range("denied") { $0 < 1e-6 ? "fewer than one in a million" : Self.portion($0) }
    ]
  }

  /// What fingers mean for them.
  private var fingers: [String] {
    guard study.report.plan.asksForFinger else {
      return ["The policy asks for no finger, so none is refused, and no misses lock the sensor."]
    }
    return [
      "Of 1,000 logins that begin with a finger, \(Self.ofThousand(solution.rejected, "ends", "end")) with "
        + "it being refused although it is the right one (a false rejection)."
        + range("falseRejects", Self.ofThousand),
      fallbacks,
      "Of 1,000 people, \(Self.ofThousand(lockedOut, "is", "are")) locked out at least once in "
        + "\(CountText.of(solution.days, "day")): after too many misses the sensor refuses every finger, "
        + "for a time or until the passcode is typed (a lockout)."
        + range("everLockedOut", Self.ofThousand),
      "All 1,000 together meet \(Self.lockouts(1000 * solution.lockoutsPerYear))."
        + range("lockouts") { Self.lockouts(1000 * $0) } + spread,
    ]
  }

  /// What the headline of this name comes to with one number of ours changed, if that makes it another.
  func range(_ name: String, _ words: (Double) -> String) -> String {
    guard let finding = study.sensitivity?.finding(name), !finding.movers.isEmpty else { return "" }
    let (low, high) = (words(finding.low), words(finding.high))
    guard low != high else { return "" }
    let rough = finding.isRough ? ", so it is known to an order of magnitude at best" : ""
    return " With one number of ours changed it is between \(low) and \(high)\(rough)."
  }

  /// What one number of ours makes of the people who were not locked out.
  var survivalRange: String {
    range("everLockedOut") { "\(RateText.significant(100 * (1 - $0))) in 100" }
  }

  /// The most that 99 in 100 people expect, with what one number of ours makes of it; nothing if that is
  /// what half of the people expect too.
  private var spread: String {
    let (half, most) = (solution.percentiles[0], solution.percentiles[2])
    let words = Self.spread(half.lockoutsPerYear, most.lockoutsPerYear)
    return words.isEmpty ? "" : words + range("lockouts.p99", Self.often)
  }

  /// The share of people who are locked out once or more, in whole thousandths.
  private var lockedOut: Double { (1000 * solution.everLockedOut).rounded() / 1000 }

  /// How often the passcode stands in for a finger.
  private var fallbacks: String {
    guard study.report.plan.isFingerEnough else {
      return
        "A finger alone does not meet the policy, so no passcode stands in for one (a fallback)."
    }
    return
      "Of 1,000 logins, \(Self.ofThousand(solution.fallbacks, "takes", "take")) the passcode although a "
      + "finger would have been enough (a fallback)." + range("fallbacks", Self.ofThousand)
  }

  /// How lockouts are spread, if half of the people expect as many at most and 99 in 100 so many at
  /// most; nothing if that is the same in words.
  ///
  /// How few half of the people expect is not said: one number of ours makes it tens of times as many.
  static func spread(_ half: Double, _ most: Double) -> String {
    guard often(half) != often(most) else { return "" }
    return
      " They are not spread evenly: 990 of the 1,000 expect \(often(most)) at most, and the other ten more."
  }

  /// What holds for all attackers.
  var introduction: String {
    "Each of them has \(Self.time(study.attackTime)) from when the owner used the device last, and makes "
      + "the best of what the device allows, in the order that succeeds most often; so nobody like them "
      + "does better. \(passcodes)"
  }

  /// How passcodes are chosen.
  private var passcodes: String {
    let reach = study.attacks.first.flatMap(\.attack.passcodes.reach)
    guard let reach else {
      let digits = study.attackNumbers.first { $0.name == "digits" }
      let length = digits.map { ", and as of \(Self.number($0.value)) digits; both is ours" } ?? ""
      return
        "Passcodes count as drawn by lot\(length). Those that people choose are guessed sooner."
    }
    return "Passcodes count as people choose them, which is published of their "
      + "\(Self.number(Double(reach))) most frequent ones."
  }

  /// Which numbers about attackers are ours; nil if all were given.
  var ours: String? {
    let numbers = study.attackNumbers.map { "\($0.words) (\(Self.number($0.value, $0.unit)))" }
    guard !numbers.isEmpty else { return nil }
    return "Ours, from no publication: \(numbers.joined(separator: "; "))."
  }

  /// What touching on purpose costs.
  var denial: String {
    guard study.report.plan.asksForFinger else {
      return "\(Self.who(.maliciousToucher)) keeps nobody out: the policy asks for no finger."
    }
    guard let touches = study.denial.touches else {
      return "\(Self.who(.maliciousToucher)) locks nobody out within a day."
    }
    let end =
      study.denial.refusal.map { "for \(Self.time($0)) at first" }
      ?? "until the passcode is typed"
    let owner =
      study.isPasscodeEnough
      ? "The owner still gets in with the passcode."
      : "A finger counts again once the owner opens the device with the passcode."
    return "\(Self.who(.maliciousToucher)) locks fingers out with "
      + "\(CountText.of(touches, "touch", "touches")), \(end). \(owner)"
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

  /// `about 12 end`, `about 1 ends` or `fewer than one ends`, with the words for one and for several.
  static func ofThousand(_ rate: Double, _ one: String, _ many: String) -> String {
    guard rate >= 0.001 else { return "fewer than one \(one)" }
    let count = number(1000 * rate)
    return "about \(count) \(count == "1" ? one : many)"
  }

  /// `12 of 1,000`, or `fewer than one of 1,000`.
  static func ofThousand(_ rate: Double) -> String {
    rate >= 0.001 ? "\(number(1000 * rate)) of 1,000" : "fewer than one of 1,000"
  }

  /// A share as it stands on a page.
  static func portion(_ rate: Double) -> String { grouped(RateText.text(rate)) }

  /// `0.35 % are`, `1 in 5,000 is` or `fewer than one in a million is`.
  static func share(_ rate: Double) -> String {
    guard rate >= 1e-6 else { return "fewer than one in a million is" }
    let text = portion(rate)
    return "\(text) \(text.hasPrefix("1 in ") ? "is" : "are")"
  }

  /// Fewer lockouts a year than these are none in a lifetime.
  private static let leastOften = 0.001

  /// `at most 3 a year`, or `one in 55 years`.
  static func often(_ rate: Double) -> String {
    if rate < leastOften { return "none in a lifetime" }
    return rate < 1 ? "one in \(counted(1 / rate, "year"))" : "\(number(rate)) a year"
  }

  /// `12,600 lockouts a year`, or `one lockout in 55 years`.
  static func lockouts(_ rate: Double) -> String {
    if rate < leastOften { return "fewer than one lockout in 1,000 years" }
    return rate < 1
      ? "one lockout in \(counted(1 / rate, "year"))" : "\(counted(rate, "lockout")) a year"
  }

  /// A time in the greatest unit of which it is a whole number, else in seconds, or in several units if it is
  /// many whole seconds.
  static func time(_ time: Duration) -> String {
    for (unit, word) in [(86_400, "day"), (3600, "hour"), (60, "minute")] {
      let count = time / .seconds(unit)
      if (1...100).contains(count), count == count.rounded() { return counted(count, word) }
    }
    let seconds = Int(time.components.seconds)
    guard seconds > 100, time == .seconds(seconds) else {
      return counted(time / .seconds(1), "second")
    }
    return [
      (seconds / 86_400, "day"), (seconds / 3600 % 24, "hour"), (seconds / 60 % 60, "minute"),
      (seconds % 60, "second"),
    ].filter { $0.0 > 0 }.map { counted(Double($0.0), $0.1) }.joined(separator: " ")
  }

  /// A number and what it counts, which adds an s to `one` if `many` is not given.
  static func counted(_ value: Double, _ one: String, _ many: String? = nil) -> String {
    let text = number(value)
    return "\(text) \(text == "1" ? one : many ?? one + "s")"
  }

  /// A number of ours as it stands on a page.
  static func number(_ value: Double, _ unit: Assumption.Unit) -> String {
    unit == .seconds ? time(.seconds(value)) : grouped(AssumptionText.text(value, unit))
  }

  /// Three digits, with commas between thousands, or millions in words; nobody counts further than 10^15.
  static func number(_ value: Double) -> String { grouped(RateText.count(value)) }

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
