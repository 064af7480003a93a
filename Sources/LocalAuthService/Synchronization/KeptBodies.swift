import LocalAuthSync

/// The sealed bodies that a device keeps beside its replicas, and how many bytes they are.
///
/// Each member may send as much as the hub has room for under keys that nobody has, so there is a limit on what is kept of
/// it, in the memory of the daemon and on the disk.
struct KeptBodies: Sendable {
  /// The most that waits to be opened, in bytes.
  static let waitingMax = 16 << 20
  /// The most that is kept of what merges overruled, in bytes.
  static let lostMax = 64 << 20

  private var table = Journaled<KeptBody, [UInt8]>()
  private(set) var waitingBytes = 0
  private(set) var lostBytes = 0

  /// The body that is kept; setting it notes the change.
  subscript(kept: KeptBody) -> [UInt8]? {
    get { table[kept] }
    set {
      count(kept, (newValue?.count ?? 0) - (table[kept]?.count ?? 0))
      table[kept] = newValue
    }
  }

  private mutating func count(_ kept: KeptBody, _ bytes: Int) {
    switch kept {
    case .waiting: waitingBytes += bytes
    case .lost: lostBytes += bytes
    case .sent: break
    }
  }

  /// Whether a body may wait too.
  func hasRoom(for bytes: [UInt8], as kept: KeptBody) -> Bool {
    waitingBytes - (table[kept]?.count ?? 0) + bytes.count <= Self.waitingMax
  }

  /// What is kept.
  var all: [KeptBody] { table.entries.map(\.key) }
  /// What was changed or removed.
  var changed: Set<KeptBody> { table.changed }

  /// Forgets what was changed, because it is written.
  mutating func settle() { table.settle() }
}
