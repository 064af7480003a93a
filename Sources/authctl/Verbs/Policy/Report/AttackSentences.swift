import LocalAuthAnalysis
import LocalAuthCore
import LocalAuthSensor

/// How often an attacker gets in, in whole sentences, with the numbers that it rests on.
struct AttackSentences {
  let study: PolicyStudy
  let attacked: StudiedAttack

  private var attack: Attack { attacked.attack }
  private var solution: AttackSolution { attacked.solution }
  private var plan: PolicyCase { study.report.plan }
  private var who: String { StudySentences.who(attacked.choice) }
  private var time: String { StudySentences.time(attack.time) }

  /// Everything, in one paragraph.
  var text: String {
    let success = solution.success
    let verdict = verdict + range
    guard success > 0 else { return ([verdict] + hindrance).joined(separator: " ") }
    let bound = solution.isExact ? [] : [Self.bound]
    return ([verdict] + reasons + bound).joined(separator: " ")
  }

  /// The same for a table that names the attacker beside it.
  var cell: String {
    guard solution.success > 0 else { return "not within \(time)" }
    let chance = StudySentences.chance(solution.success)
    return tries.isEmpty || !isTrying ? chance : "\(chance) (\(tries))"
  }

  private var verdict: String {
    solution.success > 0
      ? "\(who) gets in, \(StudySentences.chance(solution.success))."
      : "\(who) cannot get in within \(time)."
  }

  /// How the headline of this attack is called.
  private var headline: String { AttackReport.success(attack, solution.success).name }

  /// What one number of ours makes of it.
  private var range: String {
    StudySentences(study: study).range(headline) {
      $0 > 0 ? StudySentences.portion($0) : "never"
    }
  }

  private static let bound =
    "Touches and guesses count here as if made at the same time, which overstates it a little."

  // MARK: Why

  /// Why nothing helps this attacker; nothing if that is for want of time.
  private var hindrance: [String] {
    switch attacked.choice {
    case .zeroEffort, .presentation:
      guard plan.asksForFinger else { return ["The policy asks for no finger."] }
      guard plan.isFingerEnough else { return ["The policy asks for more than a finger."] }
      return solution.touchMatch > 0 ? [] : ["The sensor takes none of them."]
    case .insider:
      return study.isPasscodeEnough
        ? [] : ["Nobody is at the sensor, and the policy asks for more than the passcode."]
    case .targeted, .pin, .fakeAndPIN, .knownPIN, .shoulder, .maliciousToucher: return []
    }
  }

  /// What the chance rests on.
  private var reasons: [String] {
    switch attack.attacker {
    case .targeted: return attempts + chances + ordinary
    case .zeroEffort, .presentation, .pin, .fakeAndPIN: return attempts + chances
    case .knownPIN: return [passcodeUse]
    case .shoulder(let glimpse): return [seen(glimpse)] + attempts + touchChance
    case .insider: return isGranted ? [grant] : attempts + chances
    }
  }

  /// Whether the chance comes from tries, and not from something that is known or granted.
  private var isTrying: Bool { attack.attacker != .knownPIN && !isGranted }

  /// Whether a program is let in by what the owner's success left.
  private var isGranted: Bool {
    attack.attacker == .insider && plan.policy.grant != nil && solution.fingers == 0
      && solution.guesses == 0
  }

  private var grant: String {
    let time = plan.policy.grant.map { StudySentences.time($0.maxAge) } ?? "a time"
    return
      "The policy lets a success answer again for \(time) at most (a grant), and the program asks in "
      + "that time."
  }

  private var passcodeUse: String {
    study.isPasscodeEnough
      ? "The passcode alone meets the policy."
      : "With the passcode they enrol a finger of their own, which then matches about as often as "
        + "an owner's."
  }

  // MARK: Numbers

  /// `3 touches and 8 guesses`; empty if there are none.
  private var tries: String {
    [(solution.fingers, "touch", "touches"), (solution.guesses, "guess", "guesses")]
      .filter { $0.0 > 0 }.map { StudySentences.counted(Double($0.0), $0.1, $0.2) }
      .joined(separator: " and ")
  }

  private var attempts: [String] {
    tries.isEmpty ? [] : ["If none succeeds, they have \(tries) in \(time) (attempts)."]
  }

  private var chances: [String] { touchChance + guessChance }

  private var touchChance: [String] {
    guard solution.fingers > 0 else { return [] }
    let chance = StudySentences.chance(solution.touchMatch)
    switch attack.attacker {
    case .presentation, .fakeAndPIN:
      let isOurs = AttackAssumption.isOurs("iapar", in: attack, on: plan)
      guard isOurs else { return ["A fake passes \(chance) (the IAPAR)."] }
      return [
        "A fake passes \(chance) (the IAPAR), which is ours: nothing is known of this sensor."
      ] + otherFakes
    case .zeroEffort, .targeted, .pin, .knownPIN, .shoulder, .insider:
      let prints = plan.prints == 1 ? "" : ", with \(plan.prints) prints to match"
      return ["A touch of their finger matches \(chance) (a false match\(prints))."]
    }
  }

  /// What half and twice as many fakes that pass come to.
  private var otherFakes: [String] {
    let finding = study.sensitivity?.finding(headline)
    let ends = finding?.movers.first { $0.change.name == "iapar" }?.ends ?? []
    return ends.map { end in
      let often = end.change.changed < end.change.value ? "half" : "twice"
      return "If \(often) as many passed, they would get in, \(StudySentences.chance(end.value))."
    }
  }

  /// What is left out of a chosen owner.
  private var ordinary: [String] {
    guard solution.fingers > 0, plan.sensor.impostors.lambShare == 0 else { return [] }
    return [
      "The model has no owners who are easier to match than others, because how much they differ is published "
        + "nowhere; so the touch counts like that of any stranger."
    ]
  }

  private var guessChance: [String] {
    guard solution.guesses > 0 else { return [] }
    let passcodes = attack.passcodes
    guard !passcodes.points.isEmpty else {
      let all = StudySentences.counted(Double(passcodes.candidates), "passcode")
      return ["They guess among \(all), each as likely as the others."]
    }
    let found = StudySentences.chance(passcodes.found(by: UInt64(solution.guesses)))
    return ["They guess what people choose most, and so many guesses find it \(found) at most."]
  }

  private func seen(_ glimpse: Attacker.Glimpse) -> String {
    let isPublished = glimpse.whole == Attacker.Glimpse.standard.whole
    let whole =
      "They saw all of it \(StudySentences.chance(glimpse.whole))"
      + (isPublished ? " (published of six digits in one video)" : "")
    let passcodes = attack.passcodes.knowing(digits: glimpse.digits).candidates
    let left = StudySentences.counted(Double(passcodes), "passcode")
    let part =
      glimpse.digits == 0 ? "nothing of it" : "\(CountText.of(glimpse.digits, "digit")) of it"
    let isOurs = glimpse.digits == Attacker.Glimpse.standard.digits
    let rest = "\(part)\(isOurs ? " (ours)" : ""), which leaves \(left) to guess among"
    guard glimpse.whole < 1 else { return "\(whole)." }
    return glimpse.whole > 0 ? "\(whole), and else \(rest)." : "They saw \(rest)."
  }
}
