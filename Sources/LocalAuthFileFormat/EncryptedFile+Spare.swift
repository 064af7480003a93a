import Glibc
import LocalAuthKeychain
import LocalAuthSecret

/// Where a journal keeps the chunk that is being overwritten: its length, and the chunk as it will stand in its place.
///
/// Whoever is killed while a chunk is overwritten that holds what was committed leaves it whole here, or in its place.
enum SpareChunk {
  static let lengthSize = 4

  static func size(_ chunkSize: Int) -> Int { lengthSize + chunkSize + FileFormat.overhead }
}

/// What becomes of a chunk in the spare place before it goes to its own.
enum SpareUse {
  case none
  /// It is written, so that a program that is killed leaves one of the versions.
  case written
  /// It is on the disk, so that a power failure does, too.
  case synchronized
}

/// A chunk that is in the spare place alone; none if its index is negative.
struct HeldChunk: ~Copyable {
  var index = -1
  var content = Secret(capacity: 0)
}

extension EncryptedFile {
  /// Ends the content with the chunk in the spare place, if that is chunk `index`; false if it is not.
  ///
  /// Whoever may write puts it in its place, unless the disk is full: the file can be read all the same, and until the
  /// chunk is in its place the file stays as it is for the next one.
  func restoreSpare(_ index: Int, for access: FileAccess) throws(ProtectedFileError) -> Bool {
    guard let content = try spare(as: index) else { return false }
    length = index * chunkSize + content.count
    let room = [UInt8](repeating: 0, count: FileFormat.tagSize)
    tags = Array(tags.prefix(index * FileFormat.tagSize)) + room
    held = HeldChunk(index: index, content: content)
    guard access == .write else { return true }
    // What was behind it is not part of the file any more.
    try storage.truncate(to: min(try storage.size(), position(of: index + 1)))
    do throws(ProtectedFileError) { try writeHeld() } catch {
      guard error.isFullDisk else { throw error }
    }
    return true
  }

  /// What is in the spare place, if it is chunk `index`.
  private func spare(as index: Int) throws(ProtectedFileError) -> Secret? {
    let bytes = try storage.bytes(SpareChunk.size(chunkSize), at: header.slotsEnd)
    guard bytes.count == SpareChunk.size(chunkSize) else { return nil }
    let count = Int(UInt32(littleEndian: bytes[..<SpareChunk.lengthSize]))
    guard (1...chunkSize).contains(count) else { return nil }
    let end = SpareChunk.lengthSize + count + FileFormat.overhead
    let chunk = Secret(copying: bytes[SpareChunk.lengthSize..<end])
    var content = Secret(capacity: count)
    let isGenuine = unsafe chunk.withUnsafeBytes { chunk in
      unsafe content.withUnsafeMutableBytes { (room, used) -> Bool in
        used = count
        return unsafe keys.open(chunk, as: place(of: index), into: room)
      }
    }
    guard isGenuine else { return nil }
    return content
  }

  /// Makes room in the spare place for chunk `index`: what is there has to be in its own place first, on the disk.
  func freeSpare(for index: Int) throws(ProtectedFileError) {
    if held.index != index { try writeHeld() }
    guard isSpareNeeded else { return }
    try storage.synchronize()
    isSpareNeeded = false
  }

  /// Puts the chunk that is in the spare place alone in its own.
  func writeHeld() throws(ProtectedFileError) {
    guard held.index >= 0 else { return }
    // It is forgotten once it is written.
    let content = unsafe held.content.withUnsafeBytes { unsafe Secret(copying: $0) }
    try unsafe content.withUnsafeBytes { (content) throws(ProtectedFileError) in
      try unsafe seal(held.index, content)
    }
  }

  /// Copies chunk `index` if it is in the spare place alone; false if it is not.
  @unsafe
  func copyHeld(_ index: Int, into content: UnsafeMutableRawBufferPointer) -> Bool {
    guard held.index == index, content.count <= held.content.count else { return false }
    // SAFETY: the chunk has at least as many bytes as there is room.
    unsafe held.content.withUnsafeBytes {
      unsafe content.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<content.count]))
    }
    return true
  }

  /// Forgets the chunk in the spare place if it is chunk `index` or a later one, because that is written or cut off.
  func dropHeld(from index: Int) {
    if held.index >= index { held = HeldChunk() }
  }
}

extension ProtectedFileError {
  fileprivate var isFullDisk: Bool {
    switch self {
    case .system(_, let code): code == ENOSPC || code == EDQUOT
    default: false
    }
  }

  var isOfSystem: Bool {
    switch self {
    case .system: true
    default: false
    }
  }
}
