import LocalAuthCore
import LocalAuthProver

/// A difference between two policies or profiles, formatted for people.
struct DifferenceText {
  let difference: Difference
  /// The names of both.
  let names: (String, String)

  /// The difference in one sentence.
  var message: String {
    let (first, second) = names
    guard difference.steps.count > difference.length else {
      let (left, right) = (difference.endings.0.outcome, difference.endings.1.outcome)
      return "\(first) ends with \(left.rawValue), \(second) with \(right.rawValue)."
    }
    let (left, right) = difference.asked
    let events = CountText.of(difference.length, "event")
    let device = difference.kind == .none ? "Without a passcode, after" : "After"
    return "\(device) \(events) \(first) \(left.words), \(second) \(right.words)."
  }

  /// Returns the events, their results, and the commands.
  func lines(scripts: [[String]]) -> [String] {
    let steps = difference.steps.enumerated().map { "  \($0.offset + 1). \(words($0.element))" }
    let end = steps.dropFirst(difference.length)
    let doubt = difference.isShortest ? [] : ["", "A shorter run may do; --states looks further."]
    return steps.prefix(difference.length) + doubt + (end.isEmpty ? [] : ["", "Which comes to:"])
      + end + [
        "", "\(names.0) \(difference.endings.0.words)", "\(names.1) \(difference.endings.1.words)",
        "", "To see it:",
      ] + scripts.joined().map { "  " + $0 }
  }

  private func words(_ step: Difference.Step) -> String {
    let notes = [(step.left, names.0), (step.right, names.1)].compactMap(note)
    return notes.isEmpty ? "\(step.event)" : "\(step.event) (\(notes.joined(separator: "; ")))"
  }

  private func note(_ playing: Playing, _ name: String) -> String? {
    switch playing {
    case .taken: nil
    case .afterFallback: "\(name): after the fallback"
    case .leftOver: "\(name): nobody asks for it"
    case .late: "\(name): over before"
    }
  }
}

extension Asking {
  /// What is asked for, to follow the name of the one that asks.
  fileprivate var words: String {
    switch self {
    case .nothing: "has not begun"
    case .over(let outcome): "has ended with \(outcome.rawValue)"
    case .open(let live, let offersFallback):
      "asks for \(Self.words(live))" + (offersFallback ? " and offers the fallback" : "")
    }
  }

  private static func words(_ live: FactorSet) -> String {
    let names = live.factors.map { factor in
      switch factor {
      case .biometry: "the finger"
      case .passcode: "the passcode"
      case .applicationPassword: "the application's password"
      case .companion: "the companion"
      case .possession: "what the person has"
      }
    }
    guard names.count > 1 else { return names.first ?? "nothing" }
    return names.joined(separator: " and ") + " at once"
  }

  /// What is asked for, in terms for programs.
  var terms: [String] {
    guard case .open(let live, let offersFallback) = self else { return [] }
    return live.factors.map(\.rawValue) + (offersFallback ? ["fallback"] : [])
  }
}

extension Ending {
  /// How it ended, to follow its name.
  fileprivate var words: String {
    let reason = hasLeftOver ? ": nobody asked for an event of its script" : ""
    return "ends with \(outcome.rawValue) and exits with \(exit)\(reason)."
  }
}
