public import LocalAuthCore
public import LocalAuthKeychain

/// One item of a backup, sealed.
///
/// In a chunk it has a byte of kind, its size in 4 bytes, then class (4), protection (1), flags (1),
/// identifier (16), time of change (8), size of the attributes (4), the sealed attributes, and the sealed data
/// if there is any.
public struct BackupRecord: Hashable, Sendable {
  static let kind: UInt8 = 1
  /// The bytes before a record's body: its kind, and its size.
  static let frameSize = 5
  static let headSize = 34

  /// The four letters of its class, which this version may not know.
  public let itemClass: [UInt8]
  /// The code of the class that it is sealed under, which this version may not know.
  public let protectionCode: UInt8
  /// Whether it has data.
  public let hasData: Bool
  /// Its identifier.
  public let identifier: ItemIdentifier
  /// When it was last changed.
  public let modified: WallInstant
  /// Its attributes, sealed.
  public var attributes: [UInt8] = []
  /// Its data, sealed; empty if it has none.
  public var data: [UInt8] = []

  /// The record of `item`, which is sealed under `protection`; its parts are still to be filled in.
  public init(of item: Item, sealedUnder protection: ProtectionClass) {
    itemClass = Array(item.itemClass.rawValue.utf8)
    protectionCode = protection.code
    hasData = item.hasData
    identifier = item.identifier
    modified = item.modified
  }

  /// What both parts are bound to, besides the backup.
  public var head: [UInt8] {
    var bytes = itemClass + [protectionCode, hasData ? 1 : 0] + identifier.bytes
    bytes.append(littleEndian: modified.milliseconds)
    return bytes
  }

  /// The record as a chunk has it.
  public var bytes: [UInt8] {
    let size = Self.headSize + attributes.count + data.count
    var bytes: [UInt8] = [Self.kind]
    bytes.reserveCapacity(Self.frameSize + size)
    bytes.append(littleEndian: UInt32(size))
    bytes += head
    bytes.append(littleEndian: UInt32(attributes.count))
    return bytes + attributes + data
  }

  /// Reads a record's body; nil if it is none.
  init?(body: ArraySlice<UInt8>) {
    guard body.count >= Self.headSize else { return nil }
    let start = body.startIndex
    itemClass = Array(body[start..<start + 4])
    protectionCode = body[start + 4]
    guard body[start + 5] <= 1,
      let identifier = ItemIdentifier(bytes: body[start + 6..<start + 22])
    else { return nil }
    hasData = body[start + 5] == 1
    self.identifier = identifier
    modified = WallInstant(milliseconds: Int64(littleEndian: body[start + 22..<start + 30]))
    let size = Int(UInt32(littleEndian: body[start + 30..<start + 34]))
    let rest = body[(start + Self.headSize)...]
    guard size <= rest.count else { return nil }
    attributes = Array(rest.prefix(size))
    data = Array(rest.dropFirst(size))
    guard hasData || data.isEmpty else { return nil }
  }
}

/// What stands in a backup.
public enum BackupEntry: Hashable, Sendable {
  case item(BackupRecord)
  /// Something that a newer version wrote.
  case unknown
}

/// Puts the records of a backup together, from one chunk after another.
///
/// It keeps at most one record and one chunk.
public struct BackupRecords: Sendable {
  private var bytes: [UInt8] = []
  private var next = 0

  /// Makes a reader that has got no chunk yet.
  public init() {}

  /// Whether every byte so far belongs to a whole record.
  public var isComplete: Bool { next == bytes.count }

  /// Adds what was in a chunk.
  public mutating func add(_ content: [UInt8]) {
    bytes.removeFirst(next)
    next = 0
    bytes += content
  }

  /// The next record that is whole; nil until more is added.
  ///
  /// - Throws: ``BackupError/damaged`` for a record that is too large, or none.
  public mutating func takeNext() throws(BackupError) -> BackupEntry? {
    let rest = bytes[next...]
    guard rest.count >= BackupRecord.frameSize else { return nil }
    let size = Int(UInt32(littleEndian: bytes[next + 1..<next + BackupRecord.frameSize]))
    guard size <= BackupFormat.recordMax else { throw .damaged }
    guard rest.count - BackupRecord.frameSize >= size else { return nil }
    let start = next + BackupRecord.frameSize
    let kind = bytes[next]
    next = start + size
    guard kind == BackupRecord.kind else { return .unknown }
    guard let record = BackupRecord(body: bytes[start..<start + size]) else { throw .damaged }
    return .item(record)
  }
}

/// What is sealed at the end of a backup.
public struct BackupTrailer: Hashable, Sendable {
  private static let kind: UInt8 = 2

  /// How many records there are.
  public var records: UInt64
  /// How many chunks there are.
  public var chunks: UInt64
  /// The digest over the tags of all chunks, 32 bytes.
  public var digest: [UInt8]

  /// The trailer with these parts.
  public init(records: UInt64, chunks: UInt64, digest: [UInt8]) {
    self.records = records
    self.chunks = chunks
    self.digest = digest
  }

  /// Reads what ``bytes`` wrote; nil for anything else.
  public init?(bytes: [UInt8]) {
    guard bytes.count == BackupFormat.trailerContent, bytes[0] == Self.kind else { return nil }
    records = UInt64(littleEndian: bytes[1..<9])
    chunks = UInt64(littleEndian: bytes[9..<17])
    digest = Array(bytes[17...])
  }

  /// What is sealed.
  public var bytes: [UInt8] {
    var bytes = [Self.kind]
    bytes.append(littleEndian: records)
    bytes.append(littleEndian: chunks)
    return bytes + digest
  }

  /// What a chunk is bound to, besides its content.
  ///
  /// - Parameters:
  ///   - index: Its number, from 0.
  ///   - isLast: Whether it is the trailer.
  ///   - header: The header of its backup.
  /// - Returns: the bytes that are authenticated with it.
  public static func place(_ index: UInt64, isLast: Bool, in header: BackupHeader) -> [UInt8] {
    var bytes = header.identifier
    bytes.append(littleEndian: index)
    return bytes + [isLast ? 1 : 0]
  }
}
