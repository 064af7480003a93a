import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthSync

/// What programs write of documents becomes versions that devices agree on.
///
/// A draft's chunks are put into the zone first, some at a time. Once the hub has all of them the draft is a version of the
/// document's record, in the commit of the document.
extension Synchronizer {
  /// A program changed a document.
  func documentChanged(_ key: DocumentKey) {
    usesDocuments = true
    unsentDocuments?.insert(key)
    changed()
  }

  /// Puts what programs wrote into the zone, as far as the next push has room for it.
  func sendDocuments(then body: @escaping () -> Void) {
    guard let replica = state.zones[.documents], !replica.isReadOnly(in: state.circle),
      replica.chain.claimedNumber == 0, keys.newest(of: .documents) != nil
    else { return body() }
    if unsentDocuments == nil { unsentDocuments = documentKeys }
    let unsent = (unsentDocuments ?? []).sorted {
      ($0.container, $0.name.text) < ($1.container, $1.name.text)
    }
    sendDocuments(unsent[...]) { [self] in sweepDocuments(then: body) }
  }

  /// Fetches all documents once more, because what was here of one is not known.
  ///
  /// What was agreed here and not sent is a draft again: the zone forgets what waits for the hub.
  func fetchDocumentsOnceMore() {
    inTurn { this, change in
      guard let replica = this.state.zones[.documents] else { return false }
      for name in replica.outbox.waiting {
        guard let key = this.state.documents[name], key.chunk == nil else { continue }
        this.withdraw(key, in: &change)
      }
      change.state.zones[.documents]?.beginAnew()
      // Of what the hub has they say what a tombstone is about, which has no name.
      for (name, _) in this.state.documents.entries
      where replica.records[name]?.mirrored == nil {
        change.state.documents[name] = nil
      }
      this.forgetBodies(in: .documents, &change)
      return true
    } then: { [weak self] _ in
      self?.unsentDocuments = nil
      self?.wake()
    }
  }

  private func withdraw(_ key: DocumentKey, in change: inout Change) {
    guard let before = try? engine.read(DocumentPlace(key, on: device)) else { return }
    var after = before.document
    let gone = after.disagree()
    _ = replace(before, by: after, key, removing: gone, in: &change)
  }

  private func sendDocuments(
    _ unsent: ArraySlice<DocumentKey>,
    then body: @escaping () -> Void
  ) {
    guard let key = unsent.first else { return body() }
    var progress = DocumentProgress.done
    inTurn { this, change in
      progress = this.send(key, in: &change)
      return progress == .put || !change.items.isEmpty
    } then: { [weak self] result in
      guard case .success = result else { return body() }
      if progress == .done { self?.unsentDocuments?.remove(key) }
      self?.sendDocuments(unsent.dropFirst(), then: body)
    }
  }

  /// What a step came to.
  private enum DocumentProgress {
    /// Nothing is left to do.
    case done
    /// Chunks were put into the zone.
    case put
    /// The hub has to take what was put first.
    case waiting
  }

  /// Takes the next step with one document.
  private func send(_ key: DocumentKey, in change: inout Change) -> DocumentProgress {
    guard let before = try? engine.read(DocumentPlace(key, on: device)),
      let zoneKeys = keys.newest(of: .documents),
      let replica = change.state.zones[.documents]
    else { return .waiting }
    note(key, isContested: !before.document.others.isEmpty)
    var after = before.document
    let record = zoneKeys.name(
      kind: DocumentRecord.documentKind,
      key: DocumentRecord.key(key.name, in: key.container)
    )
    guard var gone = disagree(&after, record, key, zoneKeys, in: replica) else { return .waiting }
    var progress = DocumentProgress.done
    // Another device may have thought that nobody needs a chunk.
    for version in after.manifest?.versions ?? [] where progress == .done {
      let again = put(version.content, of: key, &after, zoneKeys, in: &change)
      if again == .put { progress = .put }
    }
    if progress == .done, let draft = after.draft {
      if let content = draft.content {
        progress = put(content, of: key, &after, zoneKeys, in: &change)
        if progress == .done {
          gone += version(content, draft, record, key, &after, zoneKeys, in: &change)
        }
      } else {
        gone += remove(draft, record, key, &after, zoneKeys, in: &change)
      }
    }
    guard after != before.document else { return progress }
    guard replace(before, by: after, key, removing: gone, in: &change) else { return .waiting }
    return progress
  }

  /// Makes a draft of what was agreed in another circle, or before this device left this one.
  ///
  /// The zone shows no such document then; it may have a tombstone, as one has that was removed while the device was out.
  ///
  /// - Returns: the items of chunks that nothing needs any more; nil as long as what came of the document is to be merged.
  private func disagree(
    _ document: inout StoredDocument,
    _ record: RecordName,
    _ key: DocumentKey,
    _ zoneKeys: any ZoneKeys,
    in replica: ZoneReplica
  ) -> [ItemIdentifier]? {
    guard document.manifest != nil, replica.shown(record) == nil else { return [] }
    guard replica.inbox.waiting[record]?.isSettled ?? true else { return nil }
    return document.disagree { replica.shown(name(of: $0, of: key, zoneKeys)) != nil }
  }

  func name(
    of chunk: SyncDigest,
    of key: DocumentKey,
    _ zoneKeys: any ZoneKeys
  ) -> RecordName {
    zoneKeys.name(
      kind: DocumentRecord.chunkKind,
      key: DocumentRecord.key(chunk, of: key.name, in: key.container)
    )
  }

  /// Puts the next chunks of a draft into the zone.
  private func put(
    _ content: DocumentContent,
    of key: DocumentKey,
    _ document: inout StoredDocument,
    _ zoneKeys: any ZoneKeys,
    in change: inout Change
  ) -> DocumentProgress {
    guard var replica = change.state.zones[.documents],
      let bare = DocumentRecord(chunkOf: key.name, in: key.container)
    else { return .waiting }
    let upload = DocumentUpload(content, in: replica) { name(of: $0, of: key, zoneKeys) }
    guard !upload.isComplete else { return .done }
    var isPut = false
    for chunk in upload.next {
      // What was damaged on the disk keeps its document here.
      guard let item = document.chunks[chunk]?.item,
        let bytes = try? engine.bytes(of: chunk, item, on: device)
      else { break }
      let record = name(of: chunk, of: key, zoneKeys)
      replica.put(
        record,
        ValueRecord.identifier,
        content: zoneKeys.content(bare.content, Secret(copying: bytes)),
        .afterFirstUnlock,
        at: now.wall
      )
      document.share(chunk, item)
      change.state.documents[record] = DocumentKey(key.container, key.name, chunk: chunk)
      isPut = true
    }
    change.state.zones[.documents] = replica
    return isPut ? .put : .waiting
  }

  /// Makes a version of a draft whose chunks the hub has.
  private func version(
    _ content: DocumentContent,
    _ draft: StoredDocument.Draft,
    _ name: RecordName,
    _ key: DocumentKey,
    _ document: inout StoredDocument,
    _ zoneKeys: any ZoneKeys,
    in change: inout Change
  ) -> [ItemIdentifier] {
    guard let replica = change.state.zones[.documents] else { return [] }
    if let manifest = document.manifest, manifest.current.content.hasBytes(of: content) {
      return document.agree(on: manifest, sending: true)
    }
    let dot = VersionVector.Dot(me, replica.changesMade + 1)
    guard let version = DocumentVersion(made: dot, content) else { return [] }
    let manifest =
      document.manifest?.written(version, instead: draft.replaced, replica.horizon)
      ?? DocumentManifest(key.name, version)
    // Where there is no room for it as a version in conflict, it stays a draft.
    guard manifest.versions.contains(version) else { return [] }
    guard put(manifest, name, key, zoneKeys, in: &change) else { return [] }
    return document.agree(on: manifest, sending: true)
  }

  /// Puts what stands of a document; false for one that stays here.
  func put(
    _ manifest: DocumentManifest,
    _ name: RecordName,
    _ key: DocumentKey,
    _ zoneKeys: any ZoneKeys,
    in change: inout Change
  ) -> Bool {
    let unknown = change.state.documents[name]?.unknown ?? [:]
    guard let record = DocumentRecord(manifest, in: key.container, keeping: unknown) else {
      return false
    }
    change.state.zones[.documents]?.put(
      name,
      ValueRecord.identifier,
      content: zoneKeys.content(record.content, Secret(capacity: 0)),
      .afterFirstUnlock,
      at: now.wall
    )
    change.state.documents[name] = DocumentKey(key.container, key.name, keeping: unknown)
    return true
  }

  /// Removes the versions of a document that a person saw, and with the last one the document.
  private func remove(
    _ draft: StoredDocument.Draft,
    _ name: RecordName,
    _ key: DocumentKey,
    _ document: inout StoredDocument,
    _ zoneKeys: any ZoneKeys,
    in change: inout Change
  ) -> [ItemIdentifier] {
    guard let horizon = change.state.zones[.documents]?.horizon else { return [] }
    if let left = document.manifest?.removing(draft.replaced, horizon) {
      guard left == document.manifest || put(left, name, key, zoneKeys, in: &change) else {
        return []
      }
      return document.agree(on: left, sending: true)
    }
    let tombstone = zoneKeys.content(ItemRecord.tombstoneContent, Secret(capacity: 0))
    change.state.zones[.documents]?.delete(name, content: tombstone, at: now.wall)
    change.state.documents[name] = nil
    return document.agree(on: nil, sending: true)
  }

  // MARK: Left-over chunks

  /// How often left-over chunks are looked for.
  private static let sweepInterval = Duration.seconds(6 * 3600)

  /// Deletes the chunks that nothing has needed for seven days.
  private func sweepDocuments(then body: @escaping () -> Void) {
    let now = now.boot
    if let lastSweep, now - lastSweep < Self.sweepInterval { return body() }
    inTurn { this, change in
      guard this.sweepDocuments(in: &change) else { return false }
      this.lastSweep = now
      return change.state.sweep != this.state.sweep || !change.items.isEmpty
    } then: { _ in
      body()
    }
  }

  /// Sweeps once; false if a document cannot be read, which could need any chunk.
  private func sweepDocuments(in change: inout Change) -> Bool {
    guard let replica = change.state.zones[.documents],
      let zoneKeys = keys.newest(of: .documents)
    else { return false }
    var chunks: [DocumentKey: [SyncDigest: RecordName]] = [:]
    for (name, key) in state.documents.entries where replica.shown(name) != nil {
      if let chunk = key.chunk { chunks[key.document, default: [:]][chunk] = name }
    }
    var needed: Set<RecordName> = []
    for (key, names) in chunks {
      guard let document = try? engine.read(DocumentPlace(key, on: device)).document else {
        return false
      }
      for chunk in document.needed { if let name = names[chunk] { needed.insert(name) } }
    }
    let all = Set(chunks.values.flatMap(\.values))
    let free = change.state.sweep.sweep(all, needed: needed, in: replica)
    let tombstone = zoneKeys.content(ItemRecord.tombstoneContent, Secret(capacity: 0))
    for name in free {
      change.state.zones[.documents]?.delete(name, content: tombstone, at: now.wall)
    }
    guard let new = change.state.zones[.documents] else { return false }
    return showDocuments(free, from: replica, to: new, nil, in: &change)
  }

  /// Notes whether versions of a document are in conflict.
  func note(_ key: DocumentKey, isContested: Bool) {
    if isContested { contestedDocuments.insert(key) } else { contestedDocuments.remove(key) }
  }
}
