public import LocalAuthCore
import Synchronization

/// Durable state in one SQLite database, written by one thread.
///
/// Commits are on the disk when their completion runs. The database is refused, and left as it is,
/// when it is damaged, foreign, from the future, not writable or on a full disk; a database that
/// was tampered with is opened, and its devices need their passcode (``state``).
///
/// Open a database once: who holds the lock of its directory may open it.
public final class Store: StateStoring {
  /// What the store held when it was opened.
  public let state: StoredState

  private let path: String?
  private let writer: SharedWriter
  private let reader = Mutex<AuditReader?>(nil)
  private let thread: StorageThread

  /// The writer for the storage thread and, where it is the only connection, for readers.
  private final class SharedWriter: Sendable {
    let writer: Mutex<Writer?>

    init(_ writer: consuming sending Writer) { self.writer = Mutex(consume writer) }

    func commit(_ changes: [StateChange], _ kind: CommitKind) -> Result<Void, StorageError> {
      writer.withLock { writer in
        do throws(StorageError) {
          guard try writer?.commit(changes, kind) != nil else { return .failure(Store.closed) }
          return .success(())
        } catch {
          return .failure(error)
        }
      }
    }
  }

  /// Opens the database at `path`, or creates it; its directory must exist.
  ///
  /// `authenticator` vouches for the records and must be the same at each start; `mirror` is the
  /// second copy of the sequence. The calling thread waits for the disk.
  public convenience init(
    path: String,
    authenticator: any RecordAuthenticating,
    mirror: any SequenceMirroring
  ) throws(StorageError) {
    try self.init(
      at: path,
      authenticator: authenticator,
      mirror: mirror,
      linesKept: AuditTable.linesKept
    )
  }

  /// Makes a store that lives in memory and is gone with this value.
  public convenience init(
    inMemoryWith authenticator: any RecordAuthenticating
  ) throws(StorageError) {
    try self.init(
      at: nil,
      authenticator: authenticator,
      mirror: MemoryMirror(),
      linesKept: AuditTable.linesKept
    )
  }

  init(
    at path: String?,
    authenticator: any RecordAuthenticating,
    mirror: any SequenceMirroring,
    linesKept: Int64
  ) throws(StorageError) {
    let foundingTag = authenticator.tag(over: Ledger().message)
    let database = try Database.openStore(at: path, foundingTag: foundingTag)
    let loaded = try Loaded(
      from: database,
      authenticator: authenticator,
      mirror: MirroredSequence(try mirror.read(), authenticator)
    )
    let shared = SharedWriter(
      try Writer.resume(
        database,
        loaded: loaded,
        authenticator: authenticator,
        mirror: mirror,
        linesKept: linesKept
      )
    )
    self.path = path
    state = loaded.state
    writer = shared
    thread = try StorageThread(
      afterwards: { shared.writer.withLock { $0?.tidy() } },
      atEnd: {
        shared.writer.withLock { writer in
          writer?.finish()
          writer = nil
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
    let writer = writer
    let isAccepted = thread.run { completion(writer.commit(changes, kind)) }
    if !isAccepted { completion(.failure(Self.closed)) }
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
      return try writer.writer.withLock { (writer) throws(StorageError) in
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
