import LocalAuthBackup
import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthSync

/// The documents, key-value stores and rows of a backup that is read.
///
/// Chunks and rows wait in the spool as they come. What becomes of them is decided once nothing else can change the
/// device.
struct GroupRestore {
  /// A document of the backup.
  struct Document {
    let key: DocumentKey
    let content: DocumentContent
    /// Its chunks in the spool, and others that came under its name.
    let chunks: [SyncDigest: ItemIdentifier]
  }

  /// The chunks that came, also of documents that did not: where they wait, and their bytes.
  private var chunks: [DocumentKey: [SyncDigest: (item: ItemIdentifier, size: Int)]] = [:]
  private var documents: [DocumentKey: DocumentContent] = [:]
  private var stores: [String: StoredKeyValues] = [:]
  /// The rows in the spool, in the order of the backup.
  private var rows: [ItemHash] = []
  /// What opens protected files, in the spool.
  var fileKeys: [ItemHash] = []
  private static let rowsAtOnce = 128

  /// Whether a chunk came before.
  func holds(_ chunk: SyncDigest, of key: DocumentKey) -> Bool { chunks[key]?[chunk] != nil }

  mutating func add(
    _ chunk: SyncDigest,
    of key: DocumentKey,
    _ item: ItemIdentifier,
    size: Int
  ) {
    chunks[key, default: [:]][chunk] = (item, size)
  }

  /// Takes a document; false if a chunk of it did not come or has too many bytes or too few, or if it came before.
  mutating func add(_ content: DocumentContent, of key: DocumentKey) -> Bool {
    guard documents[key] == nil else { return false }
    let came = chunks[key] ?? [:]
    var left = content.size
    for chunk in content.chunks {
      let size = min(left, UInt64(DocumentChunk.size))
      guard let found = came[chunk], UInt64(found.size) == size else { return false }
      left -= size
    }
    documents[key] = content
    return true
  }

  /// Takes a store; false if it came before.
  mutating func add(_ values: StoredKeyValues, of store: String) -> Bool {
    guard stores[store] == nil else { return false }
    stores[store] = values
    return true
  }

  mutating func addRow(_ key: ItemHash) { rows.append(key) }

  mutating func takeRows() -> [ItemHash] {
    let next = Array(rows.prefix(Self.rowsAtOnce))
    rows.removeFirst(next.count)
    return next
  }

  /// The next document to decide about, and the chunks of it.
  mutating func takeDocument() -> Document? {
    guard let (key, content) = documents.popFirst() else { return nil }
    let came = chunks.removeValue(forKey: key) ?? [:]
    return Document(key: key, content: content, chunks: came.mapValues(\.item))
  }

  /// The next chunks that are of no document.
  mutating func takeLeftOver() -> (key: DocumentKey, chunks: [SyncDigest])? {
    chunks.popFirst().map { ($0.key, Array($0.value.keys)) }
  }

  mutating func takeStore() -> (store: String, values: StoredKeyValues)? {
    stores.popFirst().map { ($0.key, $0.value) }
  }
}

// MARK: - Reading

extension RestoreRun {
  /// Whether a chunk, a document, a store or a row is to be restored; what opens files is no group's, and comes back with all
  /// groups.
  func covers(own item: Item) -> Bool {
    if let key = CarriedFileKey(item) {
      return plan.scope.groups == nil && plan.scope.covers(key.protection.protectionClass)
    }
    let group =
      DocumentPlace.chunk(of: item)?.document.container ?? DocumentPlace.key(of: item)?.container
      ?? KeyValuePlace.store(of: item) ?? TablePlace.key(of: item)?.store.text
    return plan.scope.covers(GroupPlace.protection) && group.map { plan.scope.covers($0) } ?? true
  }

  /// Takes a chunk, a document, a store or a row of the backup.
  ///
  /// - Returns: what becomes of it; nil for a chunk, which is nothing by itself.
  func take(
    own item: Item,
    _ data: SecretBox?,
    sealedUnder: ProtectionClass?,
    _ engine: Engine
  ) throws(EngineError) -> RestoredItem? {
    if let key = CarriedFileKey(item) {
      return try take(key, item, data, sealedUnder: sealedUnder, engine)
    }
    guard sealedUnder == GroupPlace.protection, let data = data?.take() else {
      return RestoredItem(name: "", identifier: item.identifier, fate: .skipped)
    }
    if let (key, chunk) = DocumentPlace.chunk(of: item) {
      try take(chunk, of: key, StoredKeyValues.bytes(of: data), item.identifier, engine)
      return nil
    }
    // Documents and stores wait in memory, whatever the backup is read for.
    if TablePlace.key(of: item) == nil { try count(data.count) }
    var restored = RestoredItem(name: "", identifier: item.identifier, fate: .skipped)
    if let key = DocumentPlace.key(of: item) {
      restored.name = key.name.text
      restored.fate = try take(StoredDocument(StoredKeyValues.bytes(of: data)), of: key, engine)
    } else if let store = KeyValuePlace.store(of: item) {
      restored.name = store
      restored.fate = try take(try? StoredKeyValues(data), of: store, engine)
    } else if let key = TablePlace.key(of: item) {
      restored.name = key.table.text + "/" + key.row.text
      restored.fate = try take(
        TableRow(StoredKeyValues.bytes(of: data)),
        of: key,
        item.identifier,
        engine
      )
    }
    return restored
  }

  private func take(
    _ chunk: SyncDigest,
    of key: DocumentKey,
    _ bytes: [UInt8],
    _ identifier: ItemIdentifier,
    _ engine: Engine
  ) throws(EngineError) {
    guard plan.allows(key.container), !groups.holds(chunk, of: key),
      engine.hash.digest(of: bytes) == chunk
    else { return }
    guard case .restore = purpose else {
      try count(0)
      return groups.add(chunk, of: key, identifier, size: bytes.count)
    }
    let now = device.now(engine.clock.now()).wall
    let place = DocumentPlace(key, on: device)
    let model = place.chunk(
      chunk,
      engine.itemIdentifiers.next(at: now, using: &engine.random),
      at: now
    )
    guard let sealed = place.sealed(model, bytes) else {
      throw .refused(Outcome(.itemLocked, detail: Engine.lockedMeanwhile))
    }
    let isTaken = try spooling(engine) { (spool) throws(StorageError) in
      try spool.take(sealed, digest: [])
    }
    try count(sealed.byteCount)
    if isTaken { groups.add(chunk, of: key, model.identifier, size: bytes.count) }
  }

  private func take(
    _ document: StoredDocument?,
    of key: DocumentKey,
    _ engine: Engine
  ) throws(EngineError) -> RestoreFate? {
    guard plan.allows(key.container) else { return .skipped }
    guard let document, document.name == key.name, let content = document.content,
      groups.add(content, of: key)
    else { return .damaged }
    switch purpose {
    case .verify: return .restored
    case .preview:
      let before = try engine.read(DocumentPlace(key, on: device), evenDamaged: true)
      return try engine.fate(of: content, meeting: before, on: device)
    case .restore: return nil
    }
  }

  private func take(
    _ values: StoredKeyValues?,
    of store: String,
    _ engine: Engine
  ) throws(EngineError) -> RestoreFate? {
    guard plan.allows(store) else { return .skipped }
    guard let values, values.isSound, groups.add(values, of: store) else { return .damaged }
    switch purpose {
    case .verify: return .restored
    case .preview:
      return try engine.fate(of: values, in: KeyValuePlace(device: device, store: store)).fate
    case .restore: return nil
    }
  }
}

extension StoredKeyValues {
  /// Whether a program could have written each value, though not all of them where devices filled a quota together.
  fileprivate var isSound: Bool {
    do throws(EngineError) {
      for (key, value) in zone.values {
        var batch = KeyValueBatch()
        try batch.add([KeyValueChange(key.text, value.content)])
        guard try batch.writes().first?.value == value else { return false }
      }
      return true
    } catch { return false }
  }
}

// MARK: - Deciding

extension Engine {
  /// What becomes of a document of a backup: the later one stands, and what is damaged here is put back.
  func fate(
    of content: DocumentContent,
    meeting before: ReadDocument,
    on device: LiveDevice
  ) throws(EngineError) -> RestoreFate {
    guard let here = before.document.content else { return .restored }
    guard here.hasBytes(of: content) else { return here.date < content.date ? .restored : .older }
    for chunk in Set(here.chunks) {
      guard let item = before.document.chunks[chunk]?.item,
        try bytes(of: chunk, item, on: device) != nil
      else { return .restored }
    }
    return .older
  }

  /// What becomes of a store of a backup, the values whose keys the store here has not, and whether what it had is lost.
  func fate(
    of values: StoredKeyValues,
    in place: KeyValuePlace
  ) throws(EngineError) -> (
    fate: RestoreFate, missing: [KeyValueKey: KeyValueZone.Value], isLost: Bool
  ) {
    let before = try read(place, evenDamaged: true)
    let missing = values.zone.values.filter { before.values.zone.values[$0.key] == nil }
    if before.isLost { return (.restored, missing, true) }
    if missing.isEmpty { return (.older, missing, false) }
    return (before.values.zone.canRestore ? .restored : .skipped, missing, false)
  }

  /// Decides about the next document, store or rows of a backup; false once there is none.
  func settleGroups(_ restoration: Restoration) throws(EngineError) -> Bool {
    guard case .restore = restoration.run.purpose else { return false }
    if let document = restoration.run.groups.takeDocument() {
      try settle(document, restoration)
    } else if let (key, chunks) = restoration.run.groups.takeLeftOver() {
      try drop(chunks, of: key, restoration)
    } else if let (store, values) = restoration.run.groups.takeStore() {
      let place = KeyValuePlace(device: restoration.run.device, store: store)
      let (fate, missing, isLost) = try fate(of: values, in: place)
      restoration.report.add(fate)
      if fate == .restored { restoration.stores.append((place, missing, isLost)) }
    } else if let key = restoration.run.groups.fileKeys.popLast() {
      try settle(fileKey: key, restoration)
    } else {
      let rows = restoration.run.groups.takeRows()
      for row in rows { try settle(row: row, restoration) }
      return !rows.isEmpty
    }
    return true
  }

  private func settle(
    _ document: GroupRestore.Document,
    _ restoration: Restoration
  ) throws(EngineError) {
    let run = restoration.run
    let place = DocumentPlace(document.key, on: run.device)
    let before = try read(place, evenDamaged: true)
    let fate = try fate(of: document.content, meeting: before, on: run.device)
    restoration.report.add(fate)
    guard fate == .restored else {
      return try drop(Array(document.chunks.keys), of: place.key, restoration)
    }
    let needed = Set(document.content.chunks)
    var added = document.chunks.filter { needed.contains($0.key) }
    for chunk in added.keys {
      // What is here whole stays, with what the circle knows of it.
      guard let item = before.document.chunks[chunk]?.item,
        try bytes(of: chunk, item, on: run.device) != nil
      else { continue }
      added[chunk] = nil
    }
    try drop(document.chunks.keys.filter { added[$0] == nil }, of: place.key, restoration)
    var after = before.document
    var gone = Set(after.write(document.content, adding: added))
    if before.isDamaged { gone.formUnion(try chunks(of: place)) }
    guard let sealed = place.sealed(item(of: before, place), after.bytes) else {
      throw .refused(Outcome(.itemLocked, detail: Self.lockedMeanwhile))
    }
    for chunk in added.keys {
      if let occupant = try occupant(ofKey: place.keyHash(of: chunk), on: run.device) {
        gone.insert(occupant)
      }
    }
    if let occupant = try occupant(ofKey: sealed.header.key, on: run.device) {
      gone.insert(occupant)
    }
    let isTaken = try run.spooling(self) { (spool) throws(StorageError) in
      for item in gone { try spool.remove(item) }
      return try spool.take(sealed, digest: [])
    }
    guard isTaken else {
      throw .internalError("Two documents of the backup would be one; nothing was changed.")
    }
    restoration.documents.append((place, before.isDamaged))
  }

  private func drop(
    _ chunks: [SyncDigest],
    of key: DocumentKey,
    _ restoration: Restoration
  ) throws(EngineError) {
    let place = DocumentPlace(key, on: restoration.run.device)
    try restoration.run.spooling(self) { (spool) throws(StorageError) in
      for chunk in chunks { try spool.drop(place.keyHash(of: chunk)) }
    }
  }

  // MARK: Afterwards

  /// Tells of the documents and rows that a restore has brought.
  func tell(of restoration: Restoration) {
    let device = restoration.run.device
    for (place, _) in restoration.documents {
      tell(of: place, except: nil)
      device.synchronizer?.documentChanged(place.key)
    }
    if restoration.documents.contains(where: \.wasDamaged) {
      device.synchronizer?.fetchDocumentsOnceMore()
    }
    tellTables(of: restoration)
  }

  /// Sets the values that a restore brings, store by store, each in a commit of its own.
  func setValues(
    _ stores: ArraySlice<Restoration.Store>,
    then body: @escaping (Result<Void, EngineError>) -> Void
  ) {
    guard let (place, values, isLost) = stores.first else { return body(.success(())) }
    let step = { (zone: inout StoredKeyValues.Zone) in zone.restore(values) }
    change(place, dropping: isLost, as: nil, by: step) { [self] result in
      switch result {
      case .success((_, _, true)): setValues(stores.dropFirst(), then: body)
      case .success: body(.failure(Self.filledMeanwhile(place.store)))
      case .failure(let error): body(.failure(error))
      }
    }
  }

  private static func filledMeanwhile(_ store: String) -> EngineError {
    .limitReached(
      "The key-value store '\(store)' got over its quota meanwhile, and its values did not come back; all else did. "
        + "Remove some of its values and restore once more."
    )
  }
}
