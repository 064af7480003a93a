import LocalAuthCore
import LocalAuthJSON
import LocalAuthPolicies
import LocalAuthProver
import LocalAuthTerminal

/// `authctl policy diff`.
enum PolicyDiffVerb {
  static let left = Argument<String>(
    "A",
    source: .policiesAndProfiles,
    help: "a policy, or a lockout profile"
  )
  static let right = Argument<String>(
    "B",
    source: .policiesAndProfiles,
    help: "another of the same kind"
  )
  static let policy = Option<String>(
    "policy",
    "NAME",
    default: "device-owner",
    source: .policies,
    help: "the policy that lockout profiles are compared under"
  )
  static let states = Option<Int>("states", "N", default: "300000", help: "situations, at most")

  /// More events than anyone would play.
  private static let depthMax = 1000

  static let command = Command(
    "diff",
    abstract:
      "Compare two policies or profiles: a run of events that tells them apart, every number.",
    discussion: """
      Prints a shortest run of events after which a person is asked for something else under each, or is
      answered otherwise; commands that show it on simulated devices; what each is set to where they differ;
      and what each comes to in every quantity of 'policy solve'. Ctrl-C prints what was found until then
      (3).

        authctl policy diff biometrics device-owner
        authctl policy diff three-strikes apple
      """,
    arguments: [left.declaration, right.declaration],
    options: [policy.declaration, states.declaration, PolicySolveVerb.days.declaration]
      + CaseOptions.declarations
  ) { (context) throws(Failure) in try run(context) }

  private static func run(_ context: VerbContext) throws(Failure) -> Report {
    let limit = try PolicyProveVerb.positive(
      context.arguments[states],
      "--states",
      upTo: 10_000_000
    )
    let names = (context.arguments[left], context.arguments[right])
    let (choices, settings) = try choices(names, context)
    var interruption = Interruption()
    let setups = (Setup(choices.0), Setup(choices.1))
    var line = ProgressLine(in: "states", context)
    defer { line.clear() }
    let bounds = Bounds(depth: depthMax, states: limit)
    let search = Difference.find(setups.0, setups.1, bounds) { found in
      line.show(Double(found) / Double(limit), units: Double(found), of: "\(names.0) \(names.1)")
      return !interruption.hasCome()
    }
    line.clear()
    let comparison = try CaseComparison(names, choices, context) { !interruption.hasCome() }
    var report =
      search.difference.map { found($0, names, setups, search.states, settings, comparison) }
      ?? alike(names, setups, search, settings, comparison)
    if interruption.signal != nil { end(&report) }
    return report
  }

  /// The report of a search that found nothing, or not yet.
  private static func alike(
    _ names: (String, String),
    _ setups: (Setup, Setup),
    _ search: Difference.Search,
    _ settings: SettingsComparison,
    _ comparison: CaseComparison
  ) -> Report {
    let but = settings.words.map { "; \($0)" } ?? ""
    let asksForPossession = [setups.0, setups.1].contains {
      $0.policy.requirement.factors.contains(.possession)
    }
    let message =
      "No run of events tells \(names.0) and \(names.1) apart in "
      + "\(CountText.of(search.states, "state"))\(but)."
      + (asksForPossession ? " No key and no code was connected in them." : "")
    return Report(message, answer: [message, ""] + settings.table + comparison.table) {
      $0.member("states", Int64(search.states))
      $0.member("complete", search.isComplete && comparison.isComplete)
      $0.member("settings", settings.rows) { $0.write(&$1) }
      $0.member("quantities", comparison.rows) { $0.write(&$1) }
    }
  }

  /// Says that a signal ended it early.
  private static func end(_ report: inout Report) {
    let remark = "Interrupted: what is printed is what was found until then."
    report.answer += ["", remark]
    report.fail(.userCancel, "\(remark) \(report.message)")
    report.remark = remark
  }

  private static func choices(
    _ names: (String, String),
    _ context: VerbContext
  ) throws(Failure) -> ((PolicyChoice, PolicyChoice), SettingsComparison) {
    let catalog = PolicyChoice.catalog(context)
    let delays = context.arguments[PolicyChoice.delays]
    func choice(_ policy: String, _ profile: String) throws(Failure) -> PolicyChoice {
      try PolicyChoice(policy: policy, profile: profile, delays: delays, in: catalog)
    }
    let profiles = catalog.lockoutProfileNames
    guard profiles.contains(names.0), profiles.contains(names.1) else {
      let profile = context.arguments[PolicyChoice.profile]
      let (left, right) = (try choice(names.0, profile), try choice(names.1, profile))
      let settings = SettingsComparison(names, left.policy.settings, right.policy.settings)
      return ((left, right), settings)
    }
    let policy = context.arguments[policy]
    let (left, right) = (try choice(policy, names.0), try choice(policy, names.1))
    let (first, second) = (left.rules.lockout.settings, right.rules.lockout.settings)
    return ((left, right), SettingsComparison(names, first, second))
  }

  /// The report of a difference.
  private static func found(
    _ difference: Difference,
    _ names: (String, String),
    _ setups: (Setup, Setup),
    _ states: Int,
    _ settings: SettingsComparison,
    _ comparison: CaseComparison
  ) -> Report {
    let events = difference.steps.map(\.event)
    let scripts = zip([setups.0, setups.1], ["a", "b"]).map { setup, device in
      Reproduction(events, setup, .calm, difference.kind, device: device).lines
    }
    let text = DifferenceText(difference: difference, names: names)
    let answer =
      [text.message, ""] + text.lines(scripts: scripts) + [""] + settings.table + comparison.table
    return Report(text.message, answer: answer) { writer in
      write(difference, to: &writer)
      writer.member("scripts", scripts.map { $0.joined(separator: "\n") })
      writer.member("states", Int64(states))
      writer.member("complete", comparison.isComplete)
      writer.member("settings", settings.rows) { $0.write(&$1) }
      writer.member("quantities", comparison.rows) { $0.write(&$1) }
    }
  }

  private static func write(
    _ difference: Difference,
    to writer: inout JSONWriter<JSONGrowingBuffer>
  ) {
    writer.member("steps", difference.steps.map(\.event.description))
    writer.member("differsAfter", Int64(difference.length))
    writer.member("shortest", difference.isShortest)
    let (asked, endings) = (difference.asked, difference.endings)
    writer.member("askedA", asked.0.terms)
    writer.member("askedB", asked.1.terms)
    writer.member("outcomeA", endings.0.outcome.rawValue)
    writer.member("outcomeB", endings.1.outcome.rawValue)
    writer.member("exitA", Int64(endings.0.exit))
    writer.member("exitB", Int64(endings.1.exit))
  }
}
