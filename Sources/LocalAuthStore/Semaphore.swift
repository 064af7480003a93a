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
    // Seconds and nanoseconds: in a release build beside Synchronization the compiler loses the
    // members of `timespec` to a module that cannot be imported.
    var deadline: InlineArray<2, Int> = [0, 0]
    precondition(MemoryLayout<timespec>.size == MemoryLayout<InlineArray<2, Int>>.size)
    // SAFETY: on 64-bit Linux a timespec is two 64-bit numbers, and this one outlives the calls.
    return unsafe withUnsafeMutablePointer(to: &deadline) { numbers in
      let time = unsafe UnsafeMutableRawPointer(numbers).assumingMemoryBound(to: timespec.self)
      unsafe clock_gettime(CLOCK_REALTIME, time)
      let nanoseconds = unsafe numbers.pointee[1] + milliseconds % 1000 * 1_000_000
      unsafe numbers.pointee[0] += milliseconds / 1000 + nanoseconds / 1_000_000_000
      unsafe numbers.pointee[1] = nanoseconds % 1_000_000_000
      while unsafe sem_timedwait(semaphore, time) != 0 {
        if errno != EINTR { return false }
      }
      return true
    }
  }
}
