import LocalAuthCore
public import LocalAuthKeychain

/// One item of a backup, sealed.
///
/// In a chunk it has a byte of kind, its size in 1 to 4 bytes, then class (4), protection (1), identifier (16), and what
/// is sealed: the size of the attributes in 1 to 4 bytes, the attributes, and the data if there is any. The nonce is
/// the record's number.
public struct BackupRecord: Hashable, Sendable {
  static let kind: UInt8 = 1
  static let headSize = 21
  /// What a record has beside its attributes and its data, at most.
  public static let overheadMax = 1 + 4 + headSize + 4 + BackupFormat.tagSize

  /// The four letters of its class, which this version may not know.
  public let itemClass: [UInt8]
  /// The code of the class that it is sealed under, which this version may not know.
  public let protectionCode: UInt8
  /// Its identifier.
  public let identifier: ItemIdentifier
  /// Its number among the records of its backup, from 0; nothing of it is written.
  public let number: UInt64
  /// Its content, sealed.
  public var sealed: [UInt8] = []

  /// The record of `item`, which is sealed under `protection`; its content is still to be filled in.
  public init(of item: Item, sealedUnder protection: ProtectionClass, number: UInt64) {
    itemClass = Array(item.itemClass.rawValue.utf8)
    protectionCode = protection.code
    identifier = item.identifier
    self.number = number
  }

  /// What the content is bound to, besides the backup and the number.
  public var head: [UInt8] { itemClass + [protectionCode] + identifier.bytes }

  /// The record as a chunk has it.
  public var bytes: [UInt8] {
    [Self.kind] + BackupSize.bytes(Self.headSize + sealed.count) + head + sealed
  }

  /// Reads a record's body; nil if it is none.
  init?(body: ArraySlice<UInt8>, number: UInt64) {
    guard body.count >= Self.headSize + BackupFormat.tagSize else { return nil }
    let start = body.startIndex
    itemClass = Array(body[start..<start + 4])
    protectionCode = body[start + 4]
    guard let identifier = ItemIdentifier(bytes: body[start + 5..<start + Self.headSize]) else {
      return nil
    }
    self.identifier = identifier
    self.number = number
    sealed = Array(body[(start + Self.headSize)...])
  }

  // MARK: Content

  /// What is before the attributes in a content.
  public static func contentStart(attributesSize: Int) -> [UInt8] {
    BackupSize.bytes(attributesSize)
  }

  /// Where the attributes are in a content, behind which is the data; nil if it is none.
  @inlinable
  public static func attributes(in content: some Collection<UInt8>) -> Range<Int>? {
    guard let (size, start) = try? BackupSize.read(content), size <= content.count - start else {
      return nil
    }
    return start..<start + size
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
  /// How many records were taken.
  public private(set) var taken: UInt64 = 0

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
    guard next < bytes.count, let (size, sizeCount) = try BackupSize.read(bytes[(next + 1)...])
    else { return nil }
    guard size <= BackupFormat.recordMax else { throw .damaged }
    let start = next + 1 + sizeCount
    guard bytes.count - start >= size else { return nil }
    let (kind, number) = (bytes[next], taken)
    next = start + size
    taken += 1
    guard kind == BackupRecord.kind else { return .unknown }
    guard let record = BackupRecord(body: bytes[start..<next], number: number) else {
      throw .damaged
    }
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
