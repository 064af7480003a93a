import LocalAuthCore
import LocalAuthSensor

/// The words of a ``PrismChain``: a model of type `dtmc` with one module, and properties.
struct PrismText {
  let plan: PolicyCase
  let people: [PersonClass]
  let machines: PrismMachines
  let clock: PrismClock
  let days: UInt32
  let states: Int

  init(
    _ plan: PolicyCase,
    _ people: [PersonClass],
    _ machines: PrismMachines,
    days: UInt32,
    states: Int
  ) {
    self.plan = plan
    self.people = people
    self.machines = machines
    self.days = days
    self.states = states
    clock = PrismClock(plan, machines)
  }

  /// The model.
  var model: String {
    let parts = [
      head, constants, mixture, changes, chances, clock.formulas, results, module, rewards, labels,
    ]
    return parts.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
  }

  private static let sums = [
    "logins", "transactions", "rejected", "fallbacks", "denied", "lockouts", "presentations",
    "seconds",
  ]

  /// One property a sum or probability; quotients are left out, because not every checker takes them.
  var properties: String {
    let sums = Self.sums.map { "\"\($0)\": R{\"\($0)\"}=? [ F \"over\" ];" }
    let ever = [
      ("everLockedOut", "lockout"), ("everFellBack", "fallback"), ("everDenied", "denied"),
    ]
    let head = [
      "// Of policy solve, falseRejects is rejected / transactions; fallbacks and denied are those here",
      "// / logins; lockouts, which are by year, are lockouts * 365.25 / \(days). seconds counts all logins,",
      "// where time counts those that succeed.",
    ]
    return (head + sums + ever.map { "\"\($0)\": P=? [ F \"\($1)\" ];" }).joined(separator: "\n")
      + "\n"
  }

  // MARK: Numbers

  private var head: [String] {
    let other = plan.rules.policyLockout.map { " and \($0.name)" } ?? ""
    return [
      "// People who log in for some days under the policy \(plan.policy.name), lockout profile",
      "// \(plan.rules.lockout.name)\(other), passcode delays \(plan.rules.delays.name), as `authctl policy solve`",
      "// computes them; its document policy-science.md has the model.",
      "//",
      "// At most \(states) states. The nodes are those that \(days) days lead to: `days` may be less here,",
      "// not more.",
      "",
      "dtmc",
    ]
  }

  private var constants: [String] {
    [
      "const int days = \(days);",
      "const int loginsPerDay = \(plan.habits.loginsPerDay);",
      "// The node at which all is over.",
      "const int over = \(machines.nodes.count + 1);",
      "// How often a presentation gives no sample, and a passcode is mistyped.",
      "const double lost = \(plan.sensor.acquisition.failureToAcquire);",
      "const double mistyped = \(plan.habits.mistyped);",
      "// Seconds of a presentation, on the average, and of typing a passcode.",
      "const double touching = \(plan.sensor.latency.mean / .seconds(1));",
      "const double typing = \(plan.habits.typing / .seconds(1));",
      "// The share of time that a finger is impaired.",
      "const double impaired = \(plan.sensor.fingerState.impairedShare);",
    ]
  }

  /// The classes of people: their shares, and their miss rates by the finger's state.
  private var mixture: [String] {
    let others = people.indices.dropLast()
    let rest = (["1"] + others.map { "share\($0)" }).joined(separator: " - ")
    return ["// The classes of people, and how often their judged fingers miss."]
      + others.map { "const double share\($0) = \(people[$0].weight);" }
      // Like this the sum is 1 to the last digit.
      + ["const double share\(others.count) = \(rest);"]
      + [
        "formula missGood = \(choice(people.map(\.miss)));",
        "formula missImpaired = \(choice(people.map(\.impairedMiss)));",
        "formula missing = finger = 0 ? missGood : missImpaired;",
      ]
  }

  private func choice(_ rates: [Double]) -> String {
    rates.dropLast().enumerated().map { "person = \($0) ? \($1) : " }.joined()
      + (rates.last.map { "\($0)" } ?? "1")
  }

  /// The chances that a finger changes its state.
  private var changes: [String] {
    let changes = FingerChanges(plan)
    let steps =
      [("Touching", changes.presenting), ("Typing", changes.typing)]
      + waits.map { ("Waiting\($0.wholeNanoseconds)", changes.waiting($0)) }
      + [("Day", changes.pausing(after: 0)), ("Night", changes.pausing(after: clock.lastLogin))]
    return ["// The chance that a finger changes its state; those of waits are by nanoseconds."]
      + steps.map { "formula turns\($0) = finger = 0 ? \($1.worsening) : \($1.recovering);" }
      + ["formula turnsPausing = isLastOfDay ? turnsNight : turnsDay;"]
  }

  private var waits: [Duration] {
    var waits: Set<Duration> = []
    for case .wait(let time, then: _) in machines.nodes { waits.insert(time) }
    return waits.sorted()
  }

  /// The chances of what a presentation and a passcode lead to, as the finger's state stays or turns.
  private var chances: [String] {
    let results = [
      ("none", "lost", "Touching"), ("match", "(1 - lost) * (1 - missing)", "Touching"),
      ("miss", "(1 - lost) * missing", "Touching"), ("right", "(1 - mistyped)", "Typing"),
      ("wrong", "mistyped", "Typing"),
    ]
    return [
      "// What a presentation and a passcode lead to, with the finger's state as it was or not."
    ]
      + results.flatMap { name, chance, step in
        [
          "formula \(name)Stays = \(chance) * (1 - turns\(step));",
          "formula \(name)Turns = \(chance) * turns\(step);",
        ]
      }
  }
}
