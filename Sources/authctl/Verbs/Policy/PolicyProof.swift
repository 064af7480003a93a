import LocalAuthAnalysis
import LocalAuthCore
import LocalAuthJSON
import LocalAuthProver

/// The result of a proof about one policy on one device.
struct PolicyProof {
  let setup: Setup
  let explorations: [Exploration]
  /// Whether it was not interrupted.
  let isComplete: Bool

  /// All situations, in all surroundings.
  var states: Int { Self.states(explorations) }
  var holds: Bool { explorations.allSatisfy(\.violations.isEmpty) }

  private func explorations(in surroundings: Surroundings) -> [Exploration] {
    explorations.filter { $0.setup.surroundings == surroundings }
  }

  private static func states(_ explorations: [Exploration]) -> Int {
    explorations.reduce(0) { $0 + $1.states }
  }

  private static func transitions(_ explorations: [Exploration]) -> Int {
    explorations.reduce(0) { $0 + $1.transitions }
  }

  /// The shortest violation of each property.
  private var violations: [Exploration.Violation] {
    Property.allCases.compactMap { property in
      explorations.flatMap(\.violations).filter { $0.property == property }
        .min { $0.trace.count < $1.trace.count }
    }
  }

  /// What was found about each property, in all surroundings.
  var verdicts: [PropertyVerdict] {
    let premises = explorations.reduce(into: PremiseCounts()) { $0.add($1.premises) }
    let broken = violations.map(\.property)
    return Property.allCases.map {
      PropertyVerdict($0, premises: premises[$0], isBroken: broken.contains($0))
    }
  }

  /// Whether nothing put a property at risk.
  var isVacuous: Bool { verdicts.contains { $0.answer == .notExercised } }

  /// Returns a table of `proofs`, with one row for all passcode delays that have the same verdict.
  static func rows(_ proofs: [PolicyProof]) -> [[String]] {
    var groups: [(key: [String], proofs: [PolicyProof])] = []
    for proof in proofs {
      let key = [proof.setup.policy.name, proof.setup.lockout.name, proof.verdict]
      if let index = groups.firstIndex(where: { $0.key == key }) {
        groups[index].proofs.append(proof)
      } else {
        groups.append((key, [proof]))
      }
    }
    return groups.map { group in
      let explored = Surroundings.allCases.map { surroundings in
        let explorations = group.proofs.flatMap { $0.explorations(in: surroundings) }
        guard !explorations.isEmpty else { return "" }
        return surroundings.shortWords
          + "\(states(explorations)) states, depth \(depths(explorations))"
      }
      return group.key[..<2] + [group.proofs.map(\.setup.delays.name).joined(separator: ", ")]
        + explored + [group.key[2]]
    }
  }

  private var verdict: String { PropertyVerdict.summary(verdicts, isComplete: isComplete) }

  /// Returns the depth that was explored whole at each pace: from a fresh device, and from every other
  /// beginning.
  private static func depths(_ explorations: [Exploration]) -> String {
    Pace.allCases.compactMap { pace in
      let depths = Beginning.allCases.compactMap { beginning in
        explorations.filter { $0.pace == pace && $0.beginning == beginning }.map(\.depth).min()
          .map(String.init)
      }
      return depths.isEmpty ? nil : "\(depths.joined(separator: "/")) \(pace.rawValue)"
    }.joined(separator: ", ")
  }

  /// The whole result, for people.
  var lines: [String] {
    var lines = ["\(setup.policy.name) with \(setup.lockout.name) and \(setup.delays.name):", ""]
    lines += verdicts.map(\.line)
    for surroundings in Surroundings.allCases {
      let explorations = explorations(in: surroundings)
      guard !explorations.isEmpty else { continue }
      let size = "\(Self.states(explorations)) states by \(Self.transitions(explorations)) events"
      lines += ["", "\(size), \(surroundings.words):"] + explorations.map(bounds)
    }
    lines += ["", Self.mistakes(explorations)]
    if !isComplete { lines += ["", "Interrupted: more was not explored."] }
    for violation in violations { lines += [""] + steps(violation) }
    return lines
  }

  /// How likely it is that anything was left out because two situations have the same hash.
  private static func mistakes(_ explorations: [Exploration]) -> String {
    let chance = explorations.reduce(0) { $0 + Exploration.mistakenIdentity(among: $1.states) }
    return "The chance that a situation was taken for another is below \(RateText.text(chance))."
  }

  private func bounds(_ exploration: Exploration) -> String {
    let beginnings =
      exploration.beginning == .fresh
      ? "from \(exploration.beginnings) fresh devices"
      : "after \(exploration.beginnings) runs of attempts"
    let end =
      exploration.isExhausted
      ? "all there are \(beginnings)" : "every order of \(exploration.depth) events \(beginnings)"
    let pace =
      exploration.pace == .free
      ? "with anything between a charge and its commit" : "each completed before the next"
    return "  \(end), \(pace): \(exploration.states) states"
  }

  private func steps(_ violation: Exploration.Violation) -> [String] {
    let reproduction = reproduction(violation)
    return ["\(violation.property.name) is broken by:"]
      + violation.trace.enumerated().map { "  \($0.offset + 1). \($0.element)" }
      + ["", reproduction.isComplete ? "To see it:" : "As far as it can be played:"]
      + reproduction.lines.map { "  " + $0 }
  }

  private func reproduction(_ violation: Exploration.Violation) -> Reproduction {
    Reproduction(
      violation.trace,
      violation.setup,
      .free,
      violation.kind,
      isDistrusted: violation.isDistrusted
    )
  }

  /// Writes the whole result, for programs.
  func write(to writer: inout JSONWriter<JSONGrowingBuffer>) {
    writer.member("policy", setup.policy.name)
    writer.member("lockout", setup.lockout.name)
    writer.member("delays", setup.delays.name)
    writer.member("holds", holds)
    writer.member("complete", isComplete)
    writer.member("properties", verdicts) { verdict, writer in verdict.write(to: &writer) }
    write(explorations(in: .own), to: &writer)
    writer.member("byItself") { writer in write(explorations(in: .byItself), to: &writer) }
    writer.member("others") { writer in write(explorations(in: .others), to: &writer) }
    writer.member("violations", violations) { violation, writer in
      writer.member("property", violation.property.name)
      writer.member("steps", violation.trace.map(\.description))
      writer.member("script", reproduction(violation).lines)
    }
  }

  private func write(
    _ explorations: [Exploration],
    to writer: inout JSONWriter<JSONGrowingBuffer>
  ) {
    writer.member("states", Int64(Self.states(explorations)))
    writer.member("transitions", Int64(Self.transitions(explorations)))
    writer.member("explorations", explorations) { exploration, writer in
      writer.member("pace", exploration.pace.rawValue)
      writer.member("from", exploration.beginning.rawValue)
      writer.member("depth", Int64(exploration.depth))
      writer.member("states", Int64(exploration.states))
      writer.member("exhausted", exploration.isExhausted)
    }
  }
}

extension Surroundings {
  fileprivate var words: String {
    switch self {
    case .own: "within these bounds"
    case .byItself: "with authenticators that judge by themselves and say anything at any time"
    case .others: "with programs of two other users beside the owner's"
    }
  }

  fileprivate var shortWords: String {
    switch self {
    case .own: ""
    case .byItself: "by itself: "
    case .others: "others: "
    }
  }
}
