/// What a program left that ended while it wrote.
extension EncryptedFile {
  /// Finds the end of a file that is not sealed; for writing also puts right what was left half done.
  func recover(for access: FileAccess) throws(ProtectedFileError) {
    wasSealed = false
    if header.layout != .stream { return try recoverPages(for: access) }
    acceptsEitherEnd = true
    let kept = try keptChunk(inFileOf: try storage.size())
    guard let end = try findEnd(kept) else { return try beginAnew(for: access) }
    guard access == .write else { return }
    try mark(length: length)
    // What is there is overwritten as if it were on the disk.
    synchronized = length
    if let kept { try restoreKept(kept) }
    try cut(to: end)
    for index in 0...lastIndex { try putRight(index) }
    acceptsEitherEnd = false
  }

  /// Takes a file of which no chunk is whole for empty, if it was so when a program began to write it.
  private func beginAnew(for access: FileAccess) throws(ProtectedFileError) {
    guard header.length == 0 else { throw .damaged }
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
  private func findEnd(_ kept: KeptChunk?) throws(ProtectedFileError) -> Int? {
    for end in ends(of: try storage.size(), kept) {
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
    return try findWhole(before: try storage.size())
  }

  /// Finds the last whole chunk that is genuine, where only what was never synchronized comes behind it: the disk may have
  /// got the file's new length and nothing of what was written.
  private func findWhole(before size: Int) throws(ProtectedFileError) -> Int? {
    held = HeldChunk()
    let count = max(0, size - contentStart) / (chunkSize + FileFormat.overhead)
    guard count > 0 else { return nil }
    try scan(position(of: count))
    while length > header.length {
      if try isGenuine(lastIndex) { return position(of: lastIndex + 1) }
      length -= chunkSize
      tags.removeLast(FileFormat.tagSize)
    }
    return nil
  }

  /// Where the file may end, what keeps most first: where it does, or where a chunk that is kept says; where it was to
  /// be cut; before a chunk that was not written to its end.
  private func ends(of size: Int, _ kept: KeptChunk?) -> [Int] {
    // What is kept may not be whole yet, and nothing was overwritten then.
    let likely = kept.map { ends(of: size, $0) } ?? [size, size - KeptChunk.size(chunkSize)]
    let marked = Int(clamping: header.length)
    let markedChunks = max(1, (marked + chunkSize - 1) / chunkSize)
    let cut = position(of: 0) + marked + markedChunks * FileFormat.overhead
    let whole = chunkSize + FileFormat.overhead
    let shorter = likely.map { end in
      let rest = max(0, end - position(of: 0)) % whole
      return end - (rest == 0 ? whole : rest)
    }
    return (likely + ([cut] + shorter).sorted(by: >)).filter { $0 <= size && $0 > position(of: 0) }
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
