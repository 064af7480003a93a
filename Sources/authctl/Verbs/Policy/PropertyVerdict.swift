import LocalAuthCore
import LocalAuthJSON
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

  let name: String
  private let sentence: String
  /// The number of events that put it at risk.
  private let premises: Int
  private let isBroken: Bool

  init(_ property: some StatedProperty, premises: Int, isBroken: Bool) {
    name = property.name
    sentence = property.sentence
    self.premises = premises
    self.isBroken = isBroken
  }

  /// The answer.
  var answer: Answer { isBroken ? .broken : premises > 0 ? .holds : .notExercised }

  /// The line of a report, its answers aligned.
  var line: String {
    let words = answer.words
    let padding = String(repeating: " ", count: Answer.notExercised.words.count - words.count)
    let times = premises > 0 ? " At risk in \(CountText.of(premises, "event"))." : ""
    return "\(words)\(padding)  \(name): \(sentence)\(times)"
  }

  /// What `verdicts` say together.
  static func summary(_ verdicts: [Self], isComplete: Bool) -> String {
    let broken = verdicts.filter { $0.answer == .broken }
    guard broken.isEmpty else { return "broken: " + broken.map(\.name).joined(separator: ", ") }
    let holds = isComplete ? "holds" : "holds so far"
    let open = verdicts.count { $0.answer == .notExercised }
    return open == 0 ? holds : "\(holds), \(open) not exercised"
  }

  /// Writes it for programs.
  func write(to writer: inout JSONWriter<JSONGrowingBuffer>) {
    writer.member("property", name)
    writer.member("verdict", answer.rawValue)
    writer.member("premises", Int64(premises))
  }
}
