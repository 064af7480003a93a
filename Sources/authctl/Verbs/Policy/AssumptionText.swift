import LocalAuthAnalysis
import LocalAuthCore
import LocalAuthJSON

/// How the numbers that are our own are written.
enum AssumptionText {
  /// A number of a case that is ours unless it was given.
  struct Number {
    let name, label, words: String
    let unit: Assumption.Unit
    let value: Double
    let isOurs: Bool

    fileprivate init(_ number: some OwnNumber, _ value: Double, isOurs: Bool) {
      (name, label, words, unit) = (number.name, number.label, number.words, number.unit)
      (self.value, self.isOurs) = (value, isOurs)
    }

    /// The value, for people.
    var text: String { AssumptionText.text(value, unit) }
  }

  /// The numbers of `plan` and of what is asked about attackers, those of people first.
  static func numbers(_ plan: PolicyCase, _ questions: [AttackQuestion]) -> [Number] {
    let ofPeople = Assumption.all.compactMap { assumption in
      assumption.value(in: plan).map { Number(assumption, $0, isOurs: assumption.isOurs(in: plan)) }
    }
    return ofPeople + numbersOfAttacks(questions, on: plan)
  }

  /// The numbers of what is asked about attackers; each is the same for all whom it concerns.
  static func numbersOfAttacks(
    _ questions: [AttackQuestion],
    on plan: PolicyCase
  ) -> [Number] {
    AttackAssumption.all.compactMap { assumption in
      questions.lazy.compactMap { number(assumption, in: $0, on: plan) }.first
    }
  }

  private static func number(
    _ assumption: AttackAssumption,
    in question: AttackQuestion,
    on plan: PolicyCase
  ) -> Number? {
    switch question {
    case .attack(let attack):
      assumption.value(in: attack, on: plan).map {
        Number(assumption, $0, isOurs: assumption.isOurs(in: attack, on: plan))
      }
    case .denial:
      assumption.isOfDenial && plan.asksForFinger
        ? Number(assumption, assumption.standard, isOurs: true) : nil
    }
  }

  /// Says which numbers of a case are ours, in lines of 80 columns, or of a narrower terminal's; nothing if
  /// none is.
  static func marks(_ plan: PolicyCase, _ questions: [AttackQuestion]) -> [String] {
    let ours = numbers(plan, questions).filter(\.isOurs).map { "\($0.label) \($0.text)" }
    guard !ours.isEmpty else { return [] }
    let words =
      "ours, from no publication (see policy solve --sensitivity): "
      + ours.joined(separator: ", ")
    // A sign of percent stays with its number.
    return TextWrap.fill(
      words.replacing(" %", with: "\u{a0}%").split(separator: " ").map(String.init),
      width: min(80, Columns.shownColumns ?? 80),
      indent: 0,
      hanging: 2
    ).map { $0.replacing("\u{a0}", with: " ") }
  }

  /// Formats the number that a change puts in place of ours, with who published it.
  static func text(_ change: Sensitivity.Change) -> String {
    text(change.changed, change.unit) + (change.publication.map { " (\($0.rawValue))" } ?? "")
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
  static func write<Sink: ~Copyable>(
    _ numbers: [Number],
    _ writer: inout JSONWriter<Sink>
  ) {
    writer.member("assumptions", numbers) { number, writer in
      writer.member("name", number.name)
      writer.member("unit", number.unit.rawValue)
      writer.member("value", number: number.value.isInfinite ? nil : number.value)
      writer.member("ours", number.isOurs)
    }
  }
}
