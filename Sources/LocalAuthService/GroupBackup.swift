import LocalAuthBackup
import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthSync

/// Puts the documents, key-value stores and rows of the caller's groups into a backup, behind its items.
///
/// A document is an item for each chunk, and then one with its content, as a device without a circle keeps it. So it
/// is whole, and is what it was at one moment: one that is written while its chunks are read is begun anew, and chunks that no
/// content needs are worth nothing to a restore.
struct GroupBackup {
  /// A document whose chunks are being read.
  private struct Reading {
    let place: DocumentPlace
    let read: ReadDocument
    let content: DocumentContent
    var rest: ArraySlice<SyncDigest>
    var items: [SyncDigest: ItemIdentifier] = [:]
  }

  /// How often a document is begun anew because a program writes it.
  private static let attemptsMax = 16
  private static let listedMax = 64

  private let device: LiveDevice
  private let plan: BackupPlan
  private let isPartial: Bool
  private var kinds: ArraySlice<SearchTerm>
  private var cursor: ItemHash?
  private var stores: [String] = []
  private var documents: [DocumentKey] = []
  private var reading: Reading?
  private var rows = TableBackup()
  private var attempts = 0

  init(of device: LiveDevice, _ plan: BackupPlan, isPartial: Bool) {
    self.device = device
    self.plan = plan
    self.isPartial = isPartial
    let isWanted = plan.scope.covers(GroupPlace.protection)
    kinds = isWanted ? [KeyValuePlace.term, DocumentPlace.term] : []
    if !isWanted { rows.end() }
  }

  /// Whether there is nothing more to add.
  var isDone: Bool {
    kinds.isEmpty && stores.isEmpty && documents.isEmpty && reading == nil && rows.isDone
  }

  /// Adds a store, a chunk, a document or some rows, or looks for more of them.
  mutating func step(
    _ engine: Engine,
    _ writer: any BackupSealing,
    _ counts: inout BackupCounts
  ) throws(EngineError) {
    if let reading { return try go(on: reading, engine, writer, &counts) }
    if let store = stores.popLast() {
      counts.add(try add(store, engine, writer), GroupPlace.protection)
    } else if let key = documents.popLast() {
      attempts = 0
      try begin(key, engine, writer, &counts)
    } else if let kind = kinds.first {
      try list(kind, engine)
    } else if try isOpen(engine) {
      try rows.step(of: device, plan, engine, writer, &counts)
    } else {
      // As items that are locked they were counted.
      rows.end()
    }
  }

  private mutating func list(_ kind: SearchTerm, _ engine: Engine) throws(EngineError) {
    let lookup = device.passwords(with: kind)
    var items: [Item] = []
    let (after, vault) = (cursor, device.vault)
    let page = try engine.reading { (store) throws(StorageError) in
      try store.eachItem(lookup, after: after, limit: Self.listedMax) { stored in
        if let item = vault.item(stored) { items.append(item) }
        return true
      }
    }
    for item in items {
      if let key = DocumentPlace.key(of: item), plan.allows(key.container) {
        documents.append(key)
      } else if let store = KeyValuePlace.store(of: item), plan.allows(store) {
        stores.append(store)
      }
    }
    cursor = page.next
    if page.next == nil { kinds.removeFirst() }
  }

  /// Whether the class of stores and documents is open; throws if nothing may be left out.
  private func isOpen(_ engine: Engine) throws(EngineError) -> Bool {
    let isOpen = engine.isOpen(device)
    guard isOpen || isPartial else {
      throw .refused(Outcome(.itemLocked, detail: Engine.lockedMeanwhile))
    }
    return isOpen
  }

  // MARK: Stores

  private func add(
    _ store: String,
    _ engine: Engine,
    _ writer: any BackupSealing
  ) throws(EngineError) -> BackupDecision {
    guard try isOpen(engine) else { return .leftOut(.locked) }
    let place = KeyValuePlace(device: device, store: store)
    let read: ReadKeyValues
    do throws(EngineError) { read = try engine.read(place) } catch { return .leftOut(.otherDevice) }
    guard let item = read.item else { return .passedOver }
    var values = StoredKeyValues()
    // Also of a store that is over its quota each value is in the backup.
    values.zone = KeyValueZone(
      .withoutAccount,
      values: read.values.zone.values,
      pending: [],
      outgoing: []
    )
    let isAdded = writer.add(item, data: values.bytes, under: GroupPlace.protection)
    return isAdded ? .included(under: GroupPlace.protection) : .leftOut(.otherDevice)
  }

  // MARK: Documents

  private mutating func begin(
    _ key: DocumentKey,
    _ engine: Engine,
    _ writer: any BackupSealing,
    _ counts: inout BackupCounts
  ) throws(EngineError) {
    guard try isOpen(engine) else { return counts.add(.leftOut(.locked), GroupPlace.protection) }
    let place = DocumentPlace(key, on: device)
    let read = try engine.read(place, evenDamaged: true)
    // What was removed here, and what is being removed, is no document.
    guard read.isDamaged || read.document.content != nil else { return }
    guard let content = read.document.content, read.document.isComplete(content), read.item != nil
    else { return counts.add(.leftOut(.otherDevice), GroupPlace.protection) }
    let reading = Reading(place: place, read: read, content: content, rest: content.chunks[...])
    try go(on: reading, engine, writer, &counts)
  }

  /// Adds the next chunk, or the document after the last one.
  private mutating func go(
    on before: Reading,
    _ engine: Engine,
    _ writer: any BackupSealing,
    _ counts: inout BackupCounts
  ) throws(EngineError) {
    var reading = before
    self.reading = nil
    while let chunk = reading.rest.popFirst() {
      guard reading.items[chunk] == nil else { continue }
      guard try add(chunk, &reading, engine, writer) else {
        return try beginAnew(reading, engine, writer, &counts)
      }
      self.reading = reading
      return
    }
    counts.add(finish(reading, writer), GroupPlace.protection)
  }

  private func add(
    _ chunk: SyncDigest,
    _ reading: inout Reading,
    _ engine: Engine,
    _ writer: any BackupSealing
  ) throws(EngineError) -> Bool {
    guard let item = reading.read.document.chunks[chunk]?.item,
      let bytes = try engine.bytes(of: chunk, item, on: device)
    else { return false }
    reading.items[chunk] = item
    let model = reading.place.chunk(chunk, item, at: reading.content.date)
    return writer.add(model, data: Secret(copying: bytes), under: GroupPlace.protection)
  }

  /// Begins a document anew whose chunk is gone: it was written or removed meanwhile, or changed on the disk.
  private mutating func beginAnew(
    _ reading: Reading,
    _ engine: Engine,
    _ writer: any BackupSealing,
    _ counts: inout BackupCounts
  ) throws(EngineError) {
    attempts += 1
    let now = try engine.read(reading.place, evenDamaged: true).document
    guard now.content != reading.content || now.chunks != reading.read.document.chunks,
      attempts < Self.attemptsMax
    else { return counts.add(.leftOut(.otherDevice), GroupPlace.protection) }
    try begin(reading.place.key, engine, writer, &counts)
  }

  private func finish(_ reading: Reading, _ writer: any BackupSealing) -> BackupDecision {
    var plain = StoredDocument(reading.place.name)
    _ = plain.write(reading.content, adding: reading.items)
    guard let item = reading.read.item,
      writer.add(item, data: Secret(copying: plain.bytes), under: GroupPlace.protection)
    else { return .leftOut(.otherDevice) }
    return .included(under: GroupPlace.protection)
  }
}
