import CLocalAuthMath

/// Formats rates and other numbers for people.
public enum RateText {
  /// `1 in 50000` or `1 in 83.3 billion` for small rates, percent for others, with three significant
  /// digits.
  public static func text(_ rate: Double) -> String {
    guard rate > 0 else { return "0" }
    guard rate < 0.0005 else { return significant(rate * 100) + " %" }
    return "1 in " + count(1 / rate)
  }

  /// Rounds to three significant digits, as `rounded`, and says how many millions, billions or trillions
  /// these are.
  public static func count(_ value: Double) -> String {
    let value = toThreeDigits(value)
    guard value < 1e15 else { return "10^15 or more" }
    let units = [(1e12, "trillion"), (1e9, "billion"), (1e6, "million")]
    guard let (size, word) = units.first(where: { value >= $0.0 }) else {
      return significant(value)
    }
    return "\(significant(value / size)) \(word)"
  }

  /// Rounds to three significant digits, those before the point included.
  public static func rounded(_ value: Double) -> String { significant(toThreeDigits(value)) }

  private static func toThreeDigits(_ value: Double) -> Double {
    guard value >= 1000, value < 1e15 else { return value }
    let scale = Double(power(Int((la_log(value) / la_log(10)).rounded(.down)) - 2))
    return (value / scale).rounded() * scale
  }

  /// Rounds to three significant digits, dropping trailing decimals; tiny values become `1.2e-9`.
  public static func significant(_ value: Double) -> String {
    guard value.isFinite, value != 0 else { return value == 0 ? "0" : "\(value)" }
    guard abs(value) >= least else { return scientific(value) }
    guard abs(value) < 1e15 else { return "\(value)" }
    let magnitude = Int((la_log(abs(value)) / la_log(10)).rounded(.down))
    let places = max(0, 2 - magnitude)
    let scale = power(places)
    let scaled = (abs(value) * Double(scale)).rounded()
    let whole = Int64(scaled) / scale
    var rest = Int64(scaled) % scale
    var digits = ""
    for _ in 0..<places {
      digits = "\(rest % 10)" + digits
      rest /= 10
    }
    while digits.hasSuffix("0") { digits.removeLast() }
    return (value < 0 ? "-" : "") + "\(whole)" + (digits.isEmpty ? "" : "." + digits)
  }

  /// Values below it would begin with more zeros than somebody counts at a glance.
  private static let least = 1e-4

  private static func scientific(_ value: Double) -> String {
    var (digits, exponent) = (abs(value), 0)
    while digits < 9.995 {
      digits *= 10
      exponent -= 1
    }
    return (value < 0 ? "-" : "") + significant(digits / 10) + "e\(exponent + 1)"
  }

  private static func power(_ places: Int) -> Int64 {
    (0..<places).reduce(1) { ten, _ in ten * 10 }
  }
}
