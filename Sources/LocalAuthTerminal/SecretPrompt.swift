import Glibc
public import LocalAuthSecret

extension PromptSession {
  /// Asks for a secret and waits for it; shows nothing while it is typed.
  ///
  /// Blocks the thread. A deadly signal ends the session and takes its old effect; if the process
  /// survives that, `interrupted` is thrown.
  public mutating func readSecret(prompt: String) throws(SecretInputError) -> Secret {
    try awaitAnswer(to: PromptText(entry: PromptEntry(label: prompt, echo: .nothing)))
    return takeAnswer()
  }

  /// Asks whether to do what `text` announces and waits; every answer but `y` and `yes` is no.
  ///
  /// Blocks the thread, and ends as ``readSecret(prompt:)`` does.
  public mutating func confirm(_ text: String) throws(SecretInputError) -> Bool {
    var state = PromptText(reason: "", telling: PromptMessage(.info, text))
    state.entry = PromptEntry(label: "Go on? y or n", echo: .text)
    try awaitAnswer(to: state)
    defer { _ = takeAnswer() }
    return ["y", "yes"].contains(visibleAnswer().lowercased())
  }

  private mutating func awaitAnswer(to state: PromptText) throws(SecretInputError) {
    do throws(TerminalError) {
      try ask(state)
    } catch {
      throw .terminal(error)
    }
    while true {
      switch try wait() {
      case .nothing, .fallback: break
      case .answered: return
      case .cancelled: throw .cancelled
      case .interrupted(let signal):
        reraise(signal)
        throw .interrupted(signal)
      }
    }
  }

  /// Asks for a new secret twice, because it is not shown while it is typed.
  ///
  /// Throws `entriesDiffer` if the two entries differ.
  public mutating func readNewSecret(
    prompt: String,
    again: String
  ) throws(SecretInputError) -> Secret {
    let secret = try readSecret(prompt: prompt)
    guard try readSecret(prompt: again).isEqual(to: secret) else { throw .entriesDiffer }
    return secret
  }

  /// Waits for the next event of the prompt.
  private mutating func wait() throws(SecretInputError) -> TerminalEvent {
    var entries = [
      pollfd(fd: signalDescriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: terminalDescriptor, events: Int16(POLLIN), revents: 0),
    ]
    // SAFETY: both entries live for the call.
    let ready = unsafe poll(&entries, 2, timeoutMilliseconds ?? -1)
    do throws(TerminalError) {
      if ready == 0 { return try timeoutHasPassed() }
      if ready < 0 || entries[0].revents != 0 { return try signalIsPending() }
      return try terminalIsReadable()
    } catch {
      throw .terminal(error)
    }
  }
}
