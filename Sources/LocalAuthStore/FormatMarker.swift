import Glibc
import LocalAuthCore

/// What the first bytes of a database file say, read without SQLite so that nothing is touched.
///
/// https://www.sqlite.org/fileformat.html#the_database_header
enum FormatMarker {
  private static let headerSize = 100
  private static let magic = Array("SQLite format 3\0".utf8)
  private static let formatOffset = 60
  private static let applicationOffset = 68

  /// Makes sure that the file at `path` exists and may be ours: new, or with our marker and of a
  /// format we know.
  ///
  /// A file that does not exist is created, empty and for its owner only; any other is left alone.
  /// It must not be open in this process, since closing it here would drop SQLite's locks. What it
  /// returns is why file or directory can only be read; nil where they can be written.
  static func check(path: String) throws(StorageError) -> StorageError? {
    let flags = O_CLOEXEC | O_NOCTTY | O_NONBLOCK
    // SAFETY: the path is a terminated string for the call.
    var descriptor = unsafe open(path, O_RDWR | O_CREAT | flags, 0o600)
    var obstacle: StorageError?
    if descriptor < 0 {
      let error = StorageError.system(errno, file: path)
      guard case .unwritable = error else { throw error }
      // SAFETY: the same.
      descriptor = unsafe open(path, O_RDONLY | flags)
      guard descriptor >= 0 else { throw error }
      obstacle = error
    }
    defer { close(descriptor) }
    var header = [UInt8](repeating: 0, count: headerSize)
    // SAFETY: the buffer has room for `headerSize` bytes and outlives the call.
    let size = unsafe header.withUnsafeMutableBytes { bytes in
      unsafe pread(descriptor, bytes.baseAddress, headerSize, 0)
    }
    guard size >= 0 else { throw .system(errno, file: path) }
    obstacle = obstacle ?? Self.obstacle(inDirectoryOf: path)
    guard size > 0 else {
      if let obstacle { throw obstacle }
      return nil
    }
    try judge(Array(header.prefix(size)), path: path)
    return obstacle
  }

  /// The log and its index are made beside the file.
  private static func obstacle(inDirectoryOf path: String) -> StorageError? {
    let slash = path.lastIndex(of: "/")
    let directory = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    // SAFETY: the path is a terminated string for the call.
    return unsafe access(directory, W_OK | X_OK) == 0 ? nil : .system(errno, file: directory)
  }

  /// Refuses a header that is not ours; `header` is not empty.
  static func judge(_ header: [UInt8], path: String) throws(StorageError) {
    guard header.count == headerSize, header.starts(with: magic) else {
      throw .corrupt("\(path) is not a database")
    }
    try judge(
      application: number(header, at: applicationOffset),
      format: number(header, at: formatOffset),
      path: path
    )
  }

  /// Refuses a marker that is not ours; both numbers are 0 in a file that was only just begun.
  static func judge(application: Int64, format: Int64, path: String) throws(StorageError) {
    let isOurs = application == Int64(Schema.applicationID)
    guard isOurs || (application == 0 && format == 0) else {
      throw .corrupt("\(path) belongs to another program")
    }
    guard format <= Schema.format else { throw .fromTheFuture(format: format) }
    guard format == 0 || format == Schema.format else {
      throw .corrupt("\(path) has a format that was never released")
    }
  }

  private static func number(_ header: [UInt8], at offset: Int) -> Int64 {
    let bits = header[offset..<(offset + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return Int64(Int32(bitPattern: bits))
  }
}
