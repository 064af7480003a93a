import LocalAuthAnalysis
import LocalAuthCore
import LocalAuthPolicies

/// The page that sets policies side by side.
struct ComparisonPage {
  let studies: [PolicyStudy]

  var html: HTML {
    let names = studies.map(\.policy.name)
    let title = names.joined(separator: ", ") + " side by side"
    return .document(
      title: title,
      style: ReportStyle.sheet,
      body: [
        .element(
          "main",
          ["class": "wide"],
          [.element("h1", title)] + conditions
            + [
              table(
                "The policies",
                [("In words", studies.map { Self.lines($0.policy.explanation) })]
              ),
              table("What they mean for 1,000 people", people),
              .element("h2", "What attackers achieve"),
              HTML(introduction), table(nil, attackers), table("Public rules", rules),
              ReportPage.colophon,
            ]
        )
      ]
    )
  }

  /// What was assumed, which is the same for all but the policies' own lockout profiles.
  private var conditions: [HTML] {
    studies.prefix(1).map {
      HTML.element("p", ["class": "quiet"], ReportPage.conditions($0))
    }
  }

  /// What holds for all who try to get in; who only touches on purpose does not.
  private var introduction: [HTML] {
    studies.prefix(1).filter { !$0.attacks.isEmpty }.map {
      HTML.element("p", StudySentences(study: $0).introduction)
    }
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
      row("A login takes, on average") { study, _ in
        RateText.significant(study.solution.meanTime / .seconds(1)) + " seconds"
      },
      row("99 logins in 100 take at most") { study, _ in
        RateText.significant(study.times[2] / .seconds(1)) + " seconds"
      },
      row("Logins whose finger is refused although it is the right one (false rejections)") {
        study,
        _ in
        study.report.plan.asksForFinger
          ? RateText.text(study.solution.rejected) : "asks for no finger"
      },
      row("Logins that take the passcode although a finger should do (fallbacks)") { study, _ in
        RateText.text(study.solution.fallbacks)
      },
      row("People locked out at least once: the sensor refuses every finger for a time") {
        study,
        _ in
        "\(StudySentences.number((1000 * study.solution.everLockedOut).rounded())) of 1,000 in "
          + "\(study.solution.days) days"
      },
      row("Lockouts that 1,000 people meet in a year") { study, _ in
        StudySentences.number(1000 * study.solution.lockoutsPerYear)
      },
      row("Logins given up") { study, _ in
        StudySentences.grouped(RateText.text(study.solution.denied))
      },
    ]
  }

  private var attackers: [Row] {
    let choices = studies.first?.attacks.map(\.choice) ?? []
    guard !choices.isEmpty else {
      return [row(StudySentences.who(.maliciousToucher)) { $1.denial }]
    }
    return choices.enumerated().map { index, choice in
      row("\(StudySentences.who(choice)) gets in") { study, _ in
        let success = study.attacks[index].success
        return success > 0 ? StudySentences.chance(success) : "never"
      }
    }
  }

  private var rules: [Row] {
    let rules = studies.first?.compliance.rules ?? []
    return rules.enumerated().map { index, rule in
      (
        "\(rule.rule) (\(rule.source))",
        studies.map { study in
          let rule = study.compliance.rules[index]
          let failed = rule.clauses.filter { $0.finding == .failed }.map(\.clause)
          let verdict = HTML.element(
            "span",
            ["class": rule.finding.rawValue],
            SolvedCase.verdict(rule)
          )
          return failed.isEmpty
            ? verdict : HTML([verdict, HTML(": \(failed.joined(separator: "; "))")])
        }
      )
    }
  }
}
