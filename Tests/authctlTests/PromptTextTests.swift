import LocalAuthTerminal
import LocalAuthWire
import Testing

@testable import authctl

/// What the terminal shows of a prompt.
@Suite struct PromptTextTests {
  private let text = #"open 17 items: "mail", "bank" and 15 more"#

  private func state(
    _ change: (inout AuthenticationMessages.Prompt) -> Void
  ) -> PromptState {
    var prompt = AuthenticationMessages.Prompt()
    prompt.reason = "back up"
    prompt.caller = "backup (process 7)"
    prompt.device = "sim"
    change(&prompt)
    return PromptText.state(of: prompt, message: nil, secondsLeft: 9, isAnswered: false)
  }

  private var items: AuthenticationMessages.Items {
    var items = AuthenticationMessages.Items()
    items.text = text
    return items
  }

  @Test func saysWhyAndWithWhichSecrets() {
    let state = state { $0.items = items }
    #expect(state.reason == "back up")
    #expect(state.items == text)
    #expect(state.requester == "backup (process 7) for a secret on sim")
  }

  @Test func withoutAReasonItSaysOnceWhatIsDone() {
    let state = state {
      $0.items = items
      $0.reason = text
    }
    #expect(state.reason.isEmpty)
    #expect(state.items == text)
  }

  @Test func ofAPolicyItSaysWhich() {
    let state = state { $0.policy = "device-owner" }
    #expect(state.items == nil)
    #expect(state.requester == "backup (process 7) for policy device-owner on sim")
  }
}
