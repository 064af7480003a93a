import LocalAuthKeychain
import LocalAuthSecret

/// A chunk as it was before it was overwritten, which a file in general has behind its end meanwhile.
///
/// The kernel ends a write between two pages when the program is killed or the disk is full: neither version is in
/// the chunk's place then. A file that is sealed has nothing behind its end.
///
/// | bytes | what                                                     |
/// |-------|----------------------------------------------------------|
/// | …     | as many as a whole chunk has: the last one may grow here |
/// | 8     | the chunk's index                                        |
/// | 4     | how long its content was                                 |
/// | 4     | how long it will be                                      |
/// | …     | the chunk, with room for a whole one                     |
///
/// The file becomes longer by all of that at once, so that its end is known before anything is in there.
struct KeptChunk {
  private static let fieldsSize = 16

  let index: Int
  /// How long the content will be.
  let nextCount: Int
  /// The chunk as it stood.
  let chunk: [UInt8]

  var count: Int { chunk.count - FileFormat.overhead }

  /// How much longer a file is.
  static func size(_ chunkSize: Int) -> Int {
    chunkSize + FileFormat.overhead + recordSize(chunkSize)
  }

  /// The bytes from the index on, at the end of the file.
  static func recordSize(_ chunkSize: Int) -> Int {
    fieldsSize + chunkSize + FileFormat.overhead
  }

  var record: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: UInt64(index))
    bytes.append(littleEndian: UInt32(count))
    bytes.append(littleEndian: UInt32(nextCount))
    return bytes + chunk
  }

  init(_ index: Int, _ chunk: [UInt8], nextCount: Int) {
    self.index = index
    self.nextCount = nextCount
    self.chunk = chunk
  }

  /// Reads a record, in which nothing is verified yet; nil if it cannot be one.
  init?(unverified record: [UInt8], _ chunkSize: Int) {
    guard record.count == Self.recordSize(chunkSize) else { return nil }
    let count = Int(UInt32(littleEndian: record[8..<12]))
    nextCount = Int(UInt32(littleEndian: record[12..<16]))
    guard let index = Int(exactly: UInt64(littleEndian: record[..<8])),
      count <= chunkSize, nextCount <= chunkSize
    else { return nil }
    self.index = index
    chunk = Array(record[Self.fieldsSize...].prefix(count + FileFormat.overhead))
  }
}

// MARK: While a file is written

extension EncryptedFile {
  /// Puts `chunk` in the place of chunk `index`; what was there is there again if that fails.
  ///
  /// What was synchronized is kept behind the end as well, for whoever opens the file if the program is killed.
  @unsafe
  func exchange(
    _ index: Int,
    for chunk: UnsafeRawBufferPointer
  ) throws(ProtectedFileError) {
    let start = position(of: index)
    let end = try storage.size() - (keepsChunk ? KeptChunk.size(chunkSize) : 0)
    let whole = chunkSize + FileFormat.overhead
    let old = try storage.bytes(min(whole, max(0, end - start)), at: start)
    let endsElsewhere = start + whole >= end && start + chunk.count != end
    if index * chunkSize < synchronized, old.count >= FileFormat.overhead {
      let nextCount = chunk.count - FileFormat.overhead
      try keep(KeptChunk(index, old, nextCount: nextCount), behind: end)
    } else if endsElsewhere, keepsChunk {
      try cut(to: end)
    }
    do throws(ProtectedFileError) { try unsafe storage.write(chunk, at: start) } catch {
      putBack(old, at: start, end)
      throw error
    }
    if endsElsewhere, keepsChunk { try cut(to: start + chunk.count) }
  }

  private func keep(_ kept: KeptChunk, behind end: Int) throws(ProtectedFileError) {
    do throws(ProtectedFileError) {
      if !keepsChunk { try storage.truncate(to: end + KeptChunk.size(chunkSize)) }
      keepsChunk = true
      let size = KeptChunk.size(chunkSize) - KeptChunk.recordSize(chunkSize)
      try storage.write(kept.record, at: end + size)
    } catch {
      try? cut(to: end)
      throw error
    }
  }

  /// A disk that is full has room for what was there; if even that fails, what is kept stays.
  private func putBack(_ old: [UInt8], at start: Int, _ end: Int) {
    do throws(ProtectedFileError) {
      if !old.isEmpty { try storage.write(old, at: start) }
      try cut(to: end)
    } catch {}
  }

  /// Lets go of what is kept behind the end.
  func dropKept() throws(ProtectedFileError) {
    guard keepsChunk else { return }
    try cut(to: try storage.size() - KeptChunk.size(chunkSize))
  }

  /// Ends the file there, with nothing behind it.
  func cut(to size: Int) throws(ProtectedFileError) {
    try storage.truncate(to: size)
    keepsChunk = false
  }
}

// MARK: What a program left that was killed

extension EncryptedFile {
  /// The chunk that is kept behind the end of a file of `size` bytes; nil if none is, or it was not written whole.
  func keptChunk(inFileOf size: Int) throws(ProtectedFileError) -> KeptChunk? {
    let end = size - KeptChunk.size(chunkSize)
    guard end > contentStart else { return nil }
    let recordSize = KeptChunk.recordSize(chunkSize)
    let record = try storage.bytes(recordSize, at: size - recordSize)
    guard let kept = KeptChunk(unverified: record, chunkSize),
      kept.index <= (end - contentStart) / (chunkSize + FileFormat.overhead),
      position(of: kept.index) + kept.chunk.count <= end, content(of: kept) != nil
    else { return nil }
    return kept
  }

  /// Where a file may end that keeps a chunk: as it was to be, or as it was.
  func ends(of size: Int, _ kept: KeptChunk) -> [Int] {
    let end = size - KeptChunk.size(chunkSize)
    guard position(of: kept.index + 1) >= end else { return [end] }
    return [position(of: kept.index) + kept.nextCount + FileFormat.overhead, end]
  }

  /// Takes the chunk that is kept for the one in its place, if that is not whole.
  func useKept(_ kept: KeptChunk) throws(ProtectedFileError) {
    let index = kept.index
    guard index <= lastIndex, contentSize(of: index) == kept.count, try !isGenuine(index),
      let content = content(of: kept)
    else { return }
    let tag = index * FileFormat.tagSize
    tags.replaceSubrange(
      tag..<tag + FileFormat.tagSize,
      with: kept.chunk.suffix(FileFormat.tagSize)
    )
    held = HeldChunk(index: index, content: content)
  }

  /// Puts the chunk that was taken for the one in its place there.
  func restoreKept(_ kept: KeptChunk) throws(ProtectedFileError) {
    guard held.index == kept.index else { return }
    try storage.write(kept.chunk, at: position(of: kept.index))
    held = HeldChunk()
  }

  private func content(of kept: KeptChunk) -> Secret? {
    var content = Secret(capacity: kept.count)
    for isLast in [false, true] {
      let place = ChunkPlace(kept.index, isLast: isLast, in: header)
      let isGenuine = unsafe kept.chunk.withUnsafeBytes { chunk in
        unsafe content.withUnsafeMutableBytes { (room, used) -> Bool in
          used = kept.count
          return unsafe keys.open(chunk, as: place, into: room)
        }
      }
      if isGenuine { return content }
    }
    return nil
  }
}
