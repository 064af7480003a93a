/// Why numbers do not describe a possible sensor.
public enum ModelError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A quantity is out of range.
  case outOfRange(_ quantity: String, _ value: Double, allowed: String)
  /// The sensor could not tell people apart.
  case noSeparation(Double)
  /// A descriptor lacks a field that the model is calibrated from.
  case notAttested(_ field: String)

  /// What is wrong and what is allowed, in one line.
  public var description: String {
    switch self {
    case .outOfRange(let quantity, let value, let allowed):
      "\(quantity) is \(value); it must be \(allowed)"
    case .noSeparation(let value):
      "d' is \(value); it must be above 0, so FMR and FNMR must add up to less than 1"
    case .notAttested(let field):
      "the descriptor does not attest \(field), from which the model is calibrated"
    }
  }

  /// Returns `value` if it is a probability.
  static func probability(_ value: Double, _ quantity: String) throws(ModelError) -> Double {
    guard value >= 0, value <= 1 else {
      throw .outOfRange(quantity, value, allowed: "between 0 and 1")
    }
    return value
  }

  /// Returns `value` if it is a probability strictly between 0 and 1.
  static func openProbability(_ value: Double, _ quantity: String) throws(ModelError) -> Double {
    guard value > 0, value < 1 else {
      throw .outOfRange(quantity, value, allowed: "above 0 and below 1")
    }
    return value
  }

  /// Returns `value` if it is finite.
  static func finite(_ value: Double, _ quantity: String) throws(ModelError) -> Double {
    guard value.isFinite else { throw .outOfRange(quantity, value, allowed: "finite") }
    return value
  }

  /// Returns `value` if it is finite and above zero.
  static func positive(_ value: Double, _ quantity: String) throws(ModelError) -> Double {
    guard value > 0, value.isFinite else {
      throw .outOfRange(quantity, value, allowed: "above 0 and finite")
    }
    return value
  }
}
