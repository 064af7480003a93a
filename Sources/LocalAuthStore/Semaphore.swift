import CLocalAuthLinux
import Glibc

/// A counting semaphore of the C library, for a thread that waits for work.
@safe
final class Semaphore: @unchecked Sendable {
  // @unchecked: the C library synchronizes every use of the semaphore.

  private let semaphore: UnsafeMutablePointer<sem_t>

  /// A semaphore that is at zero.
  init() {
    unsafe semaphore = .allocate(capacity: 1)
    // SAFETY: the memory was just allocated and never moves; shared between threads, not processes.
    unsafe sem_init(semaphore, 0, 0)
  }

  deinit {
    // SAFETY: nobody can wait on a semaphore that nobody holds.
    unsafe sem_destroy(semaphore)
    unsafe semaphore.deallocate()
  }

  /// Lets one waiter go on.
  func signal() { unsafe sem_post(semaphore) }

  /// Waits for a signal.
  func wait() {
    while unsafe sem_wait(semaphore) != 0 {}
  }

  /// Waits for a signal for about so long; false when none came.
  ///
  /// It is the wall clock that is looked at: a clock that is set makes the wait longer or shorter,
  /// so nothing but housekeeping may depend on it.
  func wait(milliseconds: Int) -> Bool {
    // A shim: in a release build the members of `timespec` belong to a module that cannot be imported.
    unsafe la_semaphore_wait(semaphore, Int64(milliseconds)) == 0
  }
}
