import CLocalAuthSQLite
import Glibc
import LocalAuthCore

/// An error of SQLite: its message and the statement, never the bound values.
struct DatabaseError: Error, Hashable {
  /// SQLite's extended result code.
  var code: Int32
  /// The `errno` behind it, or 0.
  var systemError: Int32
  /// SQLite's message.
  var message: String
  /// The statement, with its parameters as question marks.
  var sql: String

  /// The error to report for the store whose database is at `file`.
  func storageError(file: String) -> StorageError {
    if Self.duplicates.contains(code) { return .duplicate }
    // https://www.sqlite.org/rescode.html: the low byte is the primary code.
    return switch code & 0xff {
    case SQLITE_CORRUPT, SQLITE_NOTADB:
      .corrupt("\(file): \(message)")
    case SQLITE_FULL: .full
    case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: .owned
    case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH: .unwritable("\(file): \(message)")
    case SQLITE_IOERR, SQLITE_CANTOPEN: inputOutputError(file: file)
    default: .failed("\(file): \(message) (SQLite \(code)) in: \(sql)")
    }
  }

  /// SQLITE_CONSTRAINT_PRIMARYKEY and SQLITE_CONSTRAINT_UNIQUE; a row that violates any other
  /// constraint is a mistake of ours.
  private static let duplicates: Set<Int32> = [
    SQLITE_CONSTRAINT | 6 << 8, SQLITE_CONSTRAINT | 8 << 8,
  ]

  /// SQLITE_IOERR_SHMSIZE, which is an expression and therefore not imported.
  private static let cannotEnlargeIndex = SQLITE_IOERR | 19 << 8

  private func inputOutputError(file: String) -> StorageError {
    switch systemError {
    case ENOSPC, EDQUOT, EFBIG: return .full
    case EACCES, EPERM, EROFS:
      return .unwritable("\(file): \(StorageError.words(for: systemError))")
    case EWOULDBLOCK: return .owned
    default: break
    }
    // SQLite enlarges the log's index by writing to it, and drops the errno of that write.
    if code == Self.cannotEnlargeIndex { return .full }
    let cause = systemError == 0 ? "" : ", " + StorageError.words(for: systemError)
    return .failed("\(file): \(message)\(cause) (SQLite \(code)) in: \(sql)")
  }
}

extension StorageError {
  /// The message for the errno `number`.
  static func words(for number: Int32) -> String {
    // SAFETY: strerror returns a NUL-terminated string that is copied before any other call; every
    // errno of Linux has a constant text, so threads do not interfere.
    unsafe String(cString: strerror(number))
  }

  /// The error for a file on which a system call failed with the errno `number`.
  static func system(_ number: Int32, file: String) -> StorageError {
    switch number {
    case EACCES, EPERM, EROFS: .unwritable("\(file): \(words(for: number))")
    case ENOSPC, EDQUOT, EFBIG: .full
    default: .failed("\(file): \(words(for: number))")
    }
  }
}
