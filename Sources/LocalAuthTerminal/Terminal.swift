import CLocalAuthLinux
import Glibc
import LocalAuthSecret

/// The process's controlling terminal, opened for prompting.
///
/// It is `/dev/tty` and never standard input or output, so both can be pipes. Its original modes
/// are restored by ``leaveRawMode()`` and when the value is dropped, also after an error. Belongs
/// to one thread at a time.
public struct Terminal: ~Copyable {
  /// The descriptor; poll it for typed input.
  public let fileDescriptor: Int32
  /// Whether keys are delivered as they are typed, without echo.
  public private(set) var isRaw = false
  /// Whether a screen of our own hides what was on the terminal before.
  public private(set) var hasOwnScreen = false
  private let originalModes: termios
  /// Input read and not yet handed on; in secret memory, because it may be a passcode.
  private var input = Secret(capacity: 256)

  /// Opens the terminal at `path`.
  ///
  /// Throws `noTerminal` if it cannot be opened or is not a terminal.
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
    leaveScreenForGood()
    if isRaw { Self.restore(fileDescriptor, originalModes) }
    close(fileDescriptor)
  }

  /// The number of columns of the terminal that `descriptor` is; nil if it is none, or does not say.
  public static func columns(of descriptor: Int32) -> Int? {
    var columns: Int32 = 0
    var rows: Int32 = 0
    // SAFETY: both pointers are valid for the call.
    unsafe la_terminal_size(descriptor, &columns, &rows)
    return columns > 0 ? Int(columns) : nil
  }

  /// The number of columns; 80 if the terminal does not report it.
  public var columns: Int { size.columns }

  /// The size; 80 columns and 24 rows if the terminal does not report it.
  public var size: ScreenSize {
    var columns: Int32 = 0
    var rows: Int32 = 0
    // SAFETY: both numbers live for the call.
    unsafe la_terminal_size(fileDescriptor, &columns, &rows)
    return ScreenSize(columns: columns > 0 ? Int(columns) : 80, rows: rows > 0 ? Int(rows) : 24)
  }

  /// Shows an empty screen of our own, without a cursor, in place of what is on the terminal.
  ///
  /// A deadly signal that nobody takes gives the other screen back too.
  public mutating func enterScreen() throws(TerminalError) {
    hasOwnScreen = true
    // SAFETY: the text is copied within the call.
    unsafe la_terminal_set_farewell(ScreenPainter.leaving)
    try write(ScreenPainter.entering)
  }

  /// Gives back the screen that was there before.
  public mutating func leaveScreen() {
    leaveScreenForGood()
    hasOwnScreen = false
  }

  private func leaveScreenForGood() {
    guard hasOwnScreen else { return }
    // Whoever cannot write to the terminal any more has no screen to give back.
    try? write(ScreenPainter.leaving)
    // SAFETY: the text is copied within the call.
    unsafe la_terminal_set_farewell("")
  }

  /// Turns echo and line editing off and drops type-ahead.
  ///
  /// Ctrl-C, Ctrl-Z and Ctrl-\ still send signals. A background process is stopped here by job
  /// control until it is in the foreground.
  public mutating func enterRawMode() throws(TerminalError) {
    var modes = originalModes
    // SAFETY: the structure lives for the call, which copies it.
    guard unsafe la_terminal_make_raw(fileDescriptor, &modes) == 0 else {
      throw errno == EIO ? .hungUp : .failed(errno: errno)
    }
    isRaw = true
    discardInput()
  }

  /// Drops unread input and, unless the process is in the background, restores the original modes.
  public mutating func leaveRawMode() {
    guard isRaw else { return }
    isRaw = false
    input.removeAll()
    Self.restore(fileDescriptor, originalModes)
  }

  /// Drops unread input, because an answer belongs to the question that was on the screen.
  public mutating func discardInput() {
    tcflush(fileDescriptor, TCIFLUSH)
    input.removeAll()
  }

  /// Writes all of `text`, which must contain no untrusted control characters.
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

  /// Reads what was typed and passes each byte to `body`, until that returns false.
  ///
  /// The rest is dropped, because it was typed before its question was asked. Blocks if no input is
  /// waiting: poll first.
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
