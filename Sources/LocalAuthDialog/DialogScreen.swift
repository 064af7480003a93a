import LocalAuthSecret
public import LocalAuthTerminal
import LocalAuthUnix

/// The terminal of a dialog: taken over when there is something to show, and then given back.
///
/// It is taken over with the first prompt, or a moment later if a script or a given passcode may
/// answer first. Until then signals keep their old effect, which ends the process and so cancels
/// the evaluation.
public struct DialogScreen: ~Copyable {
  /// How long a script may take before a prompt is shown; it answers within that time or not at
  /// all.
  private static let scriptsTurn = Duration.milliseconds(150)

  private var terminal: Terminal?
  private var session: PromptSession?
  /// The session's descriptors for signals and keys; nil until the terminal is taken over.
  private var watched: (signals: Int32, keys: Int32)?
  /// When to take the terminal over; nil if that is not scheduled.
  private(set) var opensAt: Deadline?
  private let style: PromptStyle
  private let opensAtOnce: Bool
  /// The number of the question on the screen.
  private var question: Int?

  /// Creates a screen on `terminal`, if there is one.
  public init(on terminal: consuming Terminal?, style: PromptStyle, opensAtOnce: Bool) {
    self.terminal = terminal
    self.style = style
    self.opensAtOnce = opensAtOnce
  }

  /// The descriptors to poll, for signals and keys.
  var descriptors: [Int32] { watched.map { [$0.signals, $0.keys] } ?? [] }

  /// How long to wait for the rest of an escape sequence; nil if none has begun.
  var keyTimeout: Deadline? {
    mutating get { session?.timeoutMilliseconds.map { .after(.milliseconds(Int64($0))) } }
  }

  /// Whether the signal descriptor is among the readable ones.
  func hasSignal(_ readable: [Int32]) -> Bool {
    watched.map { readable.contains($0.signals) } ?? false
  }

  /// Shows `text`; keeps what is typed if `question` has not changed.
  mutating func show(_ text: PromptText, question: Int) throws(DialogError) {
    if terminal != nil {
      guard opensAtOnce || opensAt?.hasPassed ?? false else {
        opensAt = opensAt ?? .after(Self.scriptsTurn)
        return
      }
      try open()
    }
    let isNew = self.question != question
    self.question = question
    _ = try on { (session) throws(TerminalError) in
      if isNew { try session.ask(text) } else { try session.show(text) }
      return .nothing
    }
  }

  /// Nothing to show: cancels a scheduled takeover of the terminal until the next prompt.
  mutating func postpone() { opensAt = nil }

  /// Writes a line that stays above the prompt.
  mutating func note(_ text: String) throws(DialogError) {
    _ = try on { (session) throws(TerminalError) in
      try session.note(text)
      return .nothing
    }
  }

  /// Handles the pending signals.
  mutating func signalIsPending() throws(DialogError) -> TerminalEvent {
    try on { (session) throws(TerminalError) in try session.signalIsPending() }
  }

  /// Handles typed keys, or the time-out of a partial escape sequence.
  mutating func attend(to readable: [Int32]) throws(DialogError) -> TerminalEvent {
    guard let watched else { return .nothing }
    return try on { (session) throws(TerminalError) in
      if readable.contains(watched.keys) { return try session.terminalIsReadable() }
      return session.timeoutMilliseconds == nil ? .nothing : try session.timeoutHasPassed()
    }
  }

  /// Takes the typed answer.
  mutating func takeAnswer() -> Secret? { session?.takeAnswer() }

  /// Gives the terminal back.
  mutating func end() { session?.end() }

  /// Raises a signal again with its old effect, which by default ends the process.
  mutating func reraise(_ signal: TerminalSignal) { session?.reraise(signal) }

  private mutating func open() throws(DialogError) {
    opensAt = nil
    guard let terminal = terminal.take() else { return }
    do throws(TerminalError) {
      let opened = try PromptSession(terminal: terminal, style: style)
      watched = (opened.signalDescriptor, opened.terminalDescriptor)
      session = consume opened
    } catch {
      throw .terminal(error)
    }
  }

  /// Runs `body` on the session; does nothing if there is none.
  private mutating func on(
    _ body: (inout PromptSession) throws(TerminalError) -> TerminalEvent
  ) throws(DialogError) -> TerminalEvent {
    guard var taken = session.take() else { return .nothing }
    let result: Result<TerminalEvent, TerminalError>
    do throws(TerminalError) {
      result = .success(try body(&taken))
    } catch {
      result = .failure(error)
    }
    session = consume taken
    do throws(TerminalError) { return try result.get() } catch { throw .terminal(error) }
  }
}
