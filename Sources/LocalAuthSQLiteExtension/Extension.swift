import CLocalAuthVFS
import LocalAuthFiles
import LocalAuthSQLite

/// What SQLite calls when a program loads `mod_localauth`: it registers the file system `localauth`.
///
/// - Parameters:
///   - database: The connection that loads it.
///   - message: Gets what went wrong; SQLite frees it.
///   - api: The functions of the SQLite that loads it.
/// - Returns: a code of SQLite.
@c(sqlite3_modlocalauth_init)
public func loadExtension(
  _ database: OpaquePointer?,
  _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
  _ api: UnsafeRawPointer?
) -> Int32 {
  guard let api = unsafe api else { return SQLITE_ERROR }
  unsafe la_vfs_use(api)
  do throws(FileFailure) { try ProtectedDatabases.register() } catch {
    unsafe message?.pointee = la_vfs_text(error.description)
    return SQLITE_ERROR
  }
  return Int32(la_ok_load_permanently)
}
