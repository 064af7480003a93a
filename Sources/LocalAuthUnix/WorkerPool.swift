import CLocalAuthLinux
import Synchronization

/// A few threads for work that would hold up the loop: key derivation, storage, checkpoints.
///
/// Jobs of one user begin in the order of submission; with one thread they also end in it, which
/// makes a pool of one the serial owner of whatever its jobs share. Users take turns, a job each, so
/// that whoever submits many keeps nobody else waiting for more than those that run. A job hands its result back with
/// ``LoopHandle/post(_:)``.
public final class WorkerPool: Sendable {
  private struct Queue: ~Copyable {
    /// The waiting jobs of each user that has some.
    private var jobs: [UInt32: Lane] = [:]
    /// Whose turn it is: the users that have jobs, in the order of their turns.
    private var turns = Lane()
    private(set) var waiting = 0
    var isOpen = true

    mutating func add(_ job: @escaping @Sendable () -> Void, of user: UInt32) {
      if jobs[user] == nil { turns.append(.turn(user)) }
      jobs[user, default: Lane()].append(.job(job))
      waiting += 1
    }

    mutating func take() -> (@Sendable () -> Void)? {
      guard case .turn(let user)? = turns.take(), case .job(let job)? = jobs[user]?.take() else {
        return nil
      }
      waiting -= 1
      if jobs[user]?.isEmpty == true { jobs[user] = nil } else { turns.append(.turn(user)) }
      return job
    }
  }

  /// First in, first out.
  private struct Lane {
    enum Entry {
      case job(@Sendable () -> Void)
      case turn(UInt32)
    }

    /// What waits is from `next` on.
    private var entries: [Entry?] = []
    private var next = 0

    var isEmpty: Bool { next == entries.count }

    mutating func append(_ entry: Entry) { entries.append(entry) }

    mutating func take() -> Entry? {
      guard next < entries.count else { return nil }
      let entry = entries[next]
      entries[next] = nil
      next += 1
      if next == entries.count || next > 1024 {
        entries.removeFirst(next)
        next = 0
      }
      return entry
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

  /// Queues a job.
  ///
  /// Callable from any thread.
  /// - Parameters:
  ///   - user: whose turn the job takes.
  ///   - job: what is to be done.
  /// - Returns: false when the queue is full or the pool is shut down; then it never runs.
  public func submit(for user: UInt32 = 0, _ job: @escaping @Sendable () -> Void) -> Bool {
    let limit = queueLimit
    let isQueued = shared.queue.withLock { queue in
      guard queue.isOpen, queue.waiting < limit else { return false }
      queue.add(job, of: user)
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
