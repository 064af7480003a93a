/// The range that a number in a file must lie in.
struct NumberRange {
  /// A rate strictly between 0 and 1.
  static let rate = NumberRange(0, 1, isOpenBelow: true, isOpenAbove: true)
  /// A probability.
  static let share = NumberRange(0, 1)
  /// A share below 1.
  static let part = NumberRange(0, 1, isOpenAbove: true)
  /// A distance between scores, in standard deviations.
  static let separation = NumberRange(0, 100, isOpenBelow: true)
  /// A correlation within which means over people are exact.
  static let correlation = NumberRange(0, 0.999)

  private let lower: Double
  private let upper: Double
  private let isOpenBelow: Bool
  private let isOpenAbove: Bool

  private init(
    _ lower: Double,
    _ upper: Double,
    isOpenBelow: Bool = false,
    isOpenAbove: Bool = false
  ) {
    self.lower = lower
    self.upper = upper
    self.isOpenBelow = isOpenBelow
    self.isOpenAbove = isOpenAbove
  }

  /// Whether `number` lies in the range.
  func contains(_ number: Double) -> Bool {
    (isOpenBelow ? number > lower : number >= lower)
      && (isOpenAbove ? number < upper : number <= upper)
  }

  /// The allowed values in words, for errors.
  var rule: String {
    "a number \(isOpenBelow ? "above" : "of at least") \(Self.text(lower)) "
      + "and \(isOpenAbove ? "below" : "at most") \(Self.text(upper))"
  }

  private static func text(_ number: Double) -> String {
    number == number.rounded() ? String(Int(number)) : number.description
  }
}
