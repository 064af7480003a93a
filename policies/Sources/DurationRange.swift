import LocalAuthCore

/// From which to which duration a value of a file may be.
struct DurationRange {
  /// A millisecond to an hour, the longest that a simulated sensor takes.
  static let latency = DurationRange(.milliseconds(1), .seconds(3600))
  /// A second to a year.
  static let freshness = DurationRange(.seconds(1), .seconds(8760 * 3600))
  /// A second to a year.
  static let delay = DurationRange(.seconds(1), .seconds(8760 * 3600))
  /// A second to an hour.
  static let timeLimit = DurationRange(.seconds(1), .seconds(3600))
  /// Never to five minutes, the longest that Apple lets an unlock be reused.
  static let reuse = DurationRange(.zero, .seconds(300))
  /// A second to twelve hours, after which NIST SP 800-63B-4 wants a person proven again at AAL3.
  static let grant = DurationRange(.seconds(1), .seconds(12 * 3600))

  private let bounds: ClosedRange<Duration>

  private init(_ shortest: Duration, _ longest: Duration) { bounds = shortest...longest }

  /// The duration that `text` says, or nil if it says none or one out of range.
  func duration(_ text: String) -> Duration? {
    guard let duration = DurationText.parse(text), bounds.contains(duration) else { return nil }
    return duration
  }

  /// What is allowed, in words.
  var rule: String {
    let shortest = DurationText.format(bounds.lowerBound)
    return "a duration such as 30s, 5m or 48h from \(shortest) to "
      + DurationText.format(bounds.upperBound)
  }
}
