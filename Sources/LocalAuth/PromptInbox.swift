import LocalAuthDialog
import LocalAuthUnix
import Synchronization

/// Delivers answers and cancellation to the thread that waits for a person.
///
/// Other threads call ``cancel()`` and ``post(_:)``, which wake the waiting thread.
final class PromptInbox: DialogInbox, Sendable {
  private struct State {
    var isCancelled = false
    var inputs: [DialogInput] = []
  }

  private let state = Mutex(State())
  private let wakeUp: WakeUp

  init() throws(SystemError) { wakeUp = try WakeUp() }

  /// Ends the wait with ``AuthError/appCancel``, unless it has already ended.
  func cancel() {
    state.withLock { $0.isCancelled = true }
    wakeUp.ring()
  }

  /// Delivers a person's input.
  func post(_ input: DialogInput) {
    state.withLock { $0.inputs.append(input) }
    wakeUp.ring()
  }

  /// Whether ``cancel()`` has been called.
  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  // MARK: For its thread

  /// A descriptor that becomes readable after ``post(_:)`` or ``cancel()``.
  var descriptor: Int32 { wakeUp.descriptor }

  /// Returns the inputs posted since the last call; after ``cancel()``, only `.abandon`.
  func take() -> [DialogInput] {
    // Cleared before the state is read, so that anything posted from here on wakes the next wait.
    wakeUp.clear()
    return state.withLock { state in
      defer { state.inputs = [] }
      return state.isCancelled ? [.abandon] : state.inputs
    }
  }
}
