import Glibc
import LocalAuthUnix

/// Waits on descriptors; a signal does not cut a wait short.
enum Poll {
  /// Whether `descriptor` became readable, or reached its end, before the time was over.
  static func wait(
    for descriptor: Int32,
    _ events: Int32 = POLLIN,
    until deadline: Deadline
  ) throws -> Bool {
    while true {
      var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
      let (seconds, attoseconds) = deadline.remaining.components
      let milliseconds =
        seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
      // SAFETY: one entry, which lives for the call.
      let ready = unsafe poll(&entry, 1, Int32(clamping: milliseconds))
      if ready > 0 { return true }
      if ready == 0, deadline.hasPassed { return false }
      if ready < 0, errno != EINTR { throw SystemError("poll", code: errno) }
    }
  }
}
