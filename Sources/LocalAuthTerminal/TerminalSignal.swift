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
  /// SIGCONT: the process goes on after a stop.
  case resume
  /// SIGWINCH: the terminal has another size.
  case resize

  init?(number: Int32) {
    guard let signal = Self.allCases.first(where: { $0.number == number }) else { return nil }
    self = signal
  }

  /// The number the system knows it by.
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

/// Turns the signals that concern a prompt into something to poll for.
///
/// While it exists the signals have no other effect, except that a deadly one that comes while
/// another waits to be taken restores the terminal and ends the process at once. Signals that were
/// ignored stay so. There is one watch in a process at a time; its descriptor stays open after it.
public struct SignalWatch: ~Copyable {
  /// Readable when a signal waits; for `poll` alone, never to be read or closed.
  public let fileDescriptor: Int32
  private var isWatching = true

  /// Begins to watch.
  ///
  /// Throws `promptIsOpen` while another watch exists.
  public init() throws(TerminalError) {
    fileDescriptor = la_signals_watch()
    guard fileDescriptor >= 0 else {
      throw errno == EBUSY ? .promptIsOpen : .failed(errno: errno)
    }
  }

  deinit {
    if isWatching { la_signals_unwatch() }
  }

  /// The signal that came first of those not taken yet, or nil.
  public mutating func next() -> TerminalSignal? {
    guard isWatching else { return nil }
    return TerminalSignal(number: la_signals_next())
  }

  /// Gives the signals their old effect back, before the watch itself goes.
  public mutating func end() {
    guard isWatching else { return }
    isWatching = false
    la_signals_unwatch()
  }

  /// Ends the watch and sends `signal` to this process again, so that it has its old effect: by
  /// default the process ends, with a status that names the signal.
  ///
  /// The caller has restored the terminal.
  public mutating func reraise(_ signal: TerminalSignal) {
    end()
    la_signals_send(signal.number)
  }

  /// Stops the process as Ctrl-Z does, and returns when it goes on.
  ///
  /// The caller has restored the terminal.
  public mutating func stopProcess() {
    la_signals_stop_process()
  }
}
