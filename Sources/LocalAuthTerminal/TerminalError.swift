import Glibc

/// Why a terminal could not be used.
public enum TerminalError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The process has no controlling terminal, or cannot open it.
  case noTerminal
  /// The terminal went away while it was in use.
  case hungUp
  /// This process has another prompt open; only one at a time is allowed.
  case promptIsOpen
  /// A system call failed with this error number.
  case failed(errno: Int32)

  /// What happened and what to do about it, in one line.
  public var description: String {
    switch self {
    case .noTerminal: "there is no terminal to ask on; run this in a terminal"
    case .hungUp: "the terminal went away; run this again in another"
    case .promptIsOpen: "this process is asking something already; wait until that is answered"
    case .failed(let number): "the terminal failed: \(SystemMessage.text(for: number))"
    }
  }
}

/// Why no secret was read.
public enum SecretInputError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The user cancelled with Esc or Ctrl-D.
  case cancelled
  /// A signal arrived; the terminal is restored, and the signal took its old effect without ending
  /// the process.
  case interrupted(TerminalSignal)
  /// The two entries of a new secret differ.
  case entriesDiffer
  /// The input ended before a line began.
  case endOfInput
  /// The line is longer than this many bytes.
  case tooLong(limit: Int)
  /// The line contains a zero byte, at which other programs would cut it short.
  case containsZeroByte
  /// The descriptor to read from is a terminal, which would show what is typed.
  case inputIsTerminal
  /// The descriptor could not be read; carries the error number.
  case unreadable(errno: Int32)
  /// The terminal could not be used.
  case terminal(TerminalError)

  /// What happened and what to do about it, in one line.
  public var description: String {
    switch self {
    case .cancelled: "cancelled"
    case .interrupted(let signal): "interrupted by \(signal)"
    case .entriesDiffer: "the two entries differ; nothing was changed, try again"
    case .endOfInput: "the input is empty; write the secret as its first line"
    case .tooLong(let limit): "the secret is longer than \(limit) bytes; use a shorter one"
    case .containsZeroByte: "the secret contains a zero byte; use one without"
    case .inputIsTerminal:
      "the input is a terminal; leave the option out to be asked, or write the secret to a pipe"
    case .unreadable(let number):
      "the secret cannot be read: \(SystemMessage.text(for: number)); give an open descriptor"
    case .terminal(let error): error.description
    }
  }
}

/// The system's messages for its error numbers.
enum SystemMessage {
  static func text(for number: Int32) -> String {
    // SAFETY: strerror returns a terminated string, valid until this thread asks again.
    guard let text = unsafe strerror(number) else { return "error \(number)" }
    return unsafe String(cString: text)
  }
}
