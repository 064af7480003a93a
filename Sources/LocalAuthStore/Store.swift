public import LocalAuthCore
public import LocalAuthKeychain
import Synchronization

/// Durable state in one SQLite database, written by one thread.
///
/// Commits are on the disk when their completion runs. The database is refused, and left as it is,
/// when it is damaged, foreign, from the future or on a full disk; a database that was tampered with is
/// opened, and its devices need their passcode (``state``). One that can only be read is opened, and
/// every commit fails until it is opened again.
///
/// Open a database once: who holds the lock of its directory may open it.
public final class Store: StateStoring {
  /// What the store held when it was opened.
  public let state: StoredState

  /// ``doubt(of:)``, as it was when the store was opened.
  private let lost: @Sendable (DeviceIdentity) -> CountDoubt
  private let path: String?
  private let writer: SharedWriter
  private let reader = Mutex<AuditReader?>(nil)
  /// Nil for a store in memory, which has one connection.
  private let itemReaders: ItemReaders?
  private let thread: StorageThread

  /// What reads items over the writer's connection.
  private final class OnlyConnection: @unchecked Sendable {
    // @unchecked: only who has the turn looks at the reader or uses the writer.
    let turn = Semaphore()
    var reader: ItemReader?

    init() { turn.signal() }
  }

  /// The writer for the storage thread and, where it is the only connection, for readers.
  private final class SharedWriter: Sendable {
    let writer: Mutex<Writer?>
    /// A store in memory has one connection, which items are lent from; nil for any other.
    let only: OnlyConnection?

    init(_ writer: consuming sending Writer, isOnly: Bool) {
      self.writer = Mutex(consume writer)
      only = isOnly ? OnlyConnection() : nil
    }

    /// Does `body` when no item is lent from the only connection.
    func alone<R: ~Copyable, E>(_ body: () throws(E) -> R) throws(E) -> R {
      only?.turn.wait()
      defer { only?.turn.signal() }
      return try body()
    }

    /// Lends a reader over the only connection.
    func withItemReader<R: ~Copyable>(
      _ only: OnlyConnection,
      _ body: (inout ItemReader) throws(StorageError) -> R
    ) throws(StorageError) -> R {
      try alone { () throws(StorageError) in
        if only.reader == nil {
          try writer.withLock { (writer) throws(StorageError) in
            only.reader = try writer?.itemReader()
          }
        }
        guard let answer = try only.reader?.lend(body) else { throw Store.closed }
        return answer
      }
    }

    func commit(
      _ changes: [StateChange],
      _ items: [ItemChange],
      _ kind: CommitKind
    ) -> Result<Void, StorageError> {
      alone {
        writer.withLock { writer in
          do throws(StorageError) {
            guard try writer?.commit(changes, items: items, kind) != nil else {
              return .failure(Store.closed)
            }
            return .success(())
          } catch {
            return .failure(error)
          }
        }
      }
    }
  }

  /// Opens the database at `path`, or creates it; its directory must exist.
  ///
  /// `tagger` vouches for the records and must be the same at each start; `mirror` is the
  /// second copy of the sequence and of the counts, `copy` another of it, and `raising` raises the counts of records that
  /// cannot be believed. A commit by which a user would have more than `quota` fails. The calling thread waits for the disk.
  public convenience init(
    path: String,
    tagger: any RecordTagger,
    mirror: any SequenceMirroring,
    copy: any SequenceMirroring,
    raising: @escaping CountRaising,
    quota: UserQuota = UserQuota()
  ) throws(StorageError) {
    try self.init(
      at: path,
      tagger: tagger,
      mirror: mirror,
      copy: copy,
      raising: raising,
      quota: quota
    )
  }

  /// Makes a store that lives in memory and is gone with this value.
  public convenience init(
    inMemoryWith tagger: any RecordTagger
  ) throws(StorageError) {
    try self.init(
      at: nil,
      tagger: tagger,
      mirror: MemoryMirror(),
      copy: MemoryMirror(),
      raising: { _, _ in },
      quota: UserQuota()
    )
  }

  init(
    at path: String?,
    tagger: any RecordTagger,
    mirror: any SequenceMirroring,
    copy: any SequenceMirroring,
    raising: CountRaising,
    quota: UserQuota
  ) throws(StorageError) {
    let foundingTag = tagger.tag(over: Ledger().message)
    let database = try Database.openStore(at: path, foundingTag: foundingTag)
    let loaded = try Loaded(
      from: database,
      tagger: tagger,
      mirror: MirroredSequence(try mirror.read(), tagger),
      copy: MirroredSequence(try copy.read(), tagger),
      raising: raising
    )
    let shared = SharedWriter(
      try Writer.resume(
        database,
        loaded: loaded,
        tagger: tagger,
        mirror: mirror,
        copy: copy,
        quota: quota
      ),
      isOnly: path == nil
    )
    self.path = path
    let readers = path.map { ItemReaders(path: $0) }
    itemReaders = readers
    state = loaded.state
    lost = loaded.doubtOfTheLost(tagger)
    writer = shared
    thread = try StorageThread(
      afterwards: {
        Self.writing(beside: readers) { shared.alone { shared.writer.withLock { $0?.tidy() } } }
      },
      atEnd: {
        shared.alone {
          shared.only?.reader = nil
          shared.writer.withLock { writer in
            writer?.finish()
            writer = nil
          }
        }
      }
    )
  }

  deinit { close() }

  /// Finishes all commits that were begun, completes the database file and ends the thread.
  ///
  /// Later commits fail. It may be called again, and from a completion, where it does not wait.
  public func close() {
    reader.withLock { $0 = nil }
    itemReaders?.close()
    thread.close()
  }

  /// Makes all `changes` durable in one transaction, in the order of the calls.
  ///
  /// `completion` runs on the storage thread, once, or on the caller's when the store was closed.
  public func commit(
    _ changes: [StateChange],
    _ kind: CommitKind,
    completion: @escaping @Sendable (Result<Void, StorageError>) -> Void
  ) {
    commit(changes, items: [], kind, completion: completion)
  }

  /// Makes `changes` and then `items` durable in one transaction, in the order of the calls.
  ///
  /// As ``commit(_:_:completion:)``.
  public func commit(
    _ changes: [StateChange],
    items: [ItemChange],
    _ kind: CommitKind,
    completion: @escaping @Sendable (Result<Void, StorageError>) -> Void
  ) {
    let (writer, readers) = (writer, itemReaders)
    let isAccepted = thread.run {
      completion(Self.writing(beside: readers) { writer.commit(changes, items, kind) })
    }
    if !isAccepted { completion(.failure(Self.closed)) }
  }

  /// What is known of the counts of a device that was not stored when the store was opened.
  ///
  /// Where no device can have been lost there is no doubt.
  public func doubt(of device: DeviceIdentity) -> CountDoubt { lost(device) }

  /// Does `body`, which writes, without anybody's transaction in its way.
  private static func writing<R>(beside readers: ItemReaders?, _ body: () -> R) -> R {
    readers.map { $0.whileWriting(body) } ?? body()
  }

  /// Lends a reader of items to `body`; a store in memory lends it under the writer's lock.
  func withItemReader<R: ~Copyable>(
    _ body: (inout ItemReader) throws(StorageError) -> R
  ) throws(StorageError) -> R {
    if let itemReaders {
      if let answer = try itemReaders.withReader(body) { return answer }
      throw Self.closed
    }
    guard let only = writer.only else { throw Self.closed }
    return try writer.withItemReader(only, body)
  }

  /// The newest `limit` audit lines of `owner` that come after `cursor`, oldest first, and the
  /// cursor to go on from; a device's only, where one is named.
  ///
  /// It reads on the caller's thread, at most 10 000 lines, and never waits for a commit unless the
  /// store is in memory.
  public func audit(
    owner: UInt32,
    device: String?,
    after cursor: Int64?,
    limit: Int
  ) throws(StorageError) -> (lines: [AuditRecord], cursor: Int64) {
    guard let path else {
      return try writer.alone { () throws(StorageError) in
        try writer.writer.withLock { (writer) throws(StorageError) in
          guard
            let page = try writer?.readAudit(
              owner: owner,
              device: device,
              after: cursor,
              limit: limit
            )
          else { throw Self.closed }
          return page
        }
      }
    }
    return try reader.withLock { (reader) throws(StorageError) in
      if reader == nil { reader = try AuditReader(Database.open(path, .readOnly)) }
      guard
        let page = try reader?.read(
          owner: owner,
          device: device,
          after: cursor,
          limit: limit
        )
      else { throw Self.closed }
      return page
    }
  }

  private static let closed = StorageError.failed("the store is closed")
}
