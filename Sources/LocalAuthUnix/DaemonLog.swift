import Glibc

/// The file that receives the standard error of a daemon started on demand.
struct DaemonLog: ~Copyable {
  /// A larger log (1 MiB) is renamed to `daemon.log.1` first, so two files bound what is kept.
  static let largestSize = 1 << 20
  private static let name = "daemon.log"
  private static let longestLine = 300

  /// The file's path, for messages.
  let path: String
  private let file: FileDescriptor
  /// The offset at which the output of the new daemon begins.
  private let start: Int

  /// The descriptor to pass to the daemon.
  var descriptor: Int32 { file.rawValue }

  init(in directory: borrowing PrivateDirectory) throws(DurableFileError) {
    path = directory.path(of: DaemonLog.name)
    let first = try DaemonLog.open(in: directory)
    let size = try DurableFile.checkedSize(of: first.rawValue, DaemonLog.name)
    guard size > DaemonLog.largestSize else {
      file = first
      start = size
      return
    }
    let old = DaemonLog.name + ".1"
    // SAFETY: the strings are C strings for the length of the call.
    let renamed = unsafe renameat(
      directory.descriptor.rawValue,
      DaemonLog.name,
      directory.descriptor.rawValue,
      old
    )
    guard renamed == 0 else { throw .system(SystemError("renameat", code: errno, subject: path)) }
    file = try DaemonLog.open(in: directory)
    start = 0
  }

  /// The last line the new daemon wrote, free of control characters; nil if it wrote nothing.
  func lastLine() -> String? {
    var status = stat()
    // SAFETY: the pointer is valid for the call.
    guard unsafe fstat(file.rawValue, &status) == 0 else { return nil }
    let end = Int(status.st_size)
    let begin = max(start, end - 4 * DaemonLog.longestLine)
    guard begin < end else { return nil }
    var text = [UInt8](repeating: 0, count: end - begin)
    // SAFETY: the array's storage is valid for the call and `count` bytes long.
    let count = unsafe pread(file.rawValue, &text, text.count, off_t(begin))
    guard count > 0, let line = text[..<count].split(separator: UInt8(ascii: "\n")).last else {
      return nil
    }
    let words = String(decoding: line.prefix(DaemonLog.longestLine), as: UTF8.self)
    // A control character could rewrite what the terminal shows.
    return String(String.UnicodeScalarView(words.unicodeScalars.filter(DaemonLog.isPrintable)))
  }

  private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x20 && !(0x7f...0x9f).contains(scalar.value)
  }

  private static func open(
    in directory: borrowing PrivateDirectory
  ) throws(DurableFileError) -> FileDescriptor {
    let flags = O_RDWR | O_APPEND | O_CREAT
    guard let file = try DurableFile.open(name, in: directory, flags, mode: 0o600) else {
      throw .system(SystemError("openat", code: ENOENT, subject: name))
    }
    return file
  }
}
