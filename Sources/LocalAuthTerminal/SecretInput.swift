import Glibc
public import LocalAuthSecret

/// Reads secrets that another program provides: `--passcode-stdin`, `--passcode-fd N`.
public enum SecretInput {
  /// Reads one line from `fileDescriptor`, without its line end, into secret memory.
  ///
  /// Consumes exactly that line, so a second call reads the next one. The line may be empty; an
  /// input that ends before it begins is an error. Blocks until the line is complete or the input
  /// ends.
  public static func read(
    fileDescriptor: Int32,
    limit: Int = PasscodeEditor.defaultLimit
  ) throws(SecretInputError) -> Secret {
    guard isatty(fileDescriptor) == 0 else { throw .inputIsTerminal }
    // One byte more, for the carriage return of a line that ends in CRLF.
    var line = Secret(capacity: limit + 1)
    // The byte goes through secret memory too, because the stack is not wiped.
    var byte = Secret(capacity: 1)
    var isAtStart = true
    while true {
      guard try readByte(fileDescriptor, into: &byte) else {
        if isAtStart { throw .endOfInput }
        break
      }
      isAtStart = false
      let value = first(of: byte)
      if value == UInt8(ascii: "\n") { break }
      guard value != 0 else { throw .containsZeroByte }
      guard line.append(value) else { throw .tooLong(limit: limit) }
    }
    if last(of: line) == UInt8(ascii: "\r") { line.removeLast() }
    guard line.count <= limit else { throw .tooLong(limit: limit) }
    return line
  }

  /// False at the end of the input.
  private static func readByte(
    _ descriptor: Int32,
    into byte: inout Secret
  ) throws(SecretInputError) -> Bool {
    while true {
      // SAFETY: one byte is read into a buffer of one.
      let count = unsafe byte.withUnsafeMutableBytes { buffer, used in
        let count = unsafe Glibc.read(descriptor, buffer.baseAddress, 1)
        used = max(count, 0)
        return count
      }
      let number = errno
      if count >= 0 { return count == 1 }
      switch number {
      case EINTR: break
      case EAGAIN: waitForInput(descriptor)
      default: throw .unreadable(errno: number)
      }
    }
  }

  private static func waitForInput(_ descriptor: Int32) {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    // SAFETY: one entry, which lives for the call. The next read reports a failure.
    _ = unsafe poll(&entry, 1, -1)
  }

  private static func first(of secret: borrowing Secret) -> UInt8 {
    // SAFETY: the byte is copied within the call.
    unsafe secret.withUnsafeBytes { unsafe $0.first ?? 0 }
  }

  private static func last(of secret: borrowing Secret) -> UInt8? {
    // SAFETY: the byte is copied within the call.
    unsafe secret.withUnsafeBytes { unsafe $0.last }
  }
}
