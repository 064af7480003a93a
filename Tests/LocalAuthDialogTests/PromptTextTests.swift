import LocalAuthTerminal
import LocalAuthWire
import Testing

@testable import LocalAuthDialog

/// What the terminal shows of a prompt.
@Suite struct PromptTextTests {
  private let text = #"open 17 items: "mail", "bank" and 15 more"#

  private func state(
    isAnswered: Bool = false,
    _ change: (inout AuthenticationMessages.Prompt) -> Void
  ) -> PromptText {
    var prompt = AuthenticationMessages.Prompt()
    prompt.reason = "back up"
    prompt.caller = "backup (process 7)"
    prompt.device = "sim"
    change(&prompt)
    return PromptText(prompt, takesAnswers: !isAnswered)
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

  @Test func saysWhatWouldAnswerAndWhetherItProvesAnything() {
    let state = state {
      $0.simulated = true
      $0.biometry = true
      $0.attemptsLeft = 2
    }
    #expect(state.isSimulated && state.entry == nil)
    #expect(
      state.authenticators
        == [LiveAuthenticator(instruction: "Touch the fingerprint sensor", attemptsLeft: 2)]
    )
  }

  @Test func saysHowManyPasscodesAreLeftOnlyWhereTheyLockForGood() {
    let finite = state {
      ($0.passcode, $0.passcodePrompt, $0.passcodeAttemptsLeft) = (true, "Passcode: ", 2)
    }
    #expect(
      finite.authenticators == [
        LiveAuthenticator(instruction: "Type the passcode", attemptsLeft: 2, locksForGood: true)
      ]
    )
    let endless = state { ($0.passcode, $0.passcodePrompt) = (true, "Passcode: ") }
    #expect(endless.authenticators.first?.attemptsLeft == nil)
  }

  @Test func saysHowLongASuccessAnswersAgain() {
    #expect(state { $0.remembersSeconds = 300 }.remembered == "5m")
    #expect(state { _ in }.remembered == nil)
  }

  @Test func asksForThePasscodeWithoutShowingIt() {
    let ask: (inout AuthenticationMessages.Prompt) -> Void = {
      ($0.passcode, $0.passcodePrompt) = (true, "Password: ")
    }
    #expect(state(ask).entry == PromptEntry(label: "Password", echo: .stars))
    #expect(state(isAnswered: true, ask).entry == nil)
  }

  @Test func showsAnAnswerThatIsNoSecret() {
    let state = state {
      ($0.passcode, $0.passcodePrompt, $0.passcodeEchoes) = (true, "login:", true)
    }
    #expect(state.entry == PromptEntry(label: "login", echo: .text))
  }

  @Test func offersTheFallbackOnlyWhereThereIsOne() {
    #expect(state { $0.fallback = true }.fallbackTitle == "use the passcode")
    let ending = state { ($0.fallback, $0.fallbackEnds) = (true, true) }
    #expect(ending.fallbackTitle == "end without a finger")
    #expect(state { $0.fallbackTitle = "Use PIN" }.fallbackTitle == nil)
    for (title, shown) in [("Use PIN", "Use PIN"), ("", nil)] {
      #expect(state { ($0.fallback, $0.fallbackTitle) = (true, title) }.fallbackTitle == shown)
    }
  }
}
