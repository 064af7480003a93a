import CLocalAuthLinux
import Glibc

/// Wakes a thread that polls, from any other thread.
public final class WakeUp: Sendable {
  private let counter: FileDescriptor

  /// Makes one that has not been rung.
  ///
  /// - Throws: what the system says when there is no descriptor left.
  public init() throws(SystemError) {
    counter = FileDescriptor(owning: try SystemError.check(la_counter_create(false), "eventfd"))
  }

  /// Readable from the first ``ring()`` until ``clear()``; for `poll` alone, never to be closed.
  public var descriptor: Int32 { counter.rawValue }

  /// Makes the descriptor readable.
  public func ring() { _ = la_counter_add(counter.rawValue, 1) }

  /// Blocks until it was rung, and makes it silent again.
  public func wait() {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    // SAFETY: one entry, which lives for the call.
    while unsafe poll(&entry, 1, -1) < 0, errno == EINTR {}
    clear()
  }

  /// Makes it silent again; to be called before what was rung for is looked at.
  public func clear() { _ = la_counter_read(counter.rawValue) }
}
