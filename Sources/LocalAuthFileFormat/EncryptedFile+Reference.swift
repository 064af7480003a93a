import LocalAuthSecret

/// What SQLite writes at the end of a journal whose transaction is over several databases: the super-journal's name.
///
/// It stands in clear behind the last chunk, too. SQLite deletes a super-journal once no journal refers to it, and the
/// one that looks may not have the key, or may not know protected files at all.
enum SuperJournalRecord {
  /// The eight bytes with which it ends.
  static let magic = FileFormat.sqliteJournalMagic
  /// The name's length, a sum and the magic, behind the name.
  private static let endSize = 16
  /// The longest path.
  private static let nameMax = 4096

  /// Returns the record that ends at `length`; nothing if there is none.
  static func bytes(
    endingAt length: Int,
    _ read: (Int, Int) throws(ProtectedFileError) -> [UInt8]
  ) throws(ProtectedFileError) -> [UInt8] {
    guard length > endSize else { return [] }
    let end = try read(endSize, length - endSize)
    guard end.count == endSize, end.suffix(magic.count) == magic[...] else { return [] }
    let count = end.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    guard (1...min(nameMax, length - endSize)).contains(count) else { return [] }
    return try read(count + endSize, length - endSize - count)
  }
}

extension EncryptedFile {
  /// Whether these are the bytes with which SQLite ends a reference to a super-journal.
  @unsafe
  public static func endsReference(_ bytes: UnsafeRawBufferPointer) -> Bool {
    unsafe bytes.elementsEqual(SuperJournalRecord.magic)
  }

  /// Says in clear to which super-journal the content, a journal, refers by its end; as durable as that.
  ///
  /// It is with the system at once: SQLite asks the file, and not this process, whether a super-journal is needed.
  ///
  /// - Throws: ``ProtectedFileError``; nobody sees the reference then.
  public func showReference() throws(ProtectedFileError) {
    reference = try contentReference()
    isReferenceWritten = reference.isEmpty
    if !isReferenceWritten { try writeBack() }
  }

  /// Whether the content refers to a super-journal, but others were not told so before the program ended.
  ///
  /// Nothing relies on such an end: what comes last was not synchronized.
  public var hidesReference: Bool {
    get throws(ProtectedFileError) {
      guard reference.isEmpty || !isReferenceWritten else { return false }
      return try !contentReference().isEmpty
    }
  }

  private func contentReference() throws(ProtectedFileError) -> [UInt8] {
    try SuperJournalRecord.bytes(endingAt: length) { (count, offset) throws(ProtectedFileError) in
      var room = Secret(capacity: count)
      try unsafe room.withUnsafeMutableBytes { (room, used) throws(ProtectedFileError) in
        used = try unsafe read(room, at: offset)
      }
      // SAFETY: the bytes are copied within the call.
      return unsafe room.withUnsafeBytes { unsafe Array($0) }
    }
  }

  /// Finds the reference at the end of the file.
  func findReference() throws(ProtectedFileError) {
    reference = try SuperJournalRecord.bytes(endingAt: try storage.size()) {
      (count, offset) throws(ProtectedFileError) in
      try storage.bytes(count, at: offset)
    }
  }

  /// Where the last chunk ends in a file that was just opened.
  var contentEnd: Int {
    get throws(ProtectedFileError) { try storage.size() - reference.count }
  }

  /// Writes the reference behind the last chunk.
  func writeReference() throws(ProtectedFileError) {
    guard !isReferenceWritten else { return }
    let end = position(of: lastIndex) + contentSize(of: lastIndex) + FileFormat.overhead
    try storage.write(reference, at: end)
    isReferenceWritten = true
  }

  /// Forgets the reference, because the content ends otherwise from now on.
  func dropReference() throws(ProtectedFileError) {
    guard !reference.isEmpty else { return }
    let end = position(of: lastIndex) + contentSize(of: lastIndex) + FileFormat.overhead
    reference = []
    isReferenceWritten = true
    if try storage.size() > end { try storage.truncate(to: end) }
  }
}
