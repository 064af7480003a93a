import CLocalAuthMath

/// Formats rates and other numbers for people.
public enum RateText {
  /// `1 in 50000` for small rates, percent for others, with three significant digits.
  public static func text(_ rate: Double) -> String {
    guard rate > 0 else { return "0" }
    guard rate < 0.0005 else { return significant(rate * 100) + " %" }
    return "1 in " + (1 / rate < 1e15 ? rounded(1 / rate) : "10^15 or more")
  }

  /// Rounds to three significant digits, those before the point included.
  public static func rounded(_ value: Double) -> String {
    guard value >= 1000, value < 1e15 else { return significant(value) }
    let scale = Double(power(Int((la_log(value) / la_log(10)).rounded(.down)) - 2))
    return significant((value / scale).rounded() * scale)
  }

  /// Rounds to three significant digits, dropping trailing decimals.
  public static func significant(_ value: Double) -> String {
    guard value.isFinite, value != 0 else { return value == 0 ? "0" : "\(value)" }
    guard abs(value) < 1e15 else { return "\(value)" }
    let magnitude = Int((la_log(abs(value)) / la_log(10)).rounded(.down))
    let places = max(0, min(9, 2 - magnitude))
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
    let sign = value < 0 && scaled > 0 ? "-" : ""
    return sign + "\(whole)" + (digits.isEmpty ? "" : "." + digits)
  }

  private static func power(_ places: Int) -> Int64 {
    (0..<places).reduce(1) { ten, _ in ten * 10 }
  }
}
