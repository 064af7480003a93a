import Glibc
public import LocalAuthSecret

/// What a prompt wants from its caller.
public enum TerminalEvent: Equatable, Sendable {
  /// Go on waiting.
  case nothing
  /// The question is answered: ``PromptSession/takeAnswer()``.
  case answered
  /// The user said no.
  case cancelled
  /// The user would rather use the fallback.
  case fallback
  /// A deadly signal: cancel what is under way, then ``PromptSession/reraise(_:)``.
  case interrupted(TerminalSignal)
}

/// A prompt on the terminal, driven by a caller who polls.
///
/// The caller polls ``terminalDescriptor`` and ``signalDescriptor`` beside descriptors of its own,
/// with a time-out of ``timeoutMilliseconds`` where that is not nil, and calls the method that
/// belongs to what happened. The terminal is restored by ``end()`` and when the value goes; while
/// the process is stopped by Ctrl-Z it has its own modes too. Belongs to one thread.
public struct PromptSession: ~Copyable {
  private var terminal: Terminal
  private var signals: SignalWatch
  private var editor: PasscodeEditor
  private var painter: PromptPainter
  private var state = PromptText()
  private var isEnded = false

  /// Takes the terminal over: typed-ahead input is dropped, echo is off, signals are watched.
  ///
  /// Throws `promptIsOpen` while this process has another session.
  public init(
    terminal: consuming Terminal,
    style: PromptStyle,
    limit: Int = PasscodeEditor.defaultLimit
  ) throws(TerminalError) {
    var taken = consume terminal
    let watch = try SignalWatch()
    try taken.enterRawMode()
    self.terminal = taken
    signals = watch
    editor = PasscodeEditor(limit: limit)
    painter = PromptPainter(style: style)
  }

  /// Readable when something was typed: ``terminalIsReadable()``.
  public var terminalDescriptor: Int32 { terminal.fileDescriptor }
  /// Readable when a signal came: ``signalIsPending()``.
  public var signalDescriptor: Int32 { signals.fileDescriptor }
  /// How long to wait before ``timeoutHasPassed()`` must be called; nil when there is no need.
  public var timeoutMilliseconds: Int32? {
    editor.isWaiting ? KeyReader.escapeTimeoutMilliseconds : nil
  }

  /// Asks something new: what was typed before, read or not, is dropped.
  public mutating func ask(_ state: PromptText) throws(TerminalError) {
    terminal.discardInput()
    editor.begin(asking: state.entry != nil)
    try draw(state)
  }

  /// Shows what has changed about the question that is asked; what is typed stays.
  ///
  /// A question that begins or ends is asked anew.
  public mutating func show(_ state: PromptText) throws(TerminalError) {
    if (state.entry != nil) != editor.isAsking {
      try ask(state)
    } else {
      try draw(state)
    }
  }

  /// Writes a line that stays on the screen, above the prompt; it is made harmless as a prompt is.
  public mutating func note(_ text: String) throws(TerminalError) {
    let line = TerminalText.sanitized(text, limit: Self.noteLimit)
    try terminal.write(painter.erase(columns: terminal.columns) + line + "\r\n")
    try draw(state)
  }

  /// Scalars of such a line that are shown.
  private static let noteLimit = 400

  /// Takes what was typed.
  ///
  /// Keys after the one that ends the question are dropped.
  public mutating func terminalIsReadable() throws(TerminalError) -> TerminalEvent {
    let (event, isEdited) = try Self.type(from: &terminal, into: &editor)
    if isEdited, event == .nothing { try draw(state) }
    return event
  }

  /// Says that nothing was typed for ``timeoutMilliseconds``.
  public mutating func timeoutHasPassed() -> TerminalEvent {
    Self.event(for: editor.escapeTimedOut())
  }

  /// Takes the signals that came.
  ///
  /// A stop and what follows it, and a change of size, are dealt with here.
  public mutating func signalIsPending() throws(TerminalError) -> TerminalEvent {
    var wasAway = false
    while let signal = signals.next() {
      switch signal {
      case .interrupt, .terminate, .hangUp, .quit: return .interrupted(signal)
      case .stop:
        try stop()
        wasAway = true
      case .resume:
        // After a stop of ours there is nothing left to do; after SIGSTOP, everything.
        if !wasAway { try takeTerminalBack() }
        wasAway = true
      case .resize: try draw(state)
      }
    }
    if wasAway { try draw(state) }
    return .nothing
  }

  /// Hands over the answer, once.
  public mutating func takeAnswer() -> Secret {
    editor.takeAnswer()
  }

  /// The answer as text, for questions whose answer is no secret.
  public func visibleAnswer() -> String {
    editor.visibleAnswer()
  }

  /// Takes the prompt off the screen, restores the terminal and gives signals their old effect.
  public mutating func end() {
    guard !isEnded else { return }
    isEnded = true
    _ = editor.takeAnswer()
    // A terminal that cannot be written to any more is no reason to leave it raw.
    try? terminal.write(painter.erase(columns: terminal.columns))
    terminal.leaveRawMode()
    signals.end()
  }

  /// Ends the session and lets `signal` have its old effect, which by default ends the process.
  public mutating func reraise(_ signal: TerminalSignal) {
    end()
    signals.reraise(signal)
  }

  // MARK: Inside

  private mutating func draw(_ state: PromptText) throws(TerminalError) {
    self.state = state
    if let entry = state.entry {
      self.state.entry?.typedCount = editor.length
      self.state.entry?.typedText = entry.echo == .text ? editor.visibleAnswer() : ""
    }
    try terminal.write(painter.draw(self.state, columns: terminal.columns))
  }

  private mutating func stop() throws(TerminalError) {
    try terminal.write(painter.erase(columns: terminal.columns))
    terminal.leaveRawMode()
    signals.stopProcess()
    try takeTerminalBack()
  }

  /// The shell had the terminal in between: its modes and its screen are not ours any more.
  private mutating func takeTerminalBack() throws(TerminalError) {
    try terminal.enterRawMode()
    painter.forget()
  }

  /// Static, so that the terminal can lend its bytes while the editor takes them.
  private static func type(
    from terminal: inout Terminal,
    into editor: inout PasscodeEditor
  ) throws(TerminalError) -> (event: TerminalEvent, isEdited: Bool) {
    var event = TerminalEvent.nothing
    var isEdited = false
    try terminal.read { byte in
      let action = editor.take(byte)
      isEdited = isEdited || action == .edited
      event = Self.event(for: action)
      return event == .nothing
    }
    return (event, isEdited)
  }

  private static func event(for action: PasscodeEditor.Action) -> TerminalEvent {
    switch action {
    case .nothing, .edited, .full: .nothing
    case .submitted: .answered
    case .cancelled: .cancelled
    case .fallback: .fallback
    }
  }
}
