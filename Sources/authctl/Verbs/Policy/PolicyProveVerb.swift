import Glibc
import LocalAuthCore
import LocalAuthJSON
import LocalAuthPolicies
import LocalAuthProver

/// `authctl policy prove`.
enum PolicyProveVerb {
  static let name = Argument<String?>("NAME", help: "the policy's name")
  static let all = Flag("all", help: "prove all policies with all lockout profiles")
  static let depth = Option<Int>(
    "depth",
    "N",
    default: "64",
    help: "events after a beginning, at most"
  )
  static let states = Option<Int>("states", "N", default: "1000000", help: "situations, at most")
  static let threads = Option<Int>("threads", "N", default: "2", help: "threads to explore with")

  static let command = Command(
    "prove",
    abstract: "Explore what can happen to a policy, and prove what must hold.",
    discussion: """
      Lets programs ask, fingers touch, passcodes be guessed, commits fail, clocks jump and the service
      die in every order, on the machines that the daemon runs on, breadth first and within bounds.
      Exits with 1 when something does not hold, and prints the shortest way to it.

        authctl policy prove device-owner
        authctl policy prove --all --states 200000
      """,
    arguments: [name.declaration],
    options: [
      PolicyChoice.profile.declaration, PolicyChoice.delays.declaration, depth.declaration,
      states.declaration, threads.declaration, all.declaration,
    ]
  ) { arguments in
    VerbContext.run(arguments) { (context) throws(Failure) in try run(context) }
  }

  private static func run(_ context: VerbContext) throws(Failure) -> Report {
    let bounds = try bounds(context)
    let run = ProofRun(
      threads: try positive(context.arguments[threads], "--threads", upTo: 64),
      onProgress: progress(context)
    )
    var proofs: [Proof] = []
    for setup in try setups(context) {
      proofs.append(Proof(setup: setup, explorations: try run.prove(setup, bounds)))
    }
    clearProgress(context)
    return report(proofs)
  }

  private static func bounds(_ context: VerbContext) throws(Failure) -> Bounds {
    Bounds(
      depth: try positive(context.arguments[depth], "--depth", upTo: 1000),
      states: try positive(context.arguments[states], "--states", upTo: 100_000_000)
    )
  }

  static func positive(_ value: Int, _ option: String, upTo most: Int) throws(Failure) -> Int {
    guard (1...most).contains(value) else {
      throw Failure(.usage, "\(option) takes a number from 1 to \(most).")
    }
    return value
  }

  private static func setups(_ context: VerbContext) throws(Failure) -> [Setup] {
    let catalog = PolicyChoice.catalog(context)
    let table = context.arguments[PolicyChoice.delays]
    switch (context.arguments[name], context.arguments[all]) {
    case (let name?, false):
      let profile = context.arguments[PolicyChoice.profile]
      let choice = try PolicyChoice(policy: name, profile: profile, delays: table, in: catalog)
      return [Setup(choice)]
    case (nil, true):
      var setups: [Setup] = []
      for policy in catalog.names {
        for profile in catalog.lockoutProfileNames {
          let choice = try PolicyChoice(
            policy: policy,
            profile: profile,
            delays: table,
            in: catalog
          )
          setups.append(Setup(choice))
        }
      }
      return setups
    case (nil, false), (_?, true):
      throw Failure(.usage, "Name one policy, or say --all.")
    }
  }

  // MARK: Progress

  private static func progress(_ context: VerbContext) -> ((Exploration) -> Void)? {
    guard isatty(STDERR_FILENO) != 0, !context.arguments[GlobalOptions.quiet] else { return nil }
    return { exploration in
      let setup = exploration.setup
      tell(
        "\r\(setup.policy.name), \(setup.lockout.name), \(exploration.pace.rawValue): "
          + "\(exploration.states) states, depth \(exploration.depth)\u{1B}[K"
      )
    }
  }

  private static func clearProgress(_ context: VerbContext) {
    if progress(context) != nil { tell("\r\u{1B}[K") }
  }

  private static func tell(_ text: String) {
    var text = text
    // SAFETY: the bytes are read while the closure runs.
    _ = text.withUTF8 { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  // MARK: Report

  private static func report(_ proofs: [Proof]) -> Report {
    let broken = proofs.filter { !$0.holds }
    let states = proofs.reduce(0) { $0 + $1.states }
    let message =
      broken.isEmpty
      ? "All properties hold in \(states) states."
      : "\(broken.count) of \(proofs.count) do not hold."
    let outcome = broken.isEmpty ? OutcomeCode.success : .authenticationFailed
    var report = Report(outcome, message) { writer in
      writer.member("states", Int64(states))
      writer.member("items", proofs) { proof, writer in proof.write(to: &writer) }
    }
    report.answer =
      proofs.count == 1
      ? proofs[0].lines
      : Columns.table(proofs.map(\.row)) + broken.flatMap { [""] + $0.lines } + ["", message]
    return report
  }
}

extension Setup {
  /// What `choice` names, to be explored.
  init(_ choice: PolicyChoice) {
    self.init(
      policy: choice.policy,
      policyLockout: choice.rules.policyLockout,
      lockout: choice.rules.lockout,
      delays: choice.rules.delays
    )
  }
}
