import CLocalAuthVFS
import Glibc
import LocalAuthFileFormat
import LocalAuthFiles
import LocalAuthKeychain
import LocalAuthUnix
import Synchronization

/// The databases that are open in this process: connections to the same file share one.
final class OpenDatabases: Sendable {
  private let files: ProtectedFiles
  private let open = Mutex<[FileIdentity: ProtectedDatabase]>([:])

  init(_ files: ProtectedFiles) { self.files = files }

  /// Opens the database at `path` for a connection.
  ///
  /// - Parameters:
  ///   - path: The file, whose last part is no symbolic link.
  ///   - access: What for.
  ///   - creates: Whether a database is begun where there is none.
  ///   - protection: That of a new one; nil for the default of its directory.
  /// - Returns: the connection.
  /// - Throws: ``FileFailure``, with `readOnly` for a protected file that is not laid out for databases.
  func connect(
    _ path: String,
    for access: FileAccess,
    creates: Bool,
    _ protection: FileProtection?
  ) throws(FileFailure) -> DatabaseConnection {
    try open.withLock { (open) throws(FileFailure) in
      let found: FileDescriptor
      do throws(FileFailure) {
        found = FileDescriptor(
          owning: try SourceFile.open(path, access == .write ? O_RDWR : O_RDONLY)
        )
      } catch {
        guard error == .file(.system(call: "open", code: ENOENT)), creates else { throw error }
        return add(try begin(path, protection, mode: 0o600, replacing: false), to: &open)
      }
      let status = try SourceFile.status(of: found.rawValue)
      if let shared = open[FileIdentity(status)] {
        guard shared.access == .write || access == .read else { throw .file(.busy) }
        shared.addUser()
        return DatabaseConnection(shared, self)
      }
      if status.st_size == 0, creates {
        // Whoever finds the empty file at the same moment must not begin a second one.
        guard flock(found.rawValue, LOCK_EX | LOCK_NB) == 0, try SourceFile.hasName(found.rawValue)
        else {
          throw .file(.busy)
        }
        let mode = status.st_mode & 0o777
        return add(try begin(path, protection, mode: mode, replacing: true), to: &open)
      }
      let content = try content(of: found.rawValue, access)
      return add(try ProtectedDatabase(path, content, on: found, for: access, files), to: &open)
    }
  }

  private func content(
    of descriptor: Int32,
    _ access: FileAccess
  ) throws(FileFailure) -> EncryptedFile {
    do throws(FileFailure) {
      let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
      let content = try files.encryptedFile(copy, access, false)
      guard try SourceFile.hasName(descriptor) else { throw .file(.busy) }
      guard content.layout == .pages || access == .read else { throw .file(.readOnly) }
      return content
    } catch {
      // Closing alone does not: a process that is forked by another thread has the file a moment longer.
      flock(descriptor, LOCK_UN)
      throw error
    }
  }

  private func add(
    _ database: ProtectedDatabase,
    to open: inout [FileIdentity: ProtectedDatabase]
  ) -> DatabaseConnection {
    open[database.identity] = database
    return DatabaseConnection(database, self)
  }

  /// Puts a new database at `path`, which has its name once it is whole.
  private func begin(
    _ path: String,
    _ protection: FileProtection?,
    mode: UInt32,
    replacing: Bool
  ) throws(FileFailure) -> ProtectedDatabase {
    let key = try files.newKey(for: path, protection)
    let new = try FileFailure.translatingSystem { () throws(SystemError) in
      try ReplacementFile(at: path, mode: mode)
    }
    let content = try key.begin(on: fcntl(new.descriptor, F_DUPFD_CLOEXEC, 0), layout: .pages)
    try FileFailure.translatingSystem { () throws(SystemError) in
      try new.publish(replacing: replacing)
    }
    let descriptor = FileDescriptor(owning: fcntl(new.descriptor, F_DUPFD_CLOEXEC, 0))
    return try ProtectedDatabase(path, content, on: descriptor, for: .write, files)
  }

  /// Tells the database of a journal that this is over.
  func journalWasDeleted(_ path: String) {
    let database = open.withLock { open in
      open.values.first { path == $0.path + "-journal" || path == $0.path + "-wal" }
    }
    database?.journalWasDeleted()
  }

  /// Ends a connection to `database`, which the last one seals.
  func close(_ database: ProtectedDatabase) throws(FileFailure) {
    try open.withLock { (open) throws(FileFailure) in
      do throws(FileFailure) {
        if try database.dropUser() { open[database.identity] = nil }
      } catch {
        open[database.identity] = nil
        throw error
      }
    }
  }
}
