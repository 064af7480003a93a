import LocalAuthCore
import Synchronization

/// Connections that read items, each for one thread at a time.
///
/// Nobody waits for a connection: when all are in use another is opened, and a few are kept. An idle
/// connection stays in a transaction, which makes the next read cheaper, until somebody writes: it
/// would not show the change, and the log could not be emptied.
final class ItemReaders: Sendable {
  /// How many idle connections are kept; the daemon's loop needs one.
  private static let mostIdle = 4

  private struct Pool {
    var idle: [Connection] = []
    var isClosed = false
    /// How many are writing: until they have, transactions end with each read.
    var writers = 0
    /// Counts who wrote, so that a connection that was in use meanwhile is told from the others.
    var era: UInt64 = 0
  }

  /// One connection with its statements.
  private final class Connection: @unchecked Sendable {
    // @unchecked: it lies in the pool or belongs to the one thread that took it out.
    var reader: ItemReader

    init(_ path: String) throws(StorageError) {
      let database = try Database.open(path, .readOnly)
      try database.execute(ItemReaders.cache)
      reader = try ItemReader(database)
    }
  }

  /// 8 MiB, for the rows of some ten thousand items; memory is taken for what is read only.
  private static let cache: StaticString = "PRAGMA cache_size = -8192"

  private let path: String
  private let pool = Mutex(Pool())

  /// Connections to the database at `path`, none yet.
  init(path: String) { self.path = path }

  /// Lends a reader to `body`; nil when these were closed.
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

  /// Does `body`, which writes, while no idle connection is in a transaction.
  func whileWriting<R: ~Copyable>(_ body: () -> R) -> R {
    pool.withLock { pool in
      pool.writers += 1
      pool.era += 1
      // Under the lock, so that nobody takes one out meanwhile: ending a transaction that only read
      // costs a microsecond.
      for connection in pool.idle { connection.reader.leave() }
    }
    defer { pool.withLock { $0.writers -= 1 } }
    return body()
  }

  /// Closes what is idle; what is in use is closed when it comes back.
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
