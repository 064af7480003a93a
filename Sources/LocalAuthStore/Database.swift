import CLocalAuthSQLite
import LocalAuthCore
import LocalAuthKeychain

/// One connection to SQLite; closed with the value.
///
/// The connection has no lock of its own (`SQLITE_OPEN_NOMUTEX`): only the holder of the value may
/// use it.
@safe
struct Database: ~Copyable {
  /// How the connection is used.
  enum Access {
    case readWrite
    case readOnly
    /// A database in memory, which is lost when the connection closes.
    case memory
  }

  private let handle: OpaquePointer
  /// The file name for error messages.
  private let file: String
  /// The number of pages in the write-ahead log after the last commit; SQLite's hook sets it.
  private let logPages: UnsafeMutablePointer<Int32>

  /// Opens the file at `path`, which must exist unless `access` is `.memory`.
  ///
  /// Opening writes nothing, and neither does closing: a log is left as it is.
  static func open(_ path: String, _ access: Access) throws(StorageError) -> Database {
    // SQLite would read a name that begins like a URI as one.
    let name = access == .memory ? ":memory:" : path.hasPrefix("/") ? path : "./" + path
    let database = try Database(name: name, access: access)
    try database.configure()
    return database
  }

  private init(name: String, access: Access) throws(StorageError) {
    let flags = access == .readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
    var opened: OpaquePointer?
    // SAFETY: `opened` outlives the call; SQLite sets it even on failure, unless memory runs out.
    let code = unsafe sqlite3_open_v2(
      name,
      &opened,
      flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE,
      nil
    )
    guard code == SQLITE_OK, let connection = unsafe opened else {
      // SAFETY: closing is allowed, and needed, after a failed open; nil is ignored.
      let error = unsafe DatabaseError(code: code, connection: opened, sql: "open")
      unsafe sqlite3_close_v2(opened)
      throw error.storageError(file: name)
    }
    unsafe handle = connection
    file = name
    unsafe logPages = .allocate(capacity: 1)
    unsafe logPages.initialize(to: 0)
  }

  deinit {
    // SAFETY: the handle is closed once; a statement finalized later keeps the connection alive
    // until then.
    unsafe sqlite3_close_v2(handle)
    unsafe logPages.deallocate()
  }

  /// Hardens the connection: others may have written the file, so nothing in its schema may run.
  private func configure() throws(StorageError) {
    let options: [(Int32, Int32)] = [
      (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
      (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0), (SQLITE_DBCONFIG_ENABLE_VIEW, 0),
      (SQLITE_DBCONFIG_ENABLE_FKEY, 1), (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0),
      (SQLITE_DBCONFIG_DQS_DDL, 0), (SQLITE_DBCONFIG_DQS_DML, 0),
      // Checkpoints run only on request: a file that is refused stays as it was.
      (SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1),
    ]
    for (option, value) in options {
      // SAFETY: the handle is open.
      let code = unsafe la_sqlite_configure(handle, option, value)
      guard code == SQLITE_OK else { throw error(code, "configure") }
    }
    // SAFETY: the handle is open. No row of ours is longer than an item.
    unsafe sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(SealedItem.mostBytes + 1 << 16))
    unsafe sqlite3_busy_timeout(handle, Self.patience)
    try execute("PRAGMA cell_size_check = ON")
  }

  /// Runs statements and ignores any rows.
  func execute(_ sql: StaticString) throws(StorageError) {
    // SAFETY: a static string lives for ever and ends with a zero.
    let code = unsafe sqlite3_exec(handle, sql.characters, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(code, sql.description) }
  }

  /// Prepares one statement for repeated use.
  func prepare(_ sql: StaticString) throws(StorageError) -> Statement {
    var statement: OpaquePointer?
    // SAFETY: a static string lives for ever; the count includes its ending zero.
    let code = unsafe sqlite3_prepare_v3(
      handle,
      sql.characters,
      Int32(sql.utf8CodeUnitCount + 1),
      UInt32(SQLITE_PREPARE_PERSISTENT),
      &statement,
      nil
    )
    guard code == SQLITE_OK, let prepared = unsafe statement else {
      throw error(code, sql.description)
    }
    return unsafe Statement(prepared, connection: handle, sql: sql, file: file)
  }

  /// The first column of the last row, as a number; nil without a row.
  func integer(_ sql: StaticString) throws(StorageError) -> Int64? {
    var answer: Int64?
    try prepare(sql).eachRow { row in answer = row.integer(0) }
    return answer
  }

  /// The first column of the last row, as text; nil without a row.
  func text(_ sql: StaticString) throws(StorageError) -> String? {
    var answer: String?
    try prepare(sql).eachRow { row in answer = row.text(0) }
    return answer
  }

  /// Starts counting the pages of the log; see ``pagesInLog``.
  ///
  /// SQLite has one such hook per connection and would use it for automatic checkpoints.
  func countLogPages() {
    // SAFETY: `logPages` lives until the connection is closed, and SQLite calls the hook on our
    // thread.
    unsafe sqlite3_wal_hook(
      handle,
      { context, _, _, pages in
        unsafe context?.storeBytes(of: pages, as: Int32.self)
        return SQLITE_OK
      },
      logPages
    )
  }

  /// The number of pages in the write-ahead log after the last commit.
  var pagesInLog: Int {
    // SAFETY: the counter lives as long as `self` and is written on the thread that reads it.
    unsafe Int(logPages.pointee)
  }

  /// Whether the log has pages, including any that another process left.
  var hasPagesInLog: Bool {
    var total: Int32 = 0
    // SAFETY: the handle is open and the number outlives the call; only committed pages are moved.
    unsafe sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, &total, nil)
    return total > 0
  }

  /// How long to wait for another connection's lock, in milliseconds.
  private static let patience: Int32 = 1000

  /// Moves the log's pages into the database; returns whether all were moved.
  ///
  /// Failure costs nothing: the log still has every page. Truncating needs a moment without
  /// readers, and waits for one unless `waiting` is false.
  func checkpoint(truncating: Bool, waiting: Bool = true) -> Bool {
    // SAFETY: the handle is open.
    if !waiting { unsafe sqlite3_busy_timeout(handle, 0) }
    defer { if !waiting { unsafe sqlite3_busy_timeout(handle, Self.patience) } }
    var total: Int32 = 0
    var moved: Int32 = 0
    let mode = truncating ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE
    // SAFETY: the handle is open and both numbers outlive the call.
    let code = unsafe sqlite3_wal_checkpoint_v2(handle, nil, mode, &total, &moved)
    guard code == SQLITE_OK, total == moved else { return false }
    unsafe logPages.pointee = 0
    return true
  }

  /// Whether the database is read-only, on request or because the file cannot be written.
  var isReadOnly: Bool {
    // SAFETY: the handle is open.
    unsafe sqlite3_db_readonly(handle, nil) == 1
  }

  private func error(_ code: Int32, _ sql: String) -> StorageError {
    // SAFETY: the handle is open.
    unsafe DatabaseError(code: code, connection: handle, sql: sql).storageError(file: file)
  }
}

extension StaticString {
  /// The characters as a C string.
  fileprivate var characters: UnsafePointer<CChar> {
    // SAFETY: both types are one byte, and the string is never freed.
    unsafe UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self)
  }
}

extension DatabaseError {
  /// The error that `connection` has just reported.
  @unsafe
  init(code: Int32, connection: OpaquePointer?, sql: String) {
    // SAFETY: SQLite accepts nil here, and the text is copied before the next call.
    let words = unsafe String(cString: sqlite3_errmsg(connection))
    let number = unsafe connection.map { unsafe sqlite3_system_errno($0) } ?? 0
    let isIO = code & 0xff == SQLITE_IOERR
    let cause = unsafe isIO && number == 0 ? Self.lastErrorOfLog(connection) : number
    self.init(code: code, systemError: cause, message: words, sql: sql)
  }

  /// The errno of the last failed write to the log; a commit that fails there does not report it.
  @unsafe
  private static func lastErrorOfLog(_ connection: OpaquePointer?) -> Int32 {
    var log: UnsafeMutablePointer<sqlite3_file>?
    var number: Int32 = 0
    // SAFETY: the file belongs to the connection, which is open and used by no other thread while
    // this runs; both calls write their answer into a local variable.
    guard let connection = unsafe connection,
      unsafe sqlite3_file_control(connection, nil, SQLITE_FCNTL_JOURNAL_POINTER, &log) == SQLITE_OK,
      let file = unsafe log, let methods = unsafe file.pointee.pMethods,
      unsafe methods.pointee.xFileControl?(file, SQLITE_FCNTL_LAST_ERRNO, &number) == SQLITE_OK
    else { return 0 }
    return number
  }
}
