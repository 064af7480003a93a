import LocalAuthAnalysis
import LocalAuthCore
import LocalAuthJSON

/// How the numbers that are our own are written.
enum AssumptionText {
  /// Says which numbers of `plan` are ours, in lines of 80 columns; nothing if none is.
  static func marks(_ plan: PolicyCase) -> [String] {
    let ours = Assumption.all.compactMap { assumption in
      assumption.isOurs(in: plan)
        ? assumption.value(in: plan).map { "\(assumption.label) \(text($0, assumption.unit))" }
        : nil
    }
    guard !ours.isEmpty else { return [] }
    let words =
      "ours, from no publication (see policy solve --sensitivity): "
      + ours.joined(separator: ", ")
    return TextWrap.fill(
      words.split(separator: " ").map(String.init),
      width: 80,
      indent: 0,
      hanging: 2
    )
  }

  /// Formats such a number for people.
  static func text(_ value: Double, _ unit: Assumption.Unit) -> String {
    switch unit {
    case _ where value.isInfinite: "no limit"
    case .share: RateText.text(value)
    case .seconds: DurationText.format(.seconds(value))
    case .count: RateText.significant(value)
    }
  }

  /// Writes the member `assumptions`.
  static func write<Sink: ~Copyable>(_ plan: PolicyCase, _ writer: inout JSONWriter<Sink>) {
    let found = Assumption.all.compactMap { assumption in
      assumption.value(in: plan).map { (assumption, $0) }
    }
    writer.member("assumptions", found) { found, writer in
      let (assumption, value) = found
      writer.member("name", assumption.name)
      writer.member("unit", assumption.unit.rawValue)
      writer.member("value", number: value.isInfinite ? nil : value)
      writer.member("ours", assumption.isOurs(in: plan))
    }
  }
}
