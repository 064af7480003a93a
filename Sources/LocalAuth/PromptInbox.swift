import LocalAuthDialog
import LocalAuthUnix
import Synchronization

/// Where the thread that waits for a person hears of answers and of cancellation.
///
/// Other threads use ``cancel()`` and ``post(_:)``, which wake it.
final class PromptInbox: DialogInbox, Sendable {
  private struct State {
    var isCancelled = false
    var inputs: [DialogInput] = []
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
  func post(_ input: DialogInput) {
    state.withLock { $0.inputs.append(input) }
    wakeUp.ring()
  }

  /// Whether ``cancel()`` was called.
  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  // MARK: For its thread

  /// Readable when something was posted or cancelled.
  var descriptor: Int32 { wakeUp.descriptor }

  /// What was posted since the last call; once it was cancelled, that and nothing else.
  func take() -> [DialogInput] {
    // Silenced before anything is looked at: what is rung for from here on wakes the next wait.
    wakeUp.clear()
    return state.withLock { state in
      defer { state.inputs = [] }
      return state.isCancelled ? [.abandon] : state.inputs
    }
  }
}
