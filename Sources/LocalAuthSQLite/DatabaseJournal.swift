import Glibc
import LocalAuthFileFormat
import LocalAuthFiles
import LocalAuthUnix

/// A rollback journal or a write-ahead log as one connection of SQLite has it open.
final class DatabaseJournal: PagedFile {
  private let database: ProtectedDatabase
  private let descriptor: FileDescriptor
  private let identity: FileIdentity
  /// Whether it is a write-ahead log.
  private let isLog: Bool
  /// Its path until its name is durable.
  private var newPath: String?
  /// Whether the page that comes next ends a transaction of a log.
  private var isEndNext = false

  /// - Parameters:
  ///   - database: The database that it belongs to.
  ///   - descriptor: The open file, which may be empty.
  ///   - isLog: Whether it is a write-ahead log.
  ///   - newPath: Its path if its name may be new.
  /// - Throws: ``FileFailure``.
  init(
    of database: ProtectedDatabase,
    _ descriptor: consuming FileDescriptor,
    isLog: Bool,
    newPath: String?
  ) throws(FileFailure) {
    self.database = database
    self.isLog = isLog
    self.newPath = newPath
    identity = FileIdentity(try SourceFile.status(of: descriptor.rawValue))
    self.descriptor = descriptor
    database.addJournal(identity)
  }

  var length: Int {
    get throws(FileFailure) {
      try with(changes: false) { (content) throws(ProtectedFileError) in
        guard let content else { return 0 }
        // What others were not told does not count: without its last bytes SQLite finds no reference.
        let isHidden = isLog ? false : try content.hidesReference
        return content.length - (isHidden ? 1 : 0)
      }
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
    if offset == 0 {
      let header = unsafe JournalHeader(bytes, isLog: isLog)
      if let size = header.pageSize, size < FileLayout.pages.chunkSize { throw .smallPages(size) }
      if header.isOver { return try end() }
      // A log begins anew once all of it is in the database.
      if isLog, try length > 0 { try end() }
    }
    let isNeeded = isLog ? try unsafe mustLeaveProcess(bytes, at: offset) : false
    try with(changes: true) { (content) throws(ProtectedFileError) in
      try unsafe content?.write(bytes, at: offset)
      if isNeeded { try content?.writeBack() }
      if !isLog, unsafe EncryptedFile.endsReference(bytes) { try content?.showReference() }
    }
  }

  /// Whether these bytes of a log complete a transaction, which then outlives this process, or is none.
  ///
  /// Later, SQLite has told other connections of it, and no error takes it back.
  private func mustLeaveProcess(
    _ bytes: UnsafeRawBufferPointer,
    at offset: Int
  ) throws(FileFailure) -> Bool {
    guard let frame = unsafe LogFrame(bytes) else {
      defer { isEndNext = false }
      return isEndNext
    }
    isEndNext = frame.endsTransaction
    // The checksums of frames that were overwritten come last of all.
    return try offset + LogFrame.size <= length
  }

  func truncate(to length: Int) throws(FileFailure) {
    guard length > 0 else { return try end() }
    try with(changes: true) { (content) throws(ProtectedFileError) in
      try content?.truncate(to: length)
      // SQLite cuts what is left of an earlier transaction behind a reference that it has written.
      if !isLog { try content?.showReference() }
    }
  }

  func synchronize() throws(FileFailure) {
    try with(changes: false) { (content) throws(ProtectedFileError) in
      if let content { return try content.synchronizeContent() }
      // It is over. Beginning it anew may fail, and SQLite would take that for a commit that failed.
      guard fsync(descriptor.rawValue) == 0 else { throw .system(call: "fsync", code: errno) }
    }
    if let path = newPath.take() { try synchronizeDirectory(of: path) }
  }

  /// Makes the name of a new journal durable.
  private func synchronizeDirectory(of path: String) throws(FileFailure) {
    try FileFailure.translatingSystem { () throws(SystemError) in
      try FileDescriptor.synchronizeParent(of: path)
    }
  }

  /// Says that nothing in it counts any more; what is written next begins it anew.
  private func end() throws(FileFailure) {
    try database.endJournal(identity, descriptor.rawValue)
  }

  func close() throws(FileFailure) { try database.dropJournal(identity) }

  private func with<Value: Sendable>(
    changes: Bool,
    _ body: (EncryptedFile?) throws(ProtectedFileError) -> Value
  ) throws(FileFailure) -> Value {
    try database.withJournal(identity, descriptor.rawValue, changes: changes, body)
  }
}

/// What SQLite writes at the beginning of a journal.
private struct JournalHeader {
  /// The bytes of a page; nil if it is no header.
  private(set) var pageSize: Int?
  /// Whether SQLite is done with the journal, and lets it lie.
  let isOver: Bool

  init(_ bytes: UnsafeRawBufferPointer, isLog: Bool) {
    isOver = unsafe !isLog && bytes.allSatisfy { $0 == 0 }
    let (least, place) = isLog ? (32, 8) : (28, 24)
    guard bytes.count >= least, !isOver else { return }
    pageSize = Int(
      UInt32(bigEndian: unsafe bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self))
    )
  }
}

/// What SQLite writes before each page of a log.
private struct LogFrame {
  static let size = 24
  let endsTransaction: Bool

  /// Reads the frame; nil if that is a page, or the log's own header.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count == Self.size else { return nil }
    // How many pages the database has afterwards.
    endsTransaction = unsafe bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self) != 0
  }
}
