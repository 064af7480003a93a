import Glibc

/// Waits for descriptors of several owners at once.
public enum DescriptorWait {
  /// Waits until one of `descriptors` is readable or at its end, or `deadline` has passed.
  ///
  /// - Returns: those that are, in the order given; none if the deadline passed first.
  /// - Throws: the error of `poll`. A signal does not end the wait.
  public static func readable(
    among descriptors: [Int32],
    until deadline: Deadline?
  ) throws(SystemError) -> [Int32] {
    var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while true {
      // SAFETY: the array's storage is valid for the call and has `count` entries.
      let ready = unsafe poll(
        &entries,
        nfds_t(entries.count),
        deadline?.remainingMilliseconds ?? -1
      )
      if ready > 0 { return entries.filter { $0.revents != 0 }.map(\.fd) }
      if ready == 0, deadline?.hasPassed ?? false { return [] }
      if ready < 0, errno != EINTR { throw SystemError("poll", code: errno) }
    }
  }
}
