import LocalAuthCore
import LocalAuthPolicies
import LocalAuthProver

/// `authctl policy diff`.
enum PolicyDiffVerb {
  static let left = Argument<String>("A", help: "a policy, or a lockout profile")
  static let right = Argument<String>("B", help: "another of the same kind")
  static let policy = Option<String>(
    "policy",
    "NAME",
    default: "device-owner",
    help: "the policy that lockout profiles are compared under"
  )
  static let states = Option<Int>("states", "N", default: "200000", help: "situations, at most")

  static let command = Command(
    "diff",
    abstract: "Find a shortest run of events that ends otherwise under two policies or profiles.",
    discussion: """
      Prints the run, how it ends under each, and commands that show it on a simulated device.

        authctl policy diff biometrics device-owner
        authctl policy diff three-strikes apple
      """,
    arguments: [left.declaration, right.declaration],
    options: [
      policy.declaration, PolicyChoice.profile.declaration, PolicyChoice.delays.declaration,
      states.declaration,
    ]
  ) { arguments in
    VerbContext.run(arguments) { (context) throws(Failure) in try run(context) }
  }

  private static func run(_ context: VerbContext) throws(Failure) -> Report {
    let limit = try PolicyProveVerb.positive(
      context.arguments[states],
      "--states",
      upTo: 10_000_000
    )
    let names = (context.arguments[left], context.arguments[right])
    let setups = try setups(names, context)
    let (difference, states) = Difference.find(setups.0, setups.1, Bounds(states: limit))
    guard let difference else {
      let message = "No run of events tells \(names.0) and \(names.1) apart in \(states) states."
      return Report(message, answer: [message]) { $0.member("states", Int64(states)) }
    }
    return report(difference, names, setups, states)
  }

  private static func setups(
    _ names: (String, String),
    _ context: VerbContext
  ) throws(Failure) -> (Setup, Setup) {
    let catalog = PolicyChoice.catalog(context)
    let table = context.arguments[PolicyChoice.delays]
    let profiles = catalog.lockoutProfileNames
    guard profiles.contains(names.0), profiles.contains(names.1) else {
      let profile = context.arguments[PolicyChoice.profile]
      return (
        try PolicyProveVerb.setup(names.0, profile, table, catalog),
        try PolicyProveVerb.setup(names.1, profile, table, catalog)
      )
    }
    let policy = context.arguments[policy]
    return (
      try PolicyProveVerb.setup(policy, names.0, table, catalog),
      try PolicyProveVerb.setup(policy, names.1, table, catalog)
    )
  }

  private static func report(
    _ difference: Difference,
    _ names: (String, String),
    _ setups: (Setup, Setup),
    _ states: Int
  ) -> Report {
    let scripts = [
      Reproduction(difference.trace, setups.0, .calm, device: "a").lines,
      Reproduction(difference.trace, setups.1, .calm, device: "b").lines,
    ]
    let (first, second) = difference.outcomes
    let message =
      "\(names.0) ends with \(first.rawValue), \(names.1) with \(second.rawValue)."
    let steps = difference.trace.enumerated().map { "  \($0.offset + 1). \($0.element)" }
    let played = scripts.flatMap { $0 }.map { "  " + $0 }
    return Report(message, answer: [message, ""] + steps + ["", "To see it:"] + played) {
      $0.member("outcomeA", first.rawValue)
      $0.member("outcomeB", second.rawValue)
      $0.member("exitA", Int64(first.exit))
      $0.member("exitB", Int64(second.exit))
      $0.member("steps", difference.trace.map(\.description))
      $0.member("scripts", scripts.map { $0.joined(separator: "\n") })
      $0.member("states", Int64(states))
    }
  }
}
