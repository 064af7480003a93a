import LocalAuthFiles
import LocalAuthKeychain

/// The end of a journal that refers to a super-journal, as SQLite writes it.
///
/// It stands for the journal of a database that is not open in this process.
final class SuperJournalReference: PagedFile {
  /// The eight bytes with which SQLite ends it.
  private static let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
  private let bytes: [UInt8]

  init(to name: [UInt8]) {
    // SQLite adds up characters, which have a sign or not as the machine says.
    let sum = name.reduce(UInt32(0)) {
      $0 &+ UInt32(truncatingIfNeeded: CChar(truncatingIfNeeded: $1))
    }
    var bytes = name
    for number in [UInt32(name.count), sum] {
      bytes += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
    self.bytes = bytes + Self.magic
  }

  var length: Int { bytes.count }

  @unsafe
  func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
    guard offset < bytes.count else { return 0 }
    let part = bytes[offset...].prefix(buffer.count)
    unsafe buffer.copyBytes(from: part)
    return part.count
  }

  @unsafe
  func write(_: UnsafeRawBufferPointer, at _: Int) throws(FileFailure) { throw .file(.readOnly) }

  func truncate(to _: Int) throws(FileFailure) { throw .file(.readOnly) }

  func synchronize() {}

  func close() {}
}
