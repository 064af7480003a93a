import CLocalAuthSQLite

/// SQLite without any of our rules, as somebody with a shell would use it.
@safe
final class RawDatabase {
  struct Refused: Error, Equatable {
    var code: Int32
  }

  private var connection: OpaquePointer?

  init(_ path: String) throws {
    // SAFETY: the connection outlives the call.
    let code = unsafe sqlite3_open(path, &connection)
    guard code == SQLITE_OK else { throw Refused(code: code) }
  }

  deinit {
    // SAFETY: the connection is closed once; nil is ignored.
    unsafe sqlite3_close(connection)
  }

  func execute(_ sql: String) throws {
    // SAFETY: the connection is open.
    let code = unsafe sqlite3_exec(connection, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw Refused(code: code) }
  }
}
