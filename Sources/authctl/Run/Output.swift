import Glibc
import LocalAuthCore
import LocalAuthJSON
import LocalAuthSecret
import LocalAuthTerminal

/// The output of a verb: data on standard output, everything else on standard error.
///
/// With `--json`, standard output gets one object in every case, and errors also appear on standard
/// error.
struct Output: Sendable {
  /// Whether to print one JSON object.
  let wantsJSON: Bool
  /// Whether to omit lines that only repeat the exit status.
  let isQuiet: Bool
  /// The program's name and the verbs, which prefix each line on standard error.
  let command: [String]

  init(wantsJSON: Bool, isQuiet: Bool, command: [String]) {
    self.wantsJSON = wantsJSON
    self.isQuiet = isQuiet
    self.command = command
  }

  init(_ arguments: ParsedArguments) {
    self.init(
      wantsJSON: arguments[GlobalOptions.json],
      isQuiet: arguments[GlobalOptions.quiet],
      command: arguments.path
    )
  }

  /// Prints the report of a verb, and returns the exit status.
  func report(_ report: Report) -> Int32 {
    var isWritten = true
    if let held = report.secret {
      isWritten = Self.write(held.secret)
    } else if wantsJSON {
      isWritten = writeLine(report)
    } else if !report.answer.isEmpty {
      isWritten = write(report.answer.joined(separator: "\n") + "\n")
    }
    guard isWritten else {
      // Who reads no further, as head(1), wants to hear no more.
      if errno != EPIPE { say(Failure.unwritableOutput.message) }
      return OutcomeCode.internalError.exit
    }
    // The JSON already states a success; the reason of a failure is also for people who watch.
    let isSaid = wantsJSON && report.outcome == .success
    if let remark = report.remark, !isQuiet, !isSaid { say(remark) }
    return report.exit
  }

  /// Prints a failure, and returns the exit status.
  func report(_ failure: Failure) -> Int32 {
    if wantsJSON { _ = writeLine(failure.report) }
    say(failure.message)
    return failure.exit
  }

  /// Prints one JSON object on a line of its own; false if it could not be written.
  func writeLine(_ report: Report) -> Bool {
    var bytes: [UInt8] = []
    let written: Void? = try? JSONWriter.write(into: &bytes) { writer in
      writer.isShown = true
      report.write(&writer)
    }
    guard written != nil else { return false }
    bytes.append(UInt8(ascii: "\n"))
    return Self.write(bytes, to: STDOUT_FILENO)
  }

  /// Prints text on standard output; false if it could not be written.
  func write(_ text: String) -> Bool { Self.write(Array(text.utf8), to: STDOUT_FILENO) }

  /// Writes a secret to a descriptor, by default standard output; false if that failed.
  static func write(_ secret: borrowing Secret, to descriptor: Int32 = STDOUT_FILENO) -> Bool {
    // SAFETY: the bytes are written within the call.
    unsafe secret.withUnsafeBytes { unsafe Self.write($0, to: descriptor) }
  }

  /// Writes a secret to standard output, which is durable then if that is a file; false if that failed.
  static func deliver(_ secret: borrowing Secret) -> Bool {
    // On a pipe or a terminal there is nothing to wait for.
    write(secret) && (fsync(STDOUT_FILENO) == 0 || errno == EINVAL || errno == EROFS)
  }

  /// Writes all of `bytes`; false, with an error number, if that failed.
  @unsafe
  static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
    var written = 0
    while written < bytes.count {
      // SAFETY: the rest lies within the buffer, which lives for the call.
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[written...])
      let count = unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
      guard count > 0 || errno == EINTR else { return false }
      written += max(count, 0)
    }
    return true
  }

  /// Prints one line on standard error, prefixed with the command.
  func say(_ message: String) {
    let line = command.joined(separator: " ") + ": " + TerminalText.sanitized(message, limit: 2000)
    _ = Self.write(Array((line + "\n").utf8), to: STDERR_FILENO)
  }

  /// Tells a person something, with a text on a line of its own.
  func say(_ message: String, _ text: String) {
    say(message)
    let line = TerminalText.sanitized(text, limit: 2000)
    _ = Self.write(Array("\n  \(line)\n\n".utf8), to: STDERR_FILENO)
  }

  /// Writes all of `bytes`; false, with an error number, if that failed.
  static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      // SAFETY: the buffer holds `count` bytes and stays valid for the call.
      let written = unsafe rest.withUnsafeBytes { buffer in
        unsafe Glibc.write(descriptor, buffer.baseAddress, buffer.count)
      }
      if written > 0 {
        rest = rest.dropFirst(written)
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }
}
