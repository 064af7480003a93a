import LocalAuthUnix
import Synchronization

/// Where the thread that waits for a person hears of answers and of cancellation.
///
/// Other threads use ``cancel()`` and ``post(_:)``, which wake it.
final class PromptInbox: Sendable {
  private struct State {
    var isCancelled = false
    var answers: [PromptAnswer] = []
  }

  private let state = Mutex(State())
  private let wakeUp: WakeUp

  init() throws(SystemError) { wakeUp = try WakeUp() }

  /// Ends what waits with ``AuthError/appCancel``, unless it has ended already.
  func cancel() {
    state.withLock { $0.isCancelled = true }
    wakeUp.ring()
  }

  /// Hands over what a person did.
  func post(_ answer: PromptAnswer) {
    state.withLock { $0.answers.append(answer) }
    wakeUp.ring()
  }

  /// Whether ``cancel()`` was called.
  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  // MARK: For its thread

  /// Readable when something was posted or cancelled.
  var descriptor: Int32 { wakeUp.descriptor }

  /// What was posted since the last call.
  ///
  /// - Throws: ``AuthError/appCancel``, once it was cancelled.
  func takeAnswers() throws(AuthError) -> [PromptAnswer] {
    // Silenced before anything is looked at: what is rung for from here on wakes the next wait.
    wakeUp.clear()
    let (answers, isCancelled) = state.withLock { state in
      defer { state.answers = [] }
      return (state.answers, state.isCancelled)
    }
    guard !isCancelled else { throw .appCancel }
    return answers
  }
}
