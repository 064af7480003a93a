import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthSync

/// The documents that a change of their zone touches, each read and written once.
struct DocumentChanges {
  private(set) var documents: [DocumentKey: (before: ReadDocument, after: StoredDocument)] = [:]
  /// Chunks that came.
  private(set) var added: [ItemIdentifier: SealedItem] = [:]
  /// How many bytes those have.
  private(set) var bytes: UInt64 = 0
  /// The items of chunks that nothing needs, and what is in the place of those that came.
  private(set) var removed: [ItemIdentifier] = []

  /// A document as the change leaves it.
  subscript(key: DocumentKey) -> StoredDocument? { documents[key]?.after }

  /// Takes in a document as it was read.
  mutating func begin(_ key: DocumentKey, _ read: ReadDocument) {
    documents[key] = (read, read.document)
  }

  /// Changes a document by a step that returns the items of chunks that nothing needs any more.
  mutating func change(
    _ key: DocumentKey,
    by step: (inout StoredDocument) -> [ItemIdentifier]
  ) {
    guard var document = documents[key] else { return }
    for item in step(&document.after) where added.removeValue(forKey: item) == nil {
      removed.append(item)
    }
    documents[key] = document
  }

  /// Adds a chunk of so many bytes, in place of what has its key.
  mutating func add(_ chunk: SealedItem, of count: Int, instead occupant: ItemIdentifier?) {
    added[chunk.header.identifier] = chunk
    bytes += UInt64(count)
    if let occupant { removed.append(occupant) }
  }
}

/// What the hub brings of documents.
extension Synchronizer {
  /// Brings documents to what these records say.
  ///
  /// - Parameters:
  ///   - names: The records.
  ///   - old: The zone before.
  ///   - new: The zone now.
  ///   - opener: What was opened; nil if nothing came.
  ///   - change: What else changes.
  /// - Returns: false if a document cannot be read or sealed.
  func showDocuments(
    _ names: [RecordName],
    from old: ZoneReplica,
    to new: ZoneReplica,
    _ opener: BodyOpener?,
    in change: inout Change
  ) -> Bool {
    var documents = DocumentChanges()
    for name in names {
      let content = opener?.contents[name]
      var came: (record: DocumentRecord, chunk: SyncDigest?)?
      if case .document(let record, let chunk) = content?.meaning { came = (record, chunk) }
      let known = change.state.documents[name]
      let key = came.map { DocumentKey($0.record.container, $0.record.name) } ?? known?.document
      guard let key else { continue }
      do throws(EngineError) {
        // A damaged document waits until a person removes it.
        guard try begin(key, &documents) else { continue }
      } catch { return false }
      guard let chunk = came?.chunk ?? known?.chunk else {
        guard new.records[name] != nil else {
          forget(name, key, isUnsent: old.outbox.waiting.contains(name), &documents, in: &change)
          continue
        }
        let mine = old.records[name]?.current
        merge(name, key, mine, content, came?.record, &documents, in: &change)
        continue
      }
      guard new.shown(name) != nil else {
        documents.change(key) { $0.unshare(chunk) }
        change.state.documents[name] = nil
        continue
      }
      guard keep(chunk, of: key, content?.secret, &documents) else { return false }
      change.state.documents[name] = DocumentKey(key.container, key.name, chunk: chunk)
    }
    return write(documents, in: &change)
  }

  /// Reads a document, unless that was done; false if it is damaged.
  ///
  /// - Throws: ``EngineError`` where it cannot be told: passed over, its next version here would replace what came.
  private func begin(
    _ key: DocumentKey,
    _ documents: inout DocumentChanges
  ) throws(EngineError) -> Bool {
    if documents[key] != nil { return true }
    let read = try engine.read(DocumentPlace(key, on: device), evenDamaged: true)
    guard !read.isDamaged else { return false }
    documents.begin(key, read)
    return true
  }

  /// Writes what was changed: what goes first, because what comes may have its key.
  private func write(_ documents: DocumentChanges, in change: inout Change) -> Bool {
    change.items += documents.removed.map { .remove(device.identity, $0) }
    change.items += documents.added.values.map { .add($0) }
    change.arrived.bytes += documents.bytes
    for (key, (before, after)) in documents.documents where after != before.document {
      guard replace(before, by: after, key, in: &change) else { return false }
      change.arrived.missing[key] = after.missingBytes
      if after.draft != nil || after.hasUnsharedChunks { unsentDocuments?.insert(key) }
    }
    return true
  }

  /// Writes a document over what was read, and has programs told if they see it another way; false if it cannot be sealed.
  func replace(
    _ before: ReadDocument,
    by after: StoredDocument,
    _ key: DocumentKey,
    removing gone: [ItemIdentifier] = [],
    in change: inout Change
  ) -> Bool {
    let place = DocumentPlace(key, on: device)
    guard let changes = try? engine.replacing(before, by: after, place) else { return false }
    change.items += changes + gone.map { .remove(device.identity, $0) }
    if !after.looksLike(before.document) { change.toldDocuments.append(key) }
    change.contested[key] = !after.others.isEmpty
    return true
  }

  /// Keeps a chunk that came, unless it is here; false if it cannot be sealed.
  private func keep(
    _ chunk: SyncDigest,
    of key: DocumentKey,
    _ secret: SecretBox?,
    _ documents: inout DocumentChanges
  ) -> Bool {
    var item = documents[key]?.chunks[chunk]?.item
    if item == nil, let secret = secret?.copied()?.take() {
      let count = secret.count
      let place = DocumentPlace(key, on: device)
      let identifier = engine.itemIdentifiers.next(at: now.wall, using: &engine.random)
      let model = place.chunk(chunk, identifier, at: now.wall)
      guard let sealed = place.sealed(model, StoredKeyValues.bytes(of: secret)) else {
        return false
      }
      let occupant = try? engine.occupant(ofKey: sealed.header.key, on: device)
      documents.add(sealed, of: count, instead: occupant)
      item = identifier
    }
    // A chunk that this device put is here, unless a person removed it with a damaged document.
    guard let item else { return true }
    documents.change(key) { document in
      document.share(chunk, item)
      return []
    }
    return true
  }

  /// Merges the versions of a document.
  ///
  /// Of two concurrent records the loser's versions are in conflict from now on: a change of this device, in the commit of
  /// the merge. A document that was changed on one device and removed on another stays.
  private func merge(
    _ name: RecordName,
    _ key: DocumentKey,
    _ mine: RecordVersion?,
    _ content: BodyOpener.Content?,
    _ came: DocumentRecord?,
    _ documents: inout DocumentChanges,
    in change: inout Change
  ) {
    let replica = change.state.zones[.documents]
    guard let theirs = content?.version, let winner = replica?.records[name]?.current else {
      return
    }
    var manifest: DocumentManifest?
    if case .document(let versions) = came?.subject { manifest = versions }
    if mine == nil { disagree(with: theirs, key, &documents, in: replica) }
    guard let mine, mine.vector.relation(to: theirs.vector) == .concurrent else {
      if winner.hasContent(of: theirs) {
        agree(on: manifest, name, key, came, &documents, in: &change)
      }
      return
    }
    let own = documents[key]?.manifest
    let isMine = winner.hasContent(of: mine)
    let (standing, lost) = isMine ? (own, manifest) : (manifest, own)
    let (knowing, known) = isMine ? (mine.vector, theirs.vector) : (theirs.vector, mine.vector)
    var merged = standing ?? lost
    if let standing, let lost {
      merged = standing.merged(knowing: knowing, over: lost, knowing: known)
    }
    for version in [mine, theirs] {
      _ = change.state.zones[.documents]?.shelf.take(name, content: version.content)
    }
    agree(on: merged, name, key, came, &documents, in: &change)
    guard let merged, merged != standing, let zoneKeys = keys.newest(of: .documents) else { return }
    _ = put(merged, name, key, zoneKeys, in: &change)
  }

  /// Makes a draft of what stands here where devices of another circle agreed on it: those of this one do not know it.
  private func disagree(
    with theirs: RecordVersion,
    _ key: DocumentKey,
    _ documents: inout DocumentChanges,
    in replica: ZoneReplica?
  ) {
    guard let own = documents[key]?.manifest?.current, !theirs.vector.knows(own.made),
      let zoneKeys = keys.newest(of: .documents)
    else { return }
    documents.change(key) { document in
      document.disagree { replica?.shown(name(of: $0, of: key, zoneKeys)) != nil }
    }
  }

  /// Lets go of a document whose record the hub dropped as an old tombstone; what was not sent yet is written anew.
  private func forget(
    _ name: RecordName,
    _ key: DocumentKey,
    isUnsent: Bool,
    _ documents: inout DocumentChanges,
    in change: inout Change
  ) {
    documents.change(key) { isUnsent ? $0.disagree() : $0.agree(on: nil) }
    change.state.documents[name] = nil
  }

  private func agree(
    on manifest: DocumentManifest?,
    _ name: RecordName,
    _ key: DocumentKey,
    _ came: DocumentRecord?,
    _ documents: inout DocumentChanges,
    in change: inout Change
  ) {
    documents.change(key) { $0.agree(on: manifest) }
    let unknown = came?.unknown ?? change.state.documents[name]?.unknown ?? [:]
    change.state.documents[name] = manifest.map { _ in
      DocumentKey(key.container, key.name, keeping: unknown)
    }
  }

  /// The change that makes a document what a person settled; nil without the zone's keys.
  func settling(
    _ manifest: DocumentManifest,
    of key: DocumentKey,
    _ items: [ItemChange]
  ) -> Change? {
    guard let zoneKeys = keys.newest(of: .documents) else { return nil }
    var change = Change(state: state, items: items)
    change.contested[key] = !manifest.others.isEmpty
    let name = zoneKeys.name(
      kind: DocumentRecord.documentKind,
      key: DocumentRecord.key(key.name, in: key.container)
    )
    guard change.state.zones[.documents]?.shown(name) != nil,
      put(manifest, name, key, zoneKeys, in: &change)
    else { return nil }
    return change
  }
}
