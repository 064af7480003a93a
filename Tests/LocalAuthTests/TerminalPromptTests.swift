import LocalAuthKeychain
import LocalAuthTerminal
import LocalAuthWire
import Testing

@testable import LocalAuth

/// What the terminal shows of a prompt.
@Suite
struct TerminalPromptTests {
  private func prompt(
    _ change: (inout AuthenticationMessages.Prompt) -> Void = { _ in }
  ) -> Prompt {
    var message = AuthenticationMessages.Prompt()
    message.reason = "deploy"
    message.caller = "deploy.sh (process 7)"
    message.policy = "device-owner"
    message.device = "sim"
    message.biometry = true
    message.attemptsLeft = 2
    change(&message)
    return Prompt(message)
  }

  private func state(
    _ prompt: Prompt,
    isAnswered: Bool = false
  ) -> PromptState {
    TerminalPrompt.state(of: prompt, message: nil, secondsLeft: 9, isAnswered: isAnswered)
  }

  @Test func saysWhatIsAskedByWhomAndHow() {
    let state = state(prompt { $0.simulated = true })
    #expect(state.reason == "deploy")
    #expect(state.requester == "deploy.sh (process 7) for policy device-owner on sim")
    #expect(state.isSimulated)
    #expect(state.secondsLeft == 9)
    #expect(
      state.authenticators
        == [LiveAuthenticator(instruction: "Touch the fingerprint sensor", attemptsLeft: 2)]
    )
    #expect(state.entry == nil)
  }

  @Test func saysWhatIsDoneWithWhichSecret() {
    let text = #"open 17 items: "mail", "bank" and 15 more"#
    let asked = prompt {
      $0.policy = ""
      $0.items = AuthenticationMessages.Items()
      $0.items?.count = 17
      $0.items?.named = [.init(ItemName(.genericPassword, label: "mail"))]
      $0.items?.text = text
    }
    #expect(asked.items?.count == 17)
    #expect(asked.items?.names.map(\.label) == ["mail"])
    #expect(state(asked).reason == "deploy")
    #expect(state(asked).items == text)
    #expect(state(asked).requester == "deploy.sh (process 7) for a secret on sim")
    let reasonless = prompt {
      $0.reason = text
      $0.items = AuthenticationMessages.Items()
      $0.items?.text = text
    }
    #expect(state(reasonless).reason == "", "it is said once")
    #expect(state(reasonless).items == text)
  }

  @Test func asksForThePasscodeWithoutShowingIt() {
    let asked = prompt {
      $0.biometry = false
      $0.passcode = true
      $0.passcodePrompt = "Password: "
    }
    #expect(state(asked).entry == PromptEntry(label: "Password", echo: .stars))
    #expect(state(asked, isAnswered: true).entry == nil)
  }

  @Test func showsAnAnswerThatIsNoSecret() {
    let asked = prompt {
      $0.passcode = true
      $0.passcodePrompt = "login:"
      $0.passcodeEchoes = true
    }
    #expect(state(asked).entry == PromptEntry(label: "login", echo: .text))
  }

  @Test func offersTheFallbackOnlyWhereThereIsOne() {
    #expect(state(prompt { $0.fallback = true }).fallbackTitle == "Enter Passcode")
    #expect(state(prompt { $0.fallbackTitle = "Use PIN" }).fallbackTitle == nil)
    let hidden = prompt {
      $0.fallback = true
      $0.fallbackTitle = ""
    }
    #expect(state(hidden).fallbackTitle == nil)
  }

  @Test func saysHowManyAreAhead() {
    #expect(
      TerminalPrompt.waiting(ahead: 1, reason: "x").message?.text
        == "Waiting: another request is first."
    )
    #expect(
      TerminalPrompt.waiting(ahead: 3, reason: "x").message?.text
        == "Waiting: 3 other requests are first."
    )
  }
}
