import Glibc
import LocalAuthCore

/// The format marker in a database file's header, read without SQLite so that the file stays
/// untouched.
///
/// https://www.sqlite.org/fileformat.html#the_database_header
enum FormatMarker {
  private static let headerSize = 100
  private static let magic = Array("SQLite format 3\0".utf8)
  private static let formatOffset = 60
  private static let applicationOffset = 68

  /// Ensures that the file at `path` exists and may be ours: either new, or with our marker and a
  /// known format.
  ///
  /// A missing file is created, empty and accessible only to its owner; an existing one is never
  /// changed. The file must not be open in this process, since closing it here would drop SQLite's
  /// locks. Returns the reason why the file or its directory is read-only; nil if both are
  /// writable.
  static func check(path: String) throws(StorageError) -> StorageError? {
    let flags = O_CLOEXEC | O_NOCTTY | O_NONBLOCK
    // SAFETY: the path is passed as a NUL-terminated string that lives for the call.
    var descriptor = unsafe open(path, O_RDWR | O_CREAT | flags, 0o600)
    var obstacle: StorageError?
    if descriptor < 0 {
      let error = StorageError.system(errno, file: path)
      guard case .unwritable = error else { throw error }
      // SAFETY: as above.
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

  /// Why the directory of `path` is not writable; SQLite creates the log and its index there.
  private static func obstacle(inDirectoryOf path: String) -> StorageError? {
    let slash = path.lastIndex(of: "/")
    let directory = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    // SAFETY: the path is passed as a NUL-terminated string that lives for the call.
    return unsafe access(directory, W_OK | X_OK) == 0 ? nil : .system(errno, file: directory)
  }

  /// Throws if `header`, which must not be empty, is not ours.
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

  /// Throws if the marker is not ours; both numbers are 0 in a file that has no tables yet.
  static func judge(application: Int64, format: Int64, path: String) throws(StorageError) {
    let isOurs = application == Int64(Schema.applicationID)
    guard isOurs || (application == 0 && format == 0) else {
      throw .corrupt("\(path) belongs to another program")
    }
    guard format <= Schema.format else { throw .fromTheFuture(format: format) }
    guard format == 0 || Schema.steps.contains(where: { $0.format == format }) else {
      throw .corrupt("\(path) has a format that was never released")
    }
  }

  private static func number(_ header: [UInt8], at offset: Int) -> Int64 {
    let bits = header[offset..<(offset + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return Int64(Int32(bitPattern: bits))
  }
}
