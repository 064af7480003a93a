import LocalAuthKeychain
import LocalAuthSecret

@testable import LocalAuthFileFormat

/// A protected file in memory, with small chunks.
enum SampleFile {
  static let chunkSize = 4096
  /// Where the first chunk begins in a file that is no journal.
  static let contentStart = 2 * FileFormat.slotSize
  static let key = [UInt8](repeating: 7, count: FileFormat.keySize)

  static func create(
    _ storage: any FileStorage,
    identifier: UInt8 = 1,
    layout: FileLayout = .stream
  ) throws(ProtectedFileError) -> EncryptedFile {
    let header = FileHeader(
      .complete,
      identifier: [UInt8](repeating: identifier, count: FileFormat.identifierSize),
      wrappedKey: [1, 2, 3],
      layout: layout,
      chunkSize: chunkSize
    )
    return try EncryptedFile(creatingOn: storage, header, key: Secret(copying: key))
  }

  static func open(
    _ storage: any FileStorage,
    for access: FileAccess = .read,
    isSealedOnly: Bool = false,
    key: [UInt8] = key
  ) throws(ProtectedFileError) -> EncryptedFile {
    try EncryptedFile(opening: storage, for: access, isSealedOnly: isSealedOnly) { _ in
      Secret(copying: key)
    }
  }

  /// A closed file of this content.
  static func file(_ content: [UInt8], identifier: UInt8 = 1) throws -> MemoryStorage {
    let storage = MemoryStorage()
    let file = try create(storage, identifier: identifier)
    try file.write(content, at: 0)
    try file.close()
    return storage
  }

  /// Bytes of which no two chunks are equal.
  static func content(_ count: Int, _ seed: Int = 0) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 / 4096 &+ seed) }
  }
}

extension EncryptedFile {
  func write(_ bytes: [UInt8], at offset: Int) throws(ProtectedFileError) {
    try unsafe Secret(copying: bytes).withUnsafeBytes { (bytes) throws(ProtectedFileError) in
      try unsafe write(bytes, at: offset)
    }
  }

  func read(_ count: Int, at offset: Int) throws(ProtectedFileError) -> [UInt8] {
    var bytes = Secret(capacity: count)
    try unsafe bytes.withUnsafeMutableBytes { (room, used) throws(ProtectedFileError) in
      used = try unsafe read(room, at: offset)
    }
    return unsafe bytes.withUnsafeBytes { unsafe Array($0) }
  }

  func all() throws(ProtectedFileError) -> [UInt8] { try read(length, at: 0) }
}
