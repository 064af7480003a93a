/// How long to refuse after the n-th failure in a row; the data behind every lockout and throttle.
public struct DelayTable: Hashable, Sendable {
  /// A delay for a range of failure counts.
  public struct Row: Hashable, Sendable {
    /// The first count the row speaks of.
    public var from: UInt32
    /// The last count, or nil for all that follow.
    public var through: UInt32?
    /// The delay at `from`.
    public var delay: Duration
    /// After how many further failures the delay doubles, or nil when it stays.
    public var doublesEvery: UInt32?

    /// The row with these values.
    public init(from: UInt32, through: UInt32?, delay: Duration, doublesEvery: UInt32? = nil) {
      self.from = from
      self.through = through
      self.delay = delay
      self.doublesEvery = doublesEvery
    }

    func delay(after failures: UInt32) -> Duration? {
      guard failures >= from, through.map({ failures <= $0 }) ?? true else { return nil }
      guard let step = doublesEvery, step > 0 else { return delay }
      // Twenty doublings make a year of half a minute; more would only overflow.
      let doublings = Int64(1) << min((failures - from) / step, 20)
      let (length, overflow) = delay.wholeNanoseconds.multipliedReportingOverflow(by: doublings)
      return .nanoseconds(overflow ? .max : length)
    }
  }

  /// What the table answers for a count of failures.
  public enum Refusal: Hashable, Sendable {
    /// The next attempt may be made at once.
    case none
    /// The next attempt is refused for this long.
    case wait(Duration)
    /// No further attempt is made until something else clears the count.
    case locked
  }

  /// The rows, in ascending order and without overlap.
  public var rows: [Row]
  /// The count from which nothing but another factor helps, or nil for never.
  public var locksAt: UInt32?

  /// The table with these rows.
  public init(rows: [Row] = [], locksAt: UInt32? = nil) {
    self.rows = rows
    self.locksAt = locksAt
  }

  /// The delay after `failures` failures in a row; zero where there is none or a lock instead.
  func wait(after failures: UInt32) -> Duration {
    switch refusal(after: failures) {
    case .none, .locked: .zero
    case .wait(let length): length
    }
  }

  /// What follows from `failures` failures in a row.
  public func refusal(after failures: UInt32) -> Refusal {
    if let locksAt, failures >= locksAt { return .locked }
    for row in rows {
      if let delay = row.delay(after: failures) { return delay > .zero ? .wait(delay) : .none }
    }
    return .none
  }
}
