import Glibc

/// A point in time until which this process waits; time spent suspended does not count.
///
/// Pass one deadline through several waits to limit their sum. It has no meaning in another process
/// and is not for lockouts, which count suspended time too.
public struct Deadline: Sendable, Comparable {
  /// Nanoseconds of CLOCK_MONOTONIC, the clock that `poll` counts with.
  private let instant: Int64

  /// The deadline `duration` from now; far in the future if the sum overflows.
  public static func after(_ duration: Duration) -> Deadline {
    let (seconds, attoseconds) = duration.components
    let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else { return Deadline(instant: seconds < 0 ? 0 : .max) }
    let (length, tooLong) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
    let (instant, tooFar) = now().addingReportingOverflow(length)
    return Deadline(instant: tooLong || tooFar ? .max : instant)
  }

  /// The time left; zero once the deadline has passed.
  public var remaining: Duration { .nanoseconds(max(0, instant - Deadline.now())) }

  /// Whether the deadline has passed.
  public var hasPassed: Bool { instant <= Deadline.now() }

  /// The time left in whole seconds, rounded up, for a countdown.
  public var wholeSeconds: Int { Int((remaining + .milliseconds(999)).components.seconds) }

  /// The time left in whole milliseconds, rounded up so that a wait neither ends early nor spins.
  var remainingMilliseconds: Int32 {
    let left = max(0, instant - Deadline.now())
    let milliseconds = left / 1_000_000 + (left % 1_000_000 == 0 ? 0 : 1)
    return Int32(clamping: milliseconds)
  }

  /// The earlier of two deadlines comes first.
  public static func < (left: Deadline, right: Deadline) -> Bool { left.instant < right.instant }

  private static func now() -> Int64 {
    var time = timespec()
    // SAFETY: the pointer is valid for the call; the clock exists on every Linux.
    _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

/// Waits for `events` on a descriptor, or only for a hang-up if `events` is 0.
///
/// Returns false if the deadline passed first. A signal does not end the wait. Throws the error of
/// `poll`.
func waitForEvents(
  _ events: Int32,
  on descriptor: Int32,
  until deadline: Deadline?
) throws(SystemError) -> Bool {
  while true {
    var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    // SAFETY: one entry, valid for the call.
    let ready = unsafe poll(&entry, 1, deadline?.remainingMilliseconds ?? -1)
    if ready > 0 { return true }
    if ready == 0, deadline?.hasPassed ?? false { return false }
    if ready < 0, errno != EINTR { throw SystemError("poll", code: errno) }
  }
}
