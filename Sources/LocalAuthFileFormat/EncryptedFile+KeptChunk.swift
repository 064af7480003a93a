import LocalAuthKeychain
import LocalAuthSecret

/// A chunk as it was before it was overwritten, which a file in general has behind its end meanwhile.
///
/// The kernel ends a write between two pages when the program is killed, the disk is full or the power fails: neither version
/// is in the chunk's place then. A file that is sealed has nothing behind its end.
///
/// | bytes | what                                                     |
/// |-------|----------------------------------------------------------|
/// | …     | as many as a whole chunk has: the last one may grow here |
/// | 8     | the chunk's index                                        |
/// | 4     | how long its content was                                 |
/// | 4     | how long that is which is in its place                   |
/// | 4     | how long it will be                                      |
/// | …     | the chunk, with room for a whole one                     |
///
/// The file becomes longer by all of that at once, so that its end is known before anything is in there.
struct KeptChunk {
  private static let fieldsSize = 20
  /// Where the lengths begin that change while the chunk is kept.
  static let countsOffset = 12

  let index: Int
  /// How long the content in the chunk's place is, and how long it will be.
  let nowCount, nextCount: Int
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
    return bytes + Self.counts(now: nowCount, next: nextCount) + chunk
  }

  static func counts(now: Int, next: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: UInt32(now))
    bytes.append(littleEndian: UInt32(next))
    return bytes
  }

  init(_ index: Int, _ chunk: [UInt8], nextCount: Int) {
    self.index = index
    nowCount = chunk.count - FileFormat.overhead
    self.nextCount = nextCount
    self.chunk = chunk
  }

  /// Reads a record, in which nothing is verified yet; nil if it cannot be one.
  init?(unverified record: [UInt8], _ chunkSize: Int) {
    guard record.count == Self.recordSize(chunkSize) else { return nil }
    let count = Int(UInt32(littleEndian: record[8..<12]))
    nowCount = Int(UInt32(littleEndian: record[12..<16]))
    nextCount = Int(UInt32(littleEndian: record[16..<20]))
    guard let index = Int(exactly: UInt64(littleEndian: record[..<8])),
      count <= chunkSize, nowCount <= chunkSize, nextCount <= chunkSize
    else { return nil }
    self.index = index
    chunk = Array(record[Self.fieldsSize...].prefix(count + FileFormat.overhead))
  }
}

// MARK: While a file is written

/// What is behind the end of a file that is written.
struct KeptPlace {
  let index: Int
  /// Where the file ended when this was made.
  let start: Int
  /// Where the file ends now, which is in the room behind that, if the chunk is the last one.
  var end: Int
  /// How long the content is that is in the chunk's place.
  var count: Int
  /// Whether what was synchronized is for certain on the disk here, and nowhere else.
  var isNeeded = false
}

extension EncryptedFile {
  /// Where the last chunk ends in the file.
  private var end: Int {
    get throws(ProtectedFileError) {
      if let kept { kept.end } else { try storage.size() }
    }
  }

  /// Puts `chunk` in the place of chunk `index`; what was there is there again if that fails.
  ///
  /// What was synchronized is kept behind the end as well, for whoever opens the file if the program is killed, and with
  /// `keepsOld` what was not, too. The last chunk that was synchronized is on the disk there before it is overwritten, so that
  /// appending to it loses nothing when the power fails.
  @unsafe
  func exchange(
    _ index: Int,
    for chunk: UnsafeRawBufferPointer,
    keepsOld: Bool = false
  ) throws(ProtectedFileError) {
    if let kept, kept.isNeeded, kept.index != index {
      try settleKept(length: header.contentLength(inFileOf: kept.end))
    }
    let (start, end) = (position(of: index), try end)
    let whole = chunkSize + FileFormat.overhead
    let old = try storage.bytes(min(whole, max(0, end - start)), at: start)
    let endsElsewhere = start + whole >= end && start + chunk.count != end
    let wasSynchronized = index * chunkSize < synchronized
    let isOld = (wasSynchronized || keepsOld) && old.count >= FileFormat.overhead
    let next = chunk.count - FileFormat.overhead
    if kept?.isNeeded == true {
      try noteNext(next)
    } else if isOld {
      try keep(KeptChunk(index, old, nextCount: next), behind: end)
      if wasSynchronized, (index + 1) * chunkSize >= synchronized {
        try storage.synchronize()
        kept?.isNeeded = true
      }
    } else if endsElsewhere, kept != nil {
      try cut(to: end)
    }
    do throws(ProtectedFileError) { try unsafe storage.write(chunk, at: start) } catch {
      putBack(old, at: start, end)
      throw error
    }
    if kept?.index == index { kept?.count = next }
    guard endsElsewhere, kept != nil else { return }
    if kept?.isNeeded == true {
      kept?.end = start + chunk.count
    } else {
      try cut(to: start + chunk.count)
    }
  }

  private func keep(_ chunk: KeptChunk, behind end: Int) throws(ProtectedFileError) {
    let size = KeptChunk.size(chunkSize)
    do throws(ProtectedFileError) {
      if let kept, kept.start != end { try cut(to: end) }
      if kept == nil { try storage.truncate(to: end + size) }
      kept = KeptPlace(index: chunk.index, start: end, end: end, count: chunk.count)
      try storage.write(chunk.record, at: end + size - KeptChunk.recordSize(chunkSize))
    } catch {
      try? cut(to: end)
      throw error
    }
  }

  /// Says how long the chunk will be that is kept already, and how long it is.
  private func noteNext(_ next: Int) throws(ProtectedFileError) {
    guard let kept, kept.count != next else { return }
    let record = kept.start + KeptChunk.size(chunkSize) - KeptChunk.recordSize(chunkSize)
    try storage.write(
      KeptChunk.counts(now: kept.count, next: next),
      at: record + KeptChunk.countsOffset
    )
  }

  /// A disk that is full has room for what was there; if even that fails, what is kept stays.
  private func putBack(_ old: [UInt8], at start: Int, _ end: Int) {
    do throws(ProtectedFileError) {
      if !old.isEmpty { try storage.write(old, at: start) }
      if kept?.isNeeded != true { try cut(to: end) }
    } catch {}
  }

  /// Waits until the chunk that is kept is on the disk in its own place, and how long the file is, or will be.
  func settleKept(length: Int) throws(ProtectedFileError) {
    guard kept?.isNeeded == true else { return }
    try note(length: length)
    try storage.synchronize()
    isHeaderOnDisk = true
    kept?.isNeeded = false
  }

  /// Lets go of what is kept behind the end, which nothing needs.
  func dropKept() throws(ProtectedFileError) {
    if let kept { try cut(to: kept.end) }
  }

  /// Ends the file there, with nothing behind it.
  func cut(to size: Int) throws(ProtectedFileError) {
    try storage.truncate(to: size)
    kept = nil
  }
}

// MARK: What a program left that was killed

extension EncryptedFile {
  /// The chunk that is kept behind the end of a file of `size` bytes; nil if none is, or it was not written whole.
  func keptChunk(inFileOf size: Int) throws(ProtectedFileError) -> KeptChunk? {
    guard let kept = try header.keptChunk(of: storage, size), content(of: kept) != nil else {
      return nil
    }
    return kept
  }

  /// Where a file may end that keeps a chunk: as it was to be, as it was last, or as it was when the chunk was kept.
  func ends(of size: Int, _ kept: KeptChunk) -> [Int] {
    let end = size - KeptChunk.size(chunkSize)
    guard position(of: kept.index + 1) >= end else { return [end] }
    return [kept.nextCount, kept.nowCount].map {
      position(of: kept.index) + $0 + FileFormat.overhead
    } + [end]
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
    // What is kept goes before anything else is synchronized.
    try storage.synchronize()
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
