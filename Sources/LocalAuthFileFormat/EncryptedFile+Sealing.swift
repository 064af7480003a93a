/// What the header says of a file that is written, and when.
extension EncryptedFile {
  /// How many seals a mark counts in advance.
  private static let sealsAhead: UInt64 = 1 << 16

  /// Runs `body`, which changes the file; after an error it cannot be used, unless it survives that.
  ///
  /// - Parameters:
  ///   - marked: How long the file will be, if that is not as it is.
  ///   - isUndone: Whether `body` leaves what was there before if the system fails it.
  ///   - body: The change.
  /// - Throws: ``ProtectedFileError``, also of `body`.
  func change(
    length marked: Int? = nil,
    isUndone: Bool = false,
    _ body: () throws(ProtectedFileError) -> Void
  ) throws(ProtectedFileError) {
    try check()
    guard access == .write else { throw .readOnly }
    if let marked { try mark(length: marked) } else if !isMarked { try mark(length: length) }
    do throws(ProtectedFileError) { try body() } catch {
      if !isUndone || !survives(error) { failure = error }
      throw error
    }
  }

  /// Whether the file can be used after this error: a journal has everything in it, or in memory.
  ///
  /// SQLite rolls back by what it has written, and does not ask whether that is still there.
  func survives(_ error: ProtectedFileError) -> Bool {
    header.layout == .journal && error.isOfSystem
  }

  func countSeal() throws(ProtectedFileError) {
    guard seals < FileFormat.sealsMax else { throw .keyIsUsedUp }
    seals += 1
    if seals > header.seals { try mark(length: length) }
  }

  /// Says durably that the file is being written.
  func mark(length: Int) throws(ProtectedFileError) {
    if !isMarked { seals = header.seals }
    var next = header
    next.isSealed = false
    next.seals = seals + Self.sealsAhead
    next.length = UInt64(length)
    next.digest = FileHeader.noDigest
    try put(next)
    isMarked = true
  }

  /// Says how long the file is, durably with whatever is synchronized next.
  func note(length: Int) throws(ProtectedFileError) {
    guard header.length != UInt64(length) else { return }
    var next = header
    next.length = UInt64(length)
    try put(next, isDurable: false)
  }

  /// Writes what is not written yet and seals the file, durably.
  public func synchronize() throws(ProtectedFileError) {
    try check()
    guard isMarked else { return }
    try writeHeld()
    try synchronizeContent()
    do throws(ProtectedFileError) {
      // A sealed file has nothing behind its end, and no header says that it is sealed before that is on the disk.
      if kept != nil {
        try dropKept()
        try storage.synchronize()
      }
      var next = header
      next.isSealed = true
      next.seals = seals
      next.length = UInt64(length)
      next.digest = FileKeys.digest(of: tags)
      try put(next)
      // Nobody gets the header that was before by wiping the newest one.
      try put(next, isDurable: false)
      isMarked = false
    } catch {
      failure = error
      throw error
    }
  }

  /// Writes what is not written yet, durably, and leaves the file unsealed.
  public func synchronizeContent() throws(ProtectedFileError) {
    try writeBack()
    do throws(ProtectedFileError) {
      if header.layout == .stream, isMarked { try note(length: length) }
      if kept?.isNeeded != true { try dropKept() }
      try storage.synchronize()
      kept?.isNeeded = false
      isHeaderOnDisk = true
      isSpareNeeded = false
      synchronized = length
    } catch {
      failure = error
      throw error
    }
  }

  /// Hands what is not written yet to the system, so that it outlives this process.
  public func writeBack() throws(ProtectedFileError) {
    try check()
    do throws(ProtectedFileError) {
      try flush()
      try writeReference()
    } catch {
      if !survives(error) { failure = error }
      throw error
    }
  }

  /// Writes the next header to the slot that does not have the newest one on the disk.
  func put(_ next: FileHeader, isDurable: Bool = true) throws(ProtectedFileError) {
    var next = next
    next.number = header.number + (isHeaderOnDisk ? 1 : 2)
    try storage.write(next.slot(keys), at: next.position)
    if isDurable, hasDurableHeader { try storage.synchronize() }
    header = next
    isHeaderOnDisk = isDurable || !hasDurableHeader
  }

  /// Seals the file; it cannot be used afterwards.
  ///
  /// - Parameter keepsLock: Whether other programs are kept out as long as a descriptor of the file is open.
  /// - Throws: ``ProtectedFileError``; it cannot be used then, either.
  public func close(keepsLock: Bool = false) throws(ProtectedFileError) {
    defer {
      failure = .closed
      if !keepsLock { storage.unlock() }
    }
    try synchronize()
  }
}
