import LocalAuthCore
import LocalAuthJSON
import LocalAuthProver

/// What was proven about one policy on one device, as it is told.
struct Proof {
  let setup: Setup
  let explorations: [Exploration]

  var states: Int { explorations.reduce(0) { $0 + $1.states } }
  var transitions: Int { explorations.reduce(0) { $0 + $1.transitions } }
  var holds: Bool { explorations.allSatisfy(\.violations.isEmpty) }

  /// The shortest violation of each property.
  private var violations: [Exploration.Violation] {
    Property.allCases.compactMap { property in
      explorations.flatMap(\.violations).filter { $0.property == property }
        .min { $0.trace.count < $1.trace.count }
    }
  }

  /// One line of a table.
  var row: [String] {
    [
      setup.policy.name, setup.lockout.name, "\(states) states", "depth \(depths)",
      holds ? "holds" : "broken: " + violations.map(\.property.rawValue).joined(separator: ", "),
    ]
  }

  private var depths: String {
    explorations.map { "\($0.depth) \($0.pace.rawValue)" }.joined(separator: ", ")
  }

  /// All of it for people.
  var lines: [String] {
    let broken = violations
    var lines = ["\(setup.policy.name) with \(setup.lockout.name) and \(setup.delays.name):", ""]
    for property in Property.allCases {
      let isBroken = broken.contains { $0.property == property }
      lines.append("\(isBroken ? "BROKEN" : "holds ")  \(property.rawValue): \(property.sentence)")
    }
    lines += ["", "\(states) states by \(transitions) events, within these bounds:"]
    lines += explorations.map(bounds)
    for violation in broken { lines += [""] + steps(violation) }
    return lines
  }

  private func bounds(_ exploration: Exploration) -> String {
    let end =
      exploration.isExhausted
      ? "all there are"
      : "every order of \(exploration.depth) events after \(exploration.beginnings) beginnings"
    let pace =
      exploration.pace == .free
      ? "with anything between a charge and its commit" : "each completed before the next"
    return "  \(end), \(pace): \(exploration.states) states"
  }

  private func steps(_ violation: Exploration.Violation) -> [String] {
    let reproduction = reproduction(violation)
    return ["\(violation.property.rawValue) is broken by:"]
      + violation.trace.enumerated().map { "  \($0.offset + 1). \($0.element)" }
      + ["", reproduction.isComplete ? "To see it:" : "As far as it can be played:"]
      + reproduction.lines.map { "  " + $0 }
  }

  private func reproduction(_ violation: Exploration.Violation) -> Reproduction {
    Reproduction(
      violation.trace,
      setup,
      .free,
      violation.kind,
      isDistrusted: violation.isDistrusted
    )
  }

  /// All of it for programs.
  func write(to writer: inout JSONWriter<JSONGrowingBuffer>) {
    writer.member("policy", setup.policy.name)
    writer.member("lockout", setup.lockout.name)
    writer.member("delays", setup.delays.name)
    writer.member("holds", holds)
    writer.member("states", Int64(states))
    writer.member("transitions", Int64(transitions))
    writer.member("explorations", explorations) { exploration, writer in
      writer.member("pace", exploration.pace.rawValue)
      writer.member("depth", Int64(exploration.depth))
      writer.member("states", Int64(exploration.states))
      writer.member("exhausted", exploration.isExhausted)
    }
    writer.member("violations", violations) { violation, writer in
      writer.member("property", violation.property.rawValue)
      writer.member("steps", violation.trace.map(\.description))
      writer.member("script", reproduction(violation).lines)
    }
  }
}
