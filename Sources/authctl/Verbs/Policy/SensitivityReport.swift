import LocalAuthAnalysis
import LocalAuthCore
import LocalAuthJSON

/// What `--sensitivity` tells: each headline with every number of ours changed.
struct SensitivityReport {
  /// The headlines with one number changed.
  struct Row: Sendable {
    let change: Sensitivity.Change
    /// What changes with it goes before what is as it was.
    let quantities: [Quantity]

    /// What `headline` is with it; nil if it comes to nothing of the kind.
    func value(_ headline: Quantity) -> Double? {
      quantities.first { $0.name == headline.name }?.value
    }
  }

  /// The headlines of the case itself.
  let base: [Quantity]
  let rows: [Row]
  /// Changes under which an attack has too many states to be solved.
  private let unsolved: [Sensitivity.Change]
  /// Whether no signal cut it short.
  let isComplete: Bool

  /// The least change that is worth a line: a tenth.
  private static let noticed = 1.1
  /// The change beyond which a headline is no more than an order of magnitude.
  private static let robust = 2.0

  /// Solves `plan`, which comes to `base` in this many days, with each number changed, on all processors.
  init(
    _ plan: PolicyCase,
    _ days: UInt32,
    _ base: [Quantity],
    _ questions: [AttackQuestion],
    _ context: VerbContext,
    until interruption: inout Interruption
  ) throws(Failure) {
    self.base = base
    let changes = Sensitivity(
      plan,
      questions.compactMap(\.attack),
      touchesOnPurpose: questions.contains { $0.attack == nil }
    ).changes
    let (solved, isComplete) = try QuestionRun(changes, in: "cases")
      .results(until: &interruption, context) { (change, isStopped) throws(Failure) in
        let people = change.concernsPeople ? Self.people(change.plan, days, isStopped) : base
        guard let people, let attacked = try Self.attacked(change, questions, isStopped) else {
          return nil as [Quantity]?
        }
        // What it does not concern is as it was.
        return attacked + people + base
      }
    self.isComplete = isComplete
    var (rows, unsolved): ([Row], [Sensitivity.Change]) = ([], [])
    for (number, change) in changes.enumerated() {
      switch solved[number] {
      case .success(let quantities): rows.append(Row(change: change, quantities: quantities))
      case .failure: unsolved.append(change)
      case nil: break
      }
    }
    (self.rows, self.unsolved) = (rows, unsolved)
  }

  /// The headlines about people; nil if it was stopped.
  private static func people(
    _ plan: PolicyCase,
    _ days: UInt32,
    _ isStopped: () -> Bool
  ) -> [Quantity]? {
    let solution = Solution(
      plan,
      days: days,
      percentiles: PolicySolveVerb.shares.map(\.0),
      isStopped: isStopped
    )
    guard solution.days == days, let times = solution.times(isStopped: isStopped) else {
      return nil
    }
    return PolicySolveVerb.quantities(solution, times, plan)
  }

  /// The headlines about attackers whom it concerns, nil if it was stopped; touches on purpose depend on what
  /// people do, and take no time to solve.
  private static func attacked(
    _ change: Sensitivity.Change,
    _ questions: [AttackQuestion],
    _ isStopped: () -> Bool
  ) throws(Failure) -> [Quantity]? {
    var attacks = change.attacks.makeIterator()
    let asked = questions.map { question in
      question.attack == nil ? question : attacks.next().map { .attack($0) } ?? question
    }
    let open = asked.filter { $0.attack == nil || change.concernsAttackers }
    return try AttackReport.quantities(
      change.plan,
      open,
      pace: change.pace,
      isStopped: isStopped
    )
  }

  // MARK: For people

  /// What our numbers do to one headline.
  struct Finding {
    let headline: Quantity
    /// The least and the greatest value that one changed number gives.
    let low, high: Double
    /// What moves it by a tenth, the strongest first.
    let movers: [Mover]
    /// How many numbers do not.
    let others: Int

    /// Whether it is an order of magnitude and no more.
    var isRough: Bool {
      SensitivityReport.factor(low, high) > SensitivityReport.robust * SensitivityReport.robust
    }
  }

  /// What one number does to one headline.
  struct Mover {
    let change: Sensitivity.Change
    /// The number instead, and the headline then.
    var ends: [(change: Sensitivity.Change, value: Double)]
    var factor: Double
  }

  /// A finding for each headline.
  var findings: [Finding] {
    base.filter { $0.moot == nil }.map(finding)
  }

  /// The finding for the headline of this name; nil if there is none.
  func finding(_ name: String) -> Finding? {
    base.first { $0.name == name && $0.moot == nil }.map(finding)
  }

  private func finding(_ headline: Quantity) -> Finding {
    let movers = movers(headline)
    let values = movers.flatMap { $0.ends.map(\.value) } + [headline.value]
    let strong = movers.filter { $0.factor >= Self.noticed }
    return Finding(
      headline: headline,
      low: values.min() ?? 0,
      high: values.max() ?? 0,
      movers: strong,
      others: movers.count - strong.count
    )
  }

  /// A paragraph for each headline.
  var text: [String] {
    ["", "What our own numbers decide, each changed:"] + findings.flatMap(text)
      + leftOut
  }

  /// What was left out, a line each.
  var leftOut: [String] {
    unsolved.map { change in
      "left out is \(change.label) \(AssumptionText.text(change)): an attack has too many states to be solved then"
    }
  }

  private func text(_ finding: Finding) -> [String] {
    let headline = finding.headline
    var head = "\(headline.label): \(headline.text(headline.value))"
    if !finding.movers.isEmpty {
      head += ", from \(headline.text(finding.low)) to \(headline.text(finding.high))"
    }
    if finding.isRough { head += ": an order of magnitude" }
    let table = Columns.table(
      finding.movers.map { mover in
        let unit = mover.change.unit
        return ["  \(mover.change.label) \(AssumptionText.text(mover.change.value, unit))"]
          + mover.ends.map {
            "\(AssumptionText.text($0.change)): \(headline.text($0.value))"
          }
      }
    )
    let others = finding.others
    return [head] + table
      + (others == 0 ? [] : [Self.words(ofOthers: others, besides: table.count)])
  }

  private static func words(ofOthers others: Int, besides movers: Int) -> String {
    let which =
      movers == 0
      ? "all \(others) change"
      : others == 1 ? "the other one changes" : "the other \(others) change"
    return "  \(which) it by less than a tenth"
  }

  private func movers(_ headline: Quantity) -> [Mover] {
    var movers: [Mover] = []
    for row in rows {
      guard let value = row.value(headline) else { continue }
      let factor = Self.factor(headline.value, value)
      if let last = movers.indices.last, movers[last].change.name == row.change.name {
        movers[last].ends.append((row.change, value))
        movers[last].factor = max(movers[last].factor, factor)
      } else {
        movers.append(Mover(change: row.change, ends: [(row.change, value)], factor: factor))
      }
    }
    return movers.sorted { $0.factor > $1.factor }
  }

  /// How many times the greater of both is the smaller.
  fileprivate static func factor(_ one: Double, _ other: Double) -> Double {
    one == other ? 1 : max(one, other) / min(one, other)
  }

  // MARK: For programs

  /// The changed headlines, each named after what was changed: `lockouts(impairedMiss=0.2)`.
  var named: [Quantity] {
    rows.flatMap { row in
      let changed = row.change.publication?.rawValue ?? "\(row.change.changed)"
      return pairs(row).map { headline, value in
        let name = "\(headline.name)(\(row.change.name)=\(changed))"
        return Quantity(name, headline.label, headline.unit, value)
      }
    }
  }

  /// The headlines of the case with what they are in `row`.
  private func pairs(_ row: Row) -> [(Quantity, Double)] {
    base.compactMap { headline in row.value(headline).map { (headline, $0) } }
  }

  /// Writes the member `sensitivity`.
  func write<Sink: ~Copyable>(_ writer: inout JSONWriter<Sink>) {
    writer.member("sensitivity", rows) { row, writer in
      writer.member("assumption", row.change.name)
      writer.member("unit", row.change.unit.rawValue)
      writer.member("value", number: row.change.value.isInfinite ? nil : row.change.value)
      writer.member("changed", number: row.change.changed)
      writer.member("publication", row.change.publication?.rawValue)
      writer.member("quantities", pairs(row)) { pair, writer in
        writer.member("name", pair.0.name)
        writer.member("unit", pair.0.unit.rawValue)
        writer.member("value", number: pair.0.value)
        writer.member("changed", number: pair.1)
      }
    }
  }
}
