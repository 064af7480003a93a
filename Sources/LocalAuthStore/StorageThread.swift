import CLocalAuthLinux
import Glibc
import LocalAuthCore
import Synchronization

/// One thread that does what it is told, in the order it is told.
final class StorageThread: Sendable {
  typealias Job = @Sendable () -> Void

  /// How long nothing must have come before the thread calls itself idle: longer than the pause
  /// between the two commits of an attempt, so that housekeeping does not come between them.
  private static let idleAfterMilliseconds = 50

  /// What thread and owner share; the thread must not keep the owner alive.
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

  /// Starts the thread, which takes no signals.
  ///
  /// `afterwards` runs between jobs once the thread was idle and work was done since; `atEnd` is the
  /// last thing that runs.
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

  /// Runs `job` after all that were given before; false when the thread was closed.
  func run(_ job: @escaping Job) -> Bool {
    let isAccepted = queue.state.withLock { state in
      guard !state.isClosed else { return false }
      state.jobs.append(job)
      return true
    }
    if isAccepted { queue.wakeUp.signal() }
    return isAccepted
  }

  /// Lets the thread finish what it was given, and waits for its end; safe to call again.
  ///
  /// On the thread itself it only asks for the end.
  func close() {
    queue.state.withLock { $0.isClosed = true }
    queue.wakeUp.signal()
    guard let thread = handle.withLock({ $0.take() }) else { return }
    if pthread_equal(thread, pthread_self()) != 0 {
      pthread_detach(thread)
    } else {
      // It was not detached and is joined once, since the handle was taken.
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

  /// In bytes: room for the deepest statement that SQLite runs.
  private static let stackSize = 1024 * 1024

  private final class Body: Sendable {
    let run: Job
    init(_ run: @escaping Job) { self.run = run }
  }
}
