import LocalAuthAnalysis
import LocalAuthCore

/// What is said of attackers.
enum AttackReport {
  /// Returns the answers to `questions`, solved; nil if it was stopped, which is asked again and again.
  ///
  /// Whoever touches on purpose takes `pace` times as long.
  static func quantities(
    _ plan: PolicyCase,
    _ questions: [AttackQuestion],
    pace: Double = 1,
    isStopped: () -> Bool
  ) throws(Failure) -> [Quantity]? {
    var quantities: [Quantity] = []
    for question in questions {
      switch question {
      case .attack(let attack):
        guard let success = try success(plan, attack, isStopped) else { return nil }
        quantities.append(success)
      case .denial: quantities += denial(TouchDenial(plan, presenting: .seconds(1) * pace))
      }
    }
    return quantities
  }

  /// Returns the solution of an attack; nil if it was stopped, which is asked again and again.
  static func solution(
    _ plan: PolicyCase,
    _ attack: Attack,
    isStopped: () -> Bool
  ) throws(Failure) -> AttackSolution? {
    try unlessStopped("solved") { () throws(AttackError) in
      try AttackSolution(plan, attack, isStopped: isStopped)
    }
  }

  /// Returns what `body` computes, nil if it was stopped.
  ///
  /// It fails for what cannot be `done`.
  static func unlessStopped<Answer>(
    _ done: String,
    _ body: () throws(AttackError) -> Answer
  ) throws(Failure) -> Answer? {
    do throws(AttackError) {
      return try body()
    } catch {
      guard error != .stopped else { return nil }
      throw Failure(.usage, "This cannot be \(done): \(error).")
    }
  }

  /// How often `attack` succeeds: at most if that is all that published figures allow to say, with
  /// the least they allow as the other end.
  private static func success(
    _ plan: PolicyCase,
    _ attack: Attack,
    _ isStopped: () -> Bool
  ) throws(Failure) -> Quantity? {
    guard let most = try solution(plan, attack, isStopped: isStopped)?.success else { return nil }
    guard !attack.passcodes.points.isEmpty else { return success(attack, most) }
    var chosen = attack
    chosen.passcodes = attack.passcodes.atLeast
    let least = try solution(plan, chosen, isStopped: isStopped)?.success
    return least.map { success(attack, most, min(most, $0)...most) }
  }

  /// Returns the quantity for the success of an attack.
  static func success(
    _ attack: Attack,
    _ share: Double,
    _ interval: ClosedRange<Double>? = nil
  ) -> Quantity {
    let word = AttackerChoice.word(attack.attacker)
    return Quantity(
      "success.\(word)",
      "success of \(word) within \(DurationText.words(attack.time))",
      .share,
      share,
      interval
    )
  }

  /// What somebody costs who touches on purpose; there is nothing to say if nothing is refused.
  static func denial(_ denial: TouchDenial) -> [Quantity] {
    let name = AttackerChoice.maliciousToucher.rawValue
    var quantities = [
      Quantity(
        "\(name).lockouts",
        "lockouts a day by touching on purpose",
        .perDay,
        denial.lockoutsPerDay
      ),
      Quantity(
        "\(name).refused",
        "share of a day that fingers are refused so, if no passcode is typed",
        .share,
        denial.share
      ),
    ]
    guard let touches = denial.touches else { return quantities }
    quantities.append(
      Quantity("\(name).touches", "touches that a lockout takes", .count, Double(touches))
    )
    quantities.append(
      Quantity(
        "\(name).effort",
        "time that a lockout takes",
        .seconds,
        denial.effort / .seconds(1)
      )
    )
    guard let refusal = denial.refusal else { return quantities }
    quantities.append(
      Quantity(
        "\(name).refusal",
        "time that fingers are refused at first",
        .seconds,
        refusal / .seconds(1)
      )
    )
    return quantities
  }

  /// What the numbers about attackers assume, for people.
  static func assumptions(_ questions: [AttackQuestion]) -> [String] {
    let guessers: [Attack] = questions.compactMap(\.attack).filter { attack in
      switch attack.attacker {
      case .targeted, .pin, .fakeAndPIN, .shoulder, .insider: true
      case .zeroEffort, .presentation, .knownPIN: false
      }
    }
    guard let passcodes = guessers.first?.passcodes else { return [] }
    guard let reach = passcodes.reach else {
      return ["passcodes evenly distributed; those that people choose are guessed sooner (--pins)"]
    }
    return ["passcodes as people choose them, known up to \(reach) guesses; see policy-science"]
  }
}
