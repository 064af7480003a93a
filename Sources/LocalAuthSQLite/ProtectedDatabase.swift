import Glibc
import LocalAuthFileFormat
import LocalAuthFiles
import LocalAuthKeychain
import LocalAuthUnix
import Synchronization

/// A database that is open in this process, by as many connections as there are.
///
/// When the device's state takes the key, the database and its journals are sealed and every call fails; the first call
/// after the unlock opens them again. Other processes are kept out all the while.
final class ProtectedDatabase: LeasedFile {
  let path: String
  let protection: FileProtection
  let access: FileAccess
  let identity: FileIdentity
  /// Keeps others out, and leads to the file once the key comes back.
  private let descriptor: FileDescriptor
  private let files: ProtectedFiles
  private let state: Mutex<State>
  /// The process that opened it; one that was forked shares the lock, and neither writes nor unlocks.
  private let process = getpid()

  struct State {
    /// The content; nil while the key is gone.
    var content: EncryptedFile?
    /// The journals that are open, with their content if it was read since the key was there.
    var journals: [FileIdentity: OpenJournal] = [:]
    var locks = DatabaseLocks()
    var index = LogIndex()
    /// Whether a journal was over while the key was gone, or the header could not say so.
    var hasEndedJournal = false
    /// How many connections use it.
    var users = 0
  }

  struct OpenJournal {
    var content: EncryptedFile?
    /// Whether a part of it is gone, because it could not be written when the key was taken.
    var isCut = false
    var users = 0
  }

  /// A database for its first connection.
  ///
  /// - Parameters:
  ///   - path: Where it is.
  ///   - content: The content of the file.
  ///   - descriptor: Leads to the same file.
  ///   - access: What it is open for.
  ///   - files: The files of the device.
  /// - Throws: ``FileFailure``.
  init(
    _ path: String,
    _ content: sending EncryptedFile,
    on descriptor: consuming FileDescriptor,
    for access: FileAccess,
    _ files: ProtectedFiles
  ) throws(FileFailure) {
    self.path = path
    self.access = access
    self.files = files
    protection = content.protection
    identity = FileIdentity(try SourceFile.status(of: descriptor.rawValue))
    self.descriptor = descriptor
    state = Mutex(State(content: content, users: 1))
    files.follow(self)
  }

  /// Seals what was written and wipes the keys, because the device's state demands it.
  func takeKey() {
    guard isOurs else { return }
    state.withLock { state in
      for identity in state.journals.keys {
        guard let content = state.journals[identity]?.content.take() else { continue }
        // SQLite would roll back by what is left, as if that were all.
        if (try? content.writeBack()) == nil { state.journals[identity]?.isCut = true }
        try? content.close()
      }
      try? state.content.take()?.close(keepsLock: true)
    }
  }

  // MARK: Content

  /// Runs `body` with the content, which is opened again if its key was gone.
  ///
  /// After an error only opening it again says what was written.
  func withContent<Value: Sendable>(
    _ body: (EncryptedFile, inout State) throws(ProtectedFileError) -> Value
  ) throws(FileFailure) -> Value {
    try state.withLock { (state) throws(FileFailure) -> Value in
      let content = try opened(&state)
      do throws(ProtectedFileError) { return try body(content, &state) } catch {
        if !content.isUsable { state.content = nil }
        throw .file(error)
      }
    }
  }

  private var isOurs: Bool { getpid() == process }

  private func opened(_ state: inout State) throws(FileFailure) -> EncryptedFile {
    guard isOurs else { throw .file(.closed) }
    if let content = state.content { return content }
    let content = try files.encryptedFile(
      fcntl(descriptor.rawValue, F_DUPFD_CLOEXEC, 0),
      access,
      false
    )
    if state.hasEndedJournal {
      try FileFailure.translating { () throws(ProtectedFileError) in try content.endJournal() }
      state.hasEndedJournal = false
    }
    state.content = content
    return content
  }

  /// Changes the content, once the journals are with the system: they say how to undo the change.
  func change(
    _ body: (EncryptedFile) throws(ProtectedFileError) -> Void
  ) throws(FileFailure) {
    try withContent { (content, state) throws(ProtectedFileError) in
      try Self.writeBackJournals(&state)
      try body(content)
    }
  }

  /// Hands the journals to the system, so that what was committed outlives this process.
  private static func writeBackJournals(_ state: inout State) throws(ProtectedFileError) {
    for journal in state.journals.values { try journal.content?.writeBack() }
  }

  // MARK: Journals

  /// Counts a user of the journal on `descriptor`.
  func addJournal(_ identity: FileIdentity) {
    state.withLock { $0.journals[identity, default: OpenJournal()].users += 1 }
  }

  /// Ends one use of a journal; what was written of it is with the system then.
  func dropJournal(_ identity: FileIdentity) throws(FileFailure) {
    try FileFailure.translating { () throws(ProtectedFileError) in
      try state.withLock { (state) throws(ProtectedFileError) in
        guard var journal = state.journals.removeValue(forKey: identity) else { return }
        journal.users -= 1
        if journal.users > 0 { state.journals[identity] = journal }
        if isOurs { try journal.content?.writeBack() }
      }
    }
  }

  /// Runs `body` with the content of a journal; nil if it belongs to another time of the database, and counts as empty.
  ///
  /// - Parameters:
  ///   - identity: Which one.
  ///   - descriptor: Leads to the file.
  ///   - changes: Whether `body` changes it: then it is begun anew if it is of another time.
  ///   - body: What to do with it.
  /// - Returns: what `body` returns.
  /// - Throws: ``FileFailure``.
  func withJournal<Value: Sendable>(
    _ identity: FileIdentity,
    _ descriptor: Int32,
    changes: Bool,
    _ body: (EncryptedFile?) throws(ProtectedFileError) -> Value
  ) throws(FileFailure) -> Value {
    try withContent { (content, state) throws(ProtectedFileError) in
      guard state.journals[identity]?.isCut != true else {
        throw .system(call: "pwrite", code: EIO)
      }
      var journal = state.journals[identity]?.content
      if journal == nil {
        journal = try Self.openJournal(of: content, descriptor, access, changes)
        state.journals[identity]?.content = journal
      }
      do throws(ProtectedFileError) { return try body(journal) } catch {
        if journal?.isUsable == false { state.journals[identity]?.content = nil }
        throw error
      }
    }
  }

  private static func openJournal(
    of content: EncryptedFile,
    _ descriptor: Int32,
    _ access: FileAccess,
    _ changes: Bool
  ) throws(ProtectedFileError) -> EncryptedFile? {
    do throws(ProtectedFileError) {
      return try content.openJournal(on: fcntl(descriptor, F_DUPFD_CLOEXEC, 0), for: access)
    } catch {
      switch error {
      case .damaged, .notProtected, .newer: break
      default: throw error
      }
    }
    guard changes else { return nil }
    guard ftruncate(descriptor, 0) == 0 else {
      throw .system(call: "ftruncate", code: errno)
    }
    return try content.createJournal(on: fcntl(descriptor, F_DUPFD_CLOEXEC, 0))
  }

  /// Ends the journal on `descriptor`, which is empty then.
  func endJournal(_ identity: FileIdentity, _ descriptor: Int32) throws(FileFailure) {
    try withContent { (content, state) throws(ProtectedFileError) in
      state.journals[identity]?.content = nil
      guard ftruncate(descriptor, 0) == 0 else { throw .system(call: "ftruncate", code: errno) }
      state.journals[identity]?.isCut = false
      // It is over whatever comes: an error would have SQLite roll back by a journal that is empty.
      Self.sayThatItIsOver(content, &state)
    }
  }

  /// Says that the journals so far are over, because one was deleted; at once, or when the key is there again.
  func journalWasDeleted() {
    state.withLock { state in
      guard access == .write, isOurs else { return }
      guard let content = state.content else {
        state.hasEndedJournal = true
        return
      }
      Self.sayThatItIsOver(content, &state)
    }
  }

  /// Says in the header that the journals so far are over, or does so when the database is opened again.
  private static func sayThatItIsOver(_ content: EncryptedFile, _ state: inout State) {
    guard (try? content.endJournal()) == nil else { return }
    state.hasEndedJournal = true
    if !content.isUsable { state.content = nil }
  }

  // MARK: Locks

  /// Runs `body` with the locks and the index; `needsKey` asks for the key first, so that nobody begins to read what the
  /// process still knows of a database whose key is gone.
  func withLocks<Value: Sendable>(
    needsKey: Bool,
    _ body: (inout State) throws(FileFailure) -> Value
  ) throws(FileFailure) -> Value {
    try state.withLock { (state) throws(FileFailure) -> Value in
      if needsKey { _ = try opened(&state) }
      return try body(&state)
    }
  }

  func addUser() { state.withLock { $0.users += 1 } }

  /// Ends one use; the last one seals the database.
  ///
  /// - Returns: whether it was the last one.
  /// - Throws: ``FileFailure``.
  func dropUser() throws(FileFailure) -> Bool {
    try FileFailure.translating { () throws(ProtectedFileError) in
      try state.withLock { (state) throws(ProtectedFileError) -> Bool in
        state.users -= 1
        guard state.users == 0 else { return false }
        guard isOurs else {
          state.content = nil
          return true
        }
        // Somebody may look at this object a moment longer, which keeps the descriptor.
        defer { flock(descriptor.rawValue, LOCK_UN) }
        guard let content = state.content.take() else { return true }
        if access == .write, !needsJournal(content) { try content.endJournals() }
        try content.close()
        return true
      }
    }
  }

  /// Whether a journal lies beside the database that the next one who opens it needs.
  private func needsJournal(_ content: EncryptedFile) -> Bool {
    ["-journal", "-wal"].contains { suffix in
      do throws(FileFailure) {
        let file = try SourceFile.open(path + suffix, O_RDONLY)
        return try FileFailure.translating { () throws(ProtectedFileError) in
          try Self.isNeeded(content.openJournal(on: file, for: .read))
        }
      } catch {
        switch error {
        case .file(.system("open", ENOENT)), .symbolicLink, .notRegular: return false
        case .file(.damaged), .file(.notProtected), .file(.newer): return false
        // What cannot be read now may be needed.
        default: return true
        }
      }
    }
  }

  /// Whether there is something to play back: SQLite begins a journal that it is done with by zeros.
  private static func isNeeded(_ journal: EncryptedFile) throws(ProtectedFileError) -> Bool {
    var first = UInt8(0)
    // SAFETY: the buffer has room for one byte.
    let count = try unsafe withUnsafeMutableBytes(of: &first) {
      (room) throws(ProtectedFileError) in try unsafe journal.read(room, at: 0)
    }
    return count == 1 && first != 0
  }

  /// Whether the file was moved or removed since it was opened.
  var wasMoved: Bool {
    var status = stat()
    // SAFETY: the string is a C string and the structure lives for the call.
    guard unsafe stat(path, &status) == 0 else { return true }
    return FileIdentity(status) != identity
  }

  /// The owner and the permissions, which its journals get.
  var status: stat {
    get throws(FileFailure) { try SourceFile.status(of: descriptor.rawValue) }
  }
}
