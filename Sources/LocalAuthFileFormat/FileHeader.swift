public import LocalAuthKeychain
import LocalAuthSecret

/// The header of a protected file.
///
/// | bytes | what                                                              |
/// |-------|-------------------------------------------------------------------|
/// | 4     | `LAF1`                                                            |
/// | 1     | version, 1                                                        |
/// | 1     | bit 0: the file is sealed, and not being written; bits 1 and 2: its ``FileLayout`` |
/// | 1     | when it can be opened, as ``FileProtection`` numbers it           |
/// | 1     | length of the wrapped key                                         |
/// | 4     | bytes of content in a chunk                                       |
/// | 8     | number of this header; its lowest bit says in which of the two slots it stands |
/// | 8     | how many chunks were sealed under the key, at most                |
/// | 8     | length of the content                                             |
/// | 16    | the file's identifier                                             |
/// | 32    | digest of all tags; zeros while it is written                     |
/// | 255   | the wrapped key, and zeros                                        |
/// | 16    | for the keys of a database's journals; zeros when none belongs to it |
/// | 8     | number of a journal; in a database that of the first one that belongs to it |
/// | …     | zeros                                                             |
/// | 32    | HMAC over all of that, at the end of the slot                     |
///
/// Numbers are little-endian.
public struct FileHeader: Equatable, Sendable {
  static let magic = Array("LAF1".utf8)
  static let version: UInt8 = 1
  /// How each header begins.
  static let start = magic + [version]
  static let noDigest = [UInt8](repeating: 0, count: 32)
  static let noJournals = [UInt8](repeating: 0, count: 16)

  /// The number of this header; higher ones are newer.
  var number: UInt64 = 0
  var isSealed = false
  /// When the file can be opened.
  public let protection: FileProtection
  /// The file's identifier, which is random.
  public let identifier: [UInt8]
  /// The file's key, wrapped for its class.
  public let wrappedKey: [UInt8]
  /// How the content is divided into chunks.
  public let layout: FileLayout
  let chunkSize: Int
  var seals: UInt64 = 0
  var length: UInt64 = 0
  var digest = noDigest
  /// What the keys of a database's journals come from.
  var journals = noJournals
  /// A journal's number; in a database that of the first one that counts, because those before it are over.
  var journal: UInt64 = 0

  init(
    _ protection: FileProtection,
    identifier: [UInt8],
    wrappedKey: [UInt8],
    layout: FileLayout = .stream,
    chunkSize: Int? = nil
  ) {
    precondition(identifier.count == FileFormat.identifierSize, "an identifier has 16 bytes")
    precondition(
      wrappedKey.count <= FileFormat.wrappedKeyMax,
      "a wrapped key has at most 255 bytes"
    )
    let chunkSize = chunkSize ?? layout.chunkSize
    precondition(FileFormat.chunkSizes.contains(chunkSize) && chunkSize.nonzeroBitCount == 1)
    self.protection = protection
    self.identifier = identifier
    self.wrappedKey = wrappedKey
    self.layout = layout
    self.chunkSize = chunkSize
  }

  /// Where the first chunk begins in the file.
  var contentStart: Int {
    slotsEnd + (layout == .journal ? SpareChunk.size(chunkSize) : 0)
  }

  /// Where the headers end.
  var slotsEnd: Int { (firstSlot + 2) * FileFormat.slotSize }

  private var firstSlot: Int { layout == .journal ? 1 : 0 }

  /// How long the content is of a file of `size` bytes with this header, which nothing verifies.
  func contentLength(inFileOf size: Int) -> Int {
    max(0, max(0, size - contentStart) - chunkCount(inFileOf: size) * FileFormat.overhead)
  }

  /// How many chunks a file of `size` bytes has with this header, the last one of which may be cut.
  func chunkCount(inFileOf size: Int) -> Int {
    let (count, rest) = max(0, size - contentStart)
      .quotientAndRemainder(dividingBy: chunkSize + FileFormat.overhead)
    return rest == 0 ? count : count + 1
  }

  /// Whether another header says the same.
  func isRepeated(by other: FileHeader) -> Bool {
    var same = other
    same.number = number
    return other.number != number && same == self
  }

  /// Whether another header names the same key.
  func hasKey(of other: FileHeader) -> Bool {
    identifier == other.identifier && wrappedKey == other.wrappedKey
      && protection == other.protection
  }

  /// Where its slot begins.
  var position: Int { position(ofSlot: Int(number & 1)) }

  /// Where slot 0 or 1 begins.
  func position(ofSlot slot: Int) -> Int { FileFormat.slots[firstSlot + slot] }

  /// The slot's bytes.
  func slot(_ keys: borrowing FileKeys) -> [UInt8] {
    var bytes = Self.magic
    let flags = (isSealed ? 1 : 0) | layout.rawValue << 1
    bytes += [Self.version, flags, protection.rawValue, UInt8(wrappedKey.count)]
    bytes.append(littleEndian: UInt32(chunkSize))
    bytes.append(littleEndian: number)
    bytes.append(littleEndian: seals)
    bytes.append(littleEndian: length)
    bytes += identifier + digest + wrappedKey
    bytes += [UInt8](repeating: 0, count: FileFormat.wrappedKeyMax - wrappedKey.count) + journals
    bytes.append(littleEndian: journal)
    let size = FileFormat.slotSize - FileKeys.macSize
    bytes += [UInt8](repeating: 0, count: size - bytes.count)
    return bytes + keys.mac(of: bytes)
  }

  /// Reads a slot without its key, so that nothing in it is verified yet; nil for an empty one.
  init?(unverified slot: [UInt8], at position: Int) throws(ProtectedFileError) {
    guard slot.count == FileFormat.slotSize, slot.starts(with: Self.magic) else { return nil }
    guard slot[4] <= Self.version else { throw .newer(slot[4]) }
    guard slot[4] == Self.version else { return nil }
    let chunkSize = Int(UInt32(littleEndian: slot[8..<12]))
    guard let layout = FileLayout(rawValue: slot[5] >> 1),
      let protection = FileProtection(rawValue: slot[6]),
      FileFormat.chunkSizes.contains(chunkSize), chunkSize.nonzeroBitCount == 1
    else { return nil }
    self.protection = protection
    self.layout = layout
    self.chunkSize = chunkSize
    isSealed = slot[5] & 1 == 1
    number = UInt64(littleEndian: slot[12..<20])
    seals = UInt64(littleEndian: slot[20..<28])
    length = UInt64(littleEndian: slot[28..<36])
    identifier = Array(slot[36..<52])
    digest = Array(slot[52..<84])
    wrappedKey = Array(slot[84..<(84 + Int(slot[7]))])
    let journalsStart = 84 + FileFormat.wrappedKeyMax
    let journalsEnd = journalsStart + Self.noJournals.count
    journals = Array(slot[journalsStart..<journalsEnd])
    journal = UInt64(littleEndian: slot[journalsEnd..<journalsEnd + 8])
    guard self.position == position, [number, seals, length, journal].allSatisfy(Self.isInReach)
    else { return nil }
  }

  /// Whether a number is one that a program can have counted to: what is added to it overflows nowhere.
  private static func isInReach(_ number: UInt64) -> Bool { number < 1 << 62 }
}
