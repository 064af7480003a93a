import LocalAuthAnalysis
import LocalAuthCore
import LocalAuthUnix

/// `authctl policy simulate`.
enum PolicySimulateVerb {
  static let population = Option<PopulationSize>(
    "population",
    "N",
    default: "1000",
    help: "how many people"
  )
  static let days = Option<DayCount>("days", "N", default: "365", help: "for how many days")
  static let seed = Option<Seed?>("seed", "N", help: "repeat the run with this seed")
  static let threads = Option<ThreadCount?>("threads", "N", help: "how many threads work")
  static let attempts = Option<PopulationSize>(
    "attacks",
    "N",
    default: "100000",
    help: "how many attacks of each kind"
  )
  static let csv = Flag("csv", help: "print a comma-separated file")

  static let command = Command(
    "simulate",
    abstract: "Simulate people who log in under a policy, and attackers.",
    discussion: """
      People log in for simulated months, on the machines that the daemon runs on. Intervals hold with
      95 % confidence; they count people, not logins. Few people are drawn so that each kind is met, more
      of those who are hard to recognize, and counted by their shares of all. The same seed gives the same numbers, whatever
      the number of threads. Interrupted, it tells what it has and exits 3.
      """,
    arguments: [PolicyChoice.name.declaration],
    options: CaseOptions.declarations + [
      population.declaration, days.declaration, seed.declaration, threads.declaration,
      attempts.declaration, csv.declaration,
    ] + Drawing.declarations
  ) { (context) throws(Failure) in try run(context) }

  private static func run(_ context: VerbContext) throws(Failure) -> Report {
    let arguments = context.arguments
    try QuantityReport.check(context, csv: arguments[csv])
    let sensor = try SensorChoice(context)
    // A picture shows the exact values beside.
    let plan = try CaseOptions.plan(sensor, context, isSolved: arguments[Drawing.file] != nil)
    let questions = try AttackOptions.questions(sensor, context)
    let report = CaseReport(plan, sensor, questions)
    let drawing = try Drawing.asked(report.plan, context)
    // Any number is good enough, because a simulation protects no secret.
    let seed = arguments[seed]?.value ?? .random(in: 0...UInt64(UInt32.max))
    let simulation = Simulation(
      report.plan,
      seed: seed,
      days: arguments[days].count,
      people: PeopleSample(arguments[population].count, of: report.plan)
    )
    var interruption = Interruption()
    let seen = try simulate(simulation, context, until: &interruption)
    var quantities = seen.users > 0 ? self.quantities(seen, report.plan) : []
    var attacks: [SimulatedAttack] = []
    for question in questions where !interruption.hasCome() {
      switch question {
      case .denial: quantities += AttackReport.denial(TouchDenial(report.plan))
      case .attack(let attack):
        let attacked = try self.attack(report.plan, attack, seed, context, until: &interruption)
        guard attacked.attacks > 0 else { continue }
        attacks.append(SimulatedAttack(attack: attack, seen: attacked))
        let share = attacked.share
        quantities.append(AttackReport.success(attack, share.share, share.interval()))
      }
    }
    let simulated = Simulated(people: seen, attacks: attacks)
    var unwritten: Failure?
    if seen.users > 0, !interruption.hasCome() {
      do throws(Failure) {
        try drawing?.draw(
          report,
          context,
          days: simulation.days,
          questions,
          simulated,
          until: &interruption
        )
      } catch { unwritten = error }
    }
    let isComplete = interruption.signal == nil
    var result = compose(report, quantities, seen, seed, isComplete, context)
    if let unwritten { result.fail(unwritten.outcome, unwritten.message) }
    return result
  }

  private static func simulate(
    _ simulation: Simulation,
    _ context: VerbContext,
    until interruption: inout Interruption
  ) throws(Failure) -> LoginStatistics {
    let users = context.arguments[population].count
    let logins = Double(simulation.days) * Double(simulation.plan.habits.loginsPerDay)
    // The fewer logins each person has, the more people go into one piece.
    let size = UInt32(max(1, min(1000, 20_000 / logins)))
    let pieces = (users + size - 1) / size
    let run = SimulationRun(pieces, nothing: simulation.nobody)
    var line = ProgressLine(in: "logins", context)
    defer { line.clear() }
    return try run.perform(
      threads: threadCount(context),
      until: &interruption,
      progress: { line.show(Double($0) / Double(pieces), units: Double($0 * size) * logins) },
      piece: { number, isStopped in
        var seen = simulation.nobody
        let first = number * size
        simulation.run(first..<min(users, first + size), into: &seen, isStopped: isStopped)
        return seen
      },
      merge: { $0.merge($1) }
    ).result
  }

  private static func attack(
    _ plan: PolicyCase,
    _ attack: Attack,
    _ seed: UInt64,
    _ context: VerbContext,
    until interruption: inout Interruption
  ) throws(Failure) -> AttackStatistics {
    let (simulations, _) = try QuestionRun([attack], in: "attacks")
      .perform(until: &interruption, context) { (attack, isStopped) throws(Failure) in
        try AttackReport.unlessStopped("simulated") { () throws(AttackError) in
          try AttackSimulation(plan, attack, seed: seed, isStopped: isStopped)
        }
      }
    guard let simulation = simulations.first else { return AttackStatistics() }
    let count = context.arguments[attempts].count
    let size = 1000 as UInt32
    let pieces = (count + size - 1) / size
    let run = SimulationRun(pieces, nothing: AttackStatistics())
    var line = ProgressLine(in: "attacks", context)
    defer { line.clear() }
    return try run.perform(
      threads: threadCount(context),
      until: &interruption,
      progress: { line.show(Double($0) / Double(pieces), units: Double($0 * size)) },
      piece: { number, isStopped in
        var seen = AttackStatistics()
        let first = number * size
        simulation.run(first..<min(count, first + size), into: &seen, isStopped: isStopped)
        return seen
      },
      merge: { $0.merge($1) }
    ).result
  }

  /// How many threads work: as many as asked for, or the usual number.
  static func threadCount(_ context: VerbContext) -> Int {
    context.arguments[threads]?.count ?? ThreadCount.usual
  }

  private static func quantities(_ seen: LoginStatistics, _ plan: PolicyCase) -> [Quantity] {
    let year = 365.25
    let lockouts = seen.lockouts.meanInterval()
      .map { ($0.lowerBound * year)...($0.upperBound * year) }
    func percentile(_ share: Double, _ words: String) -> Quantity {
      Quantity(
        "lockouts.p\(words)",
        "lockouts a year, \(words) in 100 people have at most",
        .perYear,
        seen.lockoutsPerYear(percentile: share)
      )
    }
    func time(_ share: Double, _ words: String) -> Quantity {
      // Times are counted in bins, so no more is known than which one.
      let bin = seen.times.percentile(share)
      let (low, high) = (bin.lowerBound / .seconds(1), bin.upperBound / .seconds(1))
      return Quantity(
        "time.p\(words)",
        "time of a login, \(words) in 100 take at most",
        .seconds,
        (low + high) / 2,
        low...high
      )
    }
    let fingers = [
      Quantity(
        "falseRejects",
        "transactions refused to the right person",
        .share,
        seen.rejected.rate,
        seen.rejected.shareInterval()
      ),
      Quantity("lockouts", "lockouts a year", .perYear, seen.lockouts.rate * year, lockouts),
      percentile(0.5, "50"), percentile(0.9, "90"), percentile(0.99, "99"),
      Quantity(
        "everLockedOut",
        "people locked out at least once in \(CountText.of(seen.days, "day"))",
        .share,
        seen.everLockedOut.rate,
        seen.everLockedOut.shareInterval()
      ),
      Quantity(
        Quantity.fallbacks,
        "logins that need the passcode instead of a finger",
        .share,
        seen.fallbacks.rate,
        seen.fallbacks.shareInterval()
      ),
    ]
    return fingers.map { $0.ofFingers(plan) } + [
      Quantity(
        "denied",
        "logins given up",
        .share,
        seen.denied.rate,
        seen.denied.shareInterval()
      ),
      Quantity("time", "time of a login", .seconds, seen.times.mean / .seconds(1)),
      time(0.5, "50"), time(0.9, "90"), time(0.99, "99"),
    ]
  }

  private static func compose(
    _ report: CaseReport,
    _ quantities: [Quantity],
    _ seen: LoginStatistics,
    _ seed: UInt64,
    _ isComplete: Bool,
    _ context: VerbContext
  ) -> Report {
    let days = context.arguments[days].count
    let logins = CountText.of(seen.logins, "login")
    let people = CountText.of(seen.users, "person", "people")
    let shown = QuantityReport(
      head: report.head + ["\(people), \(CountText.of(days, "day")), \(logins), seed \(seed)"],
      quantities: quantities,
      reached: [("days", UInt64(days)), ("people", seen.users)],
      isComplete: isComplete
    )
    var result = Report(
      isComplete ? .success : .userCancel,
      isComplete
        ? "\(logins) \(seen.logins == 1 ? "was" : "were") simulated." : QuantityReport.interrupted
    ) {
      report.write(days, &$0)
      $0.member("seed", String(seed))
      $0.member("people", Int64(seen.users))
      $0.member("logins", Int64(seen.logins))
      $0.member("complete", isComplete)
      $0.member("quantities", quantities) { $0.write(&$1) }
    }
    result.answer = shown.answer(asCSV: context.arguments[csv])
    result.remark = isComplete ? nil : QuantityReport.interrupted
    return result
  }
}
