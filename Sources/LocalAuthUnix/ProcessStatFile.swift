import Glibc

/// The fields of `/proc/PID/stat` that show what a process belongs to (proc_pid_stat(5)).
struct ProcessStatFile: Hashable {
  /// The session, by its leader's process id; 0 if it is outside of our pid namespace.
  let session: Int32
  /// The device number of the controlling terminal; 0 for none.
  let terminal: UInt32
  /// The start time of the process, in ticks since boot.
  let start: UInt64

  /// Parses the file's only line; nil if it is malformed.
  ///
  /// The second field is the program's name in parentheses, which may itself contain blanks and
  /// parentheses: the last closing one ends it.
  init?(_ text: [UInt8]) {
    guard let end = text.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let fields = text[(end + 1)...].split(separator: UInt8(ascii: " "))
    // `fields` starts at the third: the session is the sixth, the terminal the 7th, the start the
    // 22nd.
    guard fields.count > 19, let session = Self.number(fields[3], Int32.self),
      let terminal = Self.number(fields[4], Int32.self),
      let start = Self.number(fields[19], UInt64.self)
    else { return nil }
    self.session = session
    self.terminal = UInt32(bitPattern: terminal)
    self.start = start
  }

  /// The name of the terminal in `/dev`; nil if there is none.
  ///
  /// The kernel has given these devices the same numbers for ever (Documentation/admin-guide/
  /// devices.txt); another device is named by its numbers.
  var terminalName: String? {
    guard terminal != 0 else { return nil }
    let major = terminal >> 8 & 0xFFF
    let minor = terminal & 0xFF | terminal >> 12 & 0xF_FF00
    switch major {
    case 4: return minor < 64 ? "tty\(minor)" : "ttyS\(minor - 64)"
    case 136...143: return "pts/\((major - 136) * 256 + minor)"
    default: return "\(major):\(minor)"
    }
  }

  private static func number<Number: FixedWidthInteger>(
    _ digits: ArraySlice<UInt8>,
    _: Number.Type
  ) -> Number? {
    Number(String(decoding: digits, as: UTF8.self))
  }
}

extension ProcessStatFile {
  /// Reads the file of the process that has this id now; nil if it is malformed.
  static func read(ofProcess processID: Int32) throws(SystemError) -> ProcessStatFile? {
    let path = "/proc/\(processID)/stat"
    // SAFETY: the path is a C string for the call.
    let number = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { throw SystemError("open", code: errno, subject: path) }
    return ProcessStatFile(try FileDescriptor(owning: number).readAvailable(limit: 4096))
  }
}

extension ProcessReference {
  /// Whether the process `processID` that began at `start`, in ticks since boot, has ended.
  ///
  /// One that was started but not waited for still counts as there, and so does one of which nothing
  /// is shown.
  public static func hasEnded(_ processID: Int32, begunAt start: UInt64) -> Bool {
    do throws(SystemError) {
      return try ProcessStatFile.read(ofProcess: processID)?.start != start
    } catch { return error.call != "open" || error.code == ENOENT }
  }
}
