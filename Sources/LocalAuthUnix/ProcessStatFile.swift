/// What `/proc/PID/stat` says of where a process belongs (proc_pid_stat(5)).
struct ProcessStatFile: Hashable {
  /// The session, by its leader's number; 0 for one that lies outside of what we may see.
  let session: Int32
  /// The device number of the controlling terminal; 0 for none.
  let terminal: UInt32
  /// When the process began, in ticks since boot.
  let start: UInt64

  /// Reads the file's one line; nil when it is no such line.
  ///
  /// The second field is the program's name in parentheses, which may hold blanks and parentheses of
  /// its own: the last one ends it.
  init?(_ text: [UInt8]) {
    guard let end = text.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let fields = text[(end + 1)...].split(separator: UInt8(ascii: " "))
    // From the third field on: the session is the sixth, the terminal the seventh, the start the 22nd.
    guard fields.count > 19, let session = Self.number(fields[3], Int32.self),
      let terminal = Self.number(fields[4], Int32.self),
      let start = Self.number(fields[19], UInt64.self)
    else { return nil }
    self.session = session
    self.terminal = UInt32(bitPattern: terminal)
    self.start = start
  }

  private static func number<Number: FixedWidthInteger>(
    _ digits: ArraySlice<UInt8>,
    _: Number.Type
  ) -> Number? {
    Number(String(decoding: digits, as: UTF8.self))
  }
}
