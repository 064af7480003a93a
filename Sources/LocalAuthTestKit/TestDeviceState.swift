import LocalAuth
import LocalAuthSecret
import Synchronization

/// What a test device remembers of itself: its passcode, and what was asked.
final class TestDeviceState: Prompting {
  private struct State {
    var passcode: String?
    var prompts: [Prompt] = []
  }

  private let state: Mutex<State>

  init(passcode: String?) { state = Mutex(State(passcode: passcode)) }

  /// The passcode in force, which administrative acts are given.
  var passcode: String? {
    get { state.withLock { $0.passcode } }
    set { state.withLock { $0.passcode = newValue } }
  }

  /// The same as what calls take.
  var secret: Secret? {
    guard let passcode else { return nil }
    return Secret(testing: passcode)
  }

  var prompts: [Prompt] { state.withLock { $0.prompts } }

  func show(_ event: PromptEvent, in conversation: PromptConversation) {
    guard case .prompt(let prompt) = event else { return }
    state.withLock { $0.prompts.append(prompt) }
  }
}

extension Secret {
  /// The UTF-8 of a text that is no secret: a test's passcode or script.
  init(testing text: String) {
    self.init(capacity: text.utf8.count)
    for byte in text.utf8 { _ = append(byte) }
  }
}
