import CLocalAuthOpenSSL
import LocalAuthKeychain
import LocalAuthSecret

/// The journals of a database: files of their own, which only the key of their database opens.
///
/// A database's header has a random value while journals belong to it, from which their keys come, and the number of the
/// first one that is not over. Without them a journal that somebody kept would take a part of the database back to what
/// it once was.
extension EncryptedFile {
  /// Begins a journal on the open, empty file `descriptor`, which it takes ownership of.
  ///
  /// - Throws: ``ProtectedFileError``.
  public func createJournal(on descriptor: Int32) throws(ProtectedFileError) -> EncryptedFile {
    try createJournal(on: DescriptorStorage(lookingAt: descriptor))
  }

  func createJournal(on storage: any FileStorage) throws(ProtectedFileError) -> EncryptedFile {
    if header.journals == FileHeader.noJournals {
      try change { () throws(ProtectedFileError) in
        header.journals = Self.random(FileHeader.noJournals.count)
        try mark(length: length)
      }
    }
    let identifier = Self.random(FileFormat.identifierSize)
    var journal = FileHeader(protection, identifier: identifier, wrappedKey: [], layout: .journal)
    journal.journal = header.journal
    return try EncryptedFile(
      creatingOn: storage,
      journal,
      key: try journalKey(journal),
      hasDurableHeader: false
    )
  }

  /// Opens a journal of this database on `descriptor`, which it takes ownership of.
  ///
  /// - Parameters:
  ///   - descriptor: The open file.
  ///   - access: What for.
  /// - Returns: the journal, up to what was written whole.
  /// - Throws: ``ProtectedFileError``, with `damaged` or `notProtected` for what is no journal of the database
  ///   as it is now.
  public func openJournal(
    on descriptor: Int32,
    for access: FileAccess
  ) throws(ProtectedFileError) -> EncryptedFile {
    try openJournal(on: DescriptorStorage(lookingAt: descriptor), for: access)
  }

  func openJournal(
    on storage: any FileStorage,
    for access: FileAccess
  ) throws(ProtectedFileError) -> EncryptedFile {
    guard header.journals != FileHeader.noJournals else { throw .damaged }
    return try EncryptedFile(opening: storage, for: access, hasDurableHeader: false) {
      (header) throws(ProtectedFileError) in
      guard header.journal >= self.header.journal else { throw .damaged }
      return try journalKey(header)
    }
  }

  /// Says that the journals so far are over: one that somebody kept and puts back does not open.
  ///
  /// That need not be durable by itself. Until the next ``synchronizeContent()`` the disk may have the header before,
  /// with which the journal that was over last still opens.
  public func endJournal() throws(ProtectedFileError) {
    guard header.journals != FileHeader.noJournals else { return }
    try change { () throws(ProtectedFileError) in
      var next = header
      next.journal += 1
      try put(next, isDurable: false)
    }
  }

  /// Says that no journal belongs to the database any more; the next ``synchronize()`` makes it durable.
  public func endJournals() throws(ProtectedFileError) {
    guard header.journals != FileHeader.noJournals else { return }
    try change { () throws(ProtectedFileError) in header.journals = FileHeader.noJournals }
  }

  private func journalKey(_ journal: FileHeader) throws(ProtectedFileError) -> Secret {
    guard let key = keys.journalKey(journal.identifier, header.journals) else { throw .damaged }
    return key
  }

  /// Begins a file on the open, empty file `descriptor`, which it takes ownership of, under a key that exists in this
  /// process only.
  ///
  /// - Throws: ``ProtectedFileError``.
  public static func temporary(on descriptor: Int32) throws(ProtectedFileError) -> EncryptedFile {
    try EncryptedFile(
      creatingOn: DescriptorStorage(lookingAt: descriptor),
      FileHeader(
        .always,
        identifier: random(FileFormat.identifierSize),
        wrappedKey: [],
        layout: .pages
      ),
      key: .random(FileFormat.keySize),
      hasDurableHeader: false
    )
  }

  private static func random(_ count: Int) -> [UInt8] {
    // SAFETY: the bytes are copied within the call.
    unsafe Secret.random(count).withUnsafeBytes { unsafe Array($0) }
  }
}

extension Secret {
  /// Random bytes of OpenSSL, which seeds itself anew in a process that was forked.
  fileprivate static func random(_ count: Int) -> Secret {
    var bytes = Secret(capacity: count)
    // SAFETY: the buffer has the size that is asked for.
    unsafe bytes.withUnsafeMutableBytes { (room, used) -> Void in
      used = count
      let start = unsafe room.assumingMemoryBound(to: UInt8.self).baseAddress
      precondition(unsafe RAND_bytes(start, Int32(count)) == 1, "the system gives random bytes")
    }
    return bytes
  }
}
