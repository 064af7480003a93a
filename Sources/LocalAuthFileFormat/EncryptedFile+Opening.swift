import Glibc
public import LocalAuthKeychain
public import LocalAuthSecret

extension EncryptedFile {
  /// Begins a new protected file on the open, empty file `descriptor`, which it takes ownership of.
  ///
  /// - Parameters:
  ///   - descriptor: A file for reading and writing.
  ///   - protection: When the file can be opened.
  ///   - key: The file's key, ``FileFormat/keySize`` random bytes.
  ///   - wrappedKey: That key, wrapped for its class.
  ///   - identifier: The file's identifier, random; the wrapped key is bound to it.
  ///   - layout: How the content is divided into chunks.
  /// - Throws: ``ProtectedFileError``.
  public convenience init(
    creatingOn descriptor: Int32,
    _ protection: FileProtection,
    key: borrowing Secret,
    wrappedKey: [UInt8],
    identifier: [UInt8],
    layout: FileLayout = .stream
  ) throws(ProtectedFileError) {
    let storage = try DescriptorStorage(owning: descriptor, isWritable: true)
    let header = FileHeader(
      protection,
      identifier: identifier,
      wrappedKey: wrappedKey,
      layout: layout
    )
    try self.init(creatingOn: storage, header, key: key)
  }

  convenience init(
    creatingOn storage: any FileStorage,
    _ header: FileHeader,
    key: borrowing Secret,
    hasDurableHeader: Bool = true
  ) throws(ProtectedFileError) {
    guard let keys = FileKeys(key, header.layout) else { throw .wrongKey }
    self.init(storage, header, keys, for: .write)
    self.hasDurableHeader = hasDurableHeader
    if header.layout == .journal {
      // All of it has room then: a journal is put right on a full disk, too.
      try storage.write([UInt8](repeating: 0, count: header.slotsEnd), at: 0)
    }
    try mark(length: 0)
    begin()
    try flush()
  }

  /// Makes the content empty: one chunk of nothing, which is to be written.
  func begin() {
    length = 0
    tags = [UInt8](repeating: 0, count: FileFormat.tagSize)
    replace(0)
  }

  /// Opens the protected file on `descriptor`, which it takes ownership of.
  ///
  /// - Parameters:
  ///   - descriptor: The open file.
  ///   - access: What for; one program writes, or many read.
  ///   - isSealedOnly: Whether a file that is not sealed is refused.
  ///   - key: Returns the file's key for what a header says, which is not verified then; with `wrongKey` the other header
  ///     is tried, if it names another key.
  /// - Throws: ``ProtectedFileError``, also of `key`.
  public convenience init(
    opening descriptor: Int32,
    for access: FileAccess,
    isSealedOnly: Bool = false,
    key: (FileHeader) throws(ProtectedFileError) -> Secret
  ) throws(ProtectedFileError) {
    let storage = try DescriptorStorage(owning: descriptor, isWritable: access == .write)
    try self.init(opening: storage, for: access, isSealedOnly: isSealedOnly, key: key)
  }

  convenience init(
    opening storage: any FileStorage,
    for access: FileAccess,
    isSealedOnly: Bool = false,
    isExamined: Bool = false,
    hasDurableHeader: Bool = true,
    key: (FileHeader) throws(ProtectedFileError) -> Secret
  ) throws(ProtectedFileError) {
    let slots = try Self.slots(of: storage)
    var refused: FileHeader?
    // A header that is newer was not written to its end if it is not verified.
    for slot in slots.sorted(by: { $0.header.number > $1.header.number })
    where refused?.hasKey(of: slot.header) != true {
      let keys: FileKeys
      do throws(ProtectedFileError) {
        guard let named = FileKeys(try key(slot.header), slot.header.layout) else {
          throw .wrongKey
        }
        keys = named
      } catch {
        guard error == .wrongKey else { throw error }
        refused = slot.header
        continue
      }
      guard keys.verify(slot: slot.bytes) else { continue }
      guard slot.header.isSealed || !isSealedOnly else { throw .notSealed }
      self.init(storage, slot.header, keys, for: access)
      self.hasDurableHeader = hasDurableHeader
      // Of two that say the same, the newer one need not be on the disk.
      isHeaderOnDisk = !slots.contains {
        slot.header.isRepeated(by: $0.header) && self.keys.verify(slot: $0.bytes)
      }
      // What a program left that ended is not on the disk for certain: neither the newest header nor, of a journal, what
      // is relied upon.
      if access == .write, !slot.header.isSealed || !hasDurableHeader { try storage.synchronize() }
      if slot.header.layout == .journal { try findReference() }
      do throws(ProtectedFileError) {
        if slot.header.isSealed {
          try settle()
        } else {
          let genuine = slots.filter { self.keys.verify(slot: $0.bytes) }
          try recover(for: access, lengths: genuine.map { Int(clamping: $0.header.length) })
        }
      } catch {
        guard isExamined, error == .damaged else { throw error }
        try survey()
      }
      synchronized = length
      return
    }
    if refused != nil { throw .wrongKey }
    throw slots.isEmpty ? try Self.withoutHeader(storage) : .damaged
  }

  /// What is wrong with a file that has no whole header: what was cut within its first one is no plain file.
  static func withoutHeader(
    _ storage: any FileStorage
  ) throws(ProtectedFileError) -> ProtectedFileError {
    try storage.bytes(FileHeader.start.count, at: 0) == FileHeader.start ? .damaged : .notProtected
  }

  /// The headers that look like some, none of which is verified.
  static func slots(
    of storage: any FileStorage
  ) throws(ProtectedFileError) -> [(header: FileHeader, bytes: [UInt8])] {
    var found: [(header: FileHeader, bytes: [UInt8])] = []
    for position in FileFormat.slots {
      let bytes = try storage.bytes(FileFormat.slotSize, at: position)
      if let header = try FileHeader(unverified: bytes, at: position) {
        found.append((header, bytes))
      }
    }
    return found
  }
}

extension FileHeader {
  /// The newest header of the file on `descriptor`, which nothing has verified.
  ///
  /// - Throws: ``ProtectedFileError``; `notProtected` if there is none, `damaged` if the file begins like one.
  public static func unverified(of descriptor: Int32) throws(ProtectedFileError) -> FileHeader {
    let storage = DescriptorStorage(lookingAt: fcntl(descriptor, F_DUPFD_CLOEXEC, 0))
    let headers = try EncryptedFile.slots(of: storage).map(\.header)
    guard let newest = headers.max(by: { $0.number < $1.number }) else {
      throw try EncryptedFile.withoutHeader(storage)
    }
    return newest
  }
}

// MARK: What is there

extension EncryptedFile {
  /// Finds the chunks of a sealed file, and verifies that they are those, and its end.
  private func settle() throws(ProtectedFileError) {
    let end = try contentEnd
    // Somebody may have made the file as long as a file can be.
    guard UInt64(header.contentLength(inFileOf: end)) == header.length else { throw .damaged }
    try scan(end)
    guard tags.count > 0, FileKeys.digest(of: tags) == header.digest else { throw .damaged }
    try verify(lastIndex)
  }

  /// Reads the tags of all chunks of a file that ends at `end`.
  func scan(_ end: Int) throws(ProtectedFileError) {
    let whole = chunkSize + FileFormat.overhead
    let size = max(0, end - contentStart)
    let count = header.chunkCount(inFileOf: end)
    guard count <= chunksMax else { throw .damaged }
    length = header.contentLength(inFileOf: end)
    tags = []
    tags.reserveCapacity(count * FileFormat.tagSize)
    guard count > 0, size - (count - 1) * whole >= FileFormat.overhead else { throw .damaged }
    for index in 0..<count {
      let tagEnd = min(contentStart + (index + 1) * whole, end)
      try appendTag(before: tagEnd)
    }
  }

  /// How many chunks a file can have, with what is kept behind its end: a header counts each before it is sealed.
  var chunksMax: Int { Int(clamping: header.seals) + 4 }

  private func appendTag(before end: Int) throws(ProtectedFileError) {
    let tag = try storage.bytes(FileFormat.tagSize, at: end - FileFormat.tagSize)
    guard tag.count == FileFormat.tagSize else { throw .damaged }
    tags += tag
  }

  func verify(_ index: Int) throws(ProtectedFileError) {
    var content = Secret(capacity: min(chunkSize, length - index * chunkSize))
    try unsafe content.withUnsafeMutableBytes { (room, _) throws(ProtectedFileError) in
      try unsafe open(index, into: room)
    }
  }
}
