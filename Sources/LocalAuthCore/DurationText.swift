/// Durations as people write them: `30`, `30s`, `5m`, `48h`, `400ms`.
public enum DurationText {
  /// The accepted formats, for messages.
  public static let allowed = "a whole number with ms, s, m or h; a bare number is seconds"

  /// The duration that `text` states, or nil if it is malformed or exceeds 292 years.
  public static func parse(_ text: some StringProtocol) -> Duration? { parse(bytes: text.utf8) }

  /// The duration that the ASCII text `bytes` states, or nil if it is malformed or exceeds 292
  /// years.
  public static func parse(bytes: some Collection<UInt8>) -> Duration? {
    let digits = bytes.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    guard !digits.isEmpty, digits.count <= maximumDigits,
      let unit = unit(bytes.dropFirst(digits.count))
    else { return nil }
    var number: Int64 = 0
    for digit in digits { number = number * 10 + Int64(digit - UInt8(ascii: "0")) }
    let (milliseconds, overflow) = number.multipliedReportingOverflow(by: unit)
    // Nanoseconds since boot are an `Int64`, so no longer wait can be expressed.
    guard !overflow, milliseconds <= Int64.max / 1_000_000 else { return nil }
    return .milliseconds(milliseconds)
  }

  /// The shortest text that ``parse(_:)`` reads as `duration` rounded up to a millisecond.
  ///
  /// A negative duration is written `0s`: the time to wait for has passed.
  public static func format(_ duration: Duration) -> String {
    let nanoseconds = max(0, duration.wholeNanoseconds)
    let milliseconds = nanoseconds / 1_000_000 + (nanoseconds % 1_000_000 > 0 ? 1 : 0)
    guard milliseconds > 0 else { return "0s" }
    if milliseconds.isMultiple(of: hour) { return "\(milliseconds / hour)h" }
    if milliseconds.isMultiple(of: minute) { return "\(milliseconds / minute)m" }
    if milliseconds.isMultiple(of: second) { return "\(milliseconds / second)s" }
    return "\(milliseconds)ms"
  }

  /// The same for sentences: what takes more than two minutes has more than one unit, as `8h 30m`, rounded up to a second.
  public static func words(_ duration: Duration) -> String {
    let nanoseconds = max(0, duration.wholeNanoseconds)
    let seconds = nanoseconds / 1_000_000_000 + (nanoseconds % 1_000_000_000 > 0 ? 1 : 0)
    guard seconds > 120 else { return format(duration) }
    let parts = [(seconds / 3600, "h"), (seconds % 3600 / 60, "m"), (seconds % 60, "s")]
    return parts.filter { $0.0 > 0 }.map { "\($0)\($1)" }.joined(separator: " ")
  }

  private static let second: Int64 = 1000
  private static let minute: Int64 = 60 * second
  private static let hour: Int64 = 60 * minute
  /// Every number with this many digits fits `Int64`.
  private static let maximumDigits = 18

  private static func unit(_ suffix: some Collection<UInt8>) -> Int64? {
    if suffix.isEmpty || suffix.elementsEqual("s".utf8) { return second }
    if suffix.elementsEqual("ms".utf8) { return 1 }
    if suffix.elementsEqual("m".utf8) { return minute }
    if suffix.elementsEqual("h".utf8) { return hour }
    return nil
  }
}
