public import LocalAuthBackup
public import LocalAuthSecret

/// Reads one backup, chunk by chunk, and believes nothing of it that was not verified.
///
/// Each chunk is verified by itself; that they are all of the backup's is known only when ``finish(_:)`` has
/// returned. For one thread at a time, which may be another one from one call to the next.
public final class BackupReader: @unchecked Sendable {
  // @unchecked: one thread at a time uses it, as its owner promises.
  /// The header, which is verified.
  public let header: BackupHeader
  private let keys: BackupKeys
  private let items: BackupItemCipher
  private var entries = BackupRecords()
  private var progress = BackupProgress()
  private var isAtEnd = false

  init(
    _ header: BackupHeader,
    _ key: borrowing Secret,
    _ deviceKey: borrowing Secret,
    orElse refusal: BackupError
  ) throws(BackupError) {
    keys = try BackupKeys.open(header, under: key, and: deviceKey, orElse: refusal)
    items = BackupItemCipher(keys.classKeys, of: header)
    self.header = header
  }

  /// Verifies the next chunk, and returns the records that it completes.
  ///
  /// - Throws: ``BackupError/damaged``; the reader cannot be used any more then.
  public func read(_ chunk: [UInt8]) throws(BackupError) -> [BackupEntry] {
    guard !isAtEnd, chunk.count > BackupFormat.overhead, chunk.count <= BackupFormat.chunkSize,
      let content = keys.open(chunk, at: progress.chunks, isLast: false)
    else { throw ended() }
    // Only the last one is shorter.
    isAtEnd = chunk.count < BackupFormat.chunkSize
    progress.add(chunk)
    entries.add(content)
    var found: [BackupEntry] = []
    while let entry = try entries.takeNext() { found.append(entry) }
    return found
  }

  /// Verifies the trailer: that every chunk was read, and every record.
  ///
  /// - Throws: ``BackupError/damaged``.
  public func finish(_ trailer: [UInt8]) throws(BackupError) {
    guard let content = keys.open(trailer, at: progress.chunks, isLast: true) else {
      throw ended()
    }
    let expected = BackupTrailer(
      records: entries.taken,
      chunks: progress.chunks,
      digest: progress.digest
    )
    guard entries.isComplete, content == expected.bytes,
      entries.taken >= header.counts.total
    else {
      throw ended()
    }
    isAtEnd = true
  }

  /// Verifies the trailer of a backup with so many chunks, without reading one of them.
  ///
  /// - Throws: ``BackupError/damaged``.
  public func check(_ trailer: [UInt8], after chunks: UInt64) throws(BackupError) {
    guard let content = keys.open(trailer, at: chunks, isLast: true),
      let read = BackupTrailer(bytes: content), read.chunks == chunks,
      read.records >= header.counts.total
    else { throw ended() }
    isAtEnd = true
  }

  /// Opens an item of a record.
  public func open(_ record: BackupRecord) -> (read: ReadRecord, data: SecretBox?) {
    items.open(record)
  }

  private func ended() -> BackupError {
    isAtEnd = true
    return .damaged
  }
}
