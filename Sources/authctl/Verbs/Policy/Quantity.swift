import LocalAuthAnalysis
import LocalAuthCore
import LocalAuthJSON

/// A resulting number, with its name and its uncertainty.
struct Quantity {
  /// The unit of the value.
  enum Unit: String {
    case share
    case perYear = "per year"
    case perDay = "per day"
    case count
    case seconds
  }

  /// The name for programs.
  let name: String
  /// The label for people.
  let label: String
  let unit: Unit
  let value: Double
  /// The bounds of the value: a 95 % confidence interval if simulated, certain bounds if limited by
  /// a grid.
  ///
  /// It is nil for other exact values, and for percentiles of a simulation.
  let interval: ClosedRange<Double>?
  /// Why a policy cannot come to any; nil if it can.
  private(set) var moot: String?

  init(
    _ name: String,
    _ label: String,
    _ unit: Unit,
    _ value: Double,
    _ interval: ClosedRange<Double>? = nil
  ) {
    self.name = name
    self.label = label
    self.unit = unit
    self.value = value
    self.interval = interval
  }

  /// Label, value and interval for a table; without the interval if both of its ends look the same.
  var row: [String] {
    guard let ends = interval.map({ (text($0.lowerBound), text($0.upperBound)) }),
      ends.0 != ends.1
    else { return [label, text(value)] }
    return [label, text(value), "\(ends.0) to \(ends.1)"]
  }

  /// The value for people, or why there is none.
  var shown: String { moot ?? text(value) }

  /// The same as a quantity of fingers under the policy of `plan`, which may be none.
  func ofFingers(_ plan: PolicyCase) -> Quantity {
    var quantity = self
    if !plan.asksForFinger {
      quantity.moot = "no finger is asked for"
    } else if name == Self.fallbacks, !plan.isFingerEnough {
      quantity.moot = "a finger alone does not do"
    }
    return quantity
  }

  /// The name of the share of logins that need the passcode instead of a finger.
  static let fallbacks = "fallbacks"

  /// Name, value and bounds for a CSV file.
  var csv: String {
    let bounds = interval.map { "\($0.lowerBound),\($0.upperBound)" } ?? ","
    return "\(name),\(value),\(bounds)"
  }

  /// The header of the CSV file.
  static let csvHead = "quantity,value,low,high"

  /// Formats a value of this quantity for people.
  func text(_ value: Double) -> String {
    switch unit {
    case .share: RateText.text(value)
    case .perYear, .perDay: RateText.rounded(value)
    case .count: RateText.significant(value)
    case .seconds: RateText.significant(value) + " s"
    }
  }

  /// Writes the quantity's members into `writer`'s object.
  func write<Sink: ~Copyable>(_ writer: inout JSONWriter<Sink>) {
    writer.member("name", name)
    writer.member("unit", unit.rawValue)
    writer.member("value", number: value)
    writer.member("low", number: interval?.lowerBound)
    writer.member("high", number: interval?.upperBound)
  }
}

extension JSONWriter where Sink: ~Copyable {
  /// Writes a member whose value is a number or null.
  mutating func member(_ name: String, number value: Double?) {
    key(named: name)
    if let value { double(value) } else { null() }
  }
}

/// The report of a verb that computes: its assumptions and its results.
struct QuantityReport {
  /// Lines about the assumptions.
  var head: [String]
  var quantities: [Quantity]
  /// Lines after the table.
  var tail: [String] = []
  /// How far the computation came, for a CSV file.
  var reached: [(name: String, count: UInt64)] = []
  /// Whether everything asked for was computed.
  var isComplete = true

  /// What is said of results that a signal cut short.
  static let interrupted = "Interrupted: the results are partial."

  /// Rejects `--csv` together with `--json`, because both claim standard output.
  static func check(_ context: VerbContext, csv: Bool) throws(Failure) {
    guard csv, context.output.wantsJSON else { return }
    throw Failure(.usage, "--csv and --json exclude each other.")
  }

  /// Returns the answer for people, or as a CSV file.
  func answer(asCSV: Bool) -> [String] {
    guard !asCSV else {
      return [Quantity.csvHead] + quantities.map(\.csv)
        + reached.map { "\($0.name),\($0.count),," } + ["complete,\(isComplete ? 1 : 0),,"]
    }
    let columns = Columns.shownColumns
    return Columns.narrowed(head, to: columns) + [""] + table(columns)
      + Columns.narrowed(tail + (isComplete ? [] : ["", Self.interrupted]), to: columns)
  }

  /// A line for each quantity that the policy can come to; where that is too long for the terminal, the value is below the label.
  func table(_ columns: Int?) -> [String] {
    let quantities = quantities.filter { $0.moot == nil }
    let lines = Columns.table(quantities.map(\.row))
    guard let columns, lines.contains(where: { $0.unicodeScalars.count > columns }) else {
      return lines
    }
    let rows = quantities.flatMap { quantity in
      [quantity.label, "  " + quantity.row.dropFirst().joined(separator: "  ")]
    }
    return Columns.narrowed(rows, to: columns)
  }
}
