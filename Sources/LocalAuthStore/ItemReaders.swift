import LocalAuthCore
import Synchronization

/// Connections that read items, each for one thread at a time.
///
/// Nobody waits for a connection: when all are in use another is opened, and a few are kept.
final class ItemReaders: Sendable {
  /// How many idle connections are kept; the daemon's loop needs one.
  private static let mostIdle = 4

  private struct Pool {
    var idle: [Connection] = []
    var isClosed = false
  }

  /// One connection with its statements.
  private final class Connection: @unchecked Sendable {
    // @unchecked: it lies in the pool or belongs to the one thread that took it out.
    var reader: ItemReader

    init(_ path: String) throws(StorageError) {
      reader = try ItemReader(Database.open(path, .readOnly))
    }
  }

  private let path: String
  private let pool = Mutex(Pool())

  /// Connections to the database at `path`, none yet.
  init(path: String) { self.path = path }

  /// Lends a reader to `body`; nil when these were closed.
  func withReader<R: ~Copyable>(
    _ body: (inout ItemReader) throws(StorageError) -> R
  ) throws(StorageError) -> R? {
    let (idle, isClosed) = pool.withLock { ($0.idle.popLast(), $0.isClosed) }
    guard !isClosed else { return nil }
    let connection = if let idle { idle } else { try Connection(path) }
    defer {
      pool.withLock { pool in
        if !pool.isClosed, pool.idle.count < Self.mostIdle { pool.idle.append(connection) }
      }
    }
    return try body(&connection.reader)
  }

  /// Closes what is idle; what is in use is closed when it comes back.
  func close() {
    pool.withLock { pool in
      pool.isClosed = true
      pool.idle = []
    }
  }
}
