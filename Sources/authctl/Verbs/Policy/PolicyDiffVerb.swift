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
    abstract:
      "Compare two policies or profiles: a run of events that tells them apart, every number.",
    discussion: """
      Prints a shortest run of events that ends otherwise under each, commands that show it on simulated
      devices, and what each comes to in every quantity of 'policy solve'.

        authctl policy diff biometrics device-owner
        authctl policy diff three-strikes apple
      """,
    arguments: [left.declaration, right.declaration],
    options: [policy.declaration, states.declaration, PolicySolveVerb.days.declaration]
      + CaseOptions.declarations
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
    let choices = try choices(names, context)
    let comparison = try CaseComparison(names, choices, context)
    let setups = (Setup(choices.0), Setup(choices.1))
    let (difference, states) = Difference.find(setups.0, setups.1, Bounds(states: limit))
    guard let difference else {
      let message = "No run of events tells \(names.0) and \(names.1) apart in \(states) states."
      return Report(message, answer: [message, ""] + comparison.table) {
        $0.member("states", Int64(states))
        $0.member("quantities", comparison.rows) { $0.write(&$1) }
      }
    }
    return report(difference, names, setups, states, comparison)
  }

  private static func choices(
    _ names: (String, String),
    _ context: VerbContext
  ) throws(Failure) -> (PolicyChoice, PolicyChoice) {
    let catalog = PolicyChoice.catalog(context)
    let delays = context.arguments[PolicyChoice.delays]
    func choice(_ policy: String, _ profile: String) throws(Failure) -> PolicyChoice {
      try PolicyChoice(policy: policy, profile: profile, delays: delays, in: catalog)
    }
    let profiles = catalog.lockoutProfileNames
    guard profiles.contains(names.0), profiles.contains(names.1) else {
      let profile = context.arguments[PolicyChoice.profile]
      return (try choice(names.0, profile), try choice(names.1, profile))
    }
    let policy = context.arguments[policy]
    return (try choice(policy, names.0), try choice(policy, names.1))
  }

  private static func report(
    _ difference: Difference,
    _ names: (String, String),
    _ setups: (Setup, Setup),
    _ states: Int,
    _ comparison: CaseComparison
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
    let answer =
      [message, ""] + steps + ["", "To see it:"] + played + [""] + comparison.table
    return Report(message, answer: answer) {
      $0.member("outcomeA", first.rawValue)
      $0.member("outcomeB", second.rawValue)
      $0.member("exitA", Int64(first.exit))
      $0.member("exitB", Int64(second.exit))
      $0.member("steps", difference.trace.map(\.description))
      $0.member("scripts", scripts.map { $0.joined(separator: "\n") })
      $0.member("states", Int64(states))
      $0.member("quantities", comparison.rows) { $0.write(&$1) }
    }
  }
}
