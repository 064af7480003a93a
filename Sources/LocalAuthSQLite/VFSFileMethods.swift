import CLocalAuthSQLite
import CLocalAuthVFS
import Glibc
import LocalAuthFileFormat
import LocalAuthFiles

/// What SQLite calls with a file of ours: each finds the file behind the pointer.
@unsafe
enum VFSFileMethods {
  typealias File = UnsafeMutablePointer<sqlite3_file>

  /// Puts `file` behind SQLite's pointer, until SQLite closes it.
  static func set(_ content: any PagedFile, _ file: File) {
    let isDatabase = content is DatabaseConnection
    unsafe file.withMemoryRebound(to: la_vfs_file.self, capacity: 1) {
      unsafe $0.pointee.handle = Unmanaged.passRetained(Box(content)).toOpaque()
    }
    unsafe file.pointee.pMethods = UnsafePointer(isDatabase ? databases : others)
  }

  /// The database that a journal belongs to.
  static func database(of file: File) -> ProtectedDatabase? {
    (unsafe box(file)?.content as? DatabaseConnection)?.database
  }

  private final class Box {
    let content: any PagedFile
    init(_ content: any PagedFile) { self.content = content }
  }

  private static func box(_ file: File?) -> Box? {
    unsafe file?.withMemoryRebound(to: la_vfs_file.self, capacity: 1) {
      unsafe $0.pointee.handle.map {
        unsafe Unmanaged<Box>.fromOpaque($0).takeUnretainedValue()
      }
    }
  }

  /// Runs `body` with the file.
  private static func with(
    _ file: File?,
    _ operation: Operation,
    _ body: (any PagedFile) throws(FileFailure) -> Int32
  ) -> Int32 {
    guard let content = unsafe box(file)?.content else { return SQLITE_MISUSE }
    return status(of: operation) { () throws(FileFailure) in try body(content) }
  }

  /// Runs `body` with the connection.
  private static func connected(
    _ file: File?,
    _ body: (DatabaseConnection) throws(FileFailure) -> Int32
  ) -> Int32 {
    unsafe with(file, .lock) { (content) throws(FileFailure) in
      guard let connection = content as? DatabaseConnection else { return SQLITE_MISUSE }
      return try body(connection)
    }
  }

  // MARK: Tables

  /// Journals and temporary files: nobody locks them.
  nonisolated(unsafe) private static let others = unsafe table(version: 1)
  nonisolated(unsafe) private static let databases = {
    let methods = unsafe table(version: 2)
    unsafe methods.pointee.xShmMap = mapIndex
    unsafe methods.pointee.xShmLock = lockIndex
    unsafe methods.pointee.xShmBarrier = { _ in la_vfs_fence() }
    unsafe methods.pointee.xShmUnmap = unmapIndex
    return unsafe methods
  }()

  private static func table(version: Int32) -> UnsafeMutablePointer<sqlite3_io_methods> {
    let table = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    var methods = sqlite3_io_methods()
    methods.iVersion = version
    unsafe methods.xClose = close
    unsafe methods.xRead = read
    unsafe methods.xWrite = write
    unsafe methods.xTruncate = truncate
    unsafe methods.xSync = synchronize
    unsafe methods.xFileSize = size
    unsafe methods.xLock = lock
    unsafe methods.xUnlock = unlock
    unsafe methods.xCheckReservedLock = checkReserved
    unsafe methods.xFileControl = control
    // A crash may tear a chunk, with all of its pages.
    unsafe methods.xSectorSize = { _ in Int32(FileLayout.pages.chunkSize) }
    unsafe methods.xDeviceCharacteristics = { _ in 0 }
    unsafe table.initialize(to: methods)
    return unsafe table
  }

  // MARK: Content

  private static let close: @convention(c) (File?) -> Int32 = { file in
    let result = unsafe with(file, .close) { (content) throws(FileFailure) in
      try content.close()
      return SQLITE_OK
    }
    unsafe file?.withMemoryRebound(to: la_vfs_file.self, capacity: 1) {
      if let handle = unsafe $0.pointee.handle {
        unsafe Unmanaged<Box>.fromOpaque(handle).release()
      }
      unsafe $0.pointee.handle = nil
    }
    return result
  }

  private static let read: @convention(c) (File?, UnsafeMutableRawPointer?, Int32, Int64) -> Int32 =
    {
      file,
      bytes,
      count,
      offset in
      unsafe with(file, .read) { (content) throws(FileFailure) in
        let buffer = unsafe UnsafeMutableRawBufferPointer(start: bytes, count: Int(count))
        let found: Int
        do throws(FileFailure) { found = try unsafe content.read(buffer, at: Int(offset)) } catch {
          // SQLite looks at the beginning before it knows whether a journal has to put that right.
          guard error == .file(.damaged), offset == 0, count < FileLayout.pages.chunkSize else {
            throw error
          }
          found = 0
        }
        guard found < buffer.count else { return SQLITE_OK }
        _ = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[found...])
          .initializeMemory(as: UInt8.self, repeating: 0)
        return Int32(la_ioerr_short_read)
      }
    }

  private static let write: @convention(c) (File?, UnsafeRawPointer?, Int32, Int64) -> Int32 = {
    file,
    bytes,
    count,
    offset in
    unsafe with(file, .write) { (content) throws(FileFailure) in
      let buffer = unsafe UnsafeRawBufferPointer(start: bytes, count: Int(count))
      try unsafe content.write(buffer, at: Int(offset))
      return SQLITE_OK
    }
  }

  private static let truncate: @convention(c) (File?, Int64) -> Int32 = { file, size in
    unsafe with(file, .truncate) { (content) throws(FileFailure) in
      try content.truncate(to: Int(size))
      return SQLITE_OK
    }
  }

  private static let synchronize: @convention(c) (File?, Int32) -> Int32 = { file, _ in
    unsafe with(file, .synchronize) { (content) throws(FileFailure) in
      try content.synchronize()
      return SQLITE_OK
    }
  }

  private static let size: @convention(c) (File?, UnsafeMutablePointer<Int64>?) -> Int32 = {
    file,
    size in
    unsafe with(file, .size) { (content) throws(FileFailure) in
      unsafe size?.pointee = Int64(try content.length)
      return SQLITE_OK
    }
  }

  // MARK: Locks

  private static let lock: @convention(c) (File?, Int32) -> Int32 = { file, level in
    unsafe connected(file) { (connection) throws(FileFailure) in
      guard let level = DatabaseLocks.Level(rawValue: level) else { return SQLITE_MISUSE }
      return try connection.raise(to: level) ? SQLITE_OK : SQLITE_BUSY
    }
  }

  private static let unlock: @convention(c) (File?, Int32) -> Int32 = { file, level in
    unsafe connected(file) { (connection) throws(FileFailure) in
      guard let level = DatabaseLocks.Level(rawValue: level) else { return SQLITE_MISUSE }
      try connection.lower(to: level)
      return SQLITE_OK
    }
  }

  private static let checkReserved: @convention(c) (File?, UnsafeMutablePointer<Int32>?) -> Int32 =
    { file, result in
      unsafe connected(file) { (connection) throws(FileFailure) in
        unsafe result?.pointee = try connection.isReserved ? 1 : 0
        return SQLITE_OK
      }
    }

  // MARK: The index of the write-ahead log

  private static let mapIndex:
    @convention(c) (
      File?, Int32, Int32, Int32, UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ) -> Int32 = { file, number, size, extends, region in
      unsafe connected(file) { (connection) throws(FileFailure) in
        let found = try unsafe connection.mapIndex(
          Int(number),
          size: Int(size),
          extends: extends != 0
        )
        unsafe region?.pointee = found
        return unsafe found == nil && extends != 0 ? Int32(la_ioerr_nomem) : SQLITE_OK
      }
    }

  private static let lockIndex: @convention(c) (File?, Int32, Int32, Int32) -> Int32 = {
    file,
    start,
    count,
    flags in
    unsafe connected(file) { (connection) throws(FileFailure) in
      guard start >= 0, count > 0, Int(start) + Int(count) <= IndexLocks.places else {
        return SQLITE_MISUSE
      }
      let range = Int(start)..<Int(start + count)
      guard flags & SQLITE_SHM_UNLOCK == 0 else {
        try connection.unlockIndex(range)
        return SQLITE_OK
      }
      let isFree = try connection.lockIndex(range, alone: flags & SQLITE_SHM_EXCLUSIVE != 0)
      return isFree ? SQLITE_OK : SQLITE_BUSY
    }
  }

  private static let unmapIndex: @convention(c) (File?, Int32) -> Int32 = { file, _ in
    unsafe connected(file) { (connection) throws(FileFailure) in
      try connection.unmapIndex()
      return SQLITE_OK
    }
  }

  // MARK: Controls

  private static let control: @convention(c) (File?, Int32, UnsafeMutableRawPointer?) -> Int32 = {
    file,
    code,
    argument in
    guard let connection = unsafe box(file)?.content as? DatabaseConnection else {
      return SQLITE_NOTFOUND
    }
    switch code {
    case SQLITE_FCNTL_HAS_MOVED:
      unsafe argument?.storeBytes(of: connection.database.wasMoved ? 1 : 0, as: Int32.self)
      return SQLITE_OK
    case SQLITE_FCNTL_PRAGMA: return unsafe pragma(argument)
    default: return SQLITE_NOTFOUND
    }
  }

  /// Says no to pages that are smaller than a chunk; SQLite judges everything else.
  private static func pragma(_ argument: UnsafeMutableRawPointer?) -> Int32 {
    typealias Text = UnsafeMutablePointer<CChar>?
    // SAFETY: SQLite passes three texts: for an answer, the name, and the value or nothing.
    let texts = unsafe argument?.assumingMemoryBound(to: Text.self)
    guard let name = unsafe texts?[1], unsafe strcasecmp(name, "page_size") == 0,
      let value = unsafe texts?[2], let size = Int(unsafe String(cString: value)),
      (1..<FileLayout.pages.chunkSize).contains(size)
    else { return SQLITE_NOTFOUND }
    unsafe texts?[0] = la_vfs_text("a protected database has pages of at least 4096 bytes")
    return SQLITE_ERROR
  }
}
