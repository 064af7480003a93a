import LocalAuthJSON
import LocalAuthProver

/// The result of a proof about a machine beside the device's, which no policy changes.
struct MachineProof {
  /// A violation, in words.
  private struct Violation {
    let property: String
    let steps: [String]
  }

  /// What it is about.
  let name: String
  let states: Int
  /// Whether it was not interrupted.
  let isComplete: Bool
  private let transitions: Int
  private let depth: Int
  private let isExhausted: Bool
  private let verdicts: [PropertyVerdict]
  private let violations: [Violation]

  init<Model>(_ exploration: SmallExploration<Model>, isComplete: Bool) {
    name = exploration.name
    states = exploration.states
    self.isComplete = isComplete
    transitions = exploration.transitions
    depth = exploration.depth
    isExhausted = exploration.isExhausted
    verdicts = Model.Property.allCases.map { property in
      PropertyVerdict(
        property,
        premises: exploration.premises[property] ?? 0,
        isBroken: exploration.violations.contains { $0.property == property }
      )
    }
    violations = exploration.violations.map {
      Violation(property: $0.property.name, steps: $0.trace.map(\.description))
    }
  }

  var holds: Bool { violations.isEmpty }

  /// The row of a table of proofs.
  var row: [String] {
    let bounds = isExhausted ? "all there are" : "depth \(depth)"
    return [
      name, "\(states) states", bounds, PropertyVerdict.summary(verdicts, isComplete: isComplete),
    ]
  }

  /// The properties, and what breaks them.
  var lines: [String] {
    verdicts.map(\.line)
      + violations.flatMap { violation in
        ["", "\(violation.property) is broken by:"]
          + violation.steps.enumerated().map { "  \($0.offset + 1). \($0.element)" }
      }
  }

  /// Writes the whole result, for programs.
  func write(to writer: inout JSONWriter<JSONGrowingBuffer>) {
    writer.member("name", name)
    writer.member("holds", holds)
    writer.member("complete", isComplete)
    writer.member("properties", verdicts) { verdict, writer in verdict.write(to: &writer) }
    writer.member("states", Int64(states))
    writer.member("transitions", Int64(transitions))
    writer.member("depth", Int64(depth))
    writer.member("exhausted", isExhausted)
    writer.member("violations", violations) { violation, writer in
      writer.member("property", violation.property)
      writer.member("steps", violation.steps)
    }
  }
}

extension MachineProof {
  private static let models: [any SmallModel] = [ArmingModel()] + ItemModel.all

  /// How many machines there are.
  static var count: Int { models.count }

  /// Proves what holds of every machine beside the device's, within `states` situations each.
  ///
  /// Calls `goesOn` again and again with how many are proven, a share of the current one included, and how many
  /// situations were found; stops when that is false.
  static func all(
    states: Int,
    goesOn: (_ proven: Double, _ states: Int, _ name: String) -> Bool
  ) -> [Self] {
    var proofs: [Self] = []
    func prove(_ model: some SmallModel) {
      guard proofs.last?.isComplete ?? true else { return }
      var exploration = SmallExploration(model)
      var isComplete = true
      exploration.run(states: states) { found in
        let proven = Double(proofs.count) + Double(found) / Double(states)
        isComplete = goesOn(proven, proofs.reduce(found) { $0 + $1.states }, model.name)
        return isComplete
      }
      proofs.append(Self(exploration, isComplete: isComplete))
    }
    for model in models { prove(model) }
    return proofs
  }
}
