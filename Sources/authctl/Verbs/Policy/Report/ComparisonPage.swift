import LocalAuthAnalysis
import LocalAuthCore
import LocalAuthPolicies

/// The page that sets policies side by side.
struct ComparisonPage {
  let studies: [PolicyStudy]
  /// What is missing because a signal came; nil if nothing is.
  let left: String?

  var html: HTML {
    let names = studies.map(\.policy.name)
    let title = names.joined(separator: ", ") + " side by side"
    let page = HTML(
      [.element("h1", title)] + ReportPage.mark(left) + conditions + sections
    )
    return .document(
      title: title,
      style: ReportStyle.sheet,
      body: [
        .element(
          "main",
          ["class": "wide"],
          [page, ReportWords.section(of: page), ReportPage.colophon]
        )
      ]
    )
  }

  private var sections: [HTML] {
    [
      table("The policies", [("In words", studies.map { Self.lines($0.policy.explanation) })]),
      table("What they mean for 1,000 people", people),
      .element("p", ["class": "quiet"], Self.rough),
      .element("h2", "What attackers achieve"),
      HTML(introduction), table(nil, attackers), HTML(ours), table("Public rules", rules),
    ]
  }

  /// How far the numbers hold, which pages of one policy say of each.
  private static let rough =
    "How many lockouts there are depends on numbers that are published nowhere, most of all on whether people "
    + "touch again after two misses: take them for orders of magnitude. So are the chances of whoever guesses a "
    + "passcode, which depend on how people choose it. The page of a policy by itself, without --compare, says "
    + "between which values each number lies."

  /// What was assumed, which is the same for all but the policies' own lockout profiles.
  private var conditions: [HTML] {
    let asking = studies.first { $0.report.plan.asksForFinger }
    let words =
      asking.map { ReportPage.conditions($0, withOwn: false) }
      ?? studies.first.map(ReportPage.conditionsWithoutFinger)
    return words.map { [HTML.element("p", ["class": "quiet"], $0)] } ?? []
  }

  /// What holds for all who try to get in; who only touches on purpose does not.
  private var introduction: [HTML] {
    studies.prefix(1).filter { !$0.attacks.isEmpty }.map {
      HTML.element("p", StudySentences(study: $0).introduction)
    }
  }

  /// Which numbers about attackers are ours, the same for all policies.
  private var ours: [HTML] {
    let words = studies.first.flatMap { StudySentences(study: $0).ours }
    return words.map { [HTML.element("p", ["class": "quiet"], $0)] } ?? []
  }

  private typealias Row = (label: String, cells: [HTML])

  private func table(_ title: String?, _ rows: [Row]) -> HTML {
    let heads =
      [HTML.element("th", ["scope": "col"], "")]
      + studies.map {
        HTML.element("th", ["scope": "col"], $0.policy.name)
      }
    let body = rows.map { row in
      HTML.element(
        "tr",
        [HTML.element("th", ["scope": "row"], row.label)]
          + zip(studies, row.cells).map { study, cell in
            HTML.element("td", ["data-policy": study.policy.name], [cell])
          }
      )
    }
    let table = HTML.element(
      "table",
      ["class": "side"],
      [.element("thead", [.element("tr", heads)]), .element("tbody", body)]
    )
    return HTML((title.map { [.element("h2", $0)] } ?? []) + [table])
  }

  private static func lines(_ lines: [String]) -> HTML { HTML(lines.joined(separator: " ")) }

  // MARK: Rows

  private func row(_ label: String, _ words: (PolicyStudy, StudySentences) -> String) -> Row {
    (label, studies.map { HTML(words($0, StudySentences(study: $0))) })
  }

  private var people: [Row] {
    [
      row("A login that succeeds takes, on average") { study, _ in
        study.solution.denied < 1 ? StudySentences.time(study.solution.meanTime) : "none succeeds"
      },
      row("99 in 100 of them take at most") { study, _ in
        study.solution.denied < 1 ? StudySentences.time(study.times[2]) : "none succeeds"
      },
      fingerRow(
        "Logins with a finger that is refused although it is the right one (false rejections)"
      ) {
        RateText.text($0.solution.rejected)
      },
      fingerRow("Logins that take the passcode although a finger would do (fallbacks)") {
        $0.report.plan.isFingerEnough
          ? RateText.text($0.solution.fallbacks) : "a finger alone does not do"
      },
      fingerRow("People locked out at least once: the sensor refuses every finger (lockouts)") {
        let people = StudySentences.number((1000 * $0.solution.everLockedOut).rounded())
        return "\(people) of 1,000 in \(CountText.of($0.solution.days, "day"))"
      },
      fingerRow("Lockouts that 1,000 people meet") {
        StudySentences.lockouts(1000 * $0.solution.lockoutsPerYear)
      },
      row("Logins given up") { study, _ in
        study.solution.denied < 1e-6
          ? "fewer than one in a million"
          : StudySentences.grouped(RateText.text(study.solution.denied))
      },
    ]
  }

  /// A row about fingers, of which a policy that asks for none has nothing to say.
  private func fingerRow(_ label: String, _ words: (PolicyStudy) -> String) -> Row {
    row(label) { study, _ in
      study.report.plan.asksForFinger ? words(study) : "asks for no finger"
    }
  }

  private var attackers: [Row] {
    let choices = studies.first?.attacks.map(\.choice) ?? []
    return choices.enumerated().map { index, choice in
      row("\(StudySentences.who(choice)) gets in") { study, _ in
        AttackSentences(study: study, attacked: study.attacks[index]).cell
      }
    } + [row(StudySentences.who(.maliciousToucher)) { $1.denial }]
  }

  /// The clauses that decided on the finding, or why there is none.
  private static func reasons(_ rule: ComplianceRule) -> String {
    let open = rule.clauses.filter { $0.finding == rule.finding && rule.finding != .met }
    guard let first = open.first else { return "" }
    let isOneReason = open.allSatisfy { $0.found == first.found }
    let words = open.map(\.clause).joined(separator: "; ")
    guard rule.finding == .notAssessed else { return ": \(words)" }
    if rule.isMoot { return ": \(isOneReason ? first.found : words)" }
    return "; not assessed: \(words)"
  }

  private var rules: [Row] {
    let rules = studies.first?.compliance.rules ?? []
    return rules.enumerated().map { index, rule in
      (
        "\(rule.rule) (\(rule.source))",
        studies.map { study in
          let rule = study.compliance.rules[index]
          let verdict = HTML.element(
            "span",
            ["class": rule.finding.rawValue],
            SolvedCase.verdict(rule)
          )
          return HTML([verdict, HTML(Self.reasons(rule))])
        }
      )
    }
  }
}
