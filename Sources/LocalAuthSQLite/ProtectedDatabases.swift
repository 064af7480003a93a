import CLocalAuthSQLite
import CLocalAuthVFS
import Glibc
import LocalAuthFileFormat
public import LocalAuthFiles
import LocalAuthKeychain
import LocalAuthUnix
import Synchronization

/// SQLite databases that the state of a device protects.
public enum ProtectedDatabases {
  /// Registers the file system `localauth` with SQLite, for as long as the process lives.
  ///
  /// Databases that are opened with it, by the name or by `?vfs=localauth` in a URI, are protected files, and so is
  /// everything that SQLite puts beside them. What protects a new one is, in this order: `?protection=` in the URI,
  /// with a ``FileProtection/word``; the flags of ``open(_:_:flags:vfs:)``; the default of its directory. One process has a database open at a time, with as many connections as it likes. Call it from any thread; a
  /// second call with the same name does nothing.
  ///
  /// - Parameters:
  ///   - device: Whose lock counts.
  ///   - name: The name of the file system, for processes that use more than one device.
  ///   - isDefault: Whether SQLite uses it where no name is given.
  /// - Throws: ``FileFailure`` if the service does not answer.
  public static func register(
    on device: Device = .default,
    name: String = "localauth",
    isDefault: Bool = false
  ) throws(FileFailure) {
    try registration.withLock { _ throws(FileFailure) in
      guard unsafe la_vfs_is_registered(name) == 0 else { return }
      try register(try ProtectedFiles(on: device), name: name, isDefault: isDefault)
    }
  }

  /// Two threads that call at once register one file system.
  private static let registration = Mutex<Void>(())

  /// Registers a file system for the files of one device.
  static func register(
    _ files: ProtectedFiles,
    name: String,
    isDefault: Bool = false
  ) throws(FileFailure) {
    let databases = OpenDatabases(files)
    // SQLite keeps the file system for good.
    let owner = unsafe Unmanaged.passRetained(databases).toOpaque()
    let status = unsafe la_vfs_register(
      name,
      isDefault ? 1 : 0,
      VFSMethods.open,
      VFSMethods.deleted,
      owner
    )
    guard status == SQLITE_OK else {
      throw .file(.system(call: "sqlite3_vfs_register", code: ENOMEM))
    }
  }

  /// Opens a database as `sqlite3_open_v2` does on Apple's systems, where bits of the flags say what protects a new one.
  ///
  /// SQLite of Linux takes those bits from the flags before it asks its file system, so that they do nothing with
  /// `sqlite3_open_v2` itself.
  ///
  /// - Parameters:
  ///   - name: The path or the URI.
  ///   - database: Gets the connection, also one that failed, which has to be closed as well.
  ///   - flags: SQLite's flags, with `0x00100000` for ``FileProtection/complete``, `0x00200000` for
  ///     ``FileProtection/completeUnlessOpen``, `0x00300000` for ``FileProtection/afterFirstUnlock`` or `0x00400000`
  ///     for ``FileProtection/always``.
  ///   - vfs: The file system, which was registered.
  /// - Returns: a code of SQLite.
  @unsafe
  public static func open(
    _ name: UnsafePointer<CChar>,
    _ database: UnsafeMutablePointer<OpaquePointer?>,
    flags: Int32,
    vfs: String = "localauth"
  ) -> Int32 {
    unsafe la_vfs_open_v2(name, database, flags, vfs)
  }
}

/// What SQLite calls to open a file.
@unsafe
private enum VFSMethods {
  static let open: la_vfs_open = { vfs, name, file, flags, result in
    let request = OpenRequest(flags: flags | la_vfs_current_bits())
    unsafe file.pointee.pMethods = nil
    let (system, owner) = unsafe vfs.withMemoryRebound(to: la_vfs.self, capacity: 1) {
      unsafe ($0.pointee.system, $0.pointee.owner)
    }
    let databases = unsafe Unmanaged<OpenDatabases>.fromOpaque(owner).takeUnretainedValue()
    let path = unsafe name.map { unsafe String(cString: $0) } ?? "a temporary file"
    if request.kind == .superJournal {
      guard let open = unsafe system.pointee.xOpen else { return SQLITE_CANTOPEN }
      return unsafe open(system, name, file, flags, result)
    }
    return status(of: .open, path) { () throws(FileFailure) in
      switch (request.kind, unsafe name) {
      case (.database, let name?):
        guard let protection = unsafe request.protection(of: name) else {
          let words = FileProtection.allCases.map(\.word).joined(separator: ", ")
          unsafe la_vfs_log(SQLITE_MISUSE, "The protection of \(path) is none of \(words).")
          return SQLITE_MISUSE
        }
        let connection = try unsafe connect(path, request, protection, databases)
        let isReadOnly = connection.database.access == .read
        unsafe result?.pointee = isReadOnly ? SQLITE_OPEN_READONLY : flags
        unsafe VFSFileMethods.set(connection, file)
      case (.journal, let name?):
        guard let main = unsafe la_vfs_database_file(name),
          let database = unsafe VFSFileMethods.database(of: main)
        else { return SQLITE_MISUSE }
        unsafe VFSFileMethods.set(try journal(path, request, database), file)
        unsafe result?.pointee = flags
      default:
        unsafe VFSFileMethods.set(try TemporaryFile(), file)
        unsafe result?.pointee = flags
      }
      return SQLITE_OK
    }
  }

  static let deleted: la_vfs_deleted = { owner, name in
    let databases = unsafe Unmanaged<OpenDatabases>.fromOpaque(owner).takeUnretainedValue()
    databases.journalWasDeleted(unsafe String(cString: name))
  }

  /// Connects to a database; one that cannot be written is opened for reading.
  private static func connect(
    _ path: String,
    _ request: OpenRequest,
    _ protection: FileProtection?,
    _ databases: OpenDatabases
  ) throws(FileFailure) -> DatabaseConnection {
    if request.writes {
      do throws(FileFailure) {
        return try databases.connect(path, for: .write, creates: request.creates, protection)
      } catch {
        switch error {
        case .file(.readOnly), .file(.system("open", EACCES)), .file(.system("open", EROFS)),
          .file(.system("open", EPERM)):
          break
        default: throw error
        }
      }
    }
    return try databases.connect(path, for: .read, creates: false, protection)
  }

  /// Opens or makes a journal, which gets the owner and the permissions of its database.
  private static func journal(
    _ path: String,
    _ request: OpenRequest,
    _ database: ProtectedDatabase
  ) throws(FileFailure) -> DatabaseJournal {
    let flags =
      (database.access == .write ? O_RDWR : O_RDONLY) | (request.creates ? O_CREAT : 0)
    let status = try database.status
    let descriptor = FileDescriptor(owning: try SourceFile.open(path, flags))
    if request.creates {
      _ = fchmod(descriptor.rawValue, status.st_mode & 0o777)
      if geteuid() == 0 { _ = fchown(descriptor.rawValue, status.st_uid, status.st_gid) }
    }
    return try DatabaseJournal(
      of: database,
      descriptor,
      isLog: request.flags & SQLITE_OPEN_WAL != 0,
      newPath: request.creates ? path : nil
    )
  }
}
