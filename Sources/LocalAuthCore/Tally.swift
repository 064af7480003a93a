/// A refusal that ends a certain time after it began.
///
/// Stored as a length and a start, not as a deadline: a reboot restarts the boot clock and nothing
/// tells how long the machine was off, so the refusal starts over in full.
public struct RefusalPeriod: Hashable, Sendable {
  /// How long the refusal lasts, in nanoseconds.
  @usableFromInline let nanoseconds: Int64
  /// When it began.
  public var start: BootInstant
  /// The boot it began in.
  public var boot: BootIdentifier

  /// The refusal of `length` that began at `start` in `boot`.
  public init(length: Duration, start: BootInstant, boot: BootIdentifier) {
    self.init(nanoseconds: length.wholeNanoseconds, start: start, boot: boot)
  }

  init(nanoseconds: Int64, start: BootInstant, boot: BootIdentifier) {
    self.nanoseconds = nanoseconds
    self.start = start
    self.boot = boot
  }

  /// How long the refusal lasts, at most 292 years.
  public var length: Duration { Duration(wholeNanoseconds: nanoseconds) }

  /// The time left at `now`; zero once it has passed.
  public func remaining(at now: Moment) -> Duration {
    Duration(wholeNanoseconds: nanosecondsLeft(at: now))
  }

  @inlinable
  @inline(__always)
  func nanosecondsLeft(at now: Moment) -> Int64 {
    guard boot == now.bootID, now.boot >= start else { return nanoseconds }
    let passed = now.boot.nanoseconds(since: start)
    return nanoseconds > passed ? nanoseconds - passed : 0
  }

  /// Nanoseconds since it began; nil in another boot or if the clock went back.
  func nanosecondsPassed(at now: Moment) -> Int64? {
    guard boot == now.bootID, now.boot >= start else { return nil }
    return now.boot.nanoseconds(since: start)
  }
}

/// Failures in a row and the refusal that followed the last one: the durable part of a lockout.
public struct Tally: Hashable, Sendable {
  /// The answer to a charge.
  public enum Charge: Hashable, Sendable {
    /// The attempt is counted, and may be judged once that is durable.
    case charged
    /// No attempt may be judged before this time has passed.
    case refused(for: Duration)
    /// No attempt may be judged until another factor clears the count.
    case locked
  }

  /// What of a charge is given back if nothing was judged.
  public enum Refund: Hashable, Sendable {
    /// Nothing: the count was cleared since.
    case nothing
    /// The failure; the refusal is that of a later charge.
    case failure
    /// The failure and the refusal that it began.
    case all
  }

  /// Attempts charged since the last success, minus those that were forgotten at the last charge.
  public var failures: UInt32
  /// The refusal that followed the last failure, if any.
  ///
  /// If failures are forgotten, one of zero length is kept too: its start is the time of the last
  /// failure.
  public var refusal: RefusalPeriod?

  /// A tally, empty by default.
  public init(failures: UInt32 = 0, refusal: RefusalPeriod? = nil) {
    self.failures = failures
    self.refusal = refusal
  }

  /// Whether an attempt may be made at `now` under `table`.
  public func standing(under table: DelayTable, at now: Moment) -> Standing {
    if table.isLocked(after: failures) { return .locked }
    if let left = nanosecondsLeft(at: now) { return .refused(Duration(wholeNanoseconds: left)) }
    return .open(attemptsLeft: table.locksAt.map { $0 - failures })
  }

  /// Nanoseconds left of the refusal in force; nil if there is none.
  @inlinable
  @inline(__always)
  func nanosecondsLeft(at now: Moment) -> Int64? {
    guard let refusal else { return nil }
    let left = refusal.nanosecondsLeft(at: now)
    return left > 0 ? left : nil
  }

  @inline(__always)
  mutating func charge(under table: DelayTable, _ second: DelayTable? = nil, at now: Moment) {
    if table.isForgetful { forget(under: table, second, at: now) }
    failures = failures == .max ? .max : failures + 1
    let length = max(table.wait(after: failures), second?.wait(after: failures) ?? 0)
    refusal =
      length > 0 || table.isForgetful
      ? RefusalPeriod(nanoseconds: length, start: now.boot, boot: now.bootID) : nil
  }

  /// Refunds a charge, with its refusal if it was the last; forgetting restarts from its time then,
  /// since the time before it is unknown.
  mutating func refund(_ refund: Refund = .all, under table: DelayTable) {
    guard refund != .nothing else { return }
    failures -= failures > 0 ? 1 : 0
    guard refund == .all else { return }
    guard table.isForgetful, let charged = refusal else {
      refusal = nil
      return
    }
    refusal = RefusalPeriod(nanoseconds: 0, start: charged.start, boot: charged.boot)
  }

  /// Raises the count to at least `failures`, and starts the refusal that follows that many.
  mutating func raise(to failures: UInt32, under table: DelayTable, at now: Moment) {
    self.failures = max(self.failures, failures)
    guard self.failures > 0 else { return }
    let length = max(table.wait(after: self.failures), refusal?.nanoseconds ?? 0)
    guard length > 0 || table.isForgetful else { return }
    refusal = RefusalPeriod(nanoseconds: length, start: now.boot, boot: now.bootID)
  }

  /// Subtracts `count` failures, of whose last charge `refund` can be given back.
  ///
  /// The refusal that it began is dropped, and that of a later charge is not. The one before it had passed, or there would
  /// have been no charge.
  mutating func forgive(_ count: UInt32, _ refund: Refund, under table: DelayTable) {
    guard count > 0 else { return }
    self.refund(refund == .all ? .all : .failure, under: table)
    failures -= min(count - 1, failures)
    refusal = failures == 0 ? nil : refusal
  }

  /// Postpones the end of a refusal, and the start of forgetting, by `duration`.
  mutating func postpone(by duration: Duration) {
    guard let start = refusal?.start else { return }
    refusal?.start = start + duration
  }

  /// Restarts a refusal from an earlier boot, and the time since the last failure, in full; true if
  /// there was one.
  mutating func rebase(at now: Moment) -> Bool {
    guard let period = refusal, period.boot != now.bootID else { return false }
    refusal = RefusalPeriod(nanoseconds: period.nanoseconds, start: now.boot, boot: now.bootID)
    return true
  }
}

/// Whether another attempt may be made.
public enum Standing: Hashable, Sendable {
  /// It may; this many attempts are left before the lock, or nil if there is no lock.
  case open(attemptsLeft: UInt32?)
  /// Not before this time has passed.
  case refused(Duration)
  /// Not until another factor clears it.
  case locked

  /// The stricter of the two standings.
  public func stricter(_ other: Standing) -> Standing {
    switch (self, other) {
    case (.locked, _), (_, .locked): .locked
    case (.refused(let left), .refused(let right)): .refused(max(left, right))
    case (.refused, .open): self
    case (.open, .refused): other
    case (.open(let left), .open(let right)):
      .open(attemptsLeft: [left, right].compactMap(\.self).min())
    }
  }
}
