public import LocalAuthSecret

/// What is wrong with a file that is examined, besides the chunks of it that do not open.
public struct FileFlaws: Hashable, Sendable {
  /// The header's slots, 0 or 1, that are not genuine although another one is.
  public internal(set) var headers: [Int] = []
  /// How many bytes of the content are missing at the end.
  public internal(set) var missing = 0
  /// How many bytes of the file come behind its end.
  public internal(set) var extra = 0
  /// Whether the chunks are not those that were sealed together.
  public internal(set) var isMixed = false
}

extension EncryptedFile {
  /// Opens the protected file on `descriptor`, which it takes ownership of, to find what of it is damaged.
  ///
  /// ``flaws`` says what is wrong with the file as a whole. What else is damaged, reading it tells.
  ///
  /// - Parameters:
  ///   - descriptor: The open file.
  ///   - key: Returns the file's key for what a header says, as for a file that is opened.
  /// - Throws: ``ProtectedFileError``, with `damaged` if no header is genuine; also of `key`.
  public convenience init(
    examining descriptor: Int32,
    key: (FileHeader) throws(ProtectedFileError) -> Secret
  ) throws(ProtectedFileError) {
    let storage = try DescriptorStorage(owning: descriptor, isWritable: false)
    try self.init(examining: storage, key: key)
  }

  convenience init(
    examining storage: any FileStorage,
    key: (FileHeader) throws(ProtectedFileError) -> Secret
  ) throws(ProtectedFileError) {
    try self.init(opening: storage, for: .read, isExamined: true, key: key)
    for slot in 0...1 where try !isGenuineOrUnused(slot) { flaws.headers.append(slot) }
  }

  /// Whether a slot has a genuine header, or none yet.
  private func isGenuineOrUnused(_ slot: Int) throws(ProtectedFileError) -> Bool {
    let position = header.position(ofSlot: slot)
    let bytes = try storage.bytes(FileFormat.slotSize, at: position)
    guard bytes.count == FileFormat.slotSize else { return false }
    let isUnused = bytes.allSatisfy { $0 == 0 }
    // Whatever seals a file writes both.
    guard !isUnused || header.isSealed else { return true }
    return keys.verify(slot: bytes) && (try? FileHeader(unverified: bytes, at: position)) != nil
  }

  /// Takes a file for what its header says, as far as it is there, and notes what is not so.
  func survey() throws(ProtectedFileError) {
    held = HeldChunk()
    let end = try contentEnd
    let size = max(0, end - contentStart)
    let whole = chunkSize + FileFormat.overhead
    let present = size / whole * chunkSize + max(0, size % whole - FileFormat.overhead)
    length = Int(min(UInt64(present), header.length))
    flaws.missing = Int(clamping: header.length - UInt64(length))
    // A chunk in the middle is the last one that is there.
    acceptsEitherEnd = flaws.missing > 0 || !header.isSealed
    tags = []
    for index in 0...lastIndex {
      let tagEnd = position(of: index) + contentSize(of: index) + FileFormat.overhead
      let tag = try storage.bytes(FileFormat.tagSize, at: tagEnd - FileFormat.tagSize)
      tags += tag + [UInt8](repeating: 0, count: FileFormat.tagSize - tag.count)
      flaws.extra = flaws.missing == 0 ? max(0, end - tagEnd) : 0
    }
    guard header.isSealed, flaws.missing == 0 else { return }
    flaws.isMixed = FileKeys.digest(of: tags) != header.digest
    // The only chunk of an empty file has no content that reading it would verify.
    if length == 0, try !isGenuine(0) { flaws.isMixed = true }
  }
}
