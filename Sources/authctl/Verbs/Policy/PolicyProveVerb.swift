import LocalAuthCore
import LocalAuthPolicies
import LocalAuthProver
import LocalAuthTerminal

/// `authctl policy prove`.
enum PolicyProveVerb {
  static let name = Argument<String?>("NAME", source: .policies, help: "the policy's name")
  static let all = Flag("all", help: "prove all policies, with all profiles and tables")
  static let profile = Option<String?>(
    "profile",
    "LOCKOUT",
    help: "the device's lockout profile: \(DeviceRecord.ownLockoutProfile), or each with --all"
  )
  static let delays = Option<String?>(
    "delays",
    "TABLE",
    help: "its passcode delay table: \(DeviceRecord.ownPasscodeDelays), or each with --all"
  )
  static let depth = Option<Int>(
    "depth",
    "N",
    default: "64",
    help: "events after a beginning, at most"
  )
  static let states = Option<Int?>(
    "states",
    "N",
    help: "situations by each judge, at most: \(statesOfOne), or \(statesOfEach) with --all"
  )
  static let threads = Option<Int>("threads", "N", default: "2", help: "threads to explore with")

  private static let statesOfOne = 300_000
  /// With all 105 shipped combinations this takes a few minutes.
  private static let statesOfEach = 20_000

  static let command = Command(
    "prove",
    abstract: "Explore what can happen to a policy, and prove what must hold.",
    discussion: """
      Lets programs ask, fingers touch, passcodes be guessed, commits fail, clocks jump and the service
      die in every order, on the machines that the daemon runs on, breadth first and within bounds. A
      policy that asks for a finger, or for something that a person has, is explored once more with
      authenticators that judge by themselves and may say anything at any time, and one that asks for a
      finger or the passcode with programs of other users.
      --all also explores what no policy changes: the proofs that open items of the keychain, and the
      words of a program that judges.
      Exits with 1 when something does not hold, and prints the shortest way to it. With --all, what
      cannot be used is named at the end (78), and the rest is proven. Ctrl-C prints what was explored
      until then (3).

        authctl policy prove device-owner
        authctl policy prove --all
        authctl policy prove --all --profile apple --states 200000
      """,
    arguments: [name.declaration],
    options: [
      profile.declaration, delays.declaration, depth.declaration, states.declaration,
      threads.declaration, all.declaration,
    ]
  ) { (context) throws(Failure) in try run(context) }

  private static func run(_ context: VerbContext) throws(Failure) -> Report {
    let bounds = try bounds(context)
    let run = ProofRun(threads: try positive(context.arguments[threads], "--threads", upTo: 64))
    let (setups, unusable) = try setups(context)
    let machines = context.arguments[all] ? MachineProof.count : 0
    let planned = Double(setups.count + machines)
    var line = ProgressLine(in: "states", context)
    defer { line.clear() }
    var interruption = Interruption()
    var proofs: [PolicyProof] = []
    for setup in setups where interruption.signal == nil {
      let states = proofs.reduce(0) { $0 + $1.states }
      let proof = try run.prove(setup, bounds) { found in
        let most = bounds.states * Setup.surroundings(of: setup.policy).count
        let done = Double(proofs.count) + min(1, Double(found) / Double(most))
        let names = "\(setup.policy.name) \(setup.lockout.name) \(setup.delays.name)"
        line.show(done / planned, units: Double(states + found), of: names)
        return !interruption.hasCome()
      }
      proofs.append(proof)
    }
    var machineProofs: [MachineProof] = []
    if machines > 0, interruption.signal == nil {
      let states = proofs.reduce(0) { $0 + $1.states }
      machineProofs = MachineProof.all(states: bounds.states) { proven, found, name in
        let done = (Double(proofs.count) + proven) / planned
        line.show(done, units: Double(states + found), of: name)
        return !interruption.hasCome()
      }
    }
    return ProofReport(
      proofs: proofs,
      machines: machineProofs,
      planned: setups.count + machines,
      unusable: unusable,
      isInterrupted: interruption.signal != nil
    ).report
  }

  private static func bounds(_ context: VerbContext) throws(Failure) -> Bounds {
    Bounds(
      depth: try positive(context.arguments[depth], "--depth", upTo: 1000),
      states: try positive(
        context.arguments[states] ?? (context.arguments[all] ? statesOfEach : statesOfOne),
        "--states",
        upTo: 100_000_000
      )
    )
  }

  static func positive(_ value: Int, _ option: String, upTo most: Int) throws(Failure) -> Int {
    guard (1...most).contains(value) else {
      throw Failure(.usage, "\(option) takes a number from 1 to \(most).")
    }
    return value
  }

  /// Returns what to prove, and with `--all` why some policies, profiles or tables cannot be used: one
  /// that somebody broke does not keep the others from being proven.
  private static func setups(
    _ context: VerbContext
  ) throws(Failure) -> (usable: [Setup], unusable: [Failure]) {
    let name = context.arguments[name]
    let isAll = context.arguments[all]
    guard (name == nil) == isAll else {
      throw Failure(.usage, "Name one policy, or say --all.")
    }
    func names(_ given: String?, or own: String, of every: [String]) -> [String] {
      given.map { [$0] } ?? (isAll ? every : [own])
    }
    let catalog = PolicyChoice.catalog(context)
    let profiles = names(
      context.arguments[profile],
      or: DeviceRecord.ownLockoutProfile,
      of: catalog.lockoutProfileNames
    )
    let tables = names(
      context.arguments[delays],
      or: DeviceRecord.ownPasscodeDelays,
      of: catalog.passcodeDelayNames
    )
    var setups: [Setup] = []
    var failures: [Failure] = []
    for policy in name.map({ [$0] }) ?? catalog.names {
      for profile in profiles {
        for table in tables {
          do throws(Failure) {
            let choice = try PolicyChoice(
              policy: policy,
              profile: profile,
              delays: table,
              in: catalog
            )
            setups.append(Setup(choice))
          } catch {
            if !failures.contains(error) { failures.append(error) }
          }
        }
      }
    }
    if setups.isEmpty, let failure = failures.first { throw failure }
    return (setups, failures)
  }
}

extension Setup {
  /// Creates the setup to explore from `choice`.
  init(_ choice: PolicyChoice) {
    self.init(
      policy: choice.policy,
      policyLockout: choice.rules.policyLockout,
      lockout: choice.rules.lockout,
      delays: choice.rules.delays
    )
  }
}
