import LocalAuthCore
import LocalAuthTerminal
import LocalAuthWire

/// Turns what the daemon says into what the terminal shows.
enum PromptText {
  /// A prompt on the screen, with what happened last and how long there is now.
  ///
  /// `isAnswered` says that an answer is on its way, so that none is asked for.
  static func state(
    of prompt: AuthenticationMessages.Prompt,
    message: PromptMessage?,
    secondsLeft: Int?,
    isAnswered: Bool
  ) -> PromptState {
    PromptState(
      // Without a reason of the program's, what it is about to do is the reason.
      reason: prompt.reason == prompt.items?.text ? "" : prompt.reason,
      items: prompt.items?.text,
      action: prompt.action,
      audience: prompt.audience,
      remembered: prompt.remembersSeconds.map { DurationText.format(.seconds($0)) },
      requester: "\(prompt.caller) for \(purpose(of: prompt)) on \(prompt.device)",
      isSimulated: prompt.simulated,
      authenticators: authenticators(of: prompt),
      secondsLeft: secondsLeft,
      message: message,
      fallbackTitle: prompt.fallback ? prompt.fallbackTitle ?? "use the passcode" : nil,
      entry: isAnswered ? nil : entry(of: prompt)
    )
  }

  private static func purpose(of prompt: AuthenticationMessages.Prompt) -> String {
    prompt.policy.isEmpty ? "a secret" : "policy \(prompt.policy)"
  }

  /// What is shown while others are asked first.
  static func queued(ahead: Int64, reason: String) -> PromptState {
    let others = ahead == 1 ? "another request is" : "\(ahead) other requests are"
    return PromptState(reason: reason, message: PromptMessage(.info, "Waiting: \(others) first."))
  }

  /// What happened, in the daemon's words.
  static func message(of notice: AuthenticationMessages.Notice) -> PromptMessage {
    switch notice.kind {
    case "miss": PromptMessage(.miss, notice.text)
    case "retry": PromptMessage(.retry, notice.text)
    case "error": PromptMessage(.error, notice.text)
    default: PromptMessage(.info, notice.text)
    }
  }

  private static func authenticators(
    of prompt: AuthenticationMessages.Prompt
  ) -> [LiveAuthenticator] {
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
    return live
  }

  private static func entry(of prompt: AuthenticationMessages.Prompt) -> PromptEntry? {
    guard prompt.passcode || prompt.applicationPassword == true,
      let question = prompt.passcodePrompt
    else { return nil }
    // PAM's questions end in ": "; the screen writes its own.
    var label = question[...]
    while let last = label.last, last == ":" || last == " " { label.removeLast() }
    return PromptEntry(
      label: label.isEmpty ? "Passcode" : String(label),
      echo: prompt.passcodeEchoes ? .text : .stars
    )
  }
}
