import Glibc
import LocalAuthFileFormat
import LocalAuthFiles

/// The database as one connection of SQLite has it open.
final class DatabaseConnection: PagedFile {
  let database: ProtectedDatabase
  private let databases: OpenDatabases

  init(_ database: ProtectedDatabase, _ databases: OpenDatabases) {
    self.database = database
    self.databases = databases
  }

  var holder: ObjectIdentifier { ObjectIdentifier(self) }

  var length: Int {
    get throws(FileFailure) {
      try database.withContent { (content, _) throws(ProtectedFileError) in content.length }
    }
  }

  @unsafe
  func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(FileFailure) -> Int {
    try database.withContent { (content, _) throws(ProtectedFileError) in
      try unsafe content.read(buffer, at: offset)
    }
  }

  @unsafe
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(FileFailure) {
    // A page within a chunk could not be written over what a crash left of it.
    guard bytes.count % FileLayout.pages.chunkSize == 0 else {
      throw .smallPages(bytes.count)
    }
    try database.change { (content) throws(ProtectedFileError) in
      try unsafe content.write(bytes, at: offset)
    }
  }

  func truncate(to length: Int) throws(FileFailure) {
    try database.change { (content) throws(ProtectedFileError) in
      try content.truncate(to: length)
    }
  }

  func synchronize() throws(FileFailure) {
    try database.change { (content) throws(ProtectedFileError) in
      try content.synchronizeContent()
    }
  }

  func close() throws(FileFailure) {
    try? database.withLocks(needsKey: false) { (state) in
      state.locks.lower(holder, to: .none)
      state.index.locks.release(0..<IndexLocks.places, holder)
      state.index.unmap(holder)
    }
    try databases.close(database)
  }

  // MARK: Locks

  func raise(to level: DatabaseLocks.Level) throws(FileFailure) -> Bool {
    try database.withLocks(needsKey: true) { (state) in state.locks.raise(holder, to: level) }
  }

  func lower(to level: DatabaseLocks.Level) throws(FileFailure) {
    try database.withLocks(needsKey: false) { (state) in state.locks.lower(holder, to: level) }
  }

  var isReserved: Bool {
    get throws(FileFailure) {
      try database.withLocks(needsKey: true) { (state) in state.locks.isReserved }
    }
  }

  func lockIndex(_ range: Range<Int>, alone: Bool) throws(FileFailure) -> Bool {
    try database.withLocks(needsKey: true) { (state) in
      alone ? state.index.locks.take(range, holder) : state.index.locks.share(range, holder)
    }
  }

  func unlockIndex(_ range: Range<Int>) throws(FileFailure) {
    try database.withLocks(needsKey: false) { (state) in
      state.index.locks.release(range, holder)
    }
  }

  /// A region of the index; nil if there is none and none is wanted.
  @unsafe
  func mapIndex(
    _ number: Int,
    size: Int,
    extends: Bool
  ) throws(FileFailure) -> UnsafeMutableRawPointer? {
    let region = try database.withLocks(needsKey: true) { (state) in
      unsafe Region(
        start: state.index.map(number, size: size, extends: extends, for: holder)
      )
    }
    return unsafe region.start
  }

  /// Memory that the connections of a process share; SQLite orders what they do with it.
  @safe private struct Region: @unchecked Sendable {
    let start: UnsafeMutableRawPointer?
  }

  func unmapIndex() throws(FileFailure) {
    try database.withLocks(needsKey: false) { (state) in state.index.unmap(holder) }
  }
}
