import CLocalAuthLinux
package import Glibc
import LocalAuthFileFormat
import LocalAuthSecret
import LocalAuthUnix

/// A file that is read, and that another one may take the place of.
package struct SourceFile: ~Copyable {
  /// Where what takes its place will be; nil for a file that is only looked at, whose directory need not be readable.
  private let entry: DirectoryEntry?
  /// The permissions, which what takes its place gets.
  let mode: UInt32
  /// The group, too.
  private let group: gid_t
  private let file: FileDescriptor
  private let stamp: FileStamp
  /// What tells of those who open it for writing; nil where nothing does.
  private var lease: WriteLease?

  /// Opens a regular file; one that is to be replaced has one name and belongs to the caller.
  init(_ path: String, isReplaced: Bool) throws(FileFailure) {
    var entry: DirectoryEntry?
    let descriptor: Int32
    if isReplaced {
      let held = try FileFailure.translatingSystem { () throws(SystemError) in
        try DirectoryEntry(path)
      }
      descriptor = try Self.open(held, O_RDONLY)
      entry = held
    } else {
      descriptor = try Self.open(path, O_RDONLY)
    }
    let opened = FileDescriptor(owning: descriptor)
    let status = try Self.status(of: opened.rawValue)
    if let entry {
      guard !entry.isOfState else { throw .serviceState }
      guard status.st_nlink == 1 else { throw .severalNames(Int(status.st_nlink)) }
      guard status.st_uid == geteuid() else { throw .foreignOwner }
      // Whoever has locked it alone is writing it.
      guard flock(opened.rawValue, LOCK_SH | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
        throw .file(.busy)
      }
      try Self.checkIsReplaceable(opened.rawValue, entry)
    }
    self.entry = entry
    file = opened
    stamp = FileStamp(status)
    mode = status.st_mode & 0o777
    group = status.st_gid
  }

  private init(_ entry: DirectoryEntry, _ file: consuming FileDescriptor, _ status: stat) {
    self.entry = entry
    self.file = file
    stamp = FileStamp(status)
    mode = status.st_mode & 0o777
    group = status.st_gid
  }

  /// Opens the regular file at `entry`, for what takes its place whatever is in it; nil if there is none, or if the caller may
  /// not read it: then nothing of it is lent.
  static func lending(at entry: DirectoryEntry) throws(FileFailure) -> SourceFile? {
    guard let found = entry.status() else {
      guard errno == ENOENT else { throw .system("stat") }
      return nil
    }
    // Nothing takes the place of anything else.
    guard found.st_mode & S_IFMT == S_IFREG else { return nil }
    let opened: Int32
    do throws(FileFailure) { opened = try open(entry, O_RDONLY) } catch {
      guard case .file(.system(_, EACCES)) = error else { throw error }
      return nil
    }
    let file = FileDescriptor(owning: opened)
    let status = try status(of: file.rawValue)
    return SourceFile(entry, file, status)
  }

  /// Throws where something would keep another file from taking its place: better before all of it is encrypted.
  private static func checkIsReplaceable(
    _ file: Int32,
    _ entry: DirectoryEntry
  ) throws(FileFailure) {
    guard la_file_is_immutable(file) == 0 else { throw .immutable }
    guard entry.isWritable || errno != EACCES && errno != EPERM else { throw .closedDirectory }
  }

  /// Keeps track of who opens a plain file for writing until another one has its place: what is written to it then is lost.
  ///
  /// Where the file system knows no leases, nothing does.
  ///
  /// - Throws: ``ProtectedFileError/busy`` if somebody has it open for writing.
  mutating func watchWriters() throws(FileFailure) {
    do throws(SystemError) { lease = try WriteLease(of: file.rawValue) } catch {
      guard error.code != EAGAIN else { throw .file(.busy) }
    }
  }

  /// Begins the file that takes its place, with its access.
  func replacement() throws(SystemError) -> ReplacementFile {
    guard let entry else { preconditionFailure("a file that is looked at is not replaced") }
    let new = try ReplacementFile(at: entry)
    try lendAccess(to: new.descriptor)
    return new
  }

  /// Gives another file its group, access list, attributes of the user's and permissions; where the group is not the caller's
  /// to give, nobody has what the group had.
  func lendAccess(to other: Int32) throws(SystemError) {
    let isGiven = fchown(other, .max, group) == 0
    if isGiven {
      let status = la_attributes_copy(file.rawValue, other)
      guard status == 0 else { throw SystemError("fsetxattr", code: -status) }
    } else {
      let status = la_access_list_remove(other)
      guard status == 0 else { throw SystemError("fremovexattr", code: -status) }
    }
    // The mask for new files narrows what the old file had.
    guard fchmod(other, isGiven ? mode : mode & ~0o070) == 0 else {
      throw SystemError("fchmod", code: errno)
    }
  }

  /// Opens a regular file, never through a symbolic link in its last place; the caller owns the descriptor.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - access: The flags that say what for.
  ///   - mode: The permissions of a new file, if the flags have one made.
  /// - Returns: the descriptor.
  /// - Throws: ``FileFailure``.
  package static func open(
    _ path: String,
    _ access: Int32,
    mode: UInt32 = 0o600
  ) throws(FileFailure) -> Int32 {
    // SAFETY: the string is a C string for the duration of the call.
    try checked(unsafe Glibc.open(path, flags(access), mode))
  }

  private static func open(_ entry: DirectoryEntry, _ access: Int32) throws(FileFailure) -> Int32 {
    try checked(entry.open(flags(access)))
  }

  private static func flags(_ access: Int32) -> Int32 {
    // Without O_NONBLOCK a pipe would wait for its other end.
    access | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW | O_NONBLOCK
  }

  /// A descriptor that is one of a regular file.
  private static func checked(_ opened: Int32) throws(FileFailure) -> Int32 {
    guard opened >= 0 else { throw errno == ELOOP ? .symbolicLink : .system("open") }
    let file = FileDescriptor(owning: opened)
    _ = try status(of: opened)
    return file.release()
  }

  /// What the system says of an open file, which has to be a regular one.
  package static func status(of descriptor: Int32) throws(FileFailure) -> stat {
    var status = stat()
    // SAFETY: the structure lives for the call.
    guard unsafe fstat(descriptor, &status) == 0 else { throw .system("stat") }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular }
    return status
  }

  /// Whether the open file has a name.
  ///
  /// Between its being opened and locked somebody else may have put another one in its place, which has all that is
  /// written from then on.
  package static func hasName(_ descriptor: Int32) throws(FileFailure) -> Bool {
    try status(of: descriptor).st_nlink > 0
  }

  /// A descriptor of the file that the caller of this owns.
  func duplicate() -> Int32 { fcntl(file.rawValue, F_DUPFD_CLOEXEC, 0) }

  /// The newest header of a protected file, which nothing has verified; nil if it is none.
  func header() throws(FileFailure) -> FileHeader? {
    do throws(ProtectedFileError) {
      return try FileHeader.unverified(of: file.rawValue)
    } catch {
      guard error == .notProtected else { throw .file(error) }
      return nil
    }
  }

  /// Reads from `offset` until `chunk` is full or the file ends; false at the end.
  func read(into chunk: inout Secret, at offset: Int) throws(FileFailure) -> Bool {
    chunk.removeAll()
    try unsafe chunk.withUnsafeMutableBytes { (room, used) throws(FileFailure) in
      used = try FileFailure.translatingSystem { () throws(SystemError) in
        try unsafe file.read(room, at: offset)
      }
    }
    return chunk.count > 0
  }

  /// How a protected file with this content is laid out: a database of SQLite begins with its name.
  ///
  /// - Throws: ``FileFailure/smallPages(_:)`` for a database that could not be written.
  func layout() throws(FileFailure) -> FileLayout {
    guard try begins(with: Self.databaseMagic) else { return .stream }
    var field = Secret(capacity: 2)
    _ = try read(into: &field, at: 16)
    // SAFETY: the bytes are read within the call.
    let size = unsafe field.withUnsafeBytes { unsafe $0.reduce(0) { $0 << 8 | Int($1) } }
    // A 1 stands for the largest size.
    guard size == 1 || size >= FileLayout.pages.chunkSize else { throw .smallPages(size) }
    return .pages
  }

  private static let databaseMagic = Array("SQLite format 3\0".utf8)
  /// The beginnings of a rollback journal and of a write-ahead log.
  private static let journalMagics: [[UInt8]] = [
    FileFormat.sqliteJournalMagic, [0x37, 0x7F, 0x06, 0x82], [0x37, 0x7F, 0x06, 0x83],
  ]

  private func begins(with magic: [UInt8]) throws(FileFailure) -> Bool {
    var start = Secret(capacity: magic.count)
    _ = try read(into: &start, at: 0)
    return start.isEqual(to: Secret(copying: magic))
  }

  /// Throws if the file is a journal, a log or a log's index of a plain database beside it: SQLite would not find in it
  /// what was committed.
  func checkIsNoJournal() throws(FileFailure) {
    guard let path = entry?.path,
      let suffix = ["-journal", "-wal", "-shm"].first(where: path.hasSuffix),
      let database = try? SourceFile(String(path.dropLast(suffix.count)), isReplaced: false)
    else { return }
    for magic in Self.journalMagics where try begins(with: magic) { throw .isJournal }
    guard try !database.begins(with: Self.databaseMagic) else { throw .isJournal }
  }

  /// Throws if the file is a database and a journal lies beside it, or a program has it open.
  ///
  /// There is a log then, be it empty. An empty rollback journal is left by some that have closed it, and an index without a
  /// log by what ended some other way: nothing is in it.
  func checkHasNoJournal(_ layout: FileLayout) throws(FileFailure) {
    guard layout == .pages else { return }
    guard entry?.status(withSuffix: "-journal")?.st_size ?? 0 == 0 else { throw .hasJournal }
    guard entry?.status(withSuffix: "-wal") == nil, !isIndexUsed else { throw .hasJournal }
  }

  /// Whether a program has a lock on the index of a log that lies beside the file, as SQLite has while it uses it.
  ///
  /// What cannot be found out counts as used.
  private var isIndexUsed: Bool {
    guard let entry, entry.status(withSuffix: "-shm") != nil else { return false }
    let opened = entry.open(withSuffix: "-shm", Self.flags(O_RDONLY))
    guard opened >= 0 else { return errno != ENOENT }
    let index = FileDescriptor(owning: opened)
    var lock = Glibc.flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = Self.indexLock
    lock.l_len = 1
    // SAFETY: the structure lives for the call.
    guard unsafe fcntl(index.rawValue, F_GETLK, &lock) == 0 else { return true }
    return lock.l_type != F_UNLCK
  }

  /// The byte of an index that SQLite holds locked for as long as it has the index open.
  private static let indexLock = 128

  /// Throws if the file had another stamp when it was opened.
  func check(_ stamp: FileStamp) throws(FileFailure) {
    guard self.stamp == stamp else { throw .changed }
  }

  /// Throws if the file was changed since it was opened, somebody wants to change it, or another one has its name.
  func checkIsUnchanged() throws(FileFailure) {
    switch lease {
    case .some(let lease): guard lease.isWhole else { throw .file(.busy) }
    case .none: break
    }
    guard let entry, FileStamp(of: entry) == stamp else { throw .changed }
  }
}
