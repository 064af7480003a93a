import Glibc
import LocalAuthFileFormat
import LocalAuthFiles
import LocalAuthKeychain
import LocalAuthUnix
import Synchronization

/// The databases that are open in this process: connections to the same file share one.
final class OpenDatabases: Sendable {
  private let files: ProtectedFiles
  private let open = Mutex<[FileIdentity: Database]>([:])

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
      let descriptor = try Self.descriptor(path, access, creates)
      let (identity, status) = try FileIdentity.of(descriptor.rawValue)
      guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular }
      if let shared = open[identity] {
        guard shared.access == .write || access == .read else { throw .file(.busy) }
        shared.addUser()
        return DatabaseConnection(shared, self)
      }
      let content = try content(of: descriptor.rawValue, status, path, access, creates, protection)
      let database = try Database(path, content, access, descriptor, files)
      database.addUser()
      open[identity] = database
      return DatabaseConnection(database, self)
    }
  }

  private func content(
    of descriptor: Int32,
    _ status: stat,
    _ path: String,
    _ access: FileAccess,
    _ creates: Bool,
    _ protection: FileProtection?
  ) throws(FileFailure) -> sending EncryptedFile {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    if status.st_size == 0, creates, access == .write {
      let key: NewFileKey
      do throws(FileFailure) { key = try files.newKey(for: path, protection) } catch {
        Glibc.close(copy)
        throw error
      }
      let content = try key.begin(on: copy, layout: .pages)
      try Self.synchronizeDirectory(of: path)
      return content
    }
    let content = try files.encryptedFile(copy, access, false)
    guard content.layout == .pages || access == .read else { throw .file(.readOnly) }
    return content
  }

  private static func descriptor(
    _ path: String,
    _ access: FileAccess,
    _ creates: Bool
  ) throws(FileFailure) -> FileDescriptor {
    let flags = (access == .write ? O_RDWR : O_RDONLY) | (creates ? O_CREAT : 0)
    return try openFile(path, flags, mode: 0o600)
  }

  /// Opens a file, never through a symbolic link in its last place.
  static func openFile(
    _ path: String,
    _ flags: Int32,
    mode: UInt32
  ) throws(FileFailure) -> FileDescriptor {
    let always = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
    // SAFETY: the string is a C string for the duration of the call.
    let opened = unsafe Glibc.open(path, flags | always, mode)
    guard opened >= 0 else { throw errno == ELOOP ? .symbolicLink : .system("open") }
    return FileDescriptor(owning: opened)
  }

  /// Makes the name of a new file durable.
  static func synchronizeDirectory(of path: String) throws(FileFailure) {
    let end = path.lastIndex(of: "/") ?? path.startIndex
    let directory = try openFile(String(path[...end]), O_RDONLY | O_DIRECTORY, mode: 0)
    guard fsync(directory.rawValue) == 0 else { throw .system("fsync") }
  }

  /// Ends a connection to `database`, which the last one seals.
  func close(_ database: Database) throws(FileFailure) {
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
