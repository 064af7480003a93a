import CLocalAuthLinux
import Synchronization

/// A thread pool for work that would block the loop: key derivation, storage, checkpoints.
///
/// Jobs of one user start in the order of submission; with one thread they also end in that order,
/// so a pool of one thread is the serial owner of whatever its jobs share. Users take turns, one
/// job each, so one user's backlog cannot starve others. Nor does it fill the queue for them: a user
/// of whom nothing waits always finds room. A job posts its result back with
/// ``LoopHandle/post(_:)``.
public final class WorkerPool: Sendable {
  private struct Queue: ~Copyable {
    /// The waiting jobs of each user that has any.
    private var jobs: [UInt32: Lane] = [:]
    /// The users with waiting jobs, in the order of their turns.
    private var turns = Lane()
    private(set) var waiting = 0
    var isOpen = true

    /// Whether there is room for a job of `user`, of whom at most `share` may wait.
    func hasRoom(for user: UInt32, of limit: Int, share: Int) -> Bool {
      let own = jobs[user]?.count ?? 0
      return own < share && (own == 0 || waiting < limit)
    }

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

  /// A first-in, first-out queue.
  private struct Lane {
    enum Entry {
      case job(@Sendable () -> Void)
      case turn(UInt32)
    }

    /// The waiting entries begin at `next`.
    private var entries: [Entry?] = []
    private var next = 0

    var count: Int { entries.count - next }
    var isEmpty: Bool { count == 0 }

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

  /// The state shared by the threads; they do not retain the pool, so that it can be released.
  private final class Shared: Sendable {
    let queue = Mutex(Queue())
    /// Counts the waiting jobs, plus one for each thread that has to end.
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

  /// How many jobs may wait before a user of whom some wait is refused more.
  public let queueLimit: Int
  /// How many jobs of one user may wait.
  public let userLimit: Int
  private let shared: Shared
  private let threads: [SystemThread]

  /// Starts the threads.
  ///
  /// - Parameters:
  ///   - name: The threads' name in tools; at most 15 bytes are used.
  ///   - count: How many jobs may run at once.
  ///   - queueLimit: How many jobs may wait besides those that run; one of each user may besides.
  ///   - userLimit: How many of them may be one user's; all if nil.
  ///   - stackSize: The stack size of each thread, in bytes.
  /// - Throws: The error of the call that failed; threads already started end again.
  public init(
    name: String,
    threads count: Int,
    queueLimit: Int = 1024,
    userLimit: Int? = nil,
    stackSize: Int = 256 * 1024
  ) throws(SystemError) {
    let userLimit = userLimit ?? queueLimit
    precondition(
      count > 0 && queueLimit > 0 && userLimit > 0,
      "a pool has a thread and room for a job"
    )
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
    self.userLimit = userLimit
    self.shared = shared
    self.threads = threads
  }

  /// Queues a job; may be called from any thread.
  ///
  /// - Parameters:
  ///   - user: the user whose turn the job takes.
  ///   - job: the work to do.
  /// - Returns: false if the queue is full for the user or the pool is shut down; the job then never
  ///   runs.
  public func submit(for user: UInt32 = 0, _ job: @escaping @Sendable () -> Void) -> Bool {
    let (limit, share) = (queueLimit, userLimit)
    let isQueued = shared.queue.withLock { queue in
      guard queue.isOpen, queue.hasRoom(for: user, of: limit, share: share) else { return false }
      queue.add(job, of: user)
      return true
    }
    if isQueued { _ = la_counter_add(shared.permits.rawValue, 1) }
    return isQueued
  }

  /// Takes no more jobs, lets the waiting ones finish, and returns when the threads have ended.
  ///
  /// A second call waits for the same end. Do not call it from a job.
  public func shutdown() {
    closeQueue()
    for thread in threads { thread.join() }
  }

  // Without a shutdown the waiting jobs still run, but nothing waits for them.
  deinit { closeQueue() }

  private func closeQueue() {
    let wasOpen = shared.queue.withLock { queue in
      defer { queue.isOpen = false }
      return queue.isOpen
    }
    if wasOpen { _ = la_counter_add(shared.permits.rawValue, UInt64(threads.count)) }
  }
}
