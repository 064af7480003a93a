public import LocalAuthBackup
public import LocalAuthKeychain
public import LocalAuthSecret

/// The port that writes one backup, chunk by chunk.
///
/// A vault's thread makes it; after that the engine's thread alone calls it.
public protocol BackupSealing: AnyObject, Sendable {
  /// The header as it is so far, complete but for its counts and its code.
  var unfinished: BackupHeader { get }

  /// Adds an item, sealed under the backup's key of `protection`; false if that cannot be, and then nothing
  /// was added.
  func add(_ item: Item, data: borrowing Secret?, under protection: ProtectionClass) -> Bool

  /// Whether there is a whole chunk to take.
  var hasChunk: Bool { get }

  /// The next whole chunk; nil until more is added.
  func takeChunk() -> [UInt8]?

  /// Ends the backup: what remains of it, with the trailer, and its header.
  func finish(_ counts: BackupCounts) -> (rest: [[UInt8]], header: BackupHeader)
}

/// The port that reads one backup, chunk by chunk, and verifies each.
///
/// A vault's thread makes it; after that the engine's thread alone calls it.
public protocol BackupOpening: AnyObject, Sendable {
  /// The header, which is verified.
  var header: BackupHeader { get }

  /// Verifies the next chunk, and returns the records that it completes.
  func read(_ chunk: [UInt8]) throws(BackupError) -> [BackupEntry]

  /// Verifies the trailer: that every chunk was read, and every record.
  func finish(_ trailer: [UInt8]) throws(BackupError)

  /// Verifies the trailer of a backup with so many chunks, of which none was read.
  func check(_ trailer: [UInt8], after chunks: UInt64) throws(BackupError)

  /// Opens an item of a record.
  func open(_ record: BackupRecord) -> (read: ReadRecord, data: SecretBox?)
}

/// The result of beginning a backup.
public typealias BackupBeginning = Result<any BackupSealing, BackupError>

/// The result of opening one.
public typealias BackupAccess = Result<any BackupOpening, BackupError>
