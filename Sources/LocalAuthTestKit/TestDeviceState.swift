import LocalAuth
import LocalAuthSecret
import Synchronization

/// The state of a test device on the test's side: its passcode, and the prompts shown.
final class TestDeviceState: Prompting {
  private struct State {
    var passcode: String?
    var prompts: [Prompt] = []
  }

  private let state: Mutex<State>

  init(passcode: String?) { state = Mutex(State(passcode: passcode)) }

  /// The current passcode, which administrative calls pass on.
  var passcode: String? {
    get { state.withLock { $0.passcode } }
    set { state.withLock { $0.passcode = newValue } }
  }

  /// The passcode as a secret, as calls take it.
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
  /// The UTF-8 of a text that is not really secret: a test's passcode or script.
  init(testing text: String) {
    self.init(capacity: text.utf8.count)
    for byte in text.utf8 { _ = append(byte) }
  }
}
