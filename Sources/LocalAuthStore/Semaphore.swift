import CLocalAuthLinux
import Glibc

/// A counting semaphore of the C library, for a thread that waits for work.
@safe
final class Semaphore: @unchecked Sendable {
  // @unchecked: the C library synchronizes every use of the semaphore.

  private let semaphore: UnsafeMutablePointer<sem_t>

  /// Creates a semaphore with the value zero.
  init() {
    unsafe semaphore = .allocate(capacity: 1)
    // SAFETY: the memory was just allocated and never moves; shared between threads, not processes.
    unsafe sem_init(semaphore, 0, 0)
  }

  deinit {
    // SAFETY: no thread can wait on a semaphore without a reference to it, and the last one is
    // gone.
    unsafe sem_destroy(semaphore)
    unsafe semaphore.deallocate()
  }

  /// Wakes one waiter.
  func signal() { unsafe sem_post(semaphore) }

  /// Waits for a signal.
  func wait() {
    while unsafe sem_wait(semaphore) != 0 {}
  }

  /// Waits for a signal for at most `milliseconds`; returns false if none came.
  ///
  /// The wait follows the wall clock: setting that clock makes it longer or shorter, so only
  /// housekeeping may depend on it.
  func wait(milliseconds: Int) -> Bool {
    // A shim: in a release build the members of `timespec` belong to a module that cannot be imported.
    unsafe la_semaphore_wait(semaphore, Int64(milliseconds)) == 0
  }
}
