import CLocalAuthLinux
import Glibc
import LocalAuthSecret

/// The terminal that a process was started from, open for asking.
///
/// It is `/dev/tty` and never standard input or output, so that both can be pipes. The modes it had
/// are restored by ``leaveRawMode()`` and when the value goes, also when an error ends its life.
/// Belongs to one thread at a time.
public struct Terminal: ~Copyable {
  /// The descriptor, to poll for typed input.
  public let fileDescriptor: Int32
  /// Whether keys are given as they are typed, without echo.
  public private(set) var isRaw = false
  private let originalModes: termios
  /// What was read and not handed on yet; in secret memory, because it may be a passcode.
  private var input = Secret(capacity: 256)

  /// Opens the terminal at `path`.
  ///
  /// Throws `noTerminal` when the process has none, or when `path` is none.
  public init(path: String = "/dev/tty") throws(TerminalError) {
    // SAFETY: the string is terminated and lives for the call.
    let descriptor = unsafe open(path, O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw .noTerminal }
    var modes = termios()
    // SAFETY: the structure lives for the call.
    guard unsafe la_terminal_modes(descriptor, &modes) == 0 else {
      close(descriptor)
      throw .noTerminal
    }
    fileDescriptor = descriptor
    originalModes = modes
  }

  deinit {
    if isRaw { Self.restore(fileDescriptor, originalModes) }
    close(fileDescriptor)
  }

  /// How many columns the terminal has; 80 when it does not say.
  public var columns: Int {
    var columns: Int32 = 0
    var rows: Int32 = 0
    // SAFETY: both numbers live for the call.
    unsafe la_terminal_size(fileDescriptor, &columns, &rows)
    return columns > 0 ? Int(columns) : 80
  }

  /// Drops what was typed ahead and turns echo and line editing off.
  ///
  /// Ctrl-C, Ctrl-Z and Ctrl-\ remain signals. In the background the process is stopped here, as
  /// job control has it, until it is in the foreground.
  public mutating func enterRawMode() throws(TerminalError) {
    var modes = originalModes
    // SAFETY: the structure lives for the call, which copies it.
    guard unsafe la_terminal_make_raw(fileDescriptor, &modes) == 0 else {
      throw errno == EIO ? .hungUp : .failed(errno: errno)
    }
    isRaw = true
    discardInput()
  }

  /// Drops what was typed and not read, and restores the modes the terminal had.
  public mutating func leaveRawMode() {
    guard isRaw else { return }
    isRaw = false
    input.removeAll()
    Self.restore(fileDescriptor, originalModes)
  }

  /// Drops what was typed and not read: an answer belongs to the question that was on the screen.
  public mutating func discardInput() {
    tcflush(fileDescriptor, TCIFLUSH)
    input.removeAll()
  }

  /// Writes all of `text`, which must be free of control characters that are not ours.
  public func write(_ text: String) throws(TerminalError) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      // SAFETY: the buffer holds `count` bytes and lives for the call.
      let written = unsafe rest.withUnsafeBytes { buffer in
        unsafe Glibc.write(fileDescriptor, buffer.baseAddress, buffer.count)
      }
      if written > 0 {
        rest = rest.dropFirst(written)
      } else if errno != EINTR {
        throw errno == EIO ? .hungUp : .failed(errno: errno)
      }
    }
  }

  /// Reads what has been typed and gives `body` each byte, until it returns false; the rest is
  /// dropped, because it was typed before its question was asked.
  ///
  /// Blocks when nothing waits: poll first.
  public mutating func read(_ body: (UInt8) -> Bool) throws(TerminalError) {
    let descriptor = fileDescriptor
    // SAFETY: the call fills at most the buffer it is given.
    let count = unsafe input.withUnsafeMutableBytes { buffer, used in
      let count = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      used = max(count, 0)
      return count
    }
    let number = errno
    defer { input.removeAll() }
    guard count != 0 else { throw .hungUp }
    guard count > 0 else {
      if number == EINTR || number == EAGAIN { return }
      throw number == EIO ? .hungUp : .failed(errno: number)
    }
    // SAFETY: the bytes are lent for the call and handed on one by one.
    unsafe input.withUnsafeBytes { bytes in
      for index in bytes.indices {
        guard unsafe body(bytes[index]) else { break }
      }
    }
  }

  private static func restore(_ descriptor: Int32, _ modes: termios) {
    var modes = modes
    // SAFETY: the structure lives for the call.
    unsafe la_terminal_restore(descriptor, &modes)
  }
}
