import LocalAuthAnalysis
import LocalAuthCore
import LocalAuthJSON

/// One number that comes out, with what it is called and how sure it is.
struct Quantity {
  /// How people read the value.
  enum Unit: String {
    case share
    case perYear = "per year"
    case seconds
  }

  /// What programs call it.
  let name: String
  /// What people read.
  let label: String
  let unit: Unit
  let value: Double
  /// From where to where it lies: with 95 % confidence where it was drawn, for certain where a grid leaves it
  /// open; nil for other exact values and for percentiles that were drawn.
  let interval: ClosedRange<Double>?

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

  /// Label, value and interval for a table, unless both of its ends read alike.
  var row: [String] {
    guard let ends = interval.map({ (text($0.lowerBound), text($0.upperBound)) }), ends.0 != ends.1
    else { return [label, text(value)] }
    return [label, text(value), "\(ends.0) to \(ends.1)"]
  }

  /// Name, value and bounds for a comma-separated file.
  var csv: String {
    let bounds = interval.map { "\($0.lowerBound),\($0.upperBound)" } ?? ","
    return "\(name),\(value),\(bounds)"
  }

  /// The heads of such a file.
  static let csvHead = "quantity,value,low,high"

  /// A value of this quantity for people.
  func text(_ value: Double) -> String {
    switch unit {
    case .share: RateText.text(value)
    case .perYear: RateText.significant(value)
    case .seconds: RateText.significant(value) + " s"
    }
  }

  /// Writes it as a member of `writer`'s object.
  func write<Sink: ~Copyable>(_ writer: inout JSONWriter<Sink>) {
    writer.member("name", name)
    writer.member("unit", unit.rawValue)
    writer.member("value", number: value)
    writer.member("low", number: interval?.lowerBound)
    writer.member("high", number: interval?.upperBound)
  }
}

extension JSONWriter where Sink: ~Copyable {
  /// Writes a member that is a number or null.
  mutating func member(_ name: String, number value: Double?) {
    key(named: name)
    if let value { double(value) } else { null() }
  }
}

/// What a verb that computes has to say: what was considered, and what came of it.
struct QuantityReport {
  /// Lines about what was considered.
  var head: [String]
  var quantities: [Quantity]
  /// What follows the table.
  var tail: [String] = []

  /// Refuses to print two things on one standard output.
  static func check(_ context: VerbContext, csv: Bool) throws(Failure) {
    guard csv, context.output.wantsJSON else { return }
    throw Failure(.usage, "--csv and --json exclude each other.")
  }

  /// The answer for people, or as a comma-separated file.
  func answer(asCSV: Bool) -> [String] {
    guard !asCSV else { return [Quantity.csvHead] + quantities.map(\.csv) }
    return head + [""] + Columns.table(quantities.map(\.row)) + tail
  }
}
