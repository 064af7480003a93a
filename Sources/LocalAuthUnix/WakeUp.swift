import CLocalAuthLinux
import Glibc

/// Wakes a polling thread from any other thread.
public final class WakeUp: Sendable {
  private let counter: FileDescriptor

  /// Creates one that has not been rung.
  ///
  /// - Throws: the error of `eventfd` if no descriptor is left.
  public init() throws(SystemError) {
    counter = FileDescriptor(owning: try SystemError.check(la_counter_create(false), "eventfd"))
  }

  /// Readable from the first ``ring()`` until ``clear()``; only poll it, never close it.
  public var descriptor: Int32 { counter.rawValue }

  /// Makes the descriptor readable.
  public func ring() { _ = la_counter_add(counter.rawValue, 1) }

  /// Blocks until ``ring()`` is called or `deadline` has passed, then clears it.
  public func wait(until deadline: Deadline? = nil) {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    // SAFETY: one entry, which lives for the call.
    while unsafe poll(&entry, 1, deadline?.remainingMilliseconds ?? -1) < 0, errno == EINTR {}
    clear()
  }

  /// Resets it; call it before looking at what the ring announced, or a new ring may be lost.
  public func clear() { _ = la_counter_read(counter.rawValue) }
}
