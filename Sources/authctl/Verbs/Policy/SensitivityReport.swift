import LocalAuthAnalysis
import LocalAuthCore
import LocalAuthJSON

/// What `--sensitivity` tells: each headline with every number of ours halved and doubled.
struct SensitivityReport {
  /// The headlines with one number changed.
  struct Row: Sendable {
    let change: Sensitivity.Change
    let quantities: [Quantity]
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

  /// Solves `plan`, of which `solution` is the answer, with each number changed, on all
  /// processors.
  init(
    _ plan: PolicyCase,
    _ solution: Solution,
    _ questions: [AttackQuestion],
    _ context: VerbContext
  ) throws(Failure) {
    let attacks = questions.compactMap(\.attack)
    let changes = Sensitivity(plan, attacks).changes
    let people = PolicySolveVerb.headlines(solution)
    let attacked = try AttackReport.quantities(plan, attacks.map { .attack($0) })
    base = people + attacked
    typealias Solved = [Int: Swift.Result<[Quantity], Failure>]
    var line = ProgressLine(in: "cases", context)
    defer { line.clear() }
    let run = SimulationRun<Solved>(UInt32(changes.count), nothing: [:])
    let (solved, isComplete) = try run.perform(
      threads: ThreadCount.usual,
      progress: { line.show(Double($0) / Double(changes.count), units: Double($0)) },
      piece: { number, isStopped in
        let change = changes[Int(number)]
        let known = change.concernsPeople ? nil : people
        guard let people = known ?? Self.people(change.plan, solution.days, isStopped) else {
          return nil
        }
        return [
          Int(number): Swift.Result { () throws(Failure) in
            guard change.concernsAttackers else { return people + attacked }
            let asked = change.attacks.map { AttackQuestion.attack($0) }
            return people + (try AttackReport.quantities(change.plan, asked))
          }
        ]
      },
      merge: { $0.merge($1) { first, _ in first } }
    )
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
    let shares = PolicySolveVerb.shares.prefix(1).map(\.0)
    let solution = Solution(plan, days: days, percentiles: shares, isStopped: isStopped)
    return solution.days == days ? PolicySolveVerb.headlines(solution) : nil
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
    var ends: [(changed: Double, value: Double)]
    var factor: Double
  }

  /// A finding for each headline.
  var findings: [Finding] {
    base.indices.map { index in
      let movers = movers(index)
      let values = movers.flatMap { $0.ends.map(\.value) } + [base[index].value]
      let strong = movers.filter { $0.factor >= Self.noticed }
      return Finding(
        headline: base[index],
        low: values.min() ?? 0,
        high: values.max() ?? 0,
        movers: strong,
        others: movers.count - strong.count
      )
    }
  }

  /// A paragraph for each headline.
  var text: [String] {
    ["", "What our own numbers decide, each halved and doubled:"] + findings.flatMap(text)
      + leftOut
  }

  /// What was left out, a line each.
  var leftOut: [String] {
    unsolved.map { change in
      let number = AssumptionText.text(change.changed, change.unit)
      return
        "left out is \(change.label) \(number): an attack has too many states to be solved then"
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
            "\(AssumptionText.text($0.changed, unit)): \(headline.text($0.value))"
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

  private func movers(_ index: Int) -> [Mover] {
    var movers: [(name: String, mover: Mover)] = []
    for row in rows {
      let value = row.quantities[index].value
      let end = (row.change.changed, value)
      let factor = Self.factor(base[index].value, value)
      if let last = movers.indices.last, movers[last].name == row.change.name {
        movers[last].mover.ends.append(end)
        movers[last].mover.factor = max(movers[last].mover.factor, factor)
      } else {
        movers.append(
          (row.change.name, Mover(change: row.change, ends: [end], factor: factor))
        )
      }
    }
    return movers.map(\.mover).sorted { $0.factor > $1.factor }
  }

  /// How many times the greater of both is the smaller.
  fileprivate static func factor(_ one: Double, _ other: Double) -> Double {
    one == other ? 1 : max(one, other) / min(one, other)
  }

  // MARK: For programs

  /// The changed headlines, each named after what was changed: `lockouts(impairedMiss=0.2)`.
  var named: [Quantity] {
    rows.flatMap { row in
      row.quantities.map { quantity in
        let name = "\(quantity.name)(\(row.change.name)=\(row.change.changed))"
        return Quantity(name, quantity.label, quantity.unit, quantity.value)
      }
    }
  }

  /// Writes the member `sensitivity`.
  func write<Sink: ~Copyable>(_ writer: inout JSONWriter<Sink>) {
    writer.member("sensitivity", rows) { row, writer in
      writer.member("assumption", row.change.name)
      writer.member("unit", row.change.unit.rawValue)
      writer.member("value", number: row.change.value.isInfinite ? nil : row.change.value)
      writer.member("changed", number: row.change.changed)
      writer.member("quantities", zip(base, row.quantities).map { ($0, $1) }) { pair, writer in
        writer.member("name", pair.0.name)
        writer.member("unit", pair.0.unit.rawValue)
        writer.member("value", number: pair.0.value)
        writer.member("changed", number: pair.1.value)
      }
    }
  }
}
