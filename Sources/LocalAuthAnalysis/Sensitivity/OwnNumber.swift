/// A number whose default is our own, because we know of no publication that gives it.
public protocol OwnNumber: Sendable {
  /// The name for programs.
  var name: String { get }
  /// A label for a table.
  var label: String { get }
  /// What the number says, in words for a person who knows none of the terms.
  var words: String { get }
  /// What the number counts.
  var unit: Assumption.Unit { get }
  /// Our number; infinity for no limit.
  var standard: Double { get }
}

extension OwnNumber {
  /// Whether `value` is our number.
  ///
  /// Last digits do not count: some numbers are converted on the way.
  func isStandard(_ value: Double) -> Bool {
    value == standard || abs(value - standard) <= 1e-9 * standard && standard.isFinite
  }
}
