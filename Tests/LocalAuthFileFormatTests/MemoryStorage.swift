import Glibc

@testable import LocalAuthFileFormat

/// A file in memory, of which any later call can fail or be the last one.
final class MemoryStorage: FileStorage {
  struct Died: Error {}

  var bytes: [UInt8]
  /// What a power failure leaves for certain.
  private(set) var durable: [UInt8]
  /// How many calls that change something are left until the program ends; nil for all.
  var callsLeft: Int?
  /// How many bytes the disk has room for; nil for any number.
  var room: Int?
  /// How often it was synchronized.
  private(set) var synchronized = 0

  init(_ bytes: [UInt8] = []) {
    self.bytes = bytes
    durable = bytes
  }

  static let death = ProtectedFileError.system(call: "kill", code: 9)
  static let full = ProtectedFileError.system(call: "pwrite", code: ENOSPC)

  private func spend() throws(ProtectedFileError) {
    guard let left = callsLeft else { return }
    guard left > 0 else { throw Self.death }
    callsLeft = left - 1
  }

  func size() -> Int { bytes.count }

  @unsafe
  func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
    let count = max(0, min(buffer.count, bytes.count - offset))
    guard count > 0 else { return 0 }
    unsafe bytes[offset..<offset + count].withUnsafeBytes {
      unsafe buffer.copyMemory(from: $0)
    }
    return count
  }

  @unsafe
  func write(_ buffer: UnsafeRawBufferPointer, at offset: Int) throws(ProtectedFileError) {
    try spend()
    if let room, offset + buffer.count > room { throw Self.full }
    if bytes.count < offset + buffer.count {
      bytes += [UInt8](repeating: 0, count: offset + buffer.count - bytes.count)
    }
    unsafe bytes.replaceSubrange(offset..<offset + buffer.count, with: buffer)
  }

  func truncate(to size: Int) throws(ProtectedFileError) {
    try spend()
    if size < bytes.count {
      bytes.removeSubrange(size...)
    } else {
      bytes += [UInt8](repeating: 0, count: size - bytes.count)
    }
  }

  func unlock() {}

  func synchronize() throws(ProtectedFileError) {
    try spend()
    synchronized += 1
    durable = bytes
  }
}
