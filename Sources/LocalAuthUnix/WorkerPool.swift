import CLocalAuthLinux
import Synchronization

/// A few threads for work that would hold up the loop: key derivation, storage, checkpoints.
///
/// Jobs begin in the order of submission; with one thread they also end in it, which makes a pool
/// of one the serial owner of whatever its jobs share. A job hands its result back with
/// ``LoopHandle/post(_:)``.
public final class WorkerPool: Sendable {
  private struct Queue: ~Copyable {
    /// The waiting jobs are those from `next` on.
    var jobs: [(@Sendable () -> Void)?] = []
    var next = 0
    var isOpen = true

    var waiting: Int { jobs.count - next }

    mutating func take() -> (@Sendable () -> Void)? {
      guard next < jobs.count else { return nil }
      let job = jobs[next]
      jobs[next] = nil
      next += 1
      if next == jobs.count || next > 1024 {
        jobs.removeFirst(next)
        next = 0
      }
      return job
    }
  }

  /// What the threads share; they hold it and not the pool, so that the pool can go away.
  private final class Shared: Sendable {
    let queue = Mutex(Queue())
    /// Counts the waiting jobs, and one more for each thread that is to end.
    let permits: FileDescriptor

    init() throws(SystemError) {
      permits = FileDescriptor(owning: try SystemError.check(la_counter_create(true), "eventfd"))
    }

    func work() {
      while la_counter_read(permits.rawValue) == 0 {
        guard let job = queue.withLock({ queue in queue.take() }) else { return }
        job()
      }
    }
  }

  /// How many jobs may wait.
  public let queueLimit: Int
  private let shared: Shared
  private let threads: [SystemThread]

  /// Starts the threads.
  ///
  /// - Parameters:
  ///   - name: What tools call the threads; at most 15 bytes are used.
  ///   - count: How many jobs may run at once.
  ///   - queueLimit: How many jobs may wait beyond those that run.
  ///   - stackSize: In bytes, for each thread.
  /// - Throws: The error of the call that failed; threads that had started end again.
  public init(
    name: String,
    threads count: Int,
    queueLimit: Int = 1024,
    stackSize: Int = 256 * 1024
  ) throws(SystemError) {
    precondition(count > 0 && queueLimit > 0, "a pool has a thread and room for a job")
    let shared = try Shared()
    var threads: [SystemThread] = []
    do throws(SystemError) {
      for _ in 0..<count {
        threads.append(try SystemThread(name: name, stackSize: stackSize) { shared.work() })
      }
    } catch {
      _ = la_counter_add(shared.permits.rawValue, UInt64(threads.count))
      throw error
    }
    self.queueLimit = queueLimit
    self.shared = shared
    self.threads = threads
  }

  /// Queues a job; false when the queue is full or the pool is shut down, and then it never runs.
  ///
  /// Callable from any thread.
  public func submit(_ job: @escaping @Sendable () -> Void) -> Bool {
    let limit = queueLimit
    let isQueued = shared.queue.withLock { queue in
      guard queue.isOpen, queue.waiting < limit else { return false }
      queue.jobs.append(job)
      return true
    }
    if isQueued { _ = la_counter_add(shared.permits.rawValue, 1) }
    return isQueued
  }

  /// Takes no more jobs, lets those that wait finish, and returns when the threads have ended.
  ///
  /// A second call waits for the same end. It must not be called from a job.
  public func shutdown() {
    closeQueue()
    for thread in threads { thread.join() }
  }

  // Without a shutdown the waiting jobs still run, and nobody waits for them.
  deinit { closeQueue() }

  private func closeQueue() {
    let wasOpen = shared.queue.withLock { queue in
      defer { queue.isOpen = false }
      return queue.isOpen
    }
    if wasOpen { _ = la_counter_add(shared.permits.rawValue, UInt64(threads.count)) }
  }
}
