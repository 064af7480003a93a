import LocalAuthFileFormat
import LocalAuthSecret

/// What a disk, or a power failure, has damaged of a file that opens all the same.
extension ProtectedFile {
  /// Writes the content to `descriptor`, with zeros in the place of what is damaged.
  ///
  /// - Parameter descriptor: Where to write.
  /// - Returns: the parts that are damaged, in bytes of the content.
  /// - Throws: ``FileFailure``; what was written until then was verified, or is zeros.
  public func copyUndamaged(to descriptor: Int32) throws(FileFailure) -> [Range<Int>] {
    try examine { (chunk) throws(FileFailure) in try Self.write(chunk, to: descriptor) }
  }

  /// Reads all of the content; returns the parts that are damaged, in bytes of the content.
  ///
  /// - Throws: ``FileFailure``.
  public func damagedParts() throws(FileFailure) -> [Range<Int>] { try examine { _ in } }

  /// Reads chunk by chunk; `body` is given zeros for one that is damaged.
  private func examine(
    _ body: (borrowing Secret) throws(FileFailure) -> Void
  ) throws(FileFailure) -> [Range<Int>] {
    let (length, size) = try withFile { (file) throws(ProtectedFileError) in
      (file.length, file.chunkSize)
    }
    var damaged: [Range<Int>] = []
    var chunk = Secret(capacity: size)
    for start in stride(from: 0, to: length, by: size) {
      let end = min(start + size, length)
      do throws(FileFailure) { _ = try read(into: &chunk, at: start) } catch {
        guard error == .file(.damaged) else { throw error }
        chunk.removeAll()
        unsafe chunk.withUnsafeMutableBytes { (_, used) -> Void in used = end - start }
        let first = damaged.last?.upperBound == start ? damaged.removeLast().lowerBound : start
        damaged.append(first..<end)
      }
      try body(chunk)
    }
    return damaged
  }
}
