import CLocalAuthLinux
import Glibc
import LocalAuthCore
import Synchronization

/// A thread that runs jobs in the order they are given.
final class StorageThread: Sendable {
  typealias Job = @Sendable () -> Void

  /// How long no job must arrive before the thread counts as idle.
  ///
  /// This is longer than the pause between the two commits of an attempt, so that housekeeping does
  /// not come between them.
  private static let idleAfterMilliseconds = 50

  /// The state that thread and owner share; the thread must not keep the owner alive.
  private final class Queue: Sendable {
    struct State {
      var jobs: [Job] = []
      var isClosed = false
    }
    let state = Mutex(State())
    let wakeUp = Semaphore()
  }

  private let queue = Queue()
  private let handle: Mutex<pthread_t?>

  /// Starts the thread, with all signals blocked.
  ///
  /// `afterwards` runs whenever the thread becomes idle after work; `atEnd` runs last.
  init(afterwards: @escaping Job, atEnd: @escaping Job) throws(StorageError) {
    let queue = queue
    handle = Mutex(nil)
    let started = try Self.start {
      Self.run(queue, afterwards: afterwards)
      atEnd()
    }
    handle.withLock { $0 = started }
  }

  deinit { close() }

  /// Queues `job` behind all earlier ones; returns false if the thread was closed.
  func run(_ job: @escaping Job) -> Bool {
    let isAccepted = queue.state.withLock { state in
      guard !state.isClosed else { return false }
      state.jobs.append(job)
      return true
    }
    if isAccepted { queue.wakeUp.signal() }
    return isAccepted
  }

  /// Lets the thread finish its jobs and waits for its end; calling it again is allowed.
  ///
  /// On the thread itself it only requests the end.
  func close() {
    queue.state.withLock { $0.isClosed = true }
    queue.wakeUp.signal()
    guard let thread = handle.withLock({ $0.take() }) else { return }
    if pthread_equal(thread, pthread_self()) != 0 {
      pthread_detach(thread)
    } else {
      // The thread is not detached and is joined only once, because the handle was taken.
      pthread_join(thread, nil)
    }
  }

  private static func run(_ queue: Queue, afterwards: Job) {
    var hasWorked = false
    while true {
      if hasWorked, !queue.wakeUp.wait(milliseconds: idleAfterMilliseconds) {
        afterwards()
        hasWorked = false
        continue
      }
      if !hasWorked { queue.wakeUp.wait() }
      let (jobs, isClosed) = queue.state.withLock { state in
        defer { state.jobs.removeAll() }
        return (state.jobs, state.isClosed)
      }
      for job in jobs { job() }
      if isClosed { return }
      hasWorked = hasWorked || !jobs.isEmpty
    }
  }

  private static func start(_ body: @escaping Job) throws(StorageError) -> pthread_t {
    var handle = pthread_t()
    let context = unsafe Unmanaged.passRetained(Body(body))
    // SAFETY: the context is retained for the thread, which takes it over.
    let status = unsafe la_thread_start(
      &handle,
      "localauth-store",
      stackSize,
      { context in
        guard let context = unsafe context else { return nil }
        unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
        return nil
      },
      context.toOpaque()
    )
    guard status == 0 else {
      unsafe context.release()
      throw .failed("no thread for the store: \(StorageError.words(for: -status))")
    }
    return handle
  }

  /// In bytes; enough for the deepest statement that SQLite runs.
  private static let stackSize = 1024 * 1024

  private final class Body: Sendable {
    let run: Job
    init(_ run: @escaping Job) { self.run = run }
  }
}
