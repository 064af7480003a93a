import LocalAuthAnalysis
import LocalAuthCore
import LocalAuthJSON
import LocalAuthUnix

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
  /// Whether no signal cut it short.
  let isComplete: Bool

  /// The least change that is worth a line: a tenth.
  private static let noticed = 1.1
  /// The change beyond which a headline is no more than an order of magnitude.
  private static let robust = 2.0

  /// Solves `plan` with each number changed, on all processors.
  init(
    _ plan: PolicyCase,
    days: UInt32,
    _ questions: [AttackQuestion],
    _ context: VerbContext
  ) throws(Failure) {
    let attacks = questions.compactMap { if case .attack(let attack) = $0 { attack } else { nil } }
    let changes = Sensitivity(plan, isAttacked: !attacks.isEmpty).changes
    typealias Solved = [Int: Swift.Result<[Quantity], Failure>]
    var line = ProgressLine(in: "cases", context)
    defer { line.clear() }
    let count = changes.count + 1
    let run = SimulationRun<Solved>(UInt32(count), nothing: [:])
    let (solved, isComplete) = try run.perform(
      threads: min(256, ThisProgram.processors),
      progress: { line.show(Double($0) / Double(count), units: Double($0)) },
      piece: { number, isStopped in
        let change = number == 0 ? nil : changes[Int(number) - 1]
        let plan = change?.plan ?? plan
        let asked = attacks.map { $0.paced(change?.pace ?? 1) }
        return Self.headlines(plan, days, asked, isStopped).map { [Int(number): $0] }
      },
      merge: { $0.merge($1) { first, _ in first } }
    )
    guard let base = solved[0] else {
      throw Failure(.userCancel, "Interrupted before the first case was solved.")
    }
    self.base = try base.get()
    self.isComplete = isComplete
    var rows: [Row] = []
    for (number, change) in changes.enumerated() {
      guard let found = solved[number + 1] else { continue }
      rows.append(Row(change: change, quantities: try found.get()))
    }
    self.rows = rows
  }

  /// The headlines of one case; nil if it was stopped.
  private static func headlines(
    _ plan: PolicyCase,
    _ days: UInt32,
    _ attacks: [Attack],
    _ isStopped: () -> Bool
  ) -> Swift.Result<[Quantity], Failure>? {
    let solution = Solution(plan, days: days, percentiles: [0.5], isStopped: isStopped)
    guard solution.days == days else { return nil }
    return Swift.Result { () throws(Failure) in
      PolicySolveVerb.headlines(solution)
        + (try AttackReport.quantities(plan, attacks.map { .attack($0) }))
    }
  }

  // MARK: For people

  /// A paragraph for each headline: what moves it by a tenth, the strongest first.
  var text: [String] {
    ["", "What our own numbers decide, each halved and doubled:"] + base.indices.flatMap(text)
  }

  private func text(_ index: Int) -> [String] {
    let headline = base[index]
    let effects = effects(index)
    let values = effects.flatMap { $0.ends.map(\.value) } + [headline.value]
    let (low, high) = (values.min() ?? headline.value, values.max() ?? headline.value)
    var head = "\(headline.label): \(headline.text(headline.value))"
    let strong = effects.filter { $0.factor >= Self.noticed }
    if !strong.isEmpty { head += ", from \(headline.text(low)) to \(headline.text(high))" }
    if Self.factor(low, high) > Self.robust * Self.robust { head += ": an order of magnitude" }
    let table = Columns.table(
      strong.map { effect in
        ["  \(effect.label)"]
          + effect.ends.map { "\($0.number): \(headline.text($0.value))" }
      }
    )
    let others = effects.count - strong.count
    let rest = others == 0 ? [] : ["  the other \(others) change it by less than a tenth"]
    return [head] + table + rest
  }

  /// What one number does to one headline.
  private struct Effect {
    let label: String
    var ends: [(number: String, value: Double)]
    var factor: Double
  }

  private func effects(_ index: Int) -> [Effect] {
    var effects: [(name: String, effect: Effect)] = []
    for row in rows {
      let value = row.quantities[index].value
      let end = (AssumptionText.text(row.change.changed, row.change.unit), value)
      let factor = Self.factor(base[index].value, value)
      if let last = effects.indices.last, effects[last].name == row.change.name {
        effects[last].effect.ends.append(end)
        effects[last].effect.factor = max(effects[last].effect.factor, factor)
      } else {
        let number = AssumptionText.text(row.change.value, row.change.unit)
        let label = "\(row.change.label) \(number)"
        effects.append((row.change.name, Effect(label: label, ends: [end], factor: factor)))
      }
    }
    return effects.map(\.effect).sorted { $0.factor > $1.factor }
  }

  /// How many times the greater of both is the smaller.
  private static func factor(_ one: Double, _ other: Double) -> Double {
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
