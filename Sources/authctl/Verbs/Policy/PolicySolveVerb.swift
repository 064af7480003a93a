import LocalAuthAnalysis
import LocalAuthCore
import LocalAuthSensor

/// `authctl policy solve`.
enum PolicySolveVerb {
  static let days = Option<DayCount>("days", "N", default: "60", help: "for how many days")

  static let sensitivity = Flag(
    "sensitivity",
    help: "halve and double each number that is ours, and tell what that does"
  )

  static let command = Command(
    "solve",
    abstract: "Compute exactly what a policy comes to, and which rules it meets.",
    discussion: """
      The policy and what surrounds it make a finite Markov chain, which is solved; nothing is drawn.
      With --prism it is also written for model checkers such as Storm and PRISM, with everybody: nobody
      is dropped then, however small their share, so give it few days.
      Percentiles of lockouts are of what people expect, by how well they are recognized; those of times
      are of logins. Rules of others follow, with each clause that is not met. Interrupted, it tells what
      the days and the attacks so far come to and exits 3.
      """,
    arguments: [PolicyChoice.name.declaration],
    options: CaseOptions.declarations + [
      days.declaration, sensitivity.declaration, PolicySimulateVerb.csv.declaration,
      PrismFiles.file.declaration,
    ] + Drawing.declarations
  ) { (context) throws(Failure) in try run(context) }

  private static func run(_ context: VerbContext) throws(Failure) -> Report {
    let asCSV = context.arguments[PolicySimulateVerb.csv]
    try QuantityReport.check(context, csv: asCSV)
    let sensor = try SensorChoice(context)
    let plan = try CaseOptions.plan(sensor, context)
    let questions = try AttackOptions.questions(sensor, context)
    let report = CaseReport(plan, sensor, questions)
    let drawing = try Drawing.asked(report.plan, context)
    var interruption = Interruption()
    let prism = try PrismFiles.asked(report.plan, context, until: &interruption)
    let solved = try solve(report.plan, context, until: &interruption)
    guard let solution = solved, solution.days > 0 else {
      throw Failure(.userCancel, "Interrupted before the first day was solved.")
    }
    let (attacked, isAttacked) = try QuestionRun(questions, in: "attacks")
      .perform(until: &interruption, context) { (question, isStopped) throws(Failure) in
        try AttackReport.quantities(plan, [question], isStopped: isStopped)
      }
    var written: PrismFiles.Written?
    var unwritten: Failure?
    if isAttacked {
      do throws(Failure) {
        try drawing?.draw(
          report,
          context,
          days: solution.days,
          questions,
          until: &interruption
        )
      } catch { unwritten = error }
      do throws(Failure) { written = try prism?.write(context) } catch { unwritten = error }
    }
    let numbers = quantities(solution, plan) + attacked.joined()
    let isSensitive = context.arguments[sensitivity] && !interruption.hasCome()
    let answer = SolvedCase(
      report: report,
      solution: solution,
      quantities: numbers,
      assumptions: AttackReport.assumptions(questions),
      compliance: Compliance(
        report.plan,
        rejected: solution.rejected,
        iapar: sensor.fakes?.iapar,
        secrets: AttackOptions.secrets(context)
      ),
      sensitivity: isSensitive
        ? try SensitivityReport(
          plan,
          solution.days,
          numbers,
          questions,
          context,
          until: &interruption
        ) : nil,
      written: written,
      days: context.arguments[days].count,
      isWhole: interruption.signal == nil
    )
    return answer.report(asCSV: asCSV, unwritten)
  }

  /// Solves the case on a thread, so that a signal can end it after any day.
  static func solve(
    _ plan: PolicyCase,
    _ context: VerbContext,
    until interruption: inout Interruption
  ) throws(Failure) -> Solution? {
    let days = context.arguments[days].count
    // The chain that is written has everybody, so the solution beside it drops nobody.
    let isWritten = context.arguments[PrismFiles.file] != nil
    let dropping = isWritten ? PrismChain.dropping : Solution.dropping
    return try SimulationRun<Solution?>(1, nothing: nil).perform(
      threads: 1,
      until: &interruption,
      piece: { _, isStopped in
        Solution(
          plan,
          days: days,
          percentiles: shares.map(\.0),
          dropping: dropping,
          isStopped: isStopped
        )
      },
      merge: { $0 = $1 }
    ).result
  }

  /// The shares of people or logins for percentiles, with their words.
  static let shares = [(0.5, "50"), (0.9, "90"), (0.99, "99")]

  /// Returns the numbers of a solution of `plan`.
  static func quantities(_ solution: Solution, _ plan: PolicyCase) -> [Quantity] {
    quantities(solution, solution.times(), plan)
  }

  /// Returns the numbers of a solution of `plan` with these times of logins.
  static func quantities(
    _ solution: Solution,
    _ logins: LoginTimes,
    _ plan: PolicyCase
  ) -> [Quantity] {
    let times = zip(shares, logins.percentiles(shares.map(\.0))).map { share, range in
      let (low, high) = (range.lowerBound / .seconds(1), range.upperBound / .seconds(1))
      return Quantity(
        "time.p\(share.1)",
        "time of a login, \(share.1) in 100 take at most",
        .seconds,
        (low + high) / 2,
        low...high
      )
    }
    let fingers =
      [refused(solution), lockouts(solution)] + lockoutPercentiles(solution) + [
        Quantity(
          "everLockedOut",
          "people locked out at least once in \(CountText.of(solution.days, "day"))",
          .share,
          solution.everLockedOut
        ),
        Quantity(
          Quantity.fallbacks,
          "logins that need the passcode instead of a finger",
          .share,
          solution.fallbacks
        ),
      ]
    return fingers.map { $0.ofFingers(plan) } + ends(solution) + times
  }

  private static func refused(_ solution: Solution) -> Quantity {
    Quantity(
      "falseRejects",
      "transactions refused to the right person",
      .share,
      solution.rejected
    )
  }

  private static func lockouts(_ solution: Solution) -> Quantity {
    Quantity("lockouts", "lockouts a year", .perYear, solution.lockoutsPerYear)
  }

  /// One for each share of people that was asked for, which are the first of ``shares``.
  private static func lockoutPercentiles(_ solution: Solution) -> [Quantity] {
    zip(shares, solution.percentiles).map { share, found in
      Quantity(
        "lockouts.p\(share.1)",
        "lockouts a year, \(share.1) in 100 people expect at most",
        .perYear,
        found.lockoutsPerYear
      )
    }
  }

  private static func ends(_ solution: Solution) -> [Quantity] {
    [
      Quantity("denied", "logins given up", .share, solution.denied),
      Quantity("time", "time of a login", .seconds, solution.meanTime / .seconds(1)),
    ]
  }
}
