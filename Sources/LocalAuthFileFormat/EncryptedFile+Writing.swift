import LocalAuthSecret

extension EncryptedFile {
  /// Writes `bytes` at `offset`; between the end and that, the content is zeros.
  ///
  /// - Throws: ``ProtectedFileError``. Then only reopening the file says what of it was written.
  @unsafe
  public func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(ProtectedFileError) {
    try change { () throws(ProtectedFileError) in
      try reach(offset)
      var next = offset
      let end = offset + bytes.count
      while next < end {
        let index = next / chunkSize
        let start = next - index * chunkSize
        let count = min(end - next, chunkSize - start)
        if next + count > length { try grow(to: next + count) } else { try load(index) }
        // SAFETY: the part lies within the chunk and within the bytes.
        unsafe cached.content.withUnsafeMutableBytes { (room, _) -> Void in
          let part = unsafe UnsafeRawBufferPointer(
            rebasing: bytes[(next - offset)..<(next - offset + count)]
          )
          unsafe UnsafeMutableRawBufferPointer(rebasing: room[start..<start + count])
            .copyMemory(from: part)
        }
        cached.isChanged = true
        next += count
      }
    }
  }

  /// Makes the content as long as that; what is new is zeros.
  public func truncate(to newLength: Int) throws(ProtectedFileError) {
    guard newLength != length else { return try check() }
    if newLength > length {
      return try change { () throws(ProtectedFileError) in try reach(newLength) }
    }
    // The mark says how long the file will be: a program that ends before the last step leaves more.
    try change(length: newLength) { () throws(ProtectedFileError) in
      let index = max(0, newLength - 1) / chunkSize
      try load(index)
      if index != lastIndex { try storage.truncate(to: position(of: index + 1)) }
      length = newLength
      // A chunk that was not written yet has no tag.
      tags = Array(tags.prefix((index + 1) * FileFormat.tagSize))
      let kept = contentSize(of: index)
      // SAFETY: the rest lies within the chunk.
      unsafe cached.content.withUnsafeMutableBytes { (room, _) -> Void in
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: room[kept...])
        _ = unsafe rest.initializeMemory(as: UInt8.self, repeating: 0)
      }
      cached.isChanged = true
      try flush()
      try storage.truncate(to: position(of: index) + kept + FileFormat.overhead)
    }
  }

  /// Extends the content with zeros to `newLength`, if it is shorter.
  private func reach(_ newLength: Int) throws(ProtectedFileError) {
    while length < newLength { try grow(to: min(newLength, (length / chunkSize + 1) * chunkSize)) }
  }

  /// Extends the content within the last chunk, or to the next one, which is cached then.
  private func grow(to newLength: Int) throws(ProtectedFileError) {
    // What was the last chunk is not so any more, or is longer.
    try load(lastIndex)
    cached.isChanged = true
    let oldIndex = lastIndex
    length = newLength
    guard lastIndex != oldIndex else { return }
    try flush()
    cached.index = lastIndex
    cached.content.removeAll()
    unsafe cached.content.withUnsafeMutableBytes { (room, used) -> Void in used = room.count }
    cached.isChanged = true
  }

  /// Writes the cached chunk if it was changed.
  func flush() throws(ProtectedFileError) {
    guard cached.isChanged else { return }
    let index = cached.index
    let size = contentSize(of: index) + FileFormat.overhead
    try countSeal()
    let place = ChunkPlace(index, isLast: index == lastIndex, in: header)
    // SAFETY: the buffer has room for every chunk.
    try unsafe sealed.withUnsafeMutableBytes { (buffer, used) throws(ProtectedFileError) in
      used = buffer.count
      let chunk = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<size])
      unsafe cached.content.withUnsafeBytes { content in
        let plain = unsafe UnsafeRawBufferPointer(
          rebasing: content[..<(size - FileFormat.overhead)]
        )
        unsafe keys.seal(plain, as: place, into: chunk)
      }
      try unsafe storage.write(UnsafeRawBufferPointer(chunk), at: position(of: index))
      let tag = index * FileFormat.tagSize
      unsafe tags.replaceSubrange(
        tag..<min(tag + FileFormat.tagSize, tags.count),
        with: chunk.suffix(FileFormat.tagSize)
      )
    }
    cached.isChanged = false
  }
}
