import LocalAuthAnalysis
import LocalAuthCore
import LocalAuthPolicies
import LocalAuthSensor

/// The page about policies, one after the other.
///
/// It needs nothing from elsewhere and runs no script, so it can be filed, mailed and printed.
struct ReportPage {
  let studies: [PolicyStudy]
  /// What is missing because a signal came; nil if nothing is.
  let left: String?

  var html: HTML {
    let names = studies.map(\.policy.name).joined(separator: ", ")
    let page = HTML(Self.mark(left) + studies.flatMap(Self.sections))
    return .document(
      title: "What \(names) \(studies.count == 1 ? "is" : "are") worth",
      style: ReportStyle.sheet,
      body: [.element("main", [page, ReportWords.section(of: page), Self.colophon])]
    )
  }

  /// Says first what is missing.
  static func mark(_ left: String?) -> [HTML] {
    left.map { [HTML.element("p", ["class": "failed"], $0)] } ?? []
  }

  /// How the numbers came to be.
  static let colophon = HTML.element(
    "p",
    ["class": "quiet"],
    "Computed by authctl policy report; nothing was drawn by lot. The rules are those that decide on a "
      + "device, and a model stands for the people in front of it. The model, its sources and its limits "
      + "are in LocalAuth's policy-science.md."
  )

  // MARK: One policy

  private static func sections(_ study: PolicyStudy) -> [HTML] {
    let sentences = StudySentences(study: study)
    let people: [HTML] = [
      .element("h1", study.policy.name), .element("p", study.policy.summary),
      .element("p", ["class": "quiet"], conditions(of: study)),
      .element("h2", "The policy in words"), list(study.policy.explanation),
      .element("h2", "What it means for 1,000 people"), list(sentences.people),
    ]
    let picture =
      study.report.plan.asksForFinger
      ? [ReportPictures.survival(study.solution, remark: sentences.survivalRange)] : []
    let rules =
      [HTML.element("h2", "Public rules")]
      + study.compliance.rules.flatMap(RuleText.paragraphs)
    return people + picture + attackers(study, sentences) + sensitivity(study) + rules
  }

  /// What attackers achieve, and what touching on purpose costs.
  private static func attackers(_ study: PolicyStudy, _ sentences: StudySentences) -> [HTML] {
    let bars = study.attacks.flatMap { attacked in
      [
        HTML.element("p", AttackSentences(study: study, attacked: attacked).text),
        ReportPictures.bar(
          attacked.solution.success,
          label: StudySentences.who(attacked.choice)
        ),
      ]
    }
    let ours = sentences.ours.map { [HTML.element("p", ["class": "quiet"], $0)] } ?? []
    let chances =
      bars.isEmpty
      ? []
      : [
        HTML.element("p", sentences.introduction), .element("p", ReportPictures.legend),
        ReportPictures.scale,
      ] + bars + [ReportPictures.scale] + ours
    let title = HTML.element("h2", "What attackers achieve")
    return [title] + chances + [HTML.element("p", sentences.denial)]
  }

  private static func conditions(of study: PolicyStudy) -> String {
    study.report.plan.asksForFinger
      ? conditions(study, withOwn: true) : conditionsWithoutFinger(study)
  }

  /// What was assumed of the device and the sensor, with the policy's own lockout profile if asked for.
  static func conditions(_ study: PolicyStudy, withOwn: Bool) -> String {
    let plan = study.report.plan
    let own = withOwn ? plan.rules.policyLockout.map { " and the policy's own, \($0.name)," } : nil
    return
      "With the lockout profile \(plan.rules.lockout.name)\(own ?? ""), which says when misses lock the "
      + "sensor, \(delays(plan)), the sensor \(study.report.sensorName), and "
      + "\(CountText.of(plan.prints, "print")) a person: \(rates(plan)) \(possessions)"
  }

  /// What was assumed where no finger is asked for.
  static func conditionsWithoutFinger(_ study: PolicyStudy) -> String {
    "With \(delays(study.report.plan)). No finger is asked for, so no sensor is in these numbers. "
      + possessions
  }

  private static func delays(_ plan: PolicyCase) -> String {
    "the passcode delays \(plan.rules.delays.name), which say how long wrong passcodes are refused"
  }

  private static func rates(_ plan: PolicyCase) -> String {
    let strangers = StudySentences.number(1 / plan.sensor.scores.falseMatch)
    let misses = RateText.significant(100 * plan.sensor.population.mean)
    return
      "a stranger's finger is taken for a print in 1 of \(strangers) touches (the false match rate), "
      + "and the right finger is missed in \(misses) of 100 (the false non-match rate)."
  }

  private static let possessions = "People have nothing to show but fingers and a passcode."

  static func list(_ lines: [String]) -> HTML {
    .element("ul", lines.map { HTML.element("li", $0) })
  }

  // MARK: How sure it is

  private static func sensitivity(_ study: PolicyStudy) -> [HTML] {
    guard let sensitivity = study.sensitivity else { return [] }
    let introduction =
      "Some numbers that the model needs are published nowhere, so we chose them. Here each of these "
      + "is changed by itself: halved and doubled, passcodes drawn by lot into those that two studies say "
      + "people choose, four digits into six, and people who do not differ into people who do. A result "
      + "whose greatest value is then more than four times its least is called an order of "
      + "magnitude, and no more should be built on it."
    let leftOut = sensitivity.leftOut.map {
      HTML.element("p", ["class": "quiet"], capitalized($0) + ".")
    }
    return [.element("h2", "How sure these numbers are"), .element("p", introduction)]
      + sensitivity.findings.flatMap { finding($0, title(of: $0.headline, study)) } + leftOut
  }

  /// How many numbers are named that move a result.
  private static let shown = 3

  private static func capitalized(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst()
  }

  /// What a headline is called, an attacker in the words of the page.
  private static func title(of headline: Quantity, _ study: PolicyStudy) -> String {
    let attacked = study.attacks.first {
      AttackReport.success($0.attack, $0.solution.success).name == headline.name
    }
    return attacked.map { "\(StudySentences.who($0.choice)) gets in" }
      ?? capitalized(headline.label)
  }

  /// The number that a change puts in place of ours, with who published it.
  private static func words(of change: Sensitivity.Change) -> String {
    StudySentences.number(change.changed, change.unit)
      + (change.publication.map { " (\($0.rawValue))" } ?? "")
  }

  private static func finding(_ finding: SensitivityReport.Finding, _ title: String) -> [HTML] {
    let headline = finding.headline
    func text(_ value: Double) -> String { StudySentences.grouped(headline.text(value)) }
    let range = "\(text(finding.low)) and \(text(finding.high))"
    let value = text(headline.value)
    guard !finding.movers.isEmpty else {
      let none = HTML.element("p", "No number of ours moves it by a tenth.")
      return [.element("h3", "\(title): \(value)"), none]
    }
    let more = finding.movers.count - shown
    let others =
      more > 0
      ? ["\(CountText.of(more, "other number moves", "other numbers move")) it by a tenth or more."]
      : []
    let movers = finding.movers.prefix(shown).map { mover in
      let ends = mover.ends.map { "with \(words(of: $0.change)) it is \(text($0.value))" }
      return
        "\(mover.change.words) (\(StudySentences.number(mover.change.value, mover.change.unit))): "
        + "\(ends.joined(separator: ", "))."
    }
    let head =
      "\(title): \(value), between \(range)" + (finding.isRough ? " (order of magnitude)" : "")
    return [.element("h3", head), list(movers + others)]
  }
}

/// What is said of a public rule.
enum RuleText {
  /// The rule, its verdict, and each clause that is not met or not assessed.
  static func paragraphs(_ rule: ComplianceRule) -> [HTML] {
    let title = HTML.element(
      "h3",
      [
        HTML("\(rule.rule) (\(rule.source)): "),
        .element("span", ["class": rule.finding.rawValue], SolvedCase.verdict(rule)),
      ]
    )
    let clauses = rule.clauses.filter { $0.finding != .met }.map { clause in
      HTML.element(
        "li",
        [
          .element("span", ["class": clause.finding.rawValue], SolvedCase.word(clause.finding)),
          HTML(": \(clause.clause). Here: \(clause.found)."),
        ]
      )
    }
    return clauses.isEmpty ? [title] : [title, .element("ul", clauses)]
  }
}
