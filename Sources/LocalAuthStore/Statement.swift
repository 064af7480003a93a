import CLocalAuthSQLite
import LocalAuthCore

/// A value for a parameter of a statement.
enum StatementValue: Hashable {
  case null
  case integer(Int64)
  case text(String)
  case blob([UInt8])

  /// The number, or null.
  init(_ number: Int64?) { self = number.map { .integer($0) } ?? .null }
  /// The text, or null.
  init(_ text: String?) { self = text.map { .text($0) } ?? .null }
}

/// A prepared statement; finalized with the value.
@safe
struct Statement: ~Copyable {
  private let handle: OpaquePointer
  private let connection: OpaquePointer
  private let sql: StaticString
  private let file: String

  /// Takes over `handle`, which `connection` prepared; errors name `file`.
  @unsafe
  init(_ handle: OpaquePointer, connection: OpaquePointer, sql: StaticString, file: String) {
    unsafe self.handle = handle
    unsafe self.connection = connection
    self.sql = sql
    self.file = file
  }

  deinit {
    // SAFETY: the handle is finalized once, and the connection stays open until its statements are.
    unsafe sqlite3_finalize(handle)
  }

  /// Runs the statement with `values` as its parameters; returns the number of changed rows.
  @discardableResult
  func run(_ values: [StatementValue] = []) throws(StorageError) -> Int {
    try eachRow(values) { _ in }
    // SAFETY: the connection is open as long as one of its statements is.
    return Int(unsafe sqlite3_changes64(connection))
  }

  /// Runs the statement with `values` as its parameters and passes each row to `body`.
  func eachRow(
    _ values: [StatementValue] = [],
    _ body: (borrowing Row) throws(StorageError) -> Void
  ) throws(StorageError) {
    try rows(
      binding: { (_) throws(StorageError) in
        for (index, value) in values.enumerated() { try bind(value, at: Int32(index + 1)) }
      },
      { (row) throws(StorageError) in
        try body(row)
        return true
      }
    )
  }

  /// Runs a statement that returns no rows, with the parameters that `bind` sets; returns the number of
  /// changed rows.
  ///
  /// Lent bytes must stay valid until this returns.
  @discardableResult
  func run(
    binding bind: (borrowing Parameters) throws(StorageError) -> Void
  ) throws(StorageError) -> Int {
    try rows(binding: bind) { _ in true }
    // SAFETY: the connection is open as long as one of its statements is.
    return Int(unsafe sqlite3_changes64(connection))
  }

  /// Runs the statement with the parameters that `bind` sets, and passes each row to `body` until
  /// it returns false.
  ///
  /// Lent bytes must stay valid until this returns.
  func rows(
    binding bind: (borrowing Parameters) throws(StorageError) -> Void,
    _ body: (borrowing Row) throws(StorageError) -> Bool
  ) throws(StorageError) {
    defer {
      // SAFETY: the handle is valid; SQLite does not read the bound bytes after this. Reset repeats the error of the step,
      // which was thrown already.
      unsafe sqlite3_reset(handle)
      unsafe sqlite3_clear_bindings(handle)
    }
    try bind(unsafe Parameters(self.handle))
    while true {
      // SAFETY: the handle is valid and belongs to this thread for the call.
      let code = unsafe sqlite3_step(handle)
      switch code {
      case SQLITE_ROW: if try !body(unsafe Row(handle)) { return }
      case SQLITE_DONE: return
      default: throw error(code)
      }
    }
  }

  /// Binds a copy of the value: that takes tens of nanoseconds, little next to a synced write, and
  /// leaves no lifetime to observe.
  private func bind(_ value: StatementValue, at index: Int32) throws(StorageError) {
    let code: Int32
    switch value {
    case .null: code = unsafe sqlite3_bind_null(handle, index)
    case .integer(let number): code = unsafe sqlite3_bind_int64(handle, index, number)
    case .text(let text):
      var text = text
      code = text.withUTF8 { bytes in
        // SAFETY: the bytes live for the call; an empty text still needs an address.
        unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
          unsafe la_sqlite_bind_text(
            handle,
            index,
            characters.baseAddress ?? Self.nowhere,
            UInt64(characters.count)
          )
        }
      }
    case .blob(let blob):
      code = unsafe blob.withUnsafeBytes { bytes in
        // SAFETY: the bytes live for the call; an empty blob still needs an address.
        unsafe la_sqlite_bind_blob(
          handle,
          index,
          bytes.baseAddress ?? UnsafeRawPointer(Self.nowhere),
          UInt64(bytes.count)
        )
      }
    }
    guard code == SQLITE_OK else { throw error(code) }
  }

  /// An address for empty values, since SQLite reads a null pointer as NULL.
  private static var nowhere: UnsafePointer<CChar> {
    let empty: StaticString = ""
    // SAFETY: a static string lives for ever and has at least its ending zero.
    return unsafe UnsafeRawPointer(empty.utf8Start).assumingMemoryBound(to: CChar.self)
  }

  private func error(_ code: Int32) -> StorageError {
    // SAFETY: the connection is open as long as one of its statements is.
    unsafe DatabaseError(code: code, connection: connection, sql: sql.description)
      .storageError(file: file)
  }
}

/// The parameters of a statement that is about to run.
@safe
struct Parameters: ~Copyable {
  private let handle: OpaquePointer

  /// The parameters of `handle`.
  @unsafe
  init(_ handle: OpaquePointer) { unsafe self.handle = handle }

  /// Sets a number; an index without a parameter is a mistake in the statement and is ignored.
  func set(_ index: Int32, _ number: Int64) {
    // SAFETY: the handle is valid.
    unsafe sqlite3_bind_int64(handle, index, number)
  }

  /// Sets bytes, which SQLite copies; throws if there is no memory for them, so that NULL is not
  /// written instead.
  func copy(_ index: Int32, _ bytes: [UInt8]) throws(StorageError) {
    // SAFETY: the bytes live for the call; an empty value needs an address, or it would be NULL.
    let code = unsafe bytes.withUnsafeBytes { bytes in
      guard let place = unsafe bytes.baseAddress ?? Row.noBytes.baseAddress else {
        return SQLITE_MISUSE
      }
      return unsafe la_sqlite_bind_blob(handle, index, place, UInt64(bytes.count))
    }
    guard code == SQLITE_OK else {
      throw .failed("no memory for a value of \(bytes.count) bytes (SQLite \(code))")
    }
  }

  /// Lends bytes until the statement has run.
  @unsafe
  func lend(_ index: Int32, _ bytes: UnsafeRawBufferPointer) {
    // SAFETY: without a destructor SQLite does not copy; the caller keeps the bytes valid that
    // long.
    unsafe sqlite3_bind_blob64(handle, index, bytes.baseAddress, UInt64(bytes.count), nil)
  }
}

/// The current row of a statement; valid until its next step.
@safe
struct Row: ~Copyable {
  private let handle: OpaquePointer

  /// The current row of `handle`.
  @unsafe
  init(_ handle: OpaquePointer) { unsafe self.handle = handle }

  /// Whether the column is NULL.
  func isNull(_ column: Int32) -> Bool {
    // SAFETY: the statement stands on a row; a column out of range reads as null.
    unsafe sqlite3_column_type(handle, column) == SQLITE_NULL
  }

  /// The column as a number.
  func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

  /// The column as text; invalid UTF-8 is replaced.
  func text(_ column: Int32) -> String {
    // SAFETY: the text is copied before the row is left; the size is queried after the pointer.
    guard let start = unsafe sqlite3_column_text(handle, column) else { return "" }
    let size = Int(unsafe sqlite3_column_bytes(handle, column))
    return unsafe String(decoding: UnsafeBufferPointer(start: start, count: size), as: UTF8.self)
  }

  /// The column's bytes.
  func blob(_ column: Int32) -> [UInt8] {
    // SAFETY: the bytes are copied before the row is left; the size is queried after the pointer.
    guard let start = unsafe sqlite3_column_blob(handle, column) else { return [] }
    let size = Int(unsafe sqlite3_column_bytes(handle, column))
    return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: size))
  }

  /// The column's bytes in place, valid until the row is left; nil for NULL.
  @unsafe
  func borrowed(_ column: Int32) -> UnsafeRawBufferPointer? {
    // SAFETY: the size is queried after the pointer, which is nil for NULL and for an empty value.
    let start = unsafe sqlite3_column_blob(handle, column)
    if unsafe start == nil, isNull(column) { return nil }
    return unsafe UnsafeRawBufferPointer(
      start: start,
      count: Int(sqlite3_column_bytes(handle, column))
    )
  }
}
