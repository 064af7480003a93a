public import LocalAuthCore
public import LocalAuthKeychain
import Synchronization

/// Durable state in one SQLite database, written by one thread.
///
/// A commit is on disk when its completion runs. Opening fails, and leaves the file untouched, if
/// the database is damaged, belongs to another program, has a newer format or lies on a full disk.
/// After tampering the database still opens, but its devices need their passcode (``state``). A
/// read-only database opens too; every commit fails until it is opened again.
///
/// Open a database once: only the holder of its directory's lock may open it.
public final class Store: StateStoring {
  /// The state that the store held when it was opened.
  public let state: StoredState

  /// The answers of ``doubt(of:)``, fixed when the store opens.
  private let lost: @Sendable (DeviceIdentity) -> CountDoubt
  private let path: String?
  private let writer: SharedWriter
  private let reader = Mutex<AuditReader?>(nil)
  /// Nil for an in-memory store, which has only one connection.
  private let itemReaders: ItemReaders?
  private let thread: StorageThread

  /// The item reader of a writer's only connection, and the turn to use both.
  private final class OnlyConnection: @unchecked Sendable {
    // @unchecked: only the thread that holds `turn` accesses the reader or the writer.
    let turn = Semaphore()
    var reader: ItemReader?

    init() { turn.signal() }
  }

  /// Shares the writer between the storage thread and, if it is the only connection, readers.
  private final class SharedWriter: Sendable {
    let writer: Mutex<Writer?>
    /// The only connection of an in-memory store, which lends items; nil for a store on disk.
    let only: OnlyConnection?

    init(_ writer: consuming sending Writer, isOnly: Bool) {
      self.writer = Mutex(consume writer)
      only = isOnly ? OnlyConnection() : nil
    }

    /// Runs `body` while no item is lent from the only connection.
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
      _ items: ItemWrites,
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
  /// `tagger` authenticates the records and must use the same key at each start. `mirror` holds a
  /// second copy of the sequence and of the counts, `copy` a third. `raising` raises the counts of
  /// records that cannot be trusted. A commit that takes a user over `quota` fails. The calling
  /// thread waits for the disk.
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

  /// Creates a store in memory, which is lost with this value.
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
    if let path { ItemSpool.removeLeftover(beside: path) }
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

  /// Finishes all pending commits, completes the database file and ends the thread.
  ///
  /// Later commits fail. Calling it again is allowed. Called from a completion, it does not wait.
  public func close() {
    reader.withLock { $0 = nil }
    itemReaders?.close()
    thread.close()
  }

  /// Makes all `changes` durable in one transaction, in the order of the calls.
  ///
  /// `completion` runs once: on the storage thread, or on the caller's if the store is closed.
  public func commit(
    _ changes: [StateChange],
    _ kind: CommitKind,
    completion: @escaping @Sendable (Result<Void, StorageError>) -> Void
  ) {
    commit(changes, items: [], kind, completion: completion)
  }

  /// Makes `changes` and then `items` durable in one transaction, in the order of the calls.
  ///
  /// `completion` runs as for ``commit(_:_:completion:)``.
  public func commit(
    _ changes: [StateChange],
    items: [ItemChange],
    _ kind: CommitKind,
    completion: @escaping @Sendable (Result<Void, StorageError>) -> Void
  ) {
    commit(changes, .changes(items), kind, completion)
  }

  /// Makes an empty spool, in a file beside the database that loses its name at once.
  ///
  /// An in-memory store has its spools in memory.
  public func spool(of device: DeviceIdentity) throws(StorageError) -> any ItemSpooling {
    try ItemSpool(of: device, beside: path)
  }

  /// Makes `changes`, and then what `spool` has, durable in one transaction, in the order of the calls.
  ///
  /// `completion` runs as for ``commit(_:_:completion:)``.
  public func commit(
    _ changes: [StateChange],
    spool: any ItemSpooling,
    _ kind: CommitKind,
    completion: @escaping @Sendable (Result<Void, StorageError>) -> Void
  ) {
    guard let spool = spool as? ItemSpool else {
      return completion(.failure(.failed("the spool is of another store")))
    }
    commit(changes, .spool(spool), kind, completion)
  }

  private func commit(
    _ changes: [StateChange],
    _ items: ItemWrites,
    _ kind: CommitKind,
    _ completion: @escaping @Sendable (Result<Void, StorageError>) -> Void
  ) {
    let (writer, readers) = (writer, itemReaders)
    let isAccepted = thread.run {
      completion(Self.writing(beside: readers) { writer.commit(changes, items, kind) })
    }
    if !isAccepted { completion(.failure(Self.closed)) }
  }

  /// What is known about the counts of a device that was not stored when the store was opened.
  ///
  /// If no device can have been lost, the counts are not in doubt.
  public func doubt(of device: DeviceIdentity) -> CountDoubt { lost(device) }

  /// Runs `body`, which writes, while no idle reader keeps a transaction open.
  private static func writing<R>(beside readers: ItemReaders?, _ body: () -> R) -> R {
    readers.map { $0.whileWriting(body) } ?? body()
  }

  /// Lends an item reader to `body`; in an in-memory store, commits wait until `body` returns.
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

  /// Returns the newest `limit` audit lines of `owner`, oldest first; only lines of `device` and only
  /// lines stored before `before` if they are not nil.
  ///
  /// Reads at most 10 000 lines, on the caller's thread. Waits for a commit only if the store is in
  /// memory.
  public func audit(
    owner: UInt32,
    device: String?,
    before: EvaluationID?,
    limit: Int
  ) throws(StorageError) -> [AuditRecord] {
    guard let path else {
      return try writer.alone { () throws(StorageError) in
        try writer.writer.withLock { (writer) throws(StorageError) in
          let lines = try writer?.readAudit(
            owner: owner,
            device: device,
            before: before,
            limit: limit
          )
          guard let lines else { throw Self.closed }
          return lines
        }
      }
    }
    return try reader.withLock { (reader) throws(StorageError) in
      if reader == nil { reader = try AuditReader(Database.open(path, .readOnly)) }
      let lines = try reader?.read(owner: owner, device: device, before: before, limit: limit)
      guard let lines else { throw Self.closed }
      return lines
    }
  }

  private static let closed = StorageError.failed("the store is closed")
}
