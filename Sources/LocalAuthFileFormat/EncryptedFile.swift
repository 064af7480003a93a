public import LocalAuthKeychain
import LocalAuthSecret

/// What a protected file is opened for.
public enum FileAccess: Sendable {
  case read
  case write
}

/// An open protected file: content that only its key opens, at any offset.
///
/// For one thread at a time. The first write marks the file as being written, durably;
/// ``synchronize()`` and ``close()`` seal it again. A file whose program ended in between is not
/// sealed: each chunk of it is genuine, and nothing says that they belong together.
///
/// Open files take a thousandth of their length in memory, for the tags of all chunks.
public final class EncryptedFile {
  let storage: any FileStorage
  let keys: FileKeys
  let access: FileAccess
  /// The newest header that is in the file.
  var header: FileHeader
  /// The bytes of the content.
  public internal(set) var length = 0
  /// Whether the file was sealed when it was opened.
  public internal(set) var wasSealed = true
  /// The tag of each chunk, one behind the other.
  var tags: [UInt8] = []
  /// Whether a chunk may say of itself that it is the last one although it is not, or the other way:
  /// so it may be left by a program that was killed.
  var acceptsEitherEnd = false
  var cached: CachedChunk
  /// A chunk that could not be put in its place, because the disk was full or this one only reads.
  var held = HeldChunk()
  /// A chunk as it stands in the file; while one is sealed, its length is before it.
  var sealed: Secret
  /// Whether the newest header says that the file is being written.
  var isMarked = false
  /// How many chunks were sealed under the key; a mark counts some in advance.
  var seals: UInt64 = 0
  /// Whether a header is on the disk before anything that relies on it; not so in files that mean nothing after a
  /// crash unless their program has synchronized them.
  var hasDurableHeader = true
  /// Whether the newest header is on the disk, as far as that matters: one that may be torn is written over.
  var isHeaderOnDisk = true
  /// How long the content was when it was synchronized last.
  var synchronized = 0
  /// What stands in clear behind the last chunk of a journal; nothing if that refers to no super-journal.
  var reference: [UInt8] = []
  /// Whether the reference is where it belongs.
  var isReferenceWritten = true
  /// Whether the spare place may have the only copy, on the disk, of a chunk that was synchronized before.
  var isSpareNeeded = false
  /// The chunk that is kept behind the end of the file.
  var kept: KeptPlace?
  /// What is wrong with a file that was opened to be examined.
  public internal(set) var flaws = FileFlaws()
  /// Why the file cannot be used any more; it stays unsealed then.
  var failure: ProtectedFileError?

  struct CachedChunk: ~Copyable {
    var index = -1
    var content: Secret
    var isChanged = false
    /// Whether the file has an earlier version of it.
    var isInFile = false
  }

  init(
    _ storage: any FileStorage,
    _ header: FileHeader,
    _ keys: consuming FileKeys,
    for access: FileAccess
  ) {
    self.storage = storage
    self.header = header
    self.keys = keys
    self.access = access
    cached = CachedChunk(content: Secret(capacity: header.chunkSize))
    sealed = Secret(capacity: SpareChunk.size(header.chunkSize))
  }

  /// When the file can be opened.
  public var protection: FileProtection { header.protection }

  /// How the content is divided into chunks.
  public var layout: FileLayout { header.layout }

  /// The bytes of content in a chunk: what is damaged together.
  package var chunkSize: Int { header.chunkSize }

  var lastIndex: Int { max(0, length - 1) / chunkSize }

  var contentStart: Int { header.contentStart }

  /// Where chunk `index` begins in the file.
  func position(of index: Int) -> Int { header.position(of: index) }

  func contentSize(of index: Int) -> Int { min(chunkSize, length - index * chunkSize) }

  func check() throws(ProtectedFileError) { if let failure { throw failure } }

  /// Whether it can still be used; if not, only opening the file again says what is in it.
  public var isUsable: Bool { failure == nil }

  // MARK: Reading

  /// Fills `buffer` with the content from `offset`, as far as there is any; returns how many bytes.
  ///
  /// - Throws: ``ProtectedFileError``; nothing of a damaged chunk is in the buffer then.
  @unsafe
  public func read(
    _ buffer: UnsafeMutableRawBufferPointer,
    at offset: Int
  ) throws(ProtectedFileError) -> Int {
    try check()
    let end = offset + max(0, min(buffer.count, length - offset))
    var next = offset
    while next < end {
      let index = next / chunkSize
      let start = next - index * chunkSize
      let count = min(end - next, chunkSize - start)
      let part = unsafe UnsafeMutableRawBufferPointer(
        rebasing: buffer[(next - offset)..<(next - offset + count)]
      )
      if cached.index != index, count == contentSize(of: index) {
        try unsafe open(index, into: part)
      } else {
        try unsafe copy(index, from: start, into: part)
      }
      next += count
    }
    return end - offset
  }

  /// Copies a part of chunk `index`, which becomes the cached one, if the one that is can be written.
  @unsafe
  private func copy(
    _ index: Int,
    from start: Int,
    into part: UnsafeMutableRawBufferPointer
  ) throws(ProtectedFileError) {
    if cached.index != index {
      do throws(ProtectedFileError) { try flush() } catch {
        guard survives(error) else { throw error }
        return try unsafe copyApart(index, from: start, into: part)
      }
    }
    try load(index)
    // SAFETY: the part lies within the chunk.
    unsafe cached.content.withUnsafeBytes {
      let source = unsafe UnsafeRawBufferPointer(rebasing: $0[start..<start + part.count])
      unsafe part.copyMemory(from: source)
    }
  }

  /// Copies a part of chunk `index` as it is in the file: SQLite rolls back by its journal on a full disk, too.
  @unsafe
  private func copyApart(
    _ index: Int,
    from start: Int,
    into part: UnsafeMutableRawBufferPointer
  ) throws(ProtectedFileError) {
    var content = Secret(capacity: contentSize(of: index))
    try unsafe content.withUnsafeMutableBytes { (room, used) throws(ProtectedFileError) in
      used = room.count
      try unsafe open(index, into: room)
      unsafe part.copyMemory(
        from: UnsafeRawBufferPointer(rebasing: room[start..<start + part.count])
      )
    }
  }

  /// Reads chunk `index` from the file into `content`, which has its size.
  @unsafe
  func open(
    _ index: Int,
    into content: UnsafeMutableRawBufferPointer
  ) throws(ProtectedFileError) {
    if unsafe copyHeld(index, into: content) { return }
    let size = content.count + FileFormat.overhead
    let tag = index * FileFormat.tagSize
    // A journal that ends with its headers has no chunk at all, whatever stands there.
    guard tags.count >= tag + FileFormat.tagSize else { throw .damaged }
    // SAFETY: the buffer has room for every chunk.
    let isGenuine = try unsafe sealed.withUnsafeMutableBytes {
      (buffer, used) throws(ProtectedFileError) -> Bool in
      used = buffer.count
      let chunk = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<size])
      guard try unsafe storage.read(chunk, at: position(of: index)) == size,
        unsafe chunk.suffix(FileFormat.tagSize)
          .elementsEqual(tags[tag..<tag + FileFormat.tagSize])
      else { return false }
      return unsafe open(UnsafeRawBufferPointer(chunk), index, into: content)
    }
    guard isGenuine else { throw .damaged }
  }

  /// Opens the bytes of chunk `index`; false if they are not genuine.
  @unsafe
  private func open(
    _ chunk: UnsafeRawBufferPointer,
    _ index: Int,
    into content: UnsafeMutableRawBufferPointer
  ) -> Bool {
    if unsafe keys.open(chunk, as: place(of: index), into: content) { return true }
    guard acceptsEitherEnd else { return false }
    let other = ChunkPlace(index, isLast: index != lastIndex, in: header)
    return unsafe keys.open(chunk, as: other, into: content)
  }

  /// What chunk `index` says of itself.
  func place(of index: Int) -> ChunkPlace {
    ChunkPlace(index, isLast: header.layout == .stream && index == lastIndex, in: header)
  }

  /// Makes chunk `index` the cached one, with its content and zeros behind it.
  func load(_ index: Int) throws(ProtectedFileError) {
    guard cached.index != index else { return }
    try flush()
    cached.index = -1
    cached.content.removeAll()
    let count = contentSize(of: index)
    try unsafe cached.content.withUnsafeMutableBytes {
      (room, used) throws(ProtectedFileError) in
      used = room.count
      try unsafe open(index, into: UnsafeMutableRawBufferPointer(rebasing: room[..<count]))
    }
    cached.index = index
    cached.isInFile = true
  }
}
