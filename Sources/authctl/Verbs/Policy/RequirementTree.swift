import LocalAuthCore
import LocalAuthPolicies
import LocalAuthTerminal
import LocalAuthWire

/// A policy's requirement as a tree whose leaves show the state of each factor on a device.
struct RequirementTree {
  private let policy: Policy
  private let states: [Factor: AuthenticationMessages.FactorState]

  /// Creates the tree of `policy` with its factors in these `states`.
  init(_ policy: Policy, _ states: [AuthenticationMessages.FactorState]) {
    self.policy = policy
    self.states = Dictionary(
      states.compactMap { state in Factor(rawValue: state.factor).map { ($0, state) } },
      uniquingKeysWith: { first, _ in first }
    )
  }

  // MARK: The tree

  /// The tree, one line per part.
  var lines: [String] { lines(policy.requirement, head: "", tail: "") }

  private func lines(_ part: Requirement, head: String, tail: String) -> [String] {
    let branches: [Requirement]
    switch part {
    case .allOf(let parts), .anyOf(let parts): branches = parts
    case .biometry, .passcode, .applicationPassword, .companion, .possession: branches = []
    }
    let below = branches.enumerated().flatMap { index, branch in
      let isLast = index == branches.count - 1
      return lines(
        branch,
        head: tail + (isLast ? "└─ " : "├─ "),
        tail: tail + (isLast ? "   " : "│  ")
      )
    }
    return [head + words(part)] + below
  }

  private func words(_ part: Requirement) -> String {
    switch (part, policy.presentation) {
    case (.allOf, .sequential): "all of these, one after the other"
    case (.allOf, .parallel): "all of these, in any order"
    case (.anyOf, .sequential): "one of these, the first that can be used"
    case (.anyOf, .parallel): "one of these, whichever comes first"
    case (.biometry, _), (.passcode, _), (.applicationPassword, _), (.companion, _),
      (.possession, _):
      "\(part.words()): \(standing(part.factors))"
    }
  }

  private func standing(_ leaf: FactorSet) -> String {
    guard let factor = leaf.factors.first, let state = states[factor] else { return "unknown" }
    let usual = OutcomeCode(rawValue: state.state)?.sentence
    if let message = state.message, message != usual {
      return TerminalText.sanitized(message, limit: 200)
    }
    return DeviceText.standing(
      state.state,
      left: state.attemptsLeft,
      retryAfter: state.retryAfterSeconds
    )
  }

  // MARK: What would satisfy it

  /// The smallest sets of usable factors that satisfy the policy, in its order.
  var ways: [FactorSet] {
    let usable = states.filter { $0.value.state == "usable" }.keys
      .reduce(into: FactorSet()) { $0.insert($1.alone) }
    let ways = Self.ways(policy.requirement).filter { $0.isSubset(of: usable) }
    return ways.enumerated().filter { index, way in
      !ways.enumerated().contains { other, smaller in
        smaller != way ? smaller.isSubset(of: way) : other < index
      }
    }.map(\.element)
  }

  private static func ways(_ part: Requirement) -> [FactorSet] {
    switch part {
    case .biometry, .passcode, .applicationPassword, .companion, .possession: [part.factors]
    case .anyOf(let parts): parts.flatMap(ways)
    case .allOf(let parts):
      parts.map(ways).reduce([[]]) { all, part in all.flatMap { one in part.map { one.union($0) } }
      }
    }
  }

  /// Describes the result that an evaluation would have now.
  func verdict(_ result: AuthenticationMessages.Result) -> String {
    guard result.isSuccess else {
      let wait = result.retryAfterSeconds.map {
        " Try again in \(DurationText.words(.seconds($0)))."
      }
      return "Now it is refused (\(result.outcome), exit \(result.exit)): \(result.message)"
        + (wait ?? "")
    }
    let sets = ways.map { way in
      way.factors.map { Self.noun($0) }.joined(separator: " together with ")
    }
    // A policy requires both factors, and fingers are not allowed before the passcode.
    guard !sets.isEmpty else { return "Now the passcode is asked for first." }
    return "Now it is satisfied by \(sets.joined(separator: ", or by "))."
  }

  private static func noun(_ factor: Factor) -> String {
    switch factor {
    case .biometry: "a finger"
    case .passcode: "the passcode"
    case .applicationPassword: "the application's password"
    case .companion: "a companion device"
    case .possession: "something that the person has"
    }
  }
}
