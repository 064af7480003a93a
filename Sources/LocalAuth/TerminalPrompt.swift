import LocalAuthTerminal

/// Turns what the service asks into what the terminal shows.
enum TerminalPrompt {
  /// A prompt on the screen; `isAnswered` while an answer is on its way and none is asked for.
  static func state(
    of prompt: Prompt,
    message: PromptMessage?,
    secondsLeft: Int?,
    isAnswered: Bool
  ) -> PromptState {
    PromptState(
      reason: prompt.reason == prompt.items?.text ? "" : prompt.reason,
      items: prompt.items?.text,
      action: prompt.action,
      audience: prompt.audience,
      requester: "\(prompt.requester) for \(purpose(of: prompt)) on \(prompt.device)",
      isSimulated: prompt.isSimulated,
      authenticators: authenticators(of: prompt),
      secondsLeft: secondsLeft,
      message: message,
      fallbackTitle: prompt.fallbackTitle,
      entry: isAnswered ? nil : entry(of: prompt)
    )
  }

  private static func purpose(of prompt: Prompt) -> String {
    prompt.items == nil ? "policy \(prompt.policy)" : "a secret"
  }

  /// What is shown while others are asked first.
  static func waiting(ahead: Int, reason: String) -> PromptState {
    let others = ahead == 1 ? "another request is" : "\(ahead) other requests are"
    return PromptState(reason: reason, message: PromptMessage(.info, "Waiting: \(others) first."))
  }

  /// What happened, in the service's words.
  static func message(of notice: PromptNotice) -> PromptMessage {
    switch notice.kind {
    case .miss: PromptMessage(.miss, notice.text)
    case .retry: PromptMessage(.retry, notice.text)
    case .info: PromptMessage(.info, notice.text)
    case .error: PromptMessage(.error, notice.text)
    }
  }

  private static func authenticators(of prompt: Prompt) -> [LiveAuthenticator] {
    var live: [LiveAuthenticator] = []
    if prompt.asksForFinger {
      live.append(
        LiveAuthenticator(
          instruction: "Touch the fingerprint sensor",
          attemptsLeft: prompt.attemptsLeft
        )
      )
    }
    if prompt.asksForPasscode {
      let isAsked = prompt.question != nil
      live.append(
        LiveAuthenticator(instruction: isAsked ? "Type the passcode" : "Wait for the passcode")
      )
    }
    if prompt.asksForApplicationPassword {
      live.append(LiveAuthenticator(instruction: "Type the item's application password"))
    }
    return live
  }

  private static func entry(of prompt: Prompt) -> PromptEntry? {
    guard let question = prompt.question else { return nil }
    // PAM's questions end in ": "; the screen writes its own.
    var label = question.text[...]
    while let last = label.last, last == ":" || last == " " { label.removeLast() }
    return PromptEntry(
      label: label.isEmpty ? "Passcode" : String(label),
      echo: question.showsAnswer ? .text : .stars
    )
  }
}
