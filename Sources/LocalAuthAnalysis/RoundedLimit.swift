/// A limit that a computed value is held against.
///
/// A sum of many shares has a rounding error in its last digits: what comes to 1 in 1000 may be computed as
/// 0.0010000000000000009, and would then miss a limit that it keeps to.
struct RoundedLimit {
  /// The part of a limit that is overlooked: far more than rounding comes to, far less than any number
  /// here is known to.
  private static let slack = 1e-9

  private let limit: Double

  init(_ limit: Double) { self.limit = limit }

  /// Whether `value` is the limit or less.
  func isAtLeast(_ value: Double) -> Bool { value <= limit * (1 + Self.slack) }

  /// Whether `value` is less than the limit.
  func isAbove(_ value: Double) -> Bool { value < limit * (1 - Self.slack) }

  /// Whether `value` is the limit or more.
  func isAtMost(_ value: Double) -> Bool { value >= limit * (1 - Self.slack) }
}
