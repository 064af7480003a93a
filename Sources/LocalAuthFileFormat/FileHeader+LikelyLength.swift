import Glibc

/// How long the content of a file seems to be to somebody who does not have its key.
extension FileHeader {
  /// How long the content is of a file with this header, as far as that can be said without its key.
  ///
  /// Behind the end of a file that is not sealed a chunk may be kept, which says how long that was to be. Only opening the
  /// file says where it ends.
  ///
  /// - Parameter descriptor: The open file.
  /// - Returns: The bytes of its content.
  /// - Throws: ``ProtectedFileError``.
  public func likelyLength(of descriptor: Int32) throws(ProtectedFileError) -> Int {
    try likelyLength(of: DescriptorStorage(lookingAt: fcntl(descriptor, F_DUPFD_CLOEXEC, 0)))
  }

  func likelyLength(of storage: any FileStorage) throws(ProtectedFileError) -> Int {
    let size = try storage.size()
    let end = size - KeptChunk.size(chunkSize)
    guard !isSealed, layout == .stream, let kept = try keptChunk(of: storage, size) else {
      return contentLength(inFileOf: size)
    }
    let isLast = position(of: kept.index + 1) >= end
    // The file becomes longer before the first chunk is kept there.
    let isEmpty = kept.chunk.allSatisfy { $0 == 0 }
    guard isLast, !isEmpty else { return contentLength(inFileOf: end) }
    return kept.index * chunkSize + kept.nextCount
  }

  /// What looks like a chunk that is kept behind the end of a file of `size` bytes; nil if nothing does.
  func keptChunk(
    of storage: any FileStorage,
    _ size: Int
  ) throws(ProtectedFileError) -> KeptChunk? {
    let end = size - KeptChunk.size(chunkSize)
    guard end > contentStart else { return nil }
    let recordSize = KeptChunk.recordSize(chunkSize)
    let record = try storage.bytes(recordSize, at: size - recordSize)
    guard let kept = KeptChunk(unverified: record, chunkSize),
      kept.index <= (end - contentStart) / (chunkSize + FileFormat.overhead),
      position(of: kept.index) + kept.chunk.count <= end
    else { return nil }
    return kept
  }

  /// Where chunk `index` begins in the file.
  func position(of index: Int) -> Int {
    contentStart + index * (chunkSize + FileFormat.overhead)
  }
}
