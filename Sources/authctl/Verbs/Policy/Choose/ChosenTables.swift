import LocalAuthAnalysis
import LocalAuthCore

/// Two tables of candidates: what they are, and what they come to.
struct ChosenTables {
  private let choice: Choice
  /// The width of the terminal; nil where there is none.
  private let columns: Int?

  init(_ choice: Choice, columns: Int?) {
    self.choice = choice
    self.columns = columns
  }

  /// The lines of both.
  func lines(_ chosen: [ChosenPolicy]) -> [String] {
    let ranked = chosen.enumerated().map { ("\($0 + 1)", $1) }
    let looks = ranked.map { [$0] + look($1.candidate) }
    let worths = ranked.map { [$0] + worth($1) }
    let attackers = choice.bounds.compactMap(\.attacker)
    let worthHead =
      ["", "cost", "lockouts", "given up", "95 %"] + attackers + [standingHead(chosen)]
    let lookHead = ["", "policy", "lockout", "delays", "freshness", "grant"]
    return Columns.tables([lookHead] + looks, columns: columns) + [""]
      + Columns.tables([worthHead] + worths, columns: columns)
      + Columns.narrowed(moot(ranked), to: columns)
  }

  private func standingHead(_ chosen: [ChosenPolicy]) -> String {
    if chosen.contains(where: { !$0.open.isEmpty || !$0.isWhole }) { return "not judged by" }
    return chosen.contains { !$0.missed.isEmpty } ? "misses" : "decides"
  }

  /// The rules that some of them do not meet because no clause says anything of them.
  private func moot(_ ranked: [(rank: String, chosen: ChosenPolicy)]) -> [String] {
    let lines = choice.bounds.enumerated().compactMap { number, bound -> String? in
      guard case .rule(let rule) = bound else { return nil }
      let found = ranked.filter { $0.chosen.moot.contains(number) }
      guard !found.isEmpty else { return nil }
      return "No clause of \(rule) says anything of \(found.map(\.rank).joined(separator: ", ")): "
        + "nothing there was met."
    }
    return lines.isEmpty ? [] : [""] + lines
  }

  private func look(_ candidate: ChoiceSpace.Candidate) -> [String] {
    let policy = candidate.policy
    return [
      candidate.form, candidate.asksForFinger ? candidate.lockout.name : "any",
      candidate.delays.name, candidate.asksForFinger ? policy.freshness.words : "any",
      policy.grant.map { DurationText.format($0.maxAge) } ?? "none",
    ]
  }

  private func worth(_ chosen: ChosenPolicy) -> [String] {
    let time = chosen.time.map { RateText.significant($0.upperBound / .seconds(1)) + " s" }
    return [
      RateText.rounded((chosen.cost * 100).rounded() / 100),
      RateText.rounded(chosen.people.lockoutsPerYear), Self.denied(chosen.people.denied),
      time ?? "-",
    ] + attacks(chosen) + [standing(chosen)]
  }

  /// Ways that hardly anybody takes are dropped, so of less than a billionth no digit is known.
  private static func denied(_ share: Double) -> String {
    share < 1e-9 ? "under 1 in 10^9" : RateText.text(share)
  }

  private func attacks(_ chosen: ChosenPolicy) -> [String] {
    let bounds = choice.bounds.indices.filter { choice.bounds[$0].attacker != nil }
    return zip(bounds, chosen.attacks).map { bound, success in
      chosen.open.contains(bound) ? "-" : success.map(RateText.text) ?? "unsolved"
    }
  }

  /// The bounds that are missed, or the one that decides.
  private func standing(_ chosen: ChosenPolicy) -> String {
    let later = chosen.isWhole ? [] : ["the days after the first"]
    let missed = chosen.missed.map { choice.bounds[$0].words } + later
    guard missed.isEmpty else { return missed.joined(separator: ", ") }
    guard let deciding = chosen.deciding, let share = chosen.standings[deciding].share else {
      return "nothing"
    }
    return "\(choice.bounds[deciding].words) (\(RateText.significant(share * 100)) %)"
  }
}

extension ChoiceBound {
  /// The bound as it is typed.
  var words: String {
    switch self {
    case .authenticators(let all): "--with \(all.words)"
    case .rule(let rule): "--rule \(rule)"
    case .cost(let most): "--max-cost \(Self.number(most))"
    case .lockouts(let most): "--max-lockouts \(Self.number(most))"
    case .denied(let most): "--max-denied \(Self.number(most))"
    case .attack(let attack, let most):
      "--max-attack \(AttackerChoice.word(attack.attacker))=\(Self.number(most))"
    case .time(let most): "--max-time \(Self.number(most / .seconds(1)))s"
    }
  }

  /// The word of its attacker; nil if it is no bound of an attack.
  var attacker: String? {
    if case .attack(let attack, _) = self { AttackerChoice.word(attack.attacker) } else { nil }
  }

  private static func number(_ value: Double) -> String {
    let text = "\(value)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

extension FreshnessRules {
  /// The limits in one word: since any success, since the passcode, unless matched within.
  var words: String {
    let limits = [anyWithin, passcodeWithin, unlessMatchedWithin]
    guard limits.contains(where: { $0 != nil }) else { return "none" }
    return limits.map { $0.map(DurationText.format) ?? "-" }.joined(separator: "/")
  }
}
