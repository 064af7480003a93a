/// What a program left that ended while it wrote.
extension EncryptedFile {
  /// Finds the end of a file that is not sealed; for writing also puts right what was left half done.
  func recover(for access: FileAccess) throws(ProtectedFileError) {
    wasSealed = false
    acceptsEitherEnd = true
    let end = try findEnd()
    guard access == .write else { return }
    try mark(length: length)
    try storage.truncate(to: end)
    for index in 0...lastIndex { try putRight(index) }
    acceptsEitherEnd = false
  }

  /// Finds the last chunk that is genuine, and scans the file up to there; returns where that is.
  private func findEnd() throws(ProtectedFileError) -> Int {
    for end in ends(of: try storage.size()) {
      do throws(ProtectedFileError) {
        try scan(end)
        try verify(lastIndex)
        return end
      } catch {
        guard error == .damaged else { throw error }
      }
    }
    throw .damaged
  }

  /// Where the file may end, the likeliest first: where it does; where it was to be cut; before a chunk that
  /// was not written to its end.
  private func ends(of size: Int) -> [Int] {
    let marked = Int(clamping: header.length)
    let markedChunks = max(1, (marked + chunkSize - 1) / chunkSize)
    let cut = position(of: 0) + marked + markedChunks * FileFormat.overhead
    let whole = chunkSize + FileFormat.overhead
    let rest = max(0, size - position(of: 0)) % whole
    let before = size - (rest == 0 ? whole : rest)
    return [size] + [cut, before].filter { $0 < size && $0 > position(of: 0) }
  }

  /// Seals a chunk anew that says of itself that it is the last one although it is not, or the other
  /// way.
  private func putRight(_ index: Int) throws(ProtectedFileError) {
    acceptsEitherEnd = false
    defer { acceptsEitherEnd = true }
    do throws(ProtectedFileError) { try verify(index) } catch {
      guard error == .damaged else { throw error }
      acceptsEitherEnd = true
      try load(index)
      cached.isChanged = true
      try flush()
    }
  }
}
