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
    let answer = try answer(to: text, "Go on? y or n")
    return ["y", "yes"].contains(answer)
  }

  /// Asks as ``confirm(_:)`` does, and once more as long as the answer is neither yes nor no.
  ///
  /// For a no that cannot be taken back.
  public mutating func decide(_ text: String) throws(SecretInputError) -> Bool {
    var label = "Go on? y or n"
    while true {
      switch try answer(to: text, label) {
      case "y", "yes": return true
      case "n", "no": return false
      default: label = "Type y or n"
      }
    }
  }

  private mutating func answer(
    to text: String,
    _ label: String
  ) throws(SecretInputError) -> String {
    var state = PromptText(reason: "", telling: PromptMessage(.info, text))
    state.entry = PromptEntry(label: label, echo: .text)
    try awaitAnswer(to: state)
    defer { _ = takeAnswer() }
    return visibleAnswer().lowercased()
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
  /// Throws `entriesDiffer` if the two entries differ. One that `isRefused` is returned at once, for the caller to say why.
  public mutating func readNewSecret(
    prompt: String,
    again: String,
    unless isRefused: (borrowing Secret) -> Bool = { _ in false }
  ) throws(SecretInputError) -> Secret {
    let secret = try readSecret(prompt: prompt)
    guard !isRefused(secret) else { return secret }
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
