import LocalAuthClient
import LocalAuthUnix
import Synchronization

/// Serves the keychain calls of one context, or of one keychain without a context.
///
/// Calls wait here for one of a few threads of LocalAuth's, each with a connection of its own, so that
/// waiting for a person blocks none of the caller's. A thread ends when nothing waits; its connection
/// is kept, with what was proven on it.
final class ConnectionPool: Sendable {
  private struct State {
    var isInvalid = false
    var waiting: [KeychainJob] = []
    var running: [ObjectIdentifier: KeychainJob] = [:]
    var threads = 0
    var idle: [IdleStream] = []
  }

  /// How many calls are served at once.
  private let width: Int
  private let state = Mutex(State())
  private let lastNumber = Atomic<Int64>(1)

  /// A pool that serves so many calls at once.
  init(width: Int) { self.width = width }

  /// A number for a context that no other call of this pool has; a context of the caller's is 1.
  func nextContext() -> Int64 { lastNumber.add(1, ordering: .relaxed).newValue }

  /// Runs `body` when it is its turn; cancelling the task ends it, and the waiting for it.
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

  /// The same for a caller that blocks; nothing cancels it but ``invalidate()``.
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

  /// The same for a caller that is called back, here or on a thread of the pool: the call
  /// must not wait.
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

  /// Ends what runs and what waits, and refuses what follows.
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
    // Closed here, outside the lock.
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
    // A cancellation that came before the job was here has not found it.
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
      // Nobody waits for the thread; it ends when it finds nothing to do.
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
      // The thread counts as free before the caller hears, and may bring the next call.
      reply(isInvalid)
    }
  }

  /// The job whose turn it is; nil ends the thread, whose stream is kept for another.
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

/// Where a result waits for the thread that blocks for it.
private final class AnswerPlace<Value: Sendable>: Sendable {
  let result = Mutex<Result<Value, KeychainFailure>?>(nil)
}

/// Keeps a stream where an array of values that cannot be copied would not.
private final class IdleStream: Sendable {
  private let stream = Mutex<KeychainStream?>(nil)

  func put(_ new: inout KeychainStream?) { stream.withLock { held in held = new.take() } }

  func take() -> KeychainStream? { stream.withLock { held in held.take() } }
}
