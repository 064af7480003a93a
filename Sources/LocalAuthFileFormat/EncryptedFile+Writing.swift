import LocalAuthSecret

extension EncryptedFile {
  /// Writes `bytes` at `offset`; between the end and that, the content is zeros.
  ///
  /// - Throws: ``ProtectedFileError``. Then only reopening the file says what of it was written; but a journal whose disk
  ///   is full, say, still has all that was written before, and can be used.
  @unsafe
  public func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(ProtectedFileError) {
    try change(isUndone: true) { () throws(ProtectedFileError) in
      if offset + bytes.count > length { try dropReference() }
      try reach(offset)
      var next = offset
      let end = offset + bytes.count
      while next < end {
        let start = next % chunkSize
        let count = min(end - next, chunkSize - start)
        // SAFETY: the part lies within the bytes.
        let part = unsafe UnsafeRawBufferPointer(
          rebasing: bytes[(next - offset)..<(next - offset + count)]
        )
        if count == chunkSize, next + count <= length || header.layout != .stream {
          try unsafe overwrite(next / chunkSize, with: part)
        } else {
          try unsafe change(next / chunkSize, part, from: start)
        }
        next += count
      }
    }
  }

  /// Writes a whole chunk at once, whatever was there; one of pages may be the first behind the end.
  @unsafe
  private func overwrite(
    _ index: Int,
    with content: UnsafeRawBufferPointer
  ) throws(ProtectedFileError) {
    let grows = (index + 1) * chunkSize > length
    // What was the last chunk may be in memory only, and empty.
    if grows, cached.index != index { try flush() }
    let before = (length: length, tags: tags.count)
    if grows {
      length = (index + 1) * chunkSize
      let count = (index + 1) * FileFormat.tagSize - tags.count
      tags += [UInt8](repeating: 0, count: max(0, count))
    }
    do throws(ProtectedFileError) { try unsafe seal(index, content) } catch {
      length = before.length
      tags.removeSubrange(before.tags...)
      throw error
    }
    if cached.index == index {
      cached.index = -1
      cached.isChanged = false
    }
  }

  /// Changes a part of a chunk in memory.
  @unsafe
  private func change(
    _ index: Int,
    _ part: UnsafeRawBufferPointer,
    from start: Int
  ) throws(ProtectedFileError) {
    let end = index * chunkSize + start + part.count
    if end > length {
      try grow(to: end)
    } else if start == 0, part.count == contentSize(of: index) {
      try flush()
      replace(index)
    } else {
      try load(index)
      // Whoever begins a chunk anew needs nothing of what was there.
      if start == 0 { cached.isInFile = false }
    }
    // SAFETY: the part lies within the chunk.
    unsafe cached.content.withUnsafeMutableBytes { (room, _) -> Void in
      unsafe UnsafeMutableRawBufferPointer(rebasing: room[start..<start + part.count])
        .copyMemory(from: part)
    }
    cached.isChanged = true
  }

  /// Makes the content as long as that; what is new is zeros.
  ///
  /// - Throws: ``ProtectedFileError``. Then only reopening the file says how long it is: one that was to be shorter is as it
  ///   was, or as short as that.
  public func truncate(to newLength: Int) throws(ProtectedFileError) {
    guard newLength != length else { return try check() }
    if newLength > length {
      return try change { () throws(ProtectedFileError) in
        try dropReference()
        try reach(newLength)
      }
    }
    if newLength == 0 || header.layout != .stream && newLength % chunkSize == 0 {
      return try change(length: header.layout == .stream ? 0 : nil) {
        () throws(ProtectedFileError) in try keepChunks(newLength / chunkSize)
      }
    }
    // The mark says how long the file will be: a program that ends before the last step leaves more. It is 0 where nothing
    // was synchronized: a file in which no chunk is whole is empty then.
    try change(length: synchronized == 0 ? 0 : newLength) { () throws(ProtectedFileError) in
      try dropReference()
      let index = (newLength - 1) / chunkSize
      try load(index)
      dropHeld(from: index + 1)
      length = newLength
      synchronized = min(synchronized, length)
      // A chunk that was not written yet has no tag.
      tags = Array(tags.prefix((index + 1) * FileFormat.tagSize))
      let count = contentSize(of: index)
      // SAFETY: the rest lies within the chunk.
      unsafe cached.content.withUnsafeMutableBytes { (room, _) -> Void in
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: room[count...])
        _ = unsafe rest.initializeMemory(as: UInt8.self, repeating: 0)
      }
      cached.isChanged = true
      // All of the file stays until the chunk that will be the last one is written, also what nobody has synchronized.
      try flush(keepsOld: true)
      try settleKept(length: newLength)
      try cut(to: position(of: index) + count + FileFormat.overhead)
    }
  }

  /// Cuts a file of pages behind its first `count` chunks, or any file before its first one.
  func keepChunks(_ count: Int) throws(ProtectedFileError) {
    try dropReference()
    dropHeld(from: count)
    if cached.index >= count {
      cached.index = -1
      cached.isChanged = false
    }
    try cut(to: position(of: count))
    length = count * chunkSize
    synchronized = min(synchronized, length)
    tags = Array(tags.prefix(count * FileFormat.tagSize))
    guard count == 0 else { return }
    begin()
    // The chunk of nothing is written later where a file without one is empty: what was cut is gone, and this fails nobody.
    if header.layout != .stream { try flush() }
  }

  /// Extends the content with zeros to `newLength`, if it is shorter.
  private func reach(_ newLength: Int) throws(ProtectedFileError) {
    while length < newLength { try grow(to: min(newLength, (length / chunkSize + 1) * chunkSize)) }
  }

  /// Extends the content within the last chunk, or to the next one, which is cached then.
  private func grow(to newLength: Int) throws(ProtectedFileError) {
    let oldIndex = lastIndex
    let staysAsItIs = header.layout != .stream && length == (oldIndex + 1) * chunkSize
    if !staysAsItIs {
      // What was the last chunk is not so any more, or is longer.
      try load(oldIndex)
      cached.isChanged = true
    }
    length = newLength
    guard lastIndex != oldIndex else { return }
    do throws(ProtectedFileError) { try flush() } catch {
      length = (oldIndex + 1) * chunkSize
      throw error
    }
    replace(lastIndex)
  }

  /// Makes chunk `index` the cached one, with zeros, whatever is in the file.
  func replace(_ index: Int) {
    cached.index = index
    cached.content.removeAll()
    unsafe cached.content.withUnsafeMutableBytes { (room, used) -> Void in used = room.count }
    cached.isChanged = true
    cached.isInFile = false
  }

  /// Writes the cached chunk if it was changed.
  ///
  /// - Parameter keepsOld: Whether the one in its place is kept meanwhile although nobody has synchronized it.
  /// - Throws: ``ProtectedFileError``.
  func flush(keepsOld: Bool = false) throws(ProtectedFileError) {
    guard cached.isChanged else { return }
    let size = contentSize(of: cached.index)
    // SAFETY: the chunk has its whole size in memory.
    try unsafe cached.content.withUnsafeBytes { (content) throws(ProtectedFileError) in
      let rest = unsafe UnsafeRawBufferPointer(rebasing: content[..<size])
      try unsafe seal(cached.index, rest, spare(for: cached.index), keepsOld: keepsOld)
    }
    cached.isChanged = false
    cached.isInFile = true
  }

  private func spare(for index: Int) -> SpareUse {
    let before = synchronized - index * chunkSize
    // SQLite goes on in the next chunk once it has synchronized a part of one, and relies on that part.
    if before > 0, before < chunkSize { return .synchronized }
    return cached.isInFile ? .written : .none
  }

  /// Writes chunk `index` with this content, in a journal first to the spare place if `spare` says so.
  @unsafe
  func seal(
    _ index: Int,
    _ content: UnsafeRawBufferPointer,
    _ spare: SpareUse = .none,
    keepsOld: Bool = false
  ) throws(ProtectedFileError) {
    if spare != .none, header.layout == .journal { try freeSpare(for: index) }
    try countSeal()
    // SAFETY: the buffer has room for every chunk.
    try unsafe sealed.withUnsafeMutableBytes { (buffer, used) throws(ProtectedFileError) in
      used = buffer.count
      let end = SpareChunk.lengthSize + content.count + FileFormat.overhead
      let chunk = unsafe UnsafeMutableRawBufferPointer(
        rebasing: buffer[SpareChunk.lengthSize..<end]
      )
      unsafe keys.seal(content, as: place(of: index), into: chunk)
      if spare != .none, header.layout == .journal {
        unsafe buffer.storeBytes(of: UInt32(content.count).littleEndian, as: UInt32.self)
        try unsafe storage.write(
          UnsafeRawBufferPointer(rebasing: buffer[..<end]),
          at: header.slotsEnd
        )
        if spare == .synchronized {
          try storage.synchronize()
          isSpareNeeded = true
        }
      }
      if index >= lastIndex { isReferenceWritten = reference.isEmpty }
      if header.layout == .stream {
        try unsafe exchange(index, for: UnsafeRawBufferPointer(chunk), keepsOld: keepsOld)
      } else {
        try unsafe storage.write(UnsafeRawBufferPointer(chunk), at: position(of: index))
      }
      let tag = index * FileFormat.tagSize
      unsafe tags.replaceSubrange(
        tag..<min(tag + FileFormat.tagSize, tags.count),
        with: chunk.suffix(FileFormat.tagSize)
      )
    }
    guard held.index == index else { return }
    held = HeldChunk()
    isSpareNeeded = true
    // A torn chunk may have been longer.
    if index == lastIndex {
      try storage.truncate(to: position(of: index) + content.count + FileFormat.overhead)
    }
  }
}
