/// How time alone makes a table forget failures; without it, a count stays until a success.
///
/// Time counts from the last failure. A table that locks forgets nothing, because only another
/// factor opens a lock.
public enum Forgetting: Hashable, Sendable {
  /// All of them after a pause without failures; `withRefusal` says whether also as soon as a
  /// refusal has passed, as in pam_faillock.
  case all(after: Duration, withRefusal: Bool)
  /// One after each interval without a failure: a leaky bucket, like a TPM's recoveryTime.
  case one(every: Duration)

  /// How many of `failures` still count, if the last one was `passed` ago and brought a refusal of
  /// `length`; both are in nanoseconds.
  func standing(_ failures: UInt32, refusedFor length: Int64, after passed: Int64) -> UInt32 {
    switch self {
    case .all(let pause, let withRefusal):
      let pause = pause.wholeNanoseconds
      let isForgotten =
        pause > 0 && passed >= pause || withRefusal && length > 0 && passed >= length
      return isForgotten ? 0 : failures
    case .one(let interval):
      let interval = interval.wholeNanoseconds
      guard interval > 0 else { return failures }
      return failures - min(failures, UInt32(clamping: max(0, passed) / interval))
    }
  }
}

extension DelayTable {
  /// Whether time alone makes the table forget failures.
  @inline(__always)
  var isForgetful: Bool { forgets != nil && locksAt == nil }
}

extension Tally {
  /// The failures that still count at `now` under `table`.
  ///
  /// Nothing is forgotten if the last failure was in another boot or the clock went back.
  public func failures(under table: DelayTable, at now: Moment) -> UInt32 {
    guard let forgets = table.forgets, table.isForgetful, let refusal,
      let passed = refusal.nanosecondsPassed(at: now)
    else { return failures }
    return forgets.standing(failures, refusedFor: refusal.nanoseconds, after: passed)
  }

  /// Drops forgotten failures; with two tables, only those that both forget.
  ///
  /// Separate from ``charge(under:_:at:)``, because most tables do not need it.
  @inline(never)
  mutating func forget(under table: DelayTable, _ second: DelayTable?, at now: Moment) {
    let standing = failures(under: table, at: now)
    failures = second.map { max(standing, failures(under: $0, at: now)) } ?? standing
  }
}
