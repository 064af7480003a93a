import LocalAuthCore
import LocalAuthTerminal
import LocalAuthWire

extension PromptText {
  /// The text of an agent while no prompt is pending.
  static let idle = PromptText(
    reason: "",
    telling: PromptMessage(.info, "Waiting for programs that ask. Press q or Ctrl-C to end.")
  )

  /// The text while other requests are asked first.
  static func queued(ahead: Int64, reason: String) -> PromptText {
    let others = ahead == 1 ? "another request is" : "\(ahead) other requests are"
    let message = PromptMessage(.info, "Waiting: \(others) first.")
    return PromptText(reason: reason, telling: message)
  }

  /// Creates the text of a daemon's prompt; `takesAnswers` says whether an answer may be typed.
  init(_ prompt: AuthenticationMessages.Prompt, takesAnswers: Bool) {
    // If the program gives no reason, the daemon's text of the items stands in for it; show it
    // once.
    self.init(reason: prompt.reason == prompt.items?.text ? "" : prompt.reason, telling: nil)
    items = prompt.items?.text
    action = prompt.action
    audience = prompt.audience
    remembered = prompt.remembersSeconds.map { DurationText.words(.seconds($0)) }
    let purpose = prompt.policy.isEmpty ? "a secret" : "policy \(prompt.policy)"
    requester = "\(prompt.caller) for \(purpose) on \(prompt.device)"
    isSimulated = prompt.simulated
    authenticators = LiveAuthenticator.all(of: prompt)
    fallbackTitle = prompt.offeredFallback
    if takesAnswers { entry = PromptEntry(prompt) }
  }
}

extension PromptMessage {
  /// The message while an answer is being checked.
  static let checking = PromptMessage(.info, "Checking the answer.")

  /// Creates the message of a notice, in the daemon's words.
  init(_ notice: AuthenticationMessages.Notice) {
    let kind: Kind =
      switch notice.kind {
      case "miss": .miss
      case "retry": .retry
      case "error": .error
      default: .info
      }
    self.init(kind, notice.text)
  }
}

extension LiveAuthenticator {
  /// The authenticators that would answer a prompt.
  fileprivate static func all(of prompt: AuthenticationMessages.Prompt) -> [LiveAuthenticator] {
    var live: [LiveAuthenticator] = []
    if prompt.biometry {
      live.append(
        LiveAuthenticator(
          instruction: "Touch the fingerprint sensor",
          attemptsLeft: prompt.attemptsLeft.map { Int(clamping: $0) }
        )
      )
    }
    if prompt.passcode {
      let isAsked = prompt.passcodePrompt != nil
      live.append(
        LiveAuthenticator(
          instruction: isAsked ? "Type the passcode" : "Wait for the passcode",
          attemptsLeft: prompt.passcodeAttemptsLeft.map { Int(clamping: $0) },
          locksForGood: true
        )
      )
    }
    if prompt.applicationPassword == true {
      live.append(LiveAuthenticator(instruction: "Type the item's application password"))
    }
    // Plugged-in authenticators bring their own text; for the kinds above it is given here.
    let others = prompt.authenticators ?? []
    live += others.compactMap(\.instruction).map { LiveAuthenticator(instruction: $0) }
    return live
  }
}

extension PromptEntry {
  /// Creates the entry for a prompt's question; nil if it asks none.
  fileprivate init?(_ prompt: AuthenticationMessages.Prompt) {
    guard let question = prompt.passcodePrompt else { return nil }
    // PAM's questions end in ": "; the screen adds its own.
    var label = question[...]
    while let last = label.last, last == ":" || last == " " { label.removeLast() }
    self.init(
      label: label.isEmpty ? (prompt.passcode ? "Passcode" : "Answer") : String(label),
      echo: prompt.passcodeEchoes ? .text : .stars
    )
  }
}
