import Glibc
import LocalAuthTestSupport

@testable import LocalAuthFileFormat

/// A file in memory, of which any later call can fail or be the last one.
final class MemoryStorage: FileStorage {
  struct Died: Error {}

  var bytes: [UInt8]
  /// What a power failure leaves for certain.
  private(set) var durable: [UInt8]
  /// What was changed since it was synchronized.
  private var changes: [Change] = []
  /// How many calls that change something are left until the program ends; nil for all.
  var callsLeft: Int?
  /// How many calls that change something are left until one fails, after which they go on; nil for none.
  var callsUntilError: Int?
  /// How many bytes of the write that fails, or with which the program ends, are written.
  var tornAfter = 0
  /// How many bytes the disk has room for; nil for any number.
  var room: Int?
  /// How many pages the disk has room for beside those that the file has; nil for any number.
  ///
  /// What fits is written.
  var freePages: Int? { didSet { if oldValue == nil { pages = Set(0...bytes.count / Self.page) } } }
  /// The pages that the file has on the disk, if they are counted.
  private var pages: Set<Int> = []
  private static let page = 4096
  /// Called before it is synchronized.
  var willSynchronize: (() throws -> Void)?
  /// How many bytes were written.
  private(set) var written = 0
  /// How often it was synchronized.
  private(set) var synchronized = 0

  private enum Change {
    case written([UInt8], Int)
    case cut(Int)
  }

  init(_ bytes: [UInt8] = []) {
    self.bytes = bytes
    durable = bytes
  }

  static let death = ProtectedFileError.system(call: "kill", code: 9)
  static let full = ProtectedFileError.system(call: "pwrite", code: ENOSPC)
  static let broken = ProtectedFileError.system(call: "pwrite", code: EIO)

  private func spend() throws(ProtectedFileError) {
    if let left = callsUntilError {
      callsUntilError = left > 0 ? left - 1 : nil
      guard left > 0 else { throw Self.broken }
    }
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
    do throws(ProtectedFileError) { try spend() } catch {
      unsafe put(Array(buffer.prefix(tornAfter)), at: offset)
      tornAfter = 0
      throw error
    }
    if let room, offset + buffer.count > room { throw Self.full }
    let count = allocate(buffer.count, at: offset)
    unsafe put(Array(buffer.prefix(count)), at: offset)
    if count < buffer.count { throw Self.full }
  }

  private func put(_ new: [UInt8], at offset: Int) {
    guard !new.isEmpty else { return }
    written += new.count
    changes.append(.written(new, offset))
    Self.put(new, at: offset, in: &bytes)
  }

  /// Takes pages of the disk; returns how many of the bytes have some.
  private func allocate(_ count: Int, at offset: Int) -> Int {
    guard var left = freePages, count > 0 else { return count }
    defer { freePages = left }
    for page in offset / Self.page...(offset + count - 1) / Self.page
    where !pages.contains(page) {
      guard left > 0 else { return max(0, page * Self.page - offset) }
      left -= 1
      pages.insert(page)
    }
    return count
  }

  private static func put(_ new: [UInt8], at offset: Int, in bytes: inout [UInt8]) {
    resize(&bytes, to: max(bytes.count, offset + new.count))
    bytes.replaceSubrange(offset..<offset + new.count, with: new)
  }

  private static func resize(_ bytes: inout [UInt8], to size: Int) {
    let missing = max(0, size - bytes.count)
    bytes = bytes.prefix(size) + [UInt8](repeating: 0, count: missing)
  }

  func truncate(to size: Int) throws(ProtectedFileError) {
    try spend()
    changes.append(.cut(size))
    Self.resize(&bytes, to: size)
    guard let left = freePages else { return }
    let kept = pages.filter { $0 * Self.page < size }
    freePages = left + pages.count - kept.count
    pages = kept
  }

  /// What a power failure may leave: of what was not synchronized, some sectors.
  func afterPowerFailure(_ random: inout SeededGenerator) -> [UInt8] {
    let sector = 512
    var left = durable
    for change in changes where Bool.random(using: &random) {
      switch change {
      case .cut(let size): Self.resize(&left, to: size)
      case .written(let new, let offset):
        let isWhole = Bool.random(using: &random)
        for start in stride(from: 0, to: new.count, by: sector)
        where isWhole || Bool.random(using: &random) {
          Self.put(
            Array(new[start..<min(start + sector, new.count)]),
            at: offset + start,
            in: &left
          )
        }
      }
    }
    return left
  }

  func unlock() {}

  func synchronize() throws(ProtectedFileError) {
    try spend()
    try? willSynchronize?()
    synchronized += 1
    durable = bytes
    changes = []
  }
}
