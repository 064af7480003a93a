/// How failures are forgotten by time alone; a table without it keeps its count until a success.
///
/// Time is counted from the last failure. A table that locks forgets nothing, for a lock opens by
/// another factor only.
public enum Forgetting: Hashable, Sendable {
  /// All of them after a pause without failures; `withRefusal` says whether also as soon as a
  /// refusal has passed, as pam_faillock does.
  case all(after: Duration, withRefusal: Bool)
  /// One each time that this passes without a failure: a leaky bucket, as a TPM's recoveryTime.
  case one(every: Duration)

  /// The count that still stands of `failures`, the last of which was `passed` ago and was followed
  /// by a refusal of `length`; both are in nanoseconds.
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
  /// Whether time alone makes it forget failures.
  @inline(__always)
  var isForgetful: Bool { forgets != nil && locksAt == nil }

  /// The count that still stands of `failures` in a row, the last of which was `passed` ago and was
  /// followed by a refusal of `length`.
  public func failures(
    _ failures: UInt32,
    refusedFor length: Duration,
    after passed: Duration
  ) -> UInt32 {
    guard let forgets, isForgetful else { return failures }
    return forgets.standing(
      failures,
      refusedFor: length.wholeNanoseconds,
      after: passed.wholeNanoseconds
    )
  }
}

extension Tally {
  /// The failures that still stand at `now` under `table`.
  ///
  /// Nothing is forgotten before the time of the last failure is known in this boot, or by a clock
  /// that went back.
  public func failures(under table: DelayTable, at now: Moment) -> UInt32 {
    guard let forgets = table.forgets, table.isForgetful, let refusal,
      let passed = refusal.nanosecondsPassed(at: now)
    else { return failures }
    return forgets.standing(failures, refusedFor: refusal.nanoseconds, after: passed)
  }

  /// Leaves the failures that still stand; what only one of both tables forgets is not forgotten.
  ///
  /// Apart from ``charge(under:_:at:)``, which most tables go through without it.
  @inline(never)
  mutating func forget(under table: DelayTable, _ second: DelayTable?, at now: Moment) {
    let standing = failures(under: table, at: now)
    failures = second.map { max(standing, failures(under: $0, at: now)) } ?? standing
  }
}
