import CLocalAuthLinux
import Glibc

/// A signal that concerns a prompt.
public enum TerminalSignal: Equatable, Sendable, CaseIterable {
  /// SIGINT, from Ctrl-C.
  case interrupt
  /// SIGTERM.
  case terminate
  /// SIGHUP: the terminal went away.
  case hangUp
  /// SIGQUIT, from Ctrl-\.
  case quit
  /// SIGTSTP, from Ctrl-Z.
  case stop
  /// SIGCONT: the process continues after a stop.
  case resume
  /// SIGWINCH: the terminal's size changed.
  case resize

  init?(number: Int32) {
    guard let signal = Self.allCases.first(where: { $0.number == number }) else { return nil }
    self = signal
  }

  /// The signal's number.
  public var number: Int32 {
    switch self {
    case .interrupt: SIGINT
    case .terminate: SIGTERM
    case .hangUp: SIGHUP
    case .quit: SIGQUIT
    case .stop: SIGTSTP
    case .resume: SIGCONT
    case .resize: SIGWINCH
    }
  }
}

/// Turns the signals that concern a prompt into events to poll for.
///
/// While it exists these signals have no other effect, except that a deadly one that arrives while
/// another is pending restores the terminal and ends the process at once. Ignored signals stay
/// ignored. Only one watch may exist in a process; its descriptor stays open afterwards.
public struct SignalWatch: ~Copyable {
  /// Readable when a signal is pending; only poll it, never read or close it.
  public let fileDescriptor: Int32
  private var isWatching = true

  /// Starts watching.
  ///
  /// Throws `promptIsOpen` if another watch exists.
  public init() throws(TerminalError) {
    fileDescriptor = la_signals_watch()
    guard fileDescriptor >= 0 else {
      throw errno == EBUSY ? .promptIsOpen : .failed(errno: errno)
    }
  }

  deinit {
    if isWatching { la_signals_unwatch() }
  }

  /// Takes the oldest pending signal, or nil.
  public mutating func next() -> TerminalSignal? {
    guard isWatching else { return nil }
    return TerminalSignal(number: la_signals_next())
  }

  /// Forgets the pending resumes; everything else that is pending stays so.
  mutating func dropResumes() {
    var others: [TerminalSignal] = []
    while let signal = next() {
      if signal != .resume { others.append(signal) }
    }
    for signal in others { la_signals_send(signal.number) }
  }

  /// Restores the old effect of the signals before the watch itself is dropped.
  public mutating func end() {
    guard isWatching else { return }
    isWatching = false
    la_signals_unwatch()
  }

  /// Ends the watch and raises `signal` again, so that it takes its old effect.
  ///
  /// By default that ends the process, with a status that names the signal. The caller must have
  /// restored the terminal.
  public mutating func reraise(_ signal: TerminalSignal) {
    end()
    la_signals_send(signal.number)
  }

  /// Stops the process as Ctrl-Z does, and returns when it continues.
  ///
  /// The caller must have restored the terminal.
  public mutating func stopProcess() {
    la_signals_stop_process()
  }
}
