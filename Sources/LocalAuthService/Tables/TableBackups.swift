import LocalAuthBackup
import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthSync

/// Puts the rows of the caller's groups into a backup, in the order of their changes.
///
/// A row that was deleted is in none.
struct TableBackup {
  /// The number that the next rows come behind; nil once there are no more.
  private var cursor: UInt64? = 0
  private static let rowsAtOnce = 128

  var isDone: Bool { cursor == nil }

  /// Adds no more rows.
  mutating func end() { cursor = nil }

  /// Adds the next rows, until they fill a chunk.
  mutating func step(
    of device: LiveDevice,
    _ plan: BackupPlan,
    _ engine: Engine,
    _ writer: any BackupSealing,
    _ counts: inout BackupCounts
  ) throws(EngineError) {
    guard let cursor else { return }
    var rows: [BackupDecision] = []
    self.cursor = try engine.eachRow(of: device, behind: cursor, limit: Self.rowsAtOnce) { read in
      rows.append(Self.add(read, plan, writer))
      return !writer.hasChunk
    }
    for row in rows { counts.add(row, GroupPlace.protection) }
  }

  private static func add(
    _ read: ReadTableRow,
    _ plan: BackupPlan,
    _ writer: any BackupSealing
  ) -> BackupDecision {
    // One whose attributes are damaged was counted among the items.
    guard let item = read.item, let key = TablePlace.key(of: item),
      plan.allows(key.store.text)
    else { return .passedOver }
    guard !read.isDamaged else { return .leftOut(.otherDevice) }
    guard let row = read.row else { return .passedOver }
    let isAdded = writer.add(item, data: Secret(copying: row.bytes), under: GroupPlace.protection)
    return isAdded ? .included(under: GroupPlace.protection) : .leftOut(.otherDevice)
  }
}

// MARK: - Restoring

extension RestoreRun {
  /// Takes a row of the backup; its fate is known at once unless it is to be restored.
  func take(
    _ row: TableRow?,
    of key: TableKey,
    _ identifier: ItemIdentifier,
    _ engine: Engine
  ) throws(EngineError) -> RestoreFate? {
    guard plan.allows(key.store.text) else { return .skipped }
    guard let row else { return .damaged }
    let place = TablePlace(device: device, key: key)
    let now = device.now(engine.clock.now()).wall
    switch purpose {
    case .verify: return .restored
    case .preview:
      let isNew = try spooling(engine) { (spool) throws(StorageError) in
        try spool.note(place.keyHash, identifier)
      }
      guard isNew else { return .skipped }
      try count(0)
      return try engine.read(place).fate(of: row, at: now).fate
    case .restore:
      let item = place.item(
        engine.itemIdentifiers.next(at: now, using: &engine.random),
        created: now,
        modified: now
      )
      guard let sealed = place.sealed(item, row) else {
        throw .refused(Outcome(.itemLocked, detail: Engine.lockedMeanwhile))
      }
      let isTaken = try spooling(engine) { (spool) throws(StorageError) in
        try spool.take(sealed, digest: [])
      }
      guard isTaken else { return .skipped }
      try count(sealed.byteCount)
      groups.addRow(sealed.header.key)
      return nil
    }
  }
}

extension ReadTableRow {
  /// What becomes of a row of a backup, and the row after it was put back; one that would be too long stays as it is.
  fileprivate func fate(
    of backup: TableRow,
    at now: WallInstant
  ) -> (fate: RestoreFate, row: TableRow) {
    let before = row ?? TableRow()
    guard let restored = before.restored(from: backup, at: now) else { return (.skipped, before) }
    return (restored == row ? .older : .restored, restored)
  }
}

extension Engine {
  /// Decides about a row of a backup that waits in the spool under this key.
  func settle(row key: ItemHash, _ restoration: Restoration) throws(EngineError) {
    let run = restoration.run
    let device = run.device
    let now = device.now(clock.now())
    let spooled = try run.spooling(self) { (spool) throws(StorageError) in
      try spool.withItem(key) { Self.openRow($0, on: device, at: now.boot) }
    }
    guard let spooled, let backup = spooled.row, let item = spooled.item,
      let rowKey = TablePlace.key(of: item)
    else { throw .refused(Outcome(.itemLocked, detail: Self.lockedMeanwhile)) }
    let place = TablePlace(device: device, key: rowKey)
    let before = try read(place)
    let (fate, restored) = before.fate(of: backup, at: now.wall)
    restoration.report.add(fate)
    guard fate == .restored else {
      return try run.spooling(self) { (spool) throws(StorageError) in try spool.drop(key) }
    }
    let changes = try replacing(before, by: restored, place)
    try run.spooling(self) { (spool) throws(StorageError) in
      for change in changes {
        switch change {
        case .add(let sealed), .replace(let sealed): try spool.exchange(sealed)
        case .remove(_, let old): try spool.remove(old)
        }
      }
    }
    restoration.tables.insert(rowKey.store)
    restoration.hasDamagedRows = restoration.hasDamagedRows || before.isDamaged
  }

  /// Tells of the rows that a restore has brought.
  func tellTables(of restoration: Restoration) {
    guard !restoration.tables.isEmpty else { return }
    let device = restoration.run.device
    for store in restoration.tables { tellTables(store, on: device, except: nil) }
    device.synchronizer?.tablesChanged(isFollowed: false)
  }
}
