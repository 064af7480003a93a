/// From which to which number a value of a file may be.
struct NumberRange {
  /// A rate that can be neither 0 nor 1.
  static let rate = NumberRange(0, 1, isOpenBelow: true, isOpenAbove: true)
  /// A probability.
  static let share = NumberRange(0, 1)
  /// A share that leaves something over.
  static let part = NumberRange(0, 1, isOpenAbove: true)
  /// A distance between scores, in standard deviations.
  static let separation = NumberRange(0, 100, isOpenBelow: true)
  /// A correlation up to which means over people are exact.
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

  /// What is allowed, in words.
  var rule: String {
    "a number \(isOpenBelow ? "above" : "of at least") \(Self.text(lower)) "
      + "and \(isOpenAbove ? "below" : "at most") \(Self.text(upper))"
  }

  private static func text(_ number: Double) -> String {
    number == number.rounded() ? String(Int(number)) : number.description
  }
}
