@testable import LocalAuthFileFormat

/// A file of which little is there, and which is as long as somebody has made it: the rest is a hole.
final class VastStorage: FileStorage {
  private let storage: MemoryStorage
  private let claimed: Int
  /// How often it was read.
  private(set) var reads = 0

  init(_ storage: MemoryStorage, size: Int) {
    self.storage = storage
    claimed = size
  }

  func size() -> Int { claimed }

  @unsafe
  func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
    reads += 1
    let count = min(buffer.count, claimed - offset)
    let there = unsafe storage.read(buffer, at: offset)
    if there < count {
      unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[there..<count])
        .initializeMemory(as: UInt8.self, repeating: 0)
    }
    return count
  }

  @unsafe
  func write(_ buffer: UnsafeRawBufferPointer, at offset: Int) throws(ProtectedFileError) {
    try unsafe storage.write(buffer, at: offset)
  }

  func truncate(to size: Int) throws(ProtectedFileError) { try storage.truncate(to: size) }
  func synchronize() throws(ProtectedFileError) { try storage.synchronize() }
  func unlock() {}
}
