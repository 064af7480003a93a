import CLocalAuthSQLite
import CLocalAuthVFS
import LocalAuthKeychain

/// What SQLite asks for when it opens a file.
struct OpenRequest {
  enum Kind {
    case database
    case journal
    case temporary
    /// It has names of files only.
    case superJournal
  }

  let flags: Int32

  var kind: Kind {
    if flags & SQLITE_OPEN_MAIN_DB != 0 { return .database }
    if flags & (SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL) != 0 { return .journal }
    return flags & SQLITE_OPEN_SUPER_JOURNAL != 0 ? .superJournal : .temporary
  }

  var writes: Bool { flags & SQLITE_OPEN_READWRITE != 0 }
  var creates: Bool { flags & SQLITE_OPEN_CREATE != 0 }

  /// Apple's bits in the flags of `sqlite3_open_v2`; nil if there are none.
  private static func protection(bits flags: Int32) -> FileProtection?? {
    switch flags & Int32(la_vfs_protection_bits) {
    case 0: .some(nil)
    case 0x0010_0000: .complete
    case 0x0020_0000: .completeUnlessOpen
    case 0x0030_0000: .afterFirstUnlock
    case 0x0040_0000: .always
    default: nil
    }
  }

  /// The protection of a new database: what the URI says, or else the flags; nil for the default of its directory.
  ///
  /// Returns nothing if what they say is no protection.
  func protection(of name: UnsafePointer<CChar>) -> FileProtection?? {
    // SAFETY: SQLite's name is a C string with its parameters behind it; the value is copied at once.
    guard let value = unsafe la_vfs_parameter(name, "protection") else {
      return Self.protection(bits: flags)
    }
    guard let found = FileProtection(word: unsafe String(cString: value)) else { return nil }
    return .some(found)
  }
}
