import LocalAuthCore

/// The range that a duration in a file must lie in.
struct DurationRange {
  /// A millisecond to an hour, the maximum latency of a simulated sensor.
  static let latency = DurationRange(.milliseconds(1), .seconds(3600))
  /// A second to a day.
  static let impairment = DurationRange(.seconds(1), .seconds(24 * 3600))
  /// A second to a year.
  static let freshness = DurationRange(.seconds(1), .seconds(8760 * 3600))
  /// A second to a year.
  static let delay = DurationRange(.seconds(1), .seconds(8760 * 3600))
  /// A second to an hour.
  static let timeLimit = DurationRange(.seconds(1), .seconds(3600))
  /// Zero to five minutes, Apple's maximum for reusing an unlock.
  static let reuse = DurationRange(.zero, .seconds(300))
  /// A second to twelve hours, after which NIST SP 800-63B-4 requires reauthentication at AAL3.
  static let grant = DurationRange(.seconds(1), .seconds(12 * 3600))

  private let bounds: ClosedRange<Duration>

  private init(_ shortest: Duration, _ longest: Duration) { bounds = shortest...longest }

  /// Parses `text`; nil if it is not a duration or is out of range.
  func duration(_ text: String) -> Duration? {
    guard let duration = DurationText.parse(text), bounds.contains(duration) else { return nil }
    return duration
  }

  /// The allowed values in words, for errors.
  var rule: String {
    let shortest = DurationText.format(bounds.lowerBound)
    return "a duration such as 30s, 5m or 48h from \(shortest) to "
      + DurationText.format(bounds.upperBound)
  }
}
