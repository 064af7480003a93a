import LocalAuthCore
import Synchronization

/// A pool of connections that read items, each used by one thread at a time.
///
/// Readers never wait for a connection: if all are in use, another is opened; a few are kept. An
/// idle connection keeps a transaction open, which makes the next read cheaper. A write ends that
/// transaction, which would hide the change and keep the log from being emptied.
final class ItemReaders: Sendable {
  /// The most idle connections to keep; the daemon's loop needs one.
  private static let mostIdle = 4

  private struct Pool {
    var idle: [Connection] = []
    var isClosed = false
    /// The number of writes under way; until they end, no transaction outlasts its read.
    var writers = 0
    /// Counts the writes, to identify connections that were in use when one began.
    var era: UInt64 = 0
  }

  /// One connection with its statements.
  private final class Connection: @unchecked Sendable {
    // @unchecked: a connection is in the pool or belongs to the one thread that took it out.
    var reader: ItemReader

    init(_ path: String) throws(StorageError) {
      let database = try Database.open(path, .readOnly)
      try database.execute(ItemReaders.cache)
      reader = try ItemReader(database)
    }
  }

  /// 8 MiB, for the rows of about ten thousand items; memory is allocated only for what is read.
  private static let cache: StaticString = "PRAGMA cache_size = -8192"

  private let path: String
  private let pool = Mutex(Pool())

  /// Creates an empty pool for the database at `path`.
  init(path: String) { self.path = path }

  /// Lends a reader to `body`; returns nil if the pool is closed.
  func withReader<R: ~Copyable>(
    _ body: (inout ItemReader) throws(StorageError) -> R
  ) throws(StorageError) -> R? {
    let (idle, era, maySettle, isClosed) = pool.withLock { pool in
      (pool.idle.popLast(), pool.era, pool.writers == 0, pool.isClosed)
    }
    guard !isClosed else { return nil }
    let connection = if let idle { idle } else { try Connection(path) }
    defer { giveBack(connection, of: era) }
    if maySettle { try connection.reader.stay() }
    return try body(&connection.reader)
  }

  /// Runs `body`, which writes, while no idle connection is in a transaction.
  func whileWriting<R: ~Copyable>(_ body: () -> R) -> R {
    pool.withLock { pool in
      pool.writers += 1
      pool.era += 1
      // Under the lock, so that no connection is taken out meanwhile; ending a read-only
      // transaction takes a microsecond.
      for connection in pool.idle { connection.reader.leave() }
    }
    defer { pool.withLock { $0.writers -= 1 } }
    return body()
  }

  /// Closes idle connections at once, and those in use when they are returned.
  func close() {
    pool.withLock { pool in
      pool.isClosed = true
      pool.idle = []
    }
  }

  private func giveBack(_ connection: Connection, of era: UInt64) {
    pool.withLock { pool in
      if pool.era != era { connection.reader.leave() }
      if !pool.isClosed, pool.idle.count < Self.mostIdle { pool.idle.append(connection) }
    }
  }
}
