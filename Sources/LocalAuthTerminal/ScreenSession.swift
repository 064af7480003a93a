/// What the signals of a screen ask its caller to do.
public enum ScreenEvent: Equatable, Sendable {
  /// Keep waiting.
  case nothing
  /// The screen is empty, or has another size: draw it.
  case changed
  /// A deadly signal arrived: call ``ScreenSession/reraise(_:)``.
  case interrupted(TerminalSignal)
}

/// A whole screen of the terminal, driven by a caller that polls.
///
/// The caller polls ``terminalDescriptor`` and ``signalDescriptor``, along with its own
/// descriptors. What was on the terminal and its modes are back after ``end()``, when the value is
/// dropped, and while the process is stopped by Ctrl-Z. Belongs to one thread.
public struct ScreenSession: ~Copyable {
  private var terminal: Terminal
  private var signals: SignalWatch
  private var reader = KeyReader()
  private var painter = ScreenPainter()

  /// Takes over the terminal: drops type-ahead, turns echo off, watches signals and shows an empty
  /// screen.
  ///
  /// Throws `promptIsOpen` if this process has another session.
  public init(terminal: consuming Terminal) throws(TerminalError) {
    var taken = consume terminal
    let watch = try SignalWatch()
    try taken.enterRawMode()
    try taken.enterScreen()
    self.terminal = taken
    signals = watch
  }

  /// Readable when something was typed; call ``keys()``.
  public var terminalDescriptor: Int32 { terminal.fileDescriptor }
  /// Readable when a signal arrived; call ``signalIsPending()``.
  public var signalDescriptor: Int32 { signals.fileDescriptor }
  /// Whether a key is incomplete: call ``escapeTimedOut()`` if nothing else is typed within
  /// `KeyReader.escapeTimeoutMilliseconds`.
  public var isWaiting: Bool { reader.isWaiting }
  /// How large the screen is now.
  public var size: ScreenSize { terminal.size }

  /// Shows `lines`, from the first row on; only what changed is written.
  ///
  /// They hold no control characters but those of colors.
  public mutating func draw(_ lines: [String]) throws(TerminalError) {
    let text = painter.draw(lines)
    if !text.isEmpty { try terminal.write(text) }
  }

  /// Reads the keys that were pressed.
  public mutating func keys() throws(TerminalError) -> [Key] {
    try Self.keys(from: &terminal, &reader)
  }

  /// Reports that nothing followed the beginning of a key; returns the key that it is by itself.
  public mutating func escapeTimedOut() -> Key { reader.escapeTimedOut() }

  /// Takes the pending signals.
  ///
  /// Handles a stop and a resume itself.
  public mutating func signalIsPending() throws(TerminalError) -> ScreenEvent {
    var event = ScreenEvent.nothing
    var wasAway = false
    while let signal = signals.next() {
      switch signal {
      case .interrupt, .terminate, .hangUp, .quit: return .interrupted(signal)
      case .stop:
        giveBack()
        signals.stopProcess()
        wasAway = true
      case .resume: wasAway = true
      case .resize: event = .changed
      }
    }
    // Not before every signal is taken: what is ended while it is stopped is in the background, where
    // touching the terminal would stop it once more.
    if wasAway {
      try terminal.enterRawMode()
      try terminal.enterScreen()
      event = .changed
    }
    if event == .changed { painter.forget() }
    return event
  }

  /// Gives the terminal back and signals their old effect.
  public mutating func end() {
    giveBack()
    signals.end()
  }

  /// Ends the session and raises `signal` again with its old effect, which by default ends the
  /// process.
  public mutating func reraise(_ signal: TerminalSignal) {
    end()
    signals.reraise(signal)
  }

  // MARK: Inside

  private mutating func giveBack() {
    terminal.leaveScreen()
    terminal.leaveRawMode()
  }

  /// Static, so that it can access the terminal and the reader at the same time.
  private static func keys(
    from terminal: inout Terminal,
    _ reader: inout KeyReader
  ) throws(TerminalError) -> [Key] {
    var keys: [Key] = []
    try terminal.read { byte in
      let key = reader.take(byte)
      if key != .nothing { keys.append(key) }
      return true
    }
    return keys
  }
}
