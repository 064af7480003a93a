import LocalAuthCore
import LocalAuthKeychain

/// The writing connection and what it knows about the database; used by one thread at a time.
struct Writer: ~Copyable {
  /// The log size, in pages, that is worth a checkpoint in an idle moment: 1 MiB.
  private static let pagesWorthCheckpoint = 256
  /// The log size, in pages, at which a commit runs a checkpoint before it completes: 16 MiB.
  private static let mostPages = 4096

  let database: Database
  let tagger: any RecordTagger
  let mirror: any SequenceMirroring
  /// The copy of the mirror, whose sync no commit waits for; see ``LedgerVerdict``.
  let copy: any SequenceMirroring
  /// Whether the copy was written since its last sync.
  var copyIsDirty = false
  var mirrorSync: MirrorSync
  var ledger: Ledger
  /// The ledger's tag in the database.
  var ledgerTag: [UInt8]
  /// Whether the mirror is known to hold the ledger's sequence.
  var isMirrored: Bool
  private var audit: AuditTable
  private var items: ItemTable
  private let sync: SyncTable
  let statements: WriterStatements
  /// The largest database, in pages, that closing rewrites after a removal: 16 MiB, a few tenths of
  /// a second.
  private static let mostPagesToRewrite: Int64 = 4096

  /// Whether the log may hold removed or replaced data; the next idle moment empties it.
  private var logHoldsErased: Bool
  /// Whether the database's pages may hold such data between their cells.
  private var pagesHoldErased: Bool
  /// Whether the database was opened read-only: every commit fails until the next start.
  private let isReadOnly: Bool

  private static let wasReadOnly =
    "the state could only be read when it was opened; let it be written and start again"

  /// Takes over `database` with the state `loaded` from it, and makes new distrust durable.
  ///
  /// In a read-only database distrust need not be durable: no commit can vouch for the rows, so
  /// each start detects it again.
  static func resume(
    _ database: consuming Database,
    loaded: Loaded,
    tagger: any RecordTagger,
    mirror: any SequenceMirroring,
    copy: any SequenceMirroring,
    quota: UserQuota = UserQuota()
  ) throws(StorageError) -> Writer {
    let isReadOnly = database.isReadOnly
    let audit = try AuditTable(database, linesKept: quota.auditLinesKept)
    let items = try ItemTable(database, quota)
    let sync = try SyncTable(database)
    let statements = try WriterStatements(database)
    var writer = Writer(
      database: database,
      tagger: tagger,
      mirror: mirror,
      copy: copy,
      mirrorSync: try MirrorSync(mirror),
      ledger: loaded.ledger,
      ledgerTag: tagger.tag(over: loaded.ledger.message),
      isMirrored: loaded.verdict == .intact && loaded.isCopied,
      audit: audit,
      items: items,
      sync: sync,
      statements: statements,
      logHoldsErased: false,
      pagesHoldErased: false,
      isReadOnly: isReadOnly
    )
    if writer.isReadOnly { return writer }
    if writer.database.hasPagesInLog {
      // A crash left these pages; they may hold removed data.
      writer.pagesHoldErased = true
      writer.logHoldsErased = !writer.database.checkpoint(truncating: true)
    }
    if loaded.hasNewDistrust || !loaded.raised.isEmpty {
      try writer.settleDistrust(raised: loaded.raised)
    }
    try writer.catchUpMirror()
    return writer
  }

  /// Makes `changes` durable in one transaction; a guarded one also writes the mirror and starts
  /// its sync.
  mutating func commit(
    _ changes: [StateChange],
    items itemChanges: ItemWrites = .changes([]),
    _ kind: CommitKind
  ) throws(StorageError) {
    guard !isReadOnly else { throw .unwritable(Self.wasReadOnly) }
    // A crash or power loss may leave the mirror one behind; it must never fall further behind.
    if kind == .guarded { try catchUpMirror() }
    var next = ledger
    if kind == .guarded { next.sequence += 1 }
    let tag: [UInt8]
    do {
      try statements.begin.run()
      let touchesLedger = try write(changes, &next) || kind == .guarded
      try write(itemChanges, of: next)
      try items.checkUsage()
      tag = touchesLedger ? try write(next) : ledgerTag
      try statements.end.run()
    } catch {
      // After some errors SQLite has already rolled back; this then changes nothing.
      try? database.execute("ROLLBACK")
      audit.transactionWasUndone()
      items.transactionWasUndone()
      throw error
    }
    audit.transactionWasCommitted()
    items.transactionWasCommitted()
    ledger = next
    ledgerTag = tag
    // Continuous writing leaves no idle moment for pruning.
    if audit.isLongOverdue { pruneAudit() }
    if Self.erases(changes, itemChanges) {
      logHoldsErased = true
      pagesHoldErased = true
    }
    if kind == .guarded {
      isMirrored = false
      try mirrorSequence()
    }
    if database.pagesInLog >= Self.mostPages { _ = database.checkpoint(truncating: false) }
  }

  private static func erases(_ changes: [StateChange], _ items: ItemWrites) -> Bool {
    items.erase
      || changes.contains { change in
        switch change {
        case .keybag, .deviceRemoved: true
        case .syncRow(_, let row): row.sealed == nil
        case .device, .audit, .watermarks: false
        }
      }
  }

  /// Does housekeeping in an idle moment; anything that fails is retried in a later one.
  mutating func tidy() {
    syncCopy()
    while audit.isOverdue, pruneAudit() {}
    if logHoldsErased {
      // A reader in the middle of a page blocks truncation; the next idle moment tries again.
      logHoldsErased = !database.checkpoint(truncating: true, waiting: false)
    } else if database.pagesInLog >= Self.pagesWorthCheckpoint {
      _ = database.checkpoint(truncating: false)
    }
  }

  /// Removes some of the oldest audit lines; returns false if that failed, and a later call
  /// retries.
  @discardableResult
  private mutating func pruneAudit() -> Bool {
    do {
      try statements.begin.run()
      try audit.pruneBatch()
      try statements.end.run()
      return true
    } catch {
      try? database.execute("ROLLBACK")
      return false
    }
  }

  private mutating func syncCopy() {
    guard copyIsDirty, (try? copy.sync()) != nil else { return }
    copyIsDirty = false
  }

  /// Moves the whole log into the database, so that the file is complete by itself.
  mutating func finish() {
    guard !isReadOnly else { return }
    // A failure leaves the mirror one behind, which the next start repairs.
    try? mirrorSync.finish()
    syncCopy()
    if pagesHoldErased { try? rewrite() }
    _ = database.checkpoint(truncating: true)
  }

  /// Rewrites all pages.
  ///
  /// When SQLite moves rows to another page, it leaves copies between the cells of the old one,
  /// which `secure_delete` does not overwrite.
  private func rewrite() throws(StorageError) {
    guard try database.text("PRAGMA journal_mode") == "wal",
      try database.integer("PRAGMA page_count") ?? 0 <= Self.mostPagesToRewrite
    else { return }
    // In memory, so that no copy of the data passes through a temporary file.
    try database.execute("PRAGMA temp_store = MEMORY; VACUUM")
  }

  /// Reads a page of audit lines, for a database that has no other connection.
  func readAudit(
    owner: UInt32,
    device: String?,
    before: EvaluationID? = nil,
    limit: Int
  ) throws(StorageError) -> [AuditRecord] {
    var reader = try AuditReader(database)
    return try reader.read(owner: owner, device: device, before: before, limit: limit)
  }

  /// Makes an item reader, for a database that has no other connection.
  func itemReader() throws(StorageError) -> ItemReader { try ItemReader(database) }

  /// Writes the changes; returns whether the ledger must be written too.
  private mutating func write(
    _ changes: [StateChange],
    _ next: inout Ledger
  ) throws(StorageError) -> Bool {
    var touchesLedger = false
    for change in changes {
      switch change {
      case .device(let record):
        try write(record, &next)
        touchesLedger = true
      case .deviceRemoved(let identity):
        try statements.removeDevice.run([.integer(Int64(identity.owner)), .text(identity.name)])
        if next.remove(identity) {
          touchesLedger = true
          next.watermark.removedAt = next.sequence
        }
        next.watermark.put(CountHeights(), of: identity, tagger)
        try removeKeybag(of: identity, &next)
        if let keychain = try items.existingNumber(of: identity) {
          try sync.removeRows(of: keychain)
        }
        try write(nil, asWatermarksOf: identity, &next)
        try items.removeAll(of: identity)
      case .keybag(let identity, let sealed?):
        try write(sealed, of: identity, &next)
        touchesLedger = true
      case .keybag(let identity, nil):
        try removeKeybag(of: identity, &next)
        touchesLedger = true
      case .syncRow(let identity, let row):
        // As for items: rows of a removed device would reappear with the next one of that name.
        guard next[identity] != nil else { throw .missing }
        try sync.write(row, of: items.number(for: identity))
      case .watermarks(let identity, let places):
        guard next[identity] != nil else { throw .missing }
        try write(places, asWatermarksOf: identity, &next)
        touchesLedger = true
      case .audit(let record): try audit.put(record)
      }
    }
    return touchesLedger
  }

  func write(_ record: DeviceRecord, _ next: inout Ledger) throws(StorageError) {
    next.watermark.put(record.heights, of: record.identity, tagger)
    let identity = record.identity
    let bytes = DeviceCoding.encode(record)
    let message = Ledger.message(.device, of: identity, sequence: next.sequence, bytes)
    let entry = Ledger.Entry(
      identity: identity,
      tag: tagger.tag(over: message),
      isTrusted: next.trusts(record)
    )
    try statements.putDevice.run([
      .integer(Int64(identity.owner)), .text(identity.name),
      .integer(Int64(bitPattern: next.sequence)), .integer(entry.isTrusted ? 1 : 0), .blob(bytes),
      .blob(entry.tag),
    ])
    next.put(entry)
  }

  private func write(
    _ sealed: [UInt8],
    of identity: DeviceIdentity,
    _ next: inout Ledger
  ) throws(StorageError) {
    guard next[identity] != nil else { throw .missing }
    let message = Ledger.message(.keybag, of: identity, sequence: next.sequence, sealed)
    let tag = tagger.tag(over: message)
    try statements.rewriteKeybags(
      without: identity,
      adding: [
        .integer(Int64(identity.owner)), .text(identity.name),
        .integer(Int64(bitPattern: next.sequence)), .blob(sealed), .blob(tag),
      ]
    )
    next.putKeybag(Ledger.Part(identity: identity, tag: tag))
  }

  private func write(
    _ places: [UInt8]?,
    asWatermarksOf identity: DeviceIdentity,
    _ next: inout Ledger
  ) throws(StorageError) {
    guard let places else {
      try sync.write(nil, of: identity)
      return next.removeWatermarks(of: identity)
    }
    let message = Ledger.message(.watermark, of: identity, sequence: next.sequence, places)
    let tag = tagger.tag(over: message)
    try sync.write(
      WatermarkRow(sequence: next.sequence, places: places, tag: tag),
      of: identity
    )
    next.putWatermarks(Ledger.Part(identity: identity, tag: tag))
  }

  private func removeKeybag(
    of identity: DeviceIdentity,
    _ next: inout Ledger
  ) throws(StorageError) {
    try statements.rewriteKeybags(without: identity, adding: nil)
    next.removeKeybag(of: identity)
  }

  private mutating func write(_ writes: ItemWrites, of next: Ledger) throws(StorageError) {
    switch writes {
    case .changes(let changes): try write(changes, of: next)
    case .spool(let spool):
      // Otherwise items of a removed device would reappear with the next device of that name.
      guard next[spool.device] != nil else { throw .missing }
      try spool.eachRemoved { (identifier) throws(StorageError) in
        try items.remove(identifier, of: spool.device)
      }
      try spool.eachAdded { (item) throws(StorageError) in
        try items.insert(item.copied())
        // A spool beyond the quota ends here, and not after everybody has waited for all of it.
        try items.checkUsage()
      }
    }
  }

  private mutating func write(_ changes: [ItemChange], of next: Ledger) throws(StorageError) {
    for change in changes {
      switch change {
      case .add(let item):
        // Otherwise items of a removed device would reappear with the next device of that name.
        guard next[item.header.device] != nil else { throw .missing }
        try items.insert(item)
      case .replace(let item):
        guard try items.remove(item.header.identifier, of: item.header.device) else {
          throw .missing
        }
        try items.insert(item)
      case .remove(let device, let identifier): try items.remove(identifier, of: device)
      }
    }
  }

  /// Replaces the ledger if it is the one this writer knows; any other means that another process
  /// writes here too.
  private func write(_ next: Ledger) throws(StorageError) -> [UInt8] {
    let tag = tagger.tag(over: next.message)
    let changed = try statements.putLedger.run([
      .integer(Int64(bitPattern: next.sequence)), .integer(next.mayHaveLostDevices ? 0 : 1),
      .blob(tag), .blob(ledgerTag),
    ])
    guard changed == 1 else { throw .owned }
    return tag
  }
}
