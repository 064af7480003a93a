import CLocalAuthMath
import LocalAuthAnalysis
import LocalAuthCore

/// The pictures of a report, as shapes without text: their words stand beside them, so that they are
/// read at any size.
enum ReportPictures {
  /// The smallest chance that a bar shows.
  private static let least = -9.0

  /// The share of people who were not locked out yet, day by day.
  ///
  /// The `remark` stands below, after the share of the last day.
  static func survival(_ solution: Solution, remark: String) -> HTML {
    let shares = solution.survival
    let days = max(1, shares.count - 1)
    let points = shares.enumerated().map { day, share in
      "\(decimal(600 * Double(day) / Double(days))),\(decimal(200 * (1 - share)))"
    }
    let last = RateText.significant(100 * (shares.last ?? 1))
    let label =
      "Of all people, \(last) in 100 were not locked out once in \(CountText.of(days, "day"))."
    let grid = [0, 50, 100, 150, 200].map { y in
      HTML.element("line", ["x1": "0", "x2": "600", "y1": "\(y)", "y2": "\(y)"])
    }
    let curve = HTML.element("path", ["d": "M" + points.joined(separator: " L")])
    return .element(
      "figure",
      [
        .element("figcaption", "People not locked out yet: all at the top, none at the bottom"),
        .element(
          "svg",
          [
            "viewBox": "0 0 600 200", "preserveAspectRatio": "none", "role": "img",
            "aria-label": label,
          ],
          grid + [curve]
        ),
        axis(["day 0", "day \(days)"]), .element("figcaption", label + remark),
      ]
    )
  }

  /// A bar as long as `chance` is great: a tenth as likely is a ninth of the width shorter.
  static func bar(_ chance: Double, label: String) -> HTML {
    let power = chance > 0 ? la_log(chance) / la_log(10) : least
    let width = 100 * max(0, 1 - power / least)
    let words = "\(label): \(RateText.text(chance))"
    return .element(
      "div",
      ["class": "bar", "role": "img", "aria-label": words],
      [.element("div", ["style": "width: \(decimal(width))%"])]
    )
  }

  /// How to read the bars, which stands before them.
  static let legend =
    "In the bars each mark to the right is ten times as often: a full bar is always, and half a bar "
    + "about 1 in 32,000, not every second time."

  /// What the length of the bars means.
  static let scale = axis(["one in a billion", "one in a million", "one in 1,000", "always"])

  private static func axis(_ words: [String]) -> HTML {
    .element("div", ["class": "axis quiet"], words.map { HTML.element("span", $0) })
  }

  /// Two digits after the point.
  private static func decimal(_ value: Double) -> String {
    "\((value * 100).rounded() / 100)"
  }
}
