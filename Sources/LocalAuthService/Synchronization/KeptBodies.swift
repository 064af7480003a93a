import LocalAuthSync

/// The sealed bodies that a device keeps beside its replicas, and how many bytes they are.
///
/// Each member may send as much as the hub has room for under keys that nobody has, so there is a limit on what is kept of
/// it, in the memory of the daemon and on the disk.
struct KeptBodies: Sendable {
  /// The most that waits to be opened, in bytes.
  static let waitingMax = 16 << 20
  /// The most that is kept of what merges overruled in a zone, in bytes: what loses in one zone takes no room from another.
  static let lostMax = 32 << 20

  private var table = Journaled<KeptBody, [UInt8]>()
  private(set) var waitingBytes = 0
  private var lost: [ZoneName: Int] = [:]

  /// How many bytes are kept of what merges overruled in a zone.
  func lostBytes(in zone: ZoneName) -> Int { lost[zone] ?? 0 }

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
    case .lost(let zone, _, _): lost[zone, default: 0] += bytes
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

extension Synchronizer.State {
  /// Forgets the oldest of what merges overruled in a zone, as far as it is more than is kept.
  mutating func dropOldestLosers(in zone: ZoneName) {
    while bodies.lostBytes(in: zone) > KeptBodies.lostMax,
      let entry = zones[zone]?.shelf.removeOldest()
    {
      bodies[.lost(zone, entry.name, entry.version.content)] = nil
    }
  }
}
