import LocalAuthCore
import LocalAuthProver

/// What an exploration says of one property.
struct PropertyVerdict {
  /// The answer: a property that nothing put at risk was not shown to hold.
  enum Answer: String {
    case holds
    case notExercised
    case broken

    /// The answer for people.
    var words: String {
      switch self {
      case .holds: "holds"
      case .notExercised: "not exercised"
      case .broken: "BROKEN"
      }
    }
  }

  let property: Property
  /// The number of events that put it at risk.
  let premises: Int
  let isBroken: Bool

  /// The answer.
  var answer: Answer { isBroken ? .broken : premises > 0 ? .holds : .notExercised }

  /// The line of a report, its answers aligned.
  var line: String {
    let words = answer.words
    let padding = String(repeating: " ", count: Answer.notExercised.words.count - words.count)
    let times = premises > 0 ? " At risk in \(CountText.of(premises, "event"))." : ""
    return "\(words)\(padding)  \(property.name): \(property.sentence)\(times)"
  }
}
