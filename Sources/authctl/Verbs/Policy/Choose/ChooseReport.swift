import LocalAuthAnalysis
import LocalAuthCore
import LocalAuthJSON
import LocalAuthSensor

/// What `policy choose` found, for people and for programs.
struct ChooseReport {
  private let choice: Choice
  private let result: ChoiceResult
  private let sensor: SensorChoice
  private let facts: Int
  private let isComplete: Bool

  init(_ search: ChoiceSearch, _ sensor: SensorChoice, isComplete: Bool) {
    choice = search.choice
    result = search.result
    facts = search.facts
    self.sensor = sensor
    self.isComplete = isComplete
  }

  /// Returns the report; `written` is the file that the cheapest policy is in.
  func report(_ written: String?, asCSV: Bool) -> Report {
    let isMet = !result.chosen.isEmpty
    let message =
      !isComplete
      ? QuantityReport.interrupted
      : isMet
        ? "\(CountText.of(result.chosen.count, "policy", "policies")) found." : Self.nothing
    var report = Report(
      !isComplete ? .userCancel : isMet ? .success : .authenticationFailed,
      message
    ) { write(written, &$0) }
    report.answer = asCSV ? csv : text(written)
    report.remark = isComplete ? nil : QuantityReport.interrupted
    return report
  }

  private static let nothing = "Nothing keeps to all bounds."

  // MARK: For people

  private func text(_ written: String?) -> [String] {
    let columns = Columns.shownColumns
    let tables = ChosenTables(choice, columns: columns)
    var lines = Columns.narrowed(head, to: columns)
    if !result.chosen.isEmpty {
      lines += [""] + tables.lines(result.chosen)
    } else if isComplete {
      lines += Columns.narrowed(reasons, to: columns)
      lines += ["", "What misses the fewest:"] + tables.lines(result.nearest)
    }
    if !result.unjudged.isEmpty {
      let title = "What misses nothing so far, and is not judged by every bound:"
      lines += Columns.narrowed(["", title], to: columns) + tables.lines(result.unjudged)
    }
    if let written, let best = result.chosen.first {
      let sentence = "\(written) was written. The device that it is for has:"
      lines += Columns.narrowed(["", sentence], to: columns)
      lines.append(
        "  --lockout \(best.candidate.lockout.name) --passcode-delays \(best.candidate.delays.name)"
      )
    }
    return lines + (isComplete ? [] : ["", QuantityReport.interrupted])
  }

  /// Why nothing was found.
  private var reasons: [String] {
    var lines = ["", Self.nothing] + result.conflicts.map(sentence)
    lines += result.unmet.flatMap(sentences)
    if choice.hasLaterDays, result.conflicts.contains(where: { $0.count > 1 }) {
      lines.append("What keeps to a part of them does so in the first \(firstDays) at least.")
    }
    return lines
  }

  private var head: [String] {
    let space = choice.space
    let usual = ChoicePrices()
    let prices = [
      Self.price(choice.prices.lockout, "a lockout", usual.lockout),
      Self.price(choice.prices.denied, "a login given up", usual.denied),
      Self.price(choice.prices.hour, "an hour", usual.hour),
    ]
    let left = space.unsolvable.map { "\($0) is left out: people would need something to have" }
    let sensorLines = space.candidates.first.map {
      CaseReport(choice.plan($0), sensor, questions).head.dropFirst()
    }
    return [
      [
        CountText.of(space.candidates.count, "candidate"), CountText.of(facts, "computation"),
        CountText.of(choice.days, "day"), isComplete ? "exact" : "interrupted",
      ].joined(separator: ", ")
    ] + reach + left + (sensorLines.map { Array($0) } ?? [])
      + ["costs: " + prices.joined(separator: ", ")]
      + (choice.bounds.isEmpty
        ? [] : ["bounds: " + choice.bounds.map(\.words).joined(separator: ", ")])
      + result.unknown.map(sentence)
  }

  private var firstDays: String { CountText.of(choice.firstDays, "day") }

  /// What was solved for how long.
  private var reach: [String] {
    guard choice.hasLaterDays else { return [] }
    return [
      "solved for \(firstDays): all; for \(CountText.of(choice.days, "day")): what is shown, and all that "
        + "could cost less"
    ]
  }

  /// A price, and that it is ours if none was given.
  private static func price(_ price: Double, _ what: String, _ usual: Double) -> String {
    "\(RateText.significant(price)) \(what)" + (price == usual ? " (ours)" : "")
  }

  /// What is asked about attackers, which is the same of all candidates.
  private var questions: [AttackQuestion] {
    choice.bounds.compactMap { bound in
      if case .attack(let attack, _) = bound { .attack(attack) } else { nil }
    }
  }

  /// The numbers of the model that are ours unless given, which are the same of all candidates too.
  private var numbers: [AssumptionText.Number] {
    let candidates = choice.space.candidates
    return (candidates.first(where: \.asksForFinger) ?? candidates.first).map {
      AssumptionText.numbers(choice.plan($0), questions)
    } ?? []
  }

  /// What is not known, and what to say for it to be.
  private func sentence(_ rule: UnknownRule) -> String {
    let count = CountText.of(rule.candidates, "candidate")
    return "\(choice.bounds[rule.bound].words): not known of \(count), which count as missing it; "
      + "say \(options(rule).joined(separator: ", "))"
  }

  /// The options that say what a rule depends on.
  private func options(_ rule: UnknownRule) -> [String] {
    ComplianceClause.Unsaid.allCases.filter(rule.unsaid.contains).map(AttackOptions.word)
  }

  private func sentence(_ conflict: [Int]) -> String {
    let words = conflict.map { choice.bounds[$0].words }
    // What is not known of a candidate may be so.
    let isKnown = !result.unknown.contains { conflict.contains($0.bound) }
    let keeps = isKnown ? "keeps" : "is known to keep"
    switch words.count {
    case 1: return "Nothing \(keeps) to \(words[0])."
    case 2:
      return "\(words[0]) and \(words[1]) conflict: something keeps to each, nothing "
        + (isKnown ? "to both." : "\(keeps) to both.")
    default:
      let list = words.dropLast().joined(separator: ", ")
      return "\(list) and \(words.last ?? "") conflict: something keeps to any "
        + "\(words.count - 1) of them, nothing " + (isKnown ? "to all." : "\(keeps) to all.")
    }
  }

  /// Why no candidate meets a rule.
  private func sentences(_ rule: UnmetRule) -> [String] {
    let words = choice.bounds[rule.bound].words
    let clauses = rule.clauses.map {
      "No candidate meets this clause of \(words): \($0.clause); here: \($0.found)."
    }
    guard rule.moot > 0 else { return clauses }
    let candidates = CountText.of(rule.moot, "candidate")
    return clauses + [
      "No clause of \(words) says anything of \(candidates), which is not meeting it."
    ]
  }

  // MARK: For programs

  private var csv: [String] {
    let attackers = choice.bounds.compactMap(\.attacker)
    let names = [
      "rank", "policy", "lockout", "passcodeDelays", "freshness", "grant", "cost", "lockouts",
      "denied", "time",
    ]
    let rows = result.chosen.enumerated().map { rank, chosen in
      let candidate = chosen.candidate
      let cells = [
        "\(rank + 1)", candidate.form, candidate.lockout.name, candidate.delays.name,
        candidate.policy.freshness.words,
        candidate.policy.grant.map { DurationText.format($0.maxAge) } ?? "",
        "\(chosen.cost)", "\(chosen.people.lockoutsPerYear)", "\(chosen.people.denied)",
        chosen.time.map { "\($0.upperBound / .seconds(1))" } ?? "",
      ]
      let attacks = chosen.attacks.map { $0.map { "\($0)" } ?? "" }
      return (cells + attacks + [chosen.deciding.map { choice.bounds[$0].words } ?? ""])
        .joined(separator: ",")
    }
    let header = (names + attackers.map { "success.\($0)" } + ["decides"]).joined(separator: ",")
    let commas = String(repeating: ",", count: names.count + attackers.count - 1)
    return [header] + rows
      + ["days,\(choice.days)\(commas)", "complete,\(isComplete ? 1 : 0)\(commas)"]
  }

  private func write(_ file: String?, _ writer: inout JSONWriter<JSONGrowingBuffer>) {
    writer.member("candidates", Int64(choice.space.candidates.count))
    writer.member("computations", Int64(facts))
    writer.member("unsolvable", choice.space.unsolvable)
    writer.member("sensor", sensor.profile.name)
    AssumptionText.write(numbers, &writer)
    writer.member("days", Int64(choice.days))
    writer.member("firstDays", Int64(min(choice.days, choice.firstDays)))
    writer.member("loginsPerDay", Int64(choice.habits.loginsPerDay))
    writer.member("prices") {
      $0.member("lockout", number: choice.prices.lockout)
      $0.member("denied", number: choice.prices.denied)
      $0.member("hour", number: choice.prices.hour)
    }
    writer.member("bounds", choice.bounds.map(\.words))
    writer.member("unknown", result.unknown) { rule, writer in
      writer.member("bound", choice.bounds[rule.bound].words)
      writer.member("candidates", Int64(rule.candidates))
      writer.member("options", options(rule))
    }
    writer.member("complete", isComplete)
    writer.member("chosen", result.chosen) { write($0, &$1) }
    writer.member("unjudged", result.unjudged) { write($0, &$1) }
    writer.member("conflicts", result.conflicts) { conflict, writer in
      writer.member("bounds", conflict.map { choice.bounds[$0].words })
    }
    writer.member("unmet", result.unmet) { rule, writer in
      writer.member("bound", choice.bounds[rule.bound].words)
      writer.member("moot", Int64(rule.moot))
      writer.member("clauses", rule.clauses) {
        $1.member("clause", $0.clause)
        $1.member("found", $0.found)
      }
    }
    writer.member("nearest", result.nearest) { write($0, &$1) }
    writer.member("file", file)
  }

  private func write(_ chosen: ChosenPolicy, _ writer: inout JSONWriter<JSONGrowingBuffer>) {
    let candidate = chosen.candidate
    let freshness = candidate.policy.freshness
    writer.member("policy", candidate.form)
    writer.member("lockout", candidate.lockout.name)
    writer.member("passcodeDelays", candidate.delays.name)
    writer.member("freshness") {
      $0.member("anyWithin", freshness.anyWithin.map(DurationText.format))
      $0.member("passcodeWithin", freshness.passcodeWithin.map(DurationText.format))
      $0.member("unlessMatchedWithin", freshness.unlessMatchedWithin.map(DurationText.format))
    }
    writer.member("grant", candidate.policy.grant.map { DurationText.format($0.maxAge) })
    writer.member("days", Int64(chosen.isWhole ? choice.days : choice.firstDays))
    writer.member("cost", number: chosen.cost)
    writer.member("lockouts", number: chosen.people.lockoutsPerYear)
    writer.member("denied", number: chosen.people.denied)
    writer.member("meanTime", number: chosen.people.meanSeconds)
    writer.member("timeLow", number: chosen.time.map { $0.lowerBound / .seconds(1) })
    writer.member("timeHigh", number: chosen.time.map { $0.upperBound / .seconds(1) })
    writer.member("attacks", Array(zip(choice.bounds.compactMap(\.attacker), chosen.attacks))) {
      $1.member("attacker", $0.0)
      $1.member("success", number: $0.1)
    }
    writer.member("decides", chosen.deciding.map { choice.bounds[$0].words })
    writer.member("standings", Array(chosen.standings.enumerated())) { standing, writer in
      let (bound, isJudged) = (standing.offset, !chosen.open.contains(standing.offset))
      writer.member("bound", choice.bounds[bound].words)
      writer.member("met", isJudged ? standing.element.isMet : nil)
      writer.member("assessed", !chosen.moot.contains(bound))
      writer.member("share", number: standing.element.share.flatMap { $0.isFinite ? $0 : nil })
    }
  }
}
