import Glibc
public import LocalAuthSecret

/// What a prompt asks its caller to do.
public enum TerminalEvent: Equatable, Sendable {
  /// Keep waiting.
  case nothing
  /// The question is answered; call ``PromptSession/takeAnswer()``.
  case answered
  /// The user cancelled.
  case cancelled
  /// The user chose the fallback.
  case fallback
  /// A deadly signal arrived: cancel the operation, then call ``PromptSession/reraise(_:)``.
  case interrupted(TerminalSignal)
}

/// A prompt on the terminal, driven by a caller that polls.
///
/// The caller polls ``terminalDescriptor`` and ``signalDescriptor``, along with its own
/// descriptors, with a time-out of ``timeoutMilliseconds`` unless that is nil, and calls the method
/// for what happened. The terminal's modes are restored by ``end()``, when the value is dropped,
/// and while the process is stopped by Ctrl-Z. Belongs to one thread.
public struct PromptSession: ~Copyable {
  private var terminal: Terminal
  private var signals: SignalWatch
  private var editor: PasscodeEditor
  private var painter: PromptPainter
  private var state = PromptText()
  private var isEnded = false
  /// Whether the terminal has another size for which nothing is drawn yet.
  private var isResized = false

  /// Takes over the terminal: drops type-ahead, turns echo off and watches signals.
  ///
  /// Throws `promptIsOpen` if this process has another session.
  public init(
    terminal: consuming Terminal,
    style: PromptStyle,
    limit: Int = PasscodeEditor.defaultLimit
  ) throws(TerminalError) {
    var taken = consume terminal
    var watch = try SignalWatch()
    try taken.enterRawMode()
    // In the background that stopped the process until the shell brought it to the front. Nothing was
    // drawn by then, so drawing anew would leave a copy of the prompt.
    watch.dropResumes()
    self.terminal = taken
    signals = watch
    editor = PasscodeEditor(limit: limit)
    painter = PromptPainter(style: style)
  }

  /// Readable when something was typed; call ``terminalIsReadable()``.
  public var terminalDescriptor: Int32 { terminal.fileDescriptor }
  /// Readable when a signal arrived; call ``signalIsPending()``.
  public var signalDescriptor: Int32 { signals.fileDescriptor }
  /// How long to wait before calling ``timeoutHasPassed()``; nil if there is no time-out.
  public var timeoutMilliseconds: Int32? {
    if editor.isWaiting { return KeyReader.escapeTimeoutMilliseconds }
    return isResized ? Self.settlingMilliseconds : nil
  }

  /// How long a size must last before the prompt is drawn for it.
  ///
  /// While a window is dragged, what the system says and what the window shows differ; a prompt
  /// drawn then would overwrite lines that are not its own. Terminal multiplexers report a new size
  /// up to 250 milliseconds late.
  static let settlingMilliseconds: Int32 = 300

  /// Asks a new question; drops everything typed before, read or not.
  public mutating func ask(_ state: PromptText) throws(TerminalError) {
    terminal.discardInput()
    editor.begin(asking: state.entry != nil)
    try draw(state)
  }

  /// Updates the current question; what is typed stays.
  ///
  /// If an entry appears or disappears, asks as ``ask(_:)`` does.
  public mutating func show(_ state: PromptText) throws(TerminalError) {
    if (state.entry != nil) != editor.isAsking {
      try ask(state)
    } else {
      try draw(state)
    }
  }

  /// Writes a line that stays on the screen above the prompt; the text is sanitized.
  public mutating func note(_ text: String) throws(TerminalError) {
    let safe = TerminalText.sanitized(text, limit: Self.noteLimit)
    let lines = TerminalText.wrapped(safe, columns: max(terminal.columns, 20) - 1, hanging: 2)
    try terminal.write(painter.erase(columns: terminal.columns))
    try write(lines.joined(separator: "\r\n") + "\r\n")
    try draw(state)
  }

  /// The longest note, in scalars.
  private static let noteLimit = 400

  /// Reads what was typed.
  ///
  /// Keys after the one that ends the question are dropped.
  public mutating func terminalIsReadable() throws(TerminalError) -> TerminalEvent {
    let (event, isEdited) = try Self.type(from: &terminal, into: &editor)
    if isEdited, event == .nothing { try draw(state) }
    return event
  }

  /// Reports that nothing was typed and no signal arrived for ``timeoutMilliseconds``.
  public mutating func timeoutHasPassed() throws(TerminalError) -> TerminalEvent {
    guard !editor.isWaiting else { return Self.event(for: editor.escapeTimedOut()) }
    isResized = false
    painter.sizeChanged()
    try draw(state)
    return .nothing
  }

  /// Takes the pending signals.
  ///
  /// Handles a stop, a resume and a change of size itself.
  public mutating func signalIsPending() throws(TerminalError) -> TerminalEvent {
    var wasAway = false
    while let signal = signals.next() {
      switch signal {
      case .interrupt, .terminate, .hangUp, .quit: return .interrupted(signal)
      case .stop:
        try stop()
        wasAway = true
      case .resume: wasAway = true
      case .resize: isResized = true
      }
    }
    // Not before every signal is taken: what is ended while it is stopped is in the background, where
    // touching the terminal would stop it once more.
    if wasAway {
      try takeTerminalBack()
      isResized = false
      try draw(state)
    }
    return .nothing
  }

  /// Hands over the answer and starts an empty one.
  public mutating func takeAnswer() -> Secret {
    editor.takeAnswer()
  }

  /// The answer as text, for questions whose answer is not a secret.
  public func visibleAnswer() -> String {
    editor.visibleAnswer()
  }

  /// Erases the prompt, restores the terminal and gives signals their old effect.
  public mutating func end() {
    guard !isEnded else { return }
    isEnded = true
    _ = editor.takeAnswer()
    // Leave raw mode even if the terminal cannot be written to.
    try? terminal.write(painter.erase(columns: terminal.columns))
    terminal.leaveRawMode()
    signals.end()
  }

  /// Ends the session and raises `signal` again with its old effect, which by default ends the
  /// process.
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
    guard !isResized else { return }
    try write(painter.draw(self.state, columns: terminal.columns))
  }

  /// Writes lines that end where they are cut: a terminal that draws a character wider than it is counted must not begin
  /// a line of its own, which would look like one of ours.
  private mutating func write(_ lines: String) throws(TerminalError) {
    guard painter.style.movesCursor, !lines.isEmpty else { return try terminal.write(lines) }
    try terminal.write("\u{1B}[?7l" + lines + "\u{1B}[?7h")
  }

  private mutating func stop() throws(TerminalError) {
    try terminal.write(painter.erase(columns: terminal.columns))
    terminal.leaveRawMode()
    signals.stopProcess()
  }

  /// Re-enters raw mode and forgets the screen: the shell may have changed both meanwhile.
  private mutating func takeTerminalBack() throws(TerminalError) {
    try terminal.enterRawMode()
    painter.forget()
  }

  /// Static, so that it can access the terminal and the editor at the same time.
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
