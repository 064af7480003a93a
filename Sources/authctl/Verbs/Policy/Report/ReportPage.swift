import LocalAuthAnalysis
import LocalAuthCore
import LocalAuthPolicies
import LocalAuthSensor

/// The page about policies, one after the other.
///
/// It needs nothing from elsewhere and runs no script, so it can be filed, mailed and printed.
struct ReportPage {
  let studies: [PolicyStudy]

  var html: HTML {
    let names = studies.map(\.policy.name).joined(separator: ", ")
    return .document(
      title: "What \(names) is worth",
      style: ReportStyle.sheet,
      body: [.element("main", studies.flatMap(Self.sections) + [Self.colophon])]
    )
  }

  /// How the numbers came to be.
  static let colophon = HTML.element(
    "p",
    ["class": "quiet"],
    "Computed by authctl policy report. Nothing was drawn by lot: the state machines that decide on a "
      + "device, and the people in front of it, make a chain that is solved. The model, its sources and "
      + "its limits are in LocalAuth's policy-science.md."
  )

  // MARK: One policy

  private static func sections(_ study: PolicyStudy) -> [HTML] {
    let sentences = StudySentences(study: study)
    let people: [HTML] = [
      .element("h1", study.policy.name), .element("p", study.policy.summary),
      .element("p", ["class": "quiet"], conditions(study)),
      .element("h2", "The policy in words"), list(study.policy.explanation),
      .element("h2", "What it means for 1,000 people"), list(sentences.people),
    ]
    let picture = study.report.plan.asksForFinger ? [ReportPictures.survival(study.solution)] : []
    let rules =
      [HTML.element("h2", "Public rules")]
      + study.compliance.rules.flatMap(RuleText.paragraphs)
    return people + picture + attackers(study, sentences) + sensitivity(study) + rules
  }

  /// What attackers achieve, and what touching on purpose costs.
  private static func attackers(_ study: PolicyStudy, _ sentences: StudySentences) -> [HTML] {
    let bars = study.attacks.flatMap { attack in
      [
        HTML.element("p", sentences.attack(attack.choice, attack.success)),
        ReportPictures.bar(attack.success, label: StudySentences.who(attack.choice)),
      ]
    }
    let chances =
      bars.isEmpty
      ? [] : [HTML.element("p", sentences.introduction)] + bars + [ReportPictures.scale]
    let title = HTML.element("h2", "What attackers achieve")
    return [title] + chances + [HTML.element("p", sentences.denial)]
  }

  /// What was assumed of the device and the sensor.
  static func conditions(_ study: PolicyStudy) -> String {
    let plan = study.report.plan
    let strangers = StudySentences.number(1 / plan.sensor.scores.falseMatch)
    let misses = RateText.significant(100 * plan.sensor.population.mean)
    return "With the lockout profile \(plan.rules.lockout.name), which says when misses lock the "
      + "sensor, the passcode delays \(plan.rules.delays.name), and the sensor "
      + "\(study.report.sensorName): a stranger's finger is taken for the right one in 1 of "
      + "\(strangers) touches (the false match rate), and the right finger is missed in \(misses) of "
      + "100 (the false non-match rate)."
  }

  static func list(_ lines: [String]) -> HTML {
    .element("ul", lines.map { HTML.element("li", $0) })
  }

  // MARK: How sure it is

  private static func sensitivity(_ study: PolicyStudy) -> [HTML] {
    guard let sensitivity = study.sensitivity else { return [] }
    let introduction =
      "Some numbers that the model needs are published nowhere, so we chose them. Here each of these "
      + "is halved and doubled. What then changes by more than a factor of four is an order of "
      + "magnitude, and no more should be built on it."
    return [.element("h2", "How sure these numbers are"), .element("p", introduction)]
      + sensitivity.findings.flatMap(finding)
  }

  private static func finding(_ finding: SensitivityReport.Finding) -> [HTML] {
    let headline = finding.headline
    func text(_ value: Double) -> String { StudySentences.grouped(headline.text(value)) }
    let title = headline.label.prefix(1).uppercased() + headline.label.dropFirst()
    let range = "\(text(finding.low)) and \(text(finding.high))"
    let value = text(headline.value)
    guard !finding.movers.isEmpty else {
      return [.element("h3", "\(title): \(value)"), .element("p", "No number of ours moves it.")]
    }
    let movers = finding.movers.prefix(3).map { mover in
      let ends = mover.ends.map { "with \($0.number) it is \(text($0.value))" }
      return "\(mover.change.words) (\(mover.number)): \(ends.joined(separator: ", "))."
    }
    let head =
      "\(title): \(value), between \(range)" + (finding.isRough ? " (order of magnitude)" : "")
    return [.element("h3", head), list(Array(movers))]
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
