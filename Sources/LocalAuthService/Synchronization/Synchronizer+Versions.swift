import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthSync

/// What the hub brings of documents.
extension Synchronizer {
  /// The documents that a page changes, each read and written once.
  private struct DocumentChanges {
    var read: [DocumentKey: (before: ReadDocument, after: StoredDocument)] = [:]
    var gone: [ItemIdentifier] = []
  }

  /// Brings documents to what these records say.
  ///
  /// - Parameters:
  ///   - names: The records.
  ///   - old: The zone before.
  ///   - new: The zone now.
  ///   - opener: What was opened; nil if nothing came.
  ///   - change: What else changes.
  /// - Returns: false if a document cannot be sealed.
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
      guard
        let key = came.map({ DocumentKey($0.record.container, $0.record.name) })
          ?? known?.document
      else { continue }
      // A damaged document waits until a person removes it.
      guard var entry = documents.read[key] ?? read(key) else { continue }
      if let chunk = came?.chunk ?? known?.chunk {
        guard
          show(
            chunk,
            name,
            key,
            isShown: new.shown(name) != nil,
            content,
            &entry.after,
            &documents.gone,
            in: &change
          )
        else { return false }
      } else {
        merge(
          name,
          key,
          from: old,
          to: new,
          content,
          came?.record,
          &entry.after,
          &documents.gone,
          in: &change
        )
      }
      documents.read[key] = entry
    }
    for (key, entry) in documents.read where entry.after != entry.before.document {
      let place = DocumentPlace(key, on: device)
      guard let changes = try? engine.replacing(entry.before, by: entry.after, place) else {
        return false
      }
      change.items += changes
      if entry.after.draft != nil { unsentDocuments?.insert(key) }
    }
    change.items += documents.gone.map { .remove(device.identity, $0) }
    return true
  }

  private func read(_ key: DocumentKey) -> (before: ReadDocument, after: StoredDocument)? {
    (try? engine.read(DocumentPlace(key, on: device))).map { ($0, $0.document) }
  }

  /// Keeps a chunk that came, or lets go of one whose record is gone; false if it cannot be sealed.
  private func show(
    _ chunk: SyncDigest,
    _ name: RecordName,
    _ key: DocumentKey,
    isShown: Bool,
    _ content: BodyOpener.Content?,
    _ document: inout StoredDocument,
    _ gone: inout [ItemIdentifier],
    in change: inout Change
  ) -> Bool {
    guard isShown else {
      gone += document.unshare(chunk)
      change.state.documents[name] = nil
      return true
    }
    if let known = document.chunks[chunk] {
      document.share(chunk, known.item)
    } else {
      // What this device put is here.
      guard let secret = content?.secret.copied()?.take() else { return true }
      let place = DocumentPlace(key, on: device)
      let identifier = engine.itemIdentifiers.next(at: now.wall, using: &engine.random)
      let item = place.chunk(chunk, identifier, at: now.wall)
      guard let sealed = place.sealed(item, StoredKeyValues.bytes(of: secret)) else { return false }
      change.items.append(.add(sealed))
      document.share(chunk, identifier)
    }
    change.state.documents[name] = DocumentKey(key.container, key.name, chunk: chunk)
    return true
  }

  /// Merges the versions of a document.
  ///
  /// Of two concurrent records the loser's versions are in conflict from now on: a change of this device, in the commit of
  /// the merge. A document that was changed on one device and removed on another stays.
  private func merge(
    _ name: RecordName,
    _ key: DocumentKey,
    from old: ZoneReplica,
    to new: ZoneReplica,
    _ content: BodyOpener.Content?,
    _ came: DocumentRecord?,
    _ document: inout StoredDocument,
    _ gone: inout [ItemIdentifier],
    in change: inout Change
  ) {
    // Without a content it was purged at the hub.
    guard let theirs = content?.version, let winner = new.records[name]?.current else {
      if new.shown(name) == nil {
        gone += document.agree(on: nil)
        change.state.documents[name] = nil
      }
      return
    }
    var manifest: DocumentManifest?
    if case .document(let versions) = came?.subject { manifest = versions }
    let own = document.manifest
    let mine = old.records[name]?.current
    guard let mine, mine.vector.relation(to: theirs.vector) == .concurrent else {
      guard winner.content == theirs.content, winner.isTombstone == theirs.isTombstone else {
        return
      }
      gone += document.agree(on: manifest)
      note(name, key, came, in: &change)
      return
    }
    let merged: DocumentManifest?
    let isMine = winner.content == mine.content && winner.isTombstone == mine.isTombstone
    switch (own, manifest) {
    case (let own?, let manifest?):
      merged =
        isMine
        ? own.merged(knowing: mine.vector, over: manifest, knowing: theirs.vector)
        : manifest.merged(knowing: theirs.vector, over: own, knowing: mine.vector)
    default: merged = own ?? manifest
    }
    for lost in [mine, theirs] {
      _ = change.state.zones[.documents]?.shelf.take(name, content: lost.content)
    }
    gone += document.agree(on: merged)
    note(name, key, came, in: &change)
    guard let merged, merged != (isMine ? own : manifest),
      let zoneKeys = keys.newest(of: .documents)
    else { return }
    _ = put(merged, name, key, zoneKeys, in: &change)
  }

  private func note(
    _ name: RecordName,
    _ key: DocumentKey,
    _ came: DocumentRecord?,
    in change: inout Change
  ) {
    guard change.state.zones[.documents]?.shown(name) != nil else {
      change.state.documents[name] = nil
      return
    }
    let unknown = came?.unknown ?? change.state.documents[name]?.unknown ?? [:]
    change.state.documents[name] = DocumentKey(key.container, key.name, keeping: unknown)
  }

  /// The change that makes a document what a person settled; nil without the zone's keys.
  func settling(
    _ manifest: DocumentManifest,
    of key: DocumentKey,
    _ items: [ItemChange]
  ) -> Change? {
    guard let zoneKeys = keys.newest(of: .documents) else { return nil }
    var change = Change(state: state, items: items)
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
