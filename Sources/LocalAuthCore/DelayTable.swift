/// How long to refuse after the n-th failure in a row: the data behind every lockout and throttle.
public struct DelayTable: Hashable, Sendable {
  /// A delay for a range of failure counts.
  public struct Row: Hashable, Sendable {
    /// The first count of the row.
    public var from: UInt32
    /// The last count, or nil if the row has no end.
    public var through: UInt32?
    /// The delay at `from` in nanoseconds, because the machines calculate in 64-bit integers.
    var nanoseconds: Int64
    /// After how many further failures the delay doubles, or nil if it stays.
    public var doublesEvery: UInt32?

    /// The row with these values.
    public init(from: UInt32, through: UInt32?, delay: Duration, doublesEvery: UInt32? = nil) {
      self.from = from
      self.through = through
      nanoseconds = delay.wholeNanoseconds
      self.doublesEvery = doublesEvery
    }

    /// The delay at `from`, at most 292 years.
    public var delay: Duration {
      get { Duration(wholeNanoseconds: nanoseconds) }
      set { nanoseconds = newValue.wholeNanoseconds }
    }

    func nanoseconds(after failures: UInt32) -> Int64? {
      guard failures >= from, through.map({ failures <= $0 }) ?? true else { return nil }
      guard let step = doublesEvery, step > 0 else { return nanoseconds }
      // Twenty doublings make half a minute a year; more would only overflow.
      let doublings = Int64(1) << min((failures - from) / step, 20)
      let (length, overflow) = nanoseconds.multipliedReportingOverflow(by: doublings)
      return overflow ? .max : length
    }
  }

  /// The refusal that follows a count of failures.
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
  /// The count from which only another factor helps, or nil for never.
  public var locksAt: UInt32?
  /// How time makes it forget failures, or nil for never; a table with ``locksAt`` never does.
  public var forgets: Forgetting?

  /// The table with these rows.
  public init(rows: [Row] = [], locksAt: UInt32? = nil, forgets: Forgetting? = nil) {
    self.rows = rows
    self.locksAt = locksAt
    self.forgets = forgets
  }

  /// The count with the longest refusal short of a lock.
  public var highestWithoutLock: UInt32 {
    if let locksAt { return locksAt - min(locksAt, 1) }
    return rows.last?.from ?? 0
  }

  /// Whether the table locks after `failures` failures in a row.
  @inlinable
  @inline(__always)
  func isLocked(after failures: UInt32) -> Bool {
    guard let locksAt else { return false }
    return failures >= locksAt
  }

  /// Nanoseconds of delay after `failures` failures in a row; zero without a delay, or if it locks.
  func wait(after failures: UInt32) -> Int64 {
    guard !isLocked(after: failures) else { return 0 }
    for row in rows {
      // The rows ascend, so no later row matches.
      if failures < row.from { return 0 }
      if let delay = row.nanoseconds(after: failures) { return max(delay, 0) }
    }
    return 0
  }

  /// The refusal that follows `failures` failures in a row.
  public func refusal(after failures: UInt32) -> Refusal {
    if isLocked(after: failures) { return .locked }
    let wait = wait(after: failures)
    return wait > 0 ? .wait(Duration(wholeNanoseconds: wait)) : .none
  }
}
