import LocalAuthCore
import LocalAuthTerminal
import LocalAuthWire

extension PromptText {
  /// What an agent shows while nobody asks.
  static let idle = PromptText(
    reason: "",
    telling: PromptMessage(.info, "Waiting for programs that ask. Press q or Ctrl-C to end.")
  )

  /// What is shown while others are asked first.
  static func queued(ahead: Int64, reason: String) -> PromptText {
    let others = ahead == 1 ? "another request is" : "\(ahead) other requests are"
    let message = PromptMessage(.info, "Waiting: \(others) first.")
    return PromptText(reason: reason, telling: message)
  }

  /// A prompt of the daemon's; `takesAnswers` says whether one may be typed.
  init(_ prompt: AuthenticationMessages.Prompt, takesAnswers: Bool) {
    // Without a reason of the program's, what it is about to do is the reason.
    self.init(reason: prompt.reason == prompt.items?.text ? "" : prompt.reason, telling: nil)
    items = prompt.items?.text
    action = prompt.action
    audience = prompt.audience
    remembered = prompt.remembersSeconds.map { DurationText.format(.seconds($0)) }
    let purpose = prompt.policy.isEmpty ? "a secret" : "policy \(prompt.policy)"
    requester = "\(prompt.caller) for \(purpose) on \(prompt.device)"
    isSimulated = prompt.simulated
    authenticators = LiveAuthenticator.all(of: prompt)
    fallbackTitle = prompt.offeredFallback
    if takesAnswers { entry = PromptEntry(prompt) }
  }
}

extension PromptMessage {
  /// What is said while an answer is on its way.
  static let checking = PromptMessage(.info, "Checking the answer.")

  /// What happened, in the daemon's words.
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
  /// Those that would answer a prompt.
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
        LiveAuthenticator(instruction: isAsked ? "Type the passcode" : "Wait for the passcode")
      )
    }
    if prompt.applicationPassword == true {
      live.append(LiveAuthenticator(instruction: "Type the item's application password"))
    }
    // What is plugged in brings its own words; the kinds above have them.
    let others = prompt.authenticators ?? []
    live += others.compactMap(\.instruction).map { LiveAuthenticator(instruction: $0) }
    return live
  }
}

extension PromptEntry {
  /// The question of a prompt; nil while it asks none.
  fileprivate init?(_ prompt: AuthenticationMessages.Prompt) {
    guard prompt.passcode || prompt.applicationPassword == true,
      let question = prompt.passcodePrompt
    else { return nil }
    // PAM's questions end in ": "; the screen writes its own.
    var label = question[...]
    while let last = label.last, last == ":" || last == " " { label.removeLast() }
    self.init(
      label: label.isEmpty ? "Passcode" : String(label),
      echo: prompt.passcodeEchoes ? .text : .stars
    )
  }
}
