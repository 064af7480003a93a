public import LocalAuthBackup
public import LocalAuthKeychain
public import LocalAuthSecret

/// Writes one backup, chunk by chunk.
///
/// It keeps what fills less than a chunk, and one item. For one thread at a time, which may be another one
/// from one call to the next.
public final class BackupWriter: @unchecked Sendable {
  // @unchecked: one thread at a time uses it, as its owner promises.
  private let keys: BackupKeys
  private var items: BackupItemCipher
  private var header: BackupHeader
  private var pending: [UInt8] = []
  private var next = 0
  private var progress = BackupProgress()
  private var records: UInt64 = 0

  init(
    _ header: BackupHeader,
    _ key: borrowing Secret,
    _ deviceKey: borrowing Secret
  ) throws(BackupError) {
    var header = header
    keys = try BackupKeys.make(for: &header, under: key, and: deviceKey)
    items = BackupItemCipher(keys.classKeys, of: header)
    self.header = header
  }

  /// The header as it is so far; it is complete only with what ``finish(_:)`` returns.
  public var unfinished: BackupHeader { header }

  /// Adds an item, sealed under the backup's key of `protection`.
  ///
  /// - Returns: false if the item has data and none is given, or if it is larger than a record may be; then
  ///   nothing was added.
  public func add(
    _ item: Item,
    data: borrowing Secret?,
    under protection: ProtectionClass
  ) -> Bool {
    guard let record = items.seal(item, data: data, under: protection, number: records) else {
      return false
    }
    if next > 0 {
      pending.removeFirst(next)
      next = 0
    }
    pending += record.bytes
    records += 1
    return true
  }

  /// Whether there is a whole chunk to take.
  public var hasChunk: Bool { pending.count - next >= BackupFormat.chunkContent }

  /// The next whole chunk; nil until more is added.
  public func takeChunk() -> [UInt8]? {
    guard hasChunk else { return nil }
    let content = Array(pending[next..<next + BackupFormat.chunkContent])
    next += content.count
    return seal(content)
  }

  /// Ends the backup; all whole chunks must have been taken.
  ///
  /// - Returns: what remains of the records, if anything does, then the trailer, and the header.
  public func finish(_ counts: BackupCounts) -> (rest: [[UInt8]], header: BackupHeader) {
    var rest: [[UInt8]] = []
    while let chunk = takeChunk() { rest.append(chunk) }
    if next < pending.count { rest.append(seal(Array(pending[next...]))) }
    let trailer = BackupTrailer(
      records: records,
      chunks: progress.chunks,
      digest: progress.digest
    )
    rest.append(keys.seal(trailer.bytes, at: progress.chunks, isLast: true))
    header.counts = counts
    header.mac = keys.mac(of: header)
    return (rest, header)
  }

  private func seal(_ content: [UInt8]) -> [UInt8] {
    let chunk = keys.seal(content, at: progress.chunks, isLast: false)
    progress.add(chunk)
    return chunk
  }
}

/// How far a backup was written or read: its chunks, and the digest over their tags.
struct BackupProgress {
  private(set) var chunks: UInt64 = 0
  /// SHA-256 of the digest so far and the next tag, from one chunk to the next; zeros before the first.
  private(set) var digest = [UInt8](repeating: 0, count: 32)

  mutating func add(_ chunk: [UInt8]) {
    chunks += 1
    digest = MessageHash().sha256(of: digest + chunk.suffix(BackupFormat.tagSize))
  }
}
