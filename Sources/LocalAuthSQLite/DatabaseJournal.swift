import LocalAuthFileFormat
import LocalAuthFiles
import LocalAuthUnix

/// A rollback journal or a write-ahead log as one connection of SQLite has it open.
final class DatabaseJournal: PagedFile {
  private let database: ProtectedDatabase
  private let descriptor: FileDescriptor
  private let identity: FileIdentity
  /// Its path until its name is durable.
  private var newPath: String?

  /// - Parameters:
  ///   - database: The database that it belongs to.
  ///   - descriptor: The open file, which may be empty.
  ///   - newPath: Its path if its name may be new.
  /// - Throws: ``FileFailure``.
  init(
    of database: ProtectedDatabase,
    _ descriptor: consuming FileDescriptor,
    newPath: String?
  ) throws(FileFailure) {
    self.database = database
    self.newPath = newPath
    identity = FileIdentity(try SourceFile.status(of: descriptor.rawValue))
    self.descriptor = descriptor
    database.addJournal(identity)
  }

  var length: Int {
    get throws(FileFailure) {
      try with(changes: false) { (content) throws(ProtectedFileError) in content?.length ?? 0 }
    }
  }

  @unsafe
  func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(FileFailure) -> Int {
    try with(changes: false) { (content) throws(ProtectedFileError) in
      try unsafe content?.read(buffer, at: offset) ?? 0
    }
  }

  @unsafe
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(FileFailure) {
    try with(changes: true) { (content) throws(ProtectedFileError) in
      try unsafe content?.write(bytes, at: offset)
    }
  }

  func truncate(to length: Int) throws(FileFailure) {
    try with(changes: true) { (content) throws(ProtectedFileError) in
      try content?.truncate(to: length)
    }
  }

  func synchronize() throws(FileFailure) {
    try with(changes: true) { (content) throws(ProtectedFileError) in
      try content?.synchronizeContent()
    }
    if let path = newPath.take() { try synchronizeDirectory(of: path) }
  }

  /// Makes the name of a new journal durable.
  private func synchronizeDirectory(of path: String) throws(FileFailure) {
    try FileFailure.translatingSystem { () throws(SystemError) in
      try FileDescriptor.synchronizeParent(of: path)
    }
  }

  func close() throws(FileFailure) { try database.dropJournal(identity) }

  private func with<Value: Sendable>(
    changes: Bool,
    _ body: (EncryptedFile?) throws(ProtectedFileError) -> Value
  ) throws(FileFailure) -> Value {
    try database.withJournal(identity, descriptor.rawValue, changes: changes, body)
  }
}
