import LocalAuthKeychain
import LocalAuthSecret

/// Where a journal keeps the chunk that is being overwritten: its length, and the chunk as it will stand in its place.
///
/// Whoever is killed while a chunk is overwritten that holds what was committed leaves it whole here, or in its place.
enum SpareChunk {
  static let lengthSize = 4

  static func size(_ chunkSize: Int) -> Int { lengthSize + chunkSize + FileFormat.overhead }
}

extension EncryptedFile {
  /// Ends the content with the chunk in the spare place, if that is chunk `index`, which is the next one.
  func restoreSpare(_ index: Int) throws(ProtectedFileError) {
    let bytes = try storage.bytes(SpareChunk.size(chunkSize), at: FileFormat.contentStart)
    guard bytes.count == SpareChunk.size(chunkSize) else { return }
    let count = Int(UInt32(littleEndian: bytes[..<SpareChunk.lengthSize]))
    guard (1...chunkSize).contains(count) else { return }
    let end = SpareChunk.lengthSize + count + FileFormat.overhead
    let chunk = Secret(copying: bytes[SpareChunk.lengthSize..<end])
    replace(index)
    let isGenuine = unsafe chunk.withUnsafeBytes { chunk in
      unsafe cached.content.withUnsafeMutableBytes { (room, _) -> Bool in
        let content = unsafe UnsafeMutableRawBufferPointer(rebasing: room[..<count])
        return unsafe keys.open(chunk, as: place(of: index), into: content)
      }
    }
    guard isGenuine else {
      cached.index = -1
      cached.isChanged = false
      return
    }
    length = index * chunkSize + count
    tags += [UInt8](repeating: 0, count: max(0, (index + 1) * FileFormat.tagSize - tags.count))
    try flush()
  }
}
