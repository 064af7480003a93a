/// A number whose default is our own, because we know of no publication that gives it.
public protocol OwnNumber: Sendable {
  /// What has such a number, or has none that depends on it.
  associatedtype Subject
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
  /// Returns the number in `subject`; nil if nothing there depends on such a number.
  func value(in subject: Subject) -> Double?
}

extension OwnNumber {
  /// Whether `subject` has our number and no other.
  ///
  /// Last digits do not count: some numbers are converted on the way.
  public func isOurs(in subject: Subject) -> Bool {
    guard let value = value(in: subject) else { return false }
    return value == standard || abs(value - standard) <= 1e-9 * standard && standard.isFinite
  }
}
