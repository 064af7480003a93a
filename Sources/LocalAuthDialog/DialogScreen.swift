import LocalAuthSecret
public import LocalAuthTerminal
import LocalAuthUnix

/// The terminal as a dialog uses it: taken over when there is something to show, and given back.
///
/// It is taken over with the first prompt, or a moment later where a script or a given passcode may
/// answer first; until then signals keep their old effect, which ends the process and so cancels the
/// evaluation.
public struct DialogScreen: ~Copyable {
  /// How long a script has before a prompt is shown: it answers within that or not at all.
  private static let scriptsTurn = Duration.milliseconds(150)

  private var terminal: Terminal?
  private var session: PromptSession?
  /// What tells of the person; none while the terminal is not taken over.
  private var watched: (signals: Int32, keys: Int32)?
  /// When to take the terminal over; nil while that is not due to happen.
  private(set) var opensAt: Deadline?
  private let style: PromptStyle
  private let opensAtOnce: Bool
  /// Which question of the dialog is shown.
  private var question: Int?

  /// The screen on `terminal`, if there is one.
  public init(on terminal: consuming Terminal?, style: PromptStyle, opensAtOnce: Bool) {
    self.terminal = terminal
    self.style = style
    self.opensAtOnce = opensAtOnce
  }

  /// What to wait for: signals and keys.
  var descriptors: [Int32] { watched.map { [$0.signals, $0.keys] } ?? [] }

  /// Half an escape sequence was typed: how long to wait for the rest.
  var keyTimeout: Deadline? {
    mutating get { session?.timeoutMilliseconds.map { .after(.milliseconds(Int64($0))) } }
  }

  /// Whether a signal is among what is readable.
  func hasSignal(_ readable: [Int32]) -> Bool {
    watched.map { readable.contains($0.signals) } ?? false
  }

  /// Shows `text`; what is typed stays where it is still the same `question`.
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

  /// There is nothing to show: the terminal is taken over for the next prompt, if it was not yet.
  mutating func postpone() { opensAt = nil }

  /// Leaves a line above the prompt.
  mutating func note(_ text: String) throws(DialogError) {
    _ = try on { (session) throws(TerminalError) in
      try session.note(text)
      return .nothing
    }
  }

  /// A signal came.
  mutating func signalIsPending() throws(DialogError) -> TerminalEvent {
    try on { (session) throws(TerminalError) in try session.signalIsPending() }
  }

  /// Something was typed, or nothing for long enough after half an escape sequence.
  mutating func attend(to readable: [Int32]) throws(DialogError) -> TerminalEvent {
    guard let watched else { return .nothing }
    return try on { (session) throws(TerminalError) in
      if readable.contains(watched.keys) { return try session.terminalIsReadable() }
      return session.timeoutMilliseconds == nil ? .nothing : session.timeoutHasPassed()
    }
  }

  /// The answer that was typed, once.
  mutating func takeAnswer() -> Secret? { session?.takeAnswer() }

  /// Gives the terminal back.
  mutating func end() { session?.end() }

  /// Lets a signal have its old effect, which by default ends the process.
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

  /// Does something with the session; nothing where there is none.
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
