import LocalAuthClient
import LocalAuthUnix
import Synchronization

/// Serves the keychain calls of one context, or of one keychain without a context.
///
/// Calls wait here for one of a few threads, each with its own connection, so that waiting for a
/// person blocks no thread of the caller's. A thread ends when no call waits; its connection is
/// kept, with the authorizations proven on it.
final class ConnectionPool: Sendable {
  private struct State {
    var isInvalid = false
    var waiting: [KeychainJob] = []
    var running: [ObjectIdentifier: KeychainJob] = [:]
    var threads = 0
    var idle: [IdleStream] = []
  }

  /// The maximum number of calls served at once.
  private let width: Int
  private let state = Mutex(State())
  private let lastNumber = Atomic<Int64>(1)

  /// Creates a pool that serves up to `width` calls at once.
  init(width: Int) { self.width = width }

  /// Returns a context number unique in this pool; an ``AuthContext`` itself always has number 1.
  func nextContext() -> Int64 { lastNumber.add(1, ordering: .relaxed).newValue }

  /// Runs `body` when its turn comes; cancelling the task ends both the call and the wait for it.
  func perform<Value: Sendable>(
    for caller: KeychainCaller,
    _ body: @escaping @Sendable (inout KeychainSession) throws(KeychainFailure) -> Value
  ) async throws(KeychainFailure) -> Value {
    let inbox: PromptInbox
    do throws(SystemError) {
      inbox = try PromptInbox()
    } catch {
      throw .service(.internalError("\(error)"))
    }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        enqueue(
          KeychainJob(for: caller, inbox, body) { continuation.resume(returning: $0) }
        )
      }
    } onCancel: {
      cancel(inbox)
    }
    return try result.get()
  }

  /// Runs `body` and blocks the caller until it ends; only ``invalidate()`` cancels it.
  func performBlocking<Value: Sendable>(
    for caller: KeychainCaller,
    _ body: @escaping @Sendable (inout KeychainSession) throws(KeychainFailure) -> Value
  ) throws(KeychainFailure) -> Value {
    let answered: WakeUp
    do throws(SystemError) {
      answered = try WakeUp()
    } catch {
      throw .service(.internalError("\(error)"))
    }
    let place = AnswerPlace<Value>()
    perform(for: caller, body) {
      place.result.withLock { [result = $0] in $0 = result }
      answered.ring()
    }
    answered.wait()
    guard let result = place.result.withLock({ $0 }) else {
      throw .service(.internalError("a call that ended has no result"))
    }
    return try result.get()
  }

  /// Runs `body` and calls `reply` once, on this thread or one of the pool's; `reply` must not
  /// wait.
  func perform<Value: Sendable>(
    for caller: KeychainCaller,
    _ body: @escaping @Sendable (inout KeychainSession) throws(KeychainFailure) -> Value,
    reply: @escaping @Sendable (Result<Value, KeychainFailure>) -> Void
  ) {
    let inbox: PromptInbox
    do throws(SystemError) {
      inbox = try PromptInbox()
    } catch {
      return reply(.failure(.service(.internalError("\(error)"))))
    }
    enqueue(KeychainJob(for: caller, inbox, body, reply: reply))
  }

  /// Cancels running and waiting calls, and refuses later ones.
  func invalidate() {
    let (waiting, running, idle) = state.withLock { state in
      defer {
        state.isInvalid = true
        state.waiting = []
        state.idle = []
      }
      return (state.waiting, state.running, state.idle)
    }
    for job in waiting { job.refuse(.appCancel) }
    for job in running.values { job.inbox.cancel() }
    // The idle connections close here, outside the lock.
    withExtendedLifetime(idle) {}
  }

  // MARK: Waiting

  private func enqueue(_ job: KeychainJob) {
    let (isInvalid, needsThread) = state.withLock { state in
      guard !state.isInvalid else { return (true, false) }
      state.waiting.append(job)
      let free = state.threads - state.running.count
      let needsThread = state.waiting.count > free && state.threads < width
      if needsThread { state.threads += 1 }
      return (false, needsThread)
    }
    if isInvalid { return job.refuse(.invalidContext) }
    if needsThread { startThread() }
    // A cancellation before the job was enqueued did not find it.
    if job.inbox.isCancelled { cancel(job.inbox) }
  }

  private func cancel(_ inbox: PromptInbox) {
    inbox.cancel()
    let job = state.withLock { state in
      let index = state.waiting.firstIndex { $0.inbox === inbox }
      return index.map { state.waiting.remove(at: $0) }
    }
    job?.refuse(.appCancel)
  }

  // MARK: Threads

  private func startThread() {
    do throws(SystemError) {
      // The thread is not joined; it ends when no call waits.
      _ = try SystemThread(name: "localauth-keys") { self.serve() }
    } catch {
      let stranded = state.withLock { state in
        state.threads -= 1
        guard state.threads == 0 else { return [KeychainJob]() }
        defer { state.waiting = [] }
        return state.waiting
      }
      for job in stranded { job.refuse(.internalError("\(error)")) }
    }
  }

  private func serve() {
    var stream = state.withLock { $0.idle.popLast() }?.take()
    while let job = next(keeping: &stream) {
      let reply = job.run(&stream)
      let isInvalid = state.withLock { state in
        state.running[ObjectIdentifier(job)] = nil
        return state.isInvalid
      }
      // The thread must count as free before the reply, because the reply may enqueue the next
      // call.
      reply(isInvalid)
    }
  }

  /// Returns the next job; nil ends the thread and keeps its stream for another thread.
  private func next(keeping stream: inout KeychainStream?) -> KeychainJob? {
    let kept = IdleStream()
    return state.withLock { state in
      guard state.waiting.isEmpty else {
        let job = state.waiting.removeFirst()
        state.running[ObjectIdentifier(job)] = job
        return job
      }
      state.threads -= 1
      if !state.isInvalid, stream != nil {
        kept.put(&stream)
        state.idle.append(kept)
      }
      return nil
    }
  }
}

/// Hands a result to the thread that blocks for it.
private final class AnswerPlace<Value: Sendable>: Sendable {
  let result = Mutex<Result<Value, KeychainFailure>?>(nil)
}

/// Boxes a stream, because an array cannot hold noncopyable values.
private final class IdleStream: Sendable {
  private let stream = Mutex<KeychainStream?>(nil)

  func put(_ new: inout KeychainStream?) { stream.withLock { held in held = new.take() } }

  func take() -> KeychainStream? { stream.withLock { held in held.take() } }
}
