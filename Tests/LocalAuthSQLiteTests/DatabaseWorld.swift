import CLocalAuthSQLite
import Foundation
import LocalAuthFiles
import LocalAuthTestKit
import LocalAuthTestSupport

@testable import LocalAuthSQLite

/// A code of SQLite, with what it says.
struct SQLiteError: Error, Equatable {
  let code: Int32

  static func check(_ code: Int32) throws {
    guard code == SQLITE_OK else { throw SQLiteError(code: code) }
  }
}

/// One connection of SQLite.
@safe final class Connection {
  private let handle: OpaquePointer

  init(_ uri: String, flags: Int32 = 0, vfs: String) throws {
    var opened: OpaquePointer?
    let all = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI | flags
    // SAFETY: the strings are C strings for the call.
    let code = unsafe ProtectedDatabases.open(uri, &opened, flags: all, vfs: vfs)
    guard code == SQLITE_OK, let opened = unsafe opened else {
      let extended = unsafe sqlite3_extended_errcode(opened)
      unsafe sqlite3_close(opened)
      throw SQLiteError(code: extended)
    }
    unsafe handle = opened
    unsafe sqlite3_extended_result_codes(handle, 1)
  }

  deinit { unsafe sqlite3_close_v2(handle) }

  /// Runs statements.
  func run(_ statements: String) throws {
    // SAFETY: the string is a C string for the call.
    try SQLiteError.check(unsafe sqlite3_exec(handle, statements, nil, nil, nil))
  }

  /// What a statement answers: the columns of all rows, separated by commas.
  func ask(_ statement: String) throws -> String {
    var prepared: OpaquePointer?
    // SAFETY: the string is a C string for the call, and the texts are copied before the next step.
    try SQLiteError.check(unsafe sqlite3_prepare_v2(handle, statement, -1, &prepared, nil))
    defer { unsafe sqlite3_finalize(prepared) }
    var found: [String] = []
    while true {
      let code = unsafe sqlite3_step(prepared)
      guard code == SQLITE_ROW else {
        if code != SQLITE_DONE { throw SQLiteError(code: code) }
        return found.joined(separator: ",")
      }
      for column in unsafe 0..<sqlite3_column_count(prepared) {
        found.append(
          unsafe sqlite3_column_text(prepared, column).map { unsafe String(cString: $0) } ?? "null"
        )
      }
    }
  }

  /// What SQLite says of the last error.
  var message: String { unsafe String(cString: sqlite3_errmsg(handle)) }
}

/// A device with a passcode, the file system of SQLite that it protects, and a directory for databases.
final class DatabaseWorld {
  let device: TestDevice
  let files: ProtectedFiles
  let vfs: String
  private let scratch = ScratchDirectory()

  init() throws {
    device = try TestDevice(passcode: "2468")
    vfs = "localauth-\(UUID().uuidString)"
    files = try ProtectedFiles(on: device.device)
    try ProtectedDatabases.register(files, name: vfs)
  }

  var directory: String { scratch.path }

  func path(_ name: String) -> String { "\(scratch.path)/\(name)" }

  func open(
    _ name: String = "notes.db",
    _ query: String = "",
    flags: Int32 = 0
  ) throws -> Connection {
    try Connection("file:\(path(name))\(query)", flags: flags, vfs: vfs)
  }

  /// Locks the device and lets the time pass for which the keys stay.
  func lockForGood() throws {
    try device.lock()
    try device.clock.advance(by: .seconds(11))
  }

  /// Unlocks the device, and waits until open files are told.
  func unlock() async throws {
    try device.unlock()
    for await found in files.changes where found == .available { break }
  }

  /// Lets the time pass for which the keys of a locked device stay, and waits until the open databases are told.
  func passGrace() async throws {
    try device.clock.advance(by: .seconds(11))
    for await found in files.changes where found == .locked { break }
  }

  func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path(name))))
  }

  func put(_ bytes: [UInt8], _ name: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
  }

  func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

  func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(name)) }

  /// All names in the directory.
  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: scratch.path).sorted() }
  }

  /// Whether a text stands in a file of the directory.
  func isOnDisk(_ text: String) throws -> Bool {
    let wanted = Data(text.utf8)
    return try names.contains { Data(try bytes($0)).range(of: wanted) != nil }
  }
}

/// The code that `body` ends with; nil if it ends well.
func code(_ body: () throws -> Void) -> Int32? {
  do { try body() } catch { return (error as? SQLiteError)?.code ?? -1 }
  return nil
}

/// The failure of `body` with files; nil if there is none.
func failure(_ body: () throws -> Void) -> FileFailure? {
  do { try body() } catch { return error as? FileFailure }
  return nil
}
