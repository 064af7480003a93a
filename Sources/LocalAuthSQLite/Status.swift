import CLocalAuthSQLite
import CLocalAuthVFS
import Glibc
import LocalAuthFiles

/// What a call was to do, which decides between SQLite's codes.
enum Operation {
  case open, read, write, truncate, synchronize, size, lock, close

  /// The code for what has none of its own.
  fileprivate var code: Int32 {
    switch self {
    case .open: SQLITE_CANTOPEN
    case .read: Int32(la_ioerr_read)
    case .write: Int32(la_ioerr_write)
    case .truncate: Int32(la_ioerr_truncate)
    case .synchronize, .close: Int32(la_ioerr_fsync)
    case .size: Int32(la_ioerr_fstat)
    case .lock: Int32(la_ioerr_lock)
    }
  }
}

extension FileFailure {
  /// SQLite's code.
  ///
  /// A device that is locked is `SQLITE_CANTOPEN` for who opens, and `SQLITE_IOERR_AUTH` for who has
  /// the database open.
  func status(of operation: Operation) -> Int32 {
    switch self {
    case .locked where operation != .open: Int32(la_ioerr_auth)
    case .file(.system(_, ENOSPC)), .file(.system(_, EDQUOT)): SQLITE_FULL
    case .file(.busy): SQLITE_BUSY
    case .file(.notProtected) where operation == .open: SQLITE_NOTADB
    case .file(.damaged): operation == .open ? SQLITE_CORRUPT : Int32(la_ioerr_data)
    default: operation.code
    }
  }
}

/// Runs `body` and returns SQLite's code; what failed goes to SQLite's log.
func status(
  of operation: Operation,
  _ name: String = "the database",
  _ body: () throws(FileFailure) -> Int32
) -> Int32 {
  do throws(FileFailure) { return try body() } catch {
    let code = error.status(of: operation)
    unsafe la_vfs_log(code, error.message(about: name))
    return code
  }
}
