/// What a program left that ended while it wrote.
extension EncryptedFile {
  /// Finds the end of a file that is not sealed; for writing also puts right what was left half done.
  ///
  /// - Parameters:
  ///   - access: What for.
  ///   - lengths: How long the content is as its headers say: the newest one may be on the disk without what it speaks of.
  /// - Throws: ``ProtectedFileError``.
  func recover(for access: FileAccess, lengths: [Int]) throws(ProtectedFileError) {
    wasSealed = false
    if header.layout != .stream { return try recoverPages(for: access) }
    acceptsEitherEnd = true
    let kept = try keptChunk(inFileOf: try storage.size())
    guard let end = try findEnd(kept, lengths) else {
      guard lengths.contains(0) else { throw .damaged }
      return try beginAnew(for: access)
    }
    guard access == .write else { return }
    try mark(length: length)
    // What is there is overwritten as if it were on the disk.
    synchronized = length
    if let kept { try restoreKept(kept) }
    try cut(to: end)
    for index in 0...lastIndex { try putRight(index) }
    acceptsEitherEnd = false
  }

  /// Takes a file of which no chunk is whole for empty, as it was when a program began to write it.
  private func beginAnew(for access: FileAccess) throws(ProtectedFileError) {
    acceptsEitherEnd = false
    if access == .write { try mark(length: 0) }
    try keep(0, for: access)
  }

  /// Takes for the file what is there, but for an end that was not written whole: the program whose database it is
  /// knows what belongs together.
  private func recoverPages(for access: FileAccess) throws(ProtectedFileError) {
    let size = max(0, try contentEnd - contentStart)
    let rest = size % (chunkSize + FileFormat.overhead)
    let end = contentStart + size - (rest < FileFormat.overhead ? rest : 0)
    if end > contentStart { try scan(end) }
    if access == .write { try mark(length: length) }
    if header.layout == .journal {
      try endBeforeDamage(for: access)
    } else if length % chunkSize != 0, try !isGenuine(lastIndex) {
      try keep(lastIndex, for: access)
    }
    if length == 0 { try keep(0, for: access) }
  }

  /// Ends a journal before its first chunk that is not genuine: what comes behind it was not synchronized.
  private func endBeforeDamage(for access: FileAccess) throws(ProtectedFileError) {
    for index in 0...lastIndex where try !isGenuine(index) {
      guard try !restoreSpare(index, for: access) else { return }
      return try keep(index, for: access)
    }
  }

  func isGenuine(_ index: Int) throws(ProtectedFileError) -> Bool {
    do throws(ProtectedFileError) { try verify(index) } catch {
      guard error == .damaged else { throw error }
      return false
    }
    return true
  }

  /// Keeps the first `count` chunks; somebody who only reads leaves the file as it is.
  private func keep(_ count: Int, for access: FileAccess) throws(ProtectedFileError) {
    if access == .write { return try keepChunks(count) }
    length = count * chunkSize
    // An empty file has a chunk, too.
    let empty = [UInt8](repeating: 0, count: FileFormat.tagSize)
    tags = count == 0 ? empty : Array(tags.prefix(count * FileFormat.tagSize))
  }

  /// Finds the last chunk that is genuine, and scans the file up to there; returns where that is, or nil if no chunk is.
  private func findEnd(_ kept: KeptChunk?, _ lengths: [Int]) throws(ProtectedFileError) -> Int? {
    let size = try storage.size()
    // What is kept may not be whole yet, and nothing was overwritten then.
    let likely = kept.map { ends(of: size, $0) } ?? [size, size - KeptChunk.size(chunkSize)]
    if let end = try first(of: likely, kept) { return end }
    if let end = try findWhole(before: size, behind: lengths.min() ?? 0) { return end }
    return try first(of: ends(besides: likely, lengths), kept)
  }

  /// The first of `ends` before which there is a genuine chunk.
  private func first(of ends: [Int], _ kept: KeptChunk?) throws(ProtectedFileError) -> Int? {
    let size = try storage.size()
    for end in ends where end <= size && end > contentStart {
      do throws(ProtectedFileError) {
        held = HeldChunk()
        try scan(end)
        if let kept { try useKept(kept) }
        try verify(lastIndex)
        return end
      } catch {
        guard error == .damaged else { throw error }
      }
    }
    return nil
  }

  /// Finds the last whole chunk that is genuine, where only what was never synchronized comes behind it: the disk may have
  /// got the file's new length and nothing of what was written.
  private func findWhole(
    before size: Int,
    behind least: Int
  ) throws(ProtectedFileError) -> Int? {
    held = HeldChunk()
    let count = min(chunksMax, max(0, size - contentStart) / (chunkSize + FileFormat.overhead))
    guard count > 0 else { return nil }
    try scan(position(of: count))
    while length > least {
      if try isGenuine(lastIndex) { return position(of: lastIndex + 1) }
      length -= chunkSize
      tags.removeLast(FileFormat.tagSize)
    }
    return nil
  }

  /// Where else the file may end, what keeps most first: as long as a header says, or before a chunk that was not written
  /// to its end.
  private func ends(besides likely: [Int], _ lengths: [Int]) -> [Int] {
    let marked = lengths.map { length in
      let chunks = max(1, (length + chunkSize - 1) / chunkSize)
      return contentStart + length + chunks * FileFormat.overhead
    }
    let whole = chunkSize + FileFormat.overhead
    let shorter = likely.map { end in
      let rest = max(0, end - contentStart) % whole
      return end - (rest == 0 ? whole : rest)
    }
    return (marked + shorter).sorted(by: >)
  }

  /// Seals a chunk anew that says of itself that it is the last one although it is not, or the other
  /// way; one that is damaged stays so until it is written.
  private func putRight(_ index: Int) throws(ProtectedFileError) {
    acceptsEitherEnd = false
    defer { acceptsEitherEnd = true }
    if try isGenuine(index) { return }
    acceptsEitherEnd = true
    guard try isGenuine(index) else { return }
    try load(index)
    cached.isChanged = true
    try flush()
  }
}
