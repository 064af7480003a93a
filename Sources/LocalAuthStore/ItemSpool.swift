import Glibc
import LocalAuthCore
import LocalAuthKeychain

/// The items that one transaction writes.
enum ItemWrites: Sendable {
  case changes([ItemChange])
  case spool(ItemSpool)

  /// Whether any of them removes or replaces what is there.
  var erase: Bool {
    switch self {
    case .changes(let changes):
      changes.contains { change in
        switch change {
        case .add: false
        case .replace, .remove: true
        }
      }
    case .spool(let spool): spool.hasRemoved
    }
  }
}

/// Items that wait for one commit, in a database of their own.
///
/// Its file has a name only until its tables are there, so that a crash leaves nothing of any item. What it has
/// stays in its one transaction, and goes with it; SQLite keeps a few megabytes in memory and writes the rest.
final class ItemSpool: ItemSpooling, @unchecked Sendable {
  // @unchecked: one thread at a time uses it, as its owner promises.
  let device: DeviceIdentity
  /// Whether anything of the keychain is removed.
  var hasRemoved = false
  /// The place of the item that was taken in last.
  var lastPlace: Int64 = 0
  let statements: SpoolStatements
  private let database: Database

  /// Makes an empty one in a file beside the database at `path`; in memory if that is nil.
  init(of device: DeviceIdentity, beside path: String?) throws(StorageError) {
    let database: Database
    if let path {
      database = try Self.open(beside: path)
    } else {
      database = try Database.open("", .memory)
    }
    statements = try SpoolStatements(database)
    self.database = database
    self.device = device
  }

  /// The name that a spool of the database at `path` has for a moment.
  static func name(beside path: String) -> String { path + "-restore" }

  /// Removes what a crash in that moment has left.
  static func removeLeftover(beside path: String) {
    // SAFETY: the string is a C string for the call.
    unsafe unlink(name(beside: path))
  }

  private static func open(beside path: String) throws(StorageError) -> Database {
    removeLeftover(beside: path)
    let name = name(beside: path)
    // SAFETY: as above.
    let descriptor = unsafe Glibc.open(
      name,
      O_CREAT | O_EXCL | O_RDWR | O_NOFOLLOW | O_CLOEXEC,
      0o600
    )
    guard descriptor >= 0 else { throw .system(errno, file: name) }
    close(descriptor)
    defer { removeLeftover(beside: path) }
    return try Database.open(name, .readWrite)
  }
}
