extension Duration {
  /// The time until something may be tried again, in words that promise nothing too early: rounded up.
  public var inWords: String {
    let (whole, part) = components
    let seconds = max(1, whole + (part > 0 ? 1 : 0))
    let minutes = (seconds + 59) / 60
    guard seconds > 59 else { return Self.words(seconds, "second") }
    guard minutes > 59 else { return Self.words(minutes, "minute") }
    let hours = Self.words(minutes / 60, "hour")
    return minutes % 60 == 0 ? hours : "\(hours) and \(Self.words(minutes % 60, "minute"))"
  }

  private static func words(_ count: Int64, _ unit: String) -> String {
    "\(count) \(unit)\(count == 1 ? "" : "s")"
  }
}
