import LocalAuthSecret
import LocalAuthTerminal
import LocalAuthUnix

/// The terminal as a dialog uses it: taken over when there is something to show, and given back.
///
/// It is taken over with the first prompt, or a moment later where a script or a given passcode may
/// answer first; until then signals keep their old effect, which ends the process and so cancels the
/// evaluation.
struct DialogScreen: ~Copyable {
  /// What tells of the person: readable when a signal came, and when something was typed.
  typealias Descriptors = (signals: Int32, keys: Int32)

  /// How long a script has before a prompt is shown: it answers within that or not at all.
  private static let scriptsTurn = Duration.milliseconds(150)

  private var terminal: Terminal?
  private var session: PromptSession?
  /// What to watch; nil while the terminal is not taken over.
  private(set) var watched: Descriptors?
  /// When to take it over; nil while that is not due to happen.
  private(set) var opensAt: Deadline?
  private let style: PromptStyle
  private let opensAtOnce: Bool

  /// The screen on `terminal`, if there is one.
  init(on terminal: consuming Terminal?, style: PromptStyle, opensAtOnce: Bool) {
    self.terminal = terminal
    self.style = style
    self.opensAtOnce = opensAtOnce
  }

  /// Half an escape sequence was typed: how long to wait for the rest.
  var keyTimeout: Int32? {
    mutating get { session?.timeoutMilliseconds }
  }

  /// Shows a prompt that has just come, or will do so soon.
  mutating func show(_ state: PromptState, asksAnew: Bool) throws(TerminalError) {
    if watched == nil, opensAtOnce {
      try open()
    } else if watched == nil, opensAt == nil, terminal != nil {
      opensAt = .after(Self.scriptsTurn)
    }
    try draw(state, asksAnew: asksAnew)
  }

  /// Shows what has changed; nothing while the terminal is not taken over.
  mutating func refresh(_ state: PromptState) throws(TerminalError) {
    if let opensAt, opensAt.hasPassed { try open() }
    try draw(state, asksAnew: false)
  }

  /// A signal came.
  mutating func signalIsPending() throws(TerminalError) -> PromptEvent {
    try on { (session) throws(TerminalError) in try session.signalIsPending() }
  }

  /// Something was typed.
  mutating func keysAreReadable() throws(TerminalError) -> PromptEvent {
    try on { (session) throws(TerminalError) in try session.terminalIsReadable() }
  }

  /// Nothing was typed for ``keyTimeout``.
  mutating func keyTimeoutHasPassed() -> PromptEvent { session?.timeoutHasPassed() ?? .nothing }

  /// The answer that was typed, once.
  mutating func takeAnswer() -> Secret? { session?.takeAnswer() }

  /// Gives the terminal back.
  mutating func end() { session?.end() }

  /// Lets a signal have its old effect, which by default ends the process.
  mutating func reraise(_ signal: TerminalSignal) { session?.reraise(signal) }

  private mutating func open() throws(TerminalError) {
    opensAt = nil
    guard let terminal = terminal.take() else { return }
    let opened = try PromptSession(terminal: terminal, style: style)
    watched = (opened.signalDescriptor, opened.terminalDescriptor)
    session = consume opened
  }

  private mutating func draw(_ state: PromptState, asksAnew: Bool) throws(TerminalError) {
    _ = try on { (session) throws(TerminalError) -> PromptEvent in
      if asksAnew { try session.ask(state) } else { try session.show(state) }
      return .nothing
    }
  }

  /// Does something with the session; nothing where there is none.
  private mutating func on(
    _ body: (inout PromptSession) throws(TerminalError) -> PromptEvent
  ) throws(TerminalError) -> PromptEvent {
    guard var taken = session.take() else { return .nothing }
    let result: Result<PromptEvent, TerminalError>
    do throws(TerminalError) {
      result = .success(try body(&taken))
    } catch {
      result = .failure(error)
    }
    session = consume taken
    return try result.get()
  }
}
