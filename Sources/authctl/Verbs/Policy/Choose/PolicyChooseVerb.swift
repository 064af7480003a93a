import LocalAuthAnalysis
import LocalAuthCore
import LocalAuthPolicies
import LocalAuthPolicyFiles
import LocalAuthSensor
import LocalAuthUnix

/// `authctl policy choose`.
enum PolicyChooseVerb {
  static let days = Option<DayCount>("days", "N", default: "365", help: "for how many days")
  static let shown = Option<ShownCount>("show", "N", default: "5", help: "how many policies")

  static let command = Command(
    "choose",
    abstract: "Find the cheapest policies that keep to bounds.",
    discussion: """
      Looks at every way to ask that a policy has, with every lockout profile, passcode delay table,
      freshness and grant, and solves them exactly as 'policy solve' does: all for 14 days, and what
      could be among the cheapest for a year. The cheapest come first, each with the bound that decides:
      the one that excludes it first if all are tightened alike. Names are those in force without your
      own policies.

      Exits 1 if nothing keeps to all bounds, and says which of them conflict. Interrupted, it tells what
      it has and exits 3.

        authctl policy choose --max-attack pin=0.001 --max-lockouts 10 --max-time 5s
        authctl policy choose --rule apple --max-cost 60 --out chosen.json
      """,
    options: ChooseOptions.declarations + CaseOptions.people + [
      days.declaration, shown.declaration, PolicySimulateVerb.threads.declaration,
      PolicySimulateVerb.csv.declaration,
    ] + ChosenFile.declarations
  ) { (context) throws(Failure) in try run(context) }

  private static func run(_ context: VerbContext) throws(Failure) -> Report {
    let asCSV = context.arguments[PolicySimulateVerb.csv]
    try QuantityReport.check(context, csv: asCSV)
    let sensor = try SensorChoice(context)
    let catalog = PolicyFiles.catalog(system: PolicyFiles.systemDirectory, user: nil)
    let choice = try choice(catalog, sensor, context)
    let file = try ChosenFile.asked(catalog, context)
    let (search, isComplete) = try searched(choice, context)
    let found = ChooseReport(search, sensor, isComplete: isComplete)
    guard isComplete, let file else { return found.report(nil, asCSV: asCSV) }
    do throws(Failure) {
      return found.report(try file.write(search.result.chosen.first), asCSV: asCSV)
    } catch {
      // What took long to compute is not lost with the file.
      var report = found.report(nil, asCSV: asCSV)
      report.fail(error.outcome, error.message)
      return report
    }
  }

  /// Returns the question that the command line of `context` asks.
  static func choice(
    _ catalog: PolicyCatalog,
    _ sensor: SensorChoice,
    _ context: VerbContext
  ) throws(Failure) -> Choice {
    let bounds = try ChooseOptions.bounds(sensor, context)
    // What asks for something else is not worth solving, and in no conflict but that one.
    let space = try space(catalog).asking(
      only: context.arguments[ChooseOptions.with].authenticators
    )
    var choice = Choice(space, bounds, sensor: sensor.profile.model)
    choice.prints = sensor.prints
    choice.habits = try CaseOptions.habits(context)
    choice.prices = ChooseOptions.prices(context)
    choice.days = context.arguments[days].count
    choice.count = context.arguments[shown].count
    choice.iapar = sensor.fakes?.iapar
    choice.secrets = AttackOptions.secrets(context)
    return choice
  }

  /// Everything in force; what a device has if nothing is said comes first.
  private static func space(_ catalog: PolicyCatalog) throws(Failure) -> ChoiceSpace {
    func first(_ own: String, _ names: [String]) -> [String] { [own] + names.filter { $0 != own } }
    do throws(PolicyError) {
      return ChoiceSpace(
        policies: try catalog.names.map { (name) throws(PolicyError) in
          try catalog.policy(named: name).get()
        },
        lockouts: try first(DeviceRecord.ownLockoutProfile, catalog.lockoutProfileNames)
          .map { (name) throws(PolicyError) in try catalog.lockoutProfile(named: name).get() },
        delays: try first(DeviceRecord.ownPasscodeDelays, catalog.passcodeDelayNames)
          .map { (name) throws(PolicyError) in try catalog.passcodeDelays(named: name).get() }
      )
    } catch { throw Failure(.badConfiguration, "\(error)") }
  }

  /// Searches on threads, one round after the other, until it is over or a signal ends it.
  private static func searched(
    _ choice: Choice,
    _ context: VerbContext
  ) throws(Failure) -> (ChoiceSearch, isComplete: Bool) {
    var search = ChoiceSearch(choice)
    var line = ProgressLine(in: "cases", context)
    defer { line.clear() }
    var interruption = Interruption()
    let threads = PolicySimulateVerb.threadCount(context)
    while true {
      let pieces = search.next
      guard !pieces.isEmpty else { return (search, true) }
      let (round, known) = (search, Double(search.facts))
      let (found, isComplete) = try SimulationRun(UInt32(pieces.count), nothing: Findings())
        .perform(
          threads: threads,
          until: &interruption,
          progress: { line.show(Double($0) / Double(pieces.count), units: known + Double($0)) },
          piece: { round.find(pieces[Int($0)], isStopped: $1) },
          merge: { $0.merge($1) { $1 } }
        )
      search.take(found)
      guard isComplete else { return (search, false) }
    }
  }

  private typealias Findings = [ChoiceFact: ChoiceFinding]
}
