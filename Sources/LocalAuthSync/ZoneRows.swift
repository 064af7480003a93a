/// A replica as rows, and what an event changes of them.
extension ZoneReplica {
  /// Everything that is kept of it, in the order of the keys.
  public var rows: [SyncRow] {
    let records = Set(records.keys).union(chain.manifest.lines.keys).sorted()
    return stateRows
      + records.compactMap { name in
        RecordRow(name, in: self).map { SyncRow(recordKey(name), $0.bytes) }
      }
      + numbered(.place, chain.places) { PlaceRow($0).bytes }
      + numbered(.claim, chain.claims.places) { ClaimRow($0).bytes }
      + numbered(.lost, shelf.numbered) { $0.bytes }
      + numbered(.abandoned, chain.abandoned) { PlaceRow($0).bytes }
  }

  /// The rows that differ, to be written in one commit with what changed in the keychain.
  ///
  /// What is as it was is compared and not encoded.
  ///
  /// - Parameter old: The replica that is kept; all of one of another zone goes.
  /// - Returns: the changes, at most one for each key.
  public func changes(from old: ZoneReplica) -> [SyncRow.Change] {
    guard old.chain.zone == chain.zone else {
      return old.rows.map { .remove($0.key) } + rows.map { .put($0) }
    }
    var changes = stateChanges(from: old) + recordChanges(from: old)
    if chain.remembered != old.chain.remembered || chain.head != old.chain.head {
      changes += numbered(.place, from: old.chain.places, to: chain.places) { PlaceRow($0).bytes }
    }
    if chain.claims != old.chain.claims {
      let (before, claims) = (old.chain.claims.places, chain.claims.places)
      changes += numbered(.claim, from: before, to: claims) { ClaimRow($0).bytes }
    }
    if chain.abandoned != old.chain.abandoned {
      let (before, abandoned) = (old.chain.abandoned, chain.abandoned)
      changes += numbered(.abandoned, from: before, to: abandoned) { PlaceRow($0).bytes }
    }
    if shelf != old.shelf {
      changes += numbered(.lost, from: old.shelf.numbered, to: shelf.numbered) { $0.bytes }
    }
    return changes
  }

  // MARK: Rows that there is one of

  private var stateRows: [SyncRow] {
    [
      row(.zone, ZoneStateRow(self).bytes), row(.chain, ChainRow(chain).bytes),
      row(.outbox, OutboxRow(outbox).bytes),
    ]
  }

  private func stateChanges(from old: ZoneReplica) -> [SyncRow.Change] {
    var rows: [SyncRow] = []
    let (state, chain, outbox) = (ZoneStateRow(self), ChainRow(chain), OutboxRow(outbox))
    if state != ZoneStateRow(old) { rows.append(row(.zone, state.bytes)) }
    if chain != ChainRow(old.chain) { rows.append(row(.chain, chain.bytes)) }
    if outbox != OutboxRow(old.outbox) { rows.append(row(.outbox, outbox.bytes)) }
    return rows.map { .put($0) }
  }

  private func row(_ kind: SyncRow.Kind, _ value: [UInt8]) -> SyncRow {
    SyncRow(SyncRow.Key(kind, chain.zone), value)
  }

  // MARK: Records

  private func recordKey(_ name: RecordName) -> SyncRow.Key {
    SyncRow.Key(.record, chain.zone, .name(name))
  }

  private func recordChanges(from old: ZoneReplica) -> [SyncRow.Change] {
    var touched = records.changedKeys(from: old.records)
    touched.formUnion(chain.manifest.lines.changedKeys(from: old.chain.manifest.lines))
    touched.formUnion(inbox.waiting.changedKeys(from: old.inbox.waiting))
    touched.formUnion(inbox.authors.changedKeys(from: old.inbox.authors))
    if outbox.waiting != old.outbox.waiting {
      touched.formUnion(outbox.waiting.symmetricDifference(old.outbox.waiting))
    }
    return touched.sorted().map { name in
      guard let row = RecordRow(name, in: self) else { return .remove(recordKey(name)) }
      return .put(SyncRow(recordKey(name), row.bytes))
    }
  }

  // MARK: Rows with numbers

  private func numbered<Value>(
    _ kind: SyncRow.Kind,
    _ values: [UInt64: Value],
    _ bytes: (Value) -> [UInt8]
  ) -> [SyncRow] {
    values.sorted { $0.key < $1.key }.map { number, value in
      SyncRow(SyncRow.Key(kind, chain.zone, .number(number)), bytes(value))
    }
  }

  private func numbered<Value: Equatable>(
    _ kind: SyncRow.Kind,
    from old: [UInt64: Value],
    to new: [UInt64: Value],
    _ bytes: (Value) -> [UInt8]
  ) -> [SyncRow.Change] {
    let removed = old.keys.filter { new[$0] == nil }.sorted()
    let written = new.filter { old[$0.key] != $0.value }
    return removed.map { .remove(SyncRow.Key(kind, chain.zone, .number($0))) }
      + numbered(kind, written, bytes).map { .put($0) }
  }
}

extension ZoneChain {
  /// The digests that are remembered, by the number of their entry.
  var places: [UInt64: SyncDigest] {
    let before = head.number - UInt64(remembered.count)
    return Dictionary(
      uniqueKeysWithValues: remembered.enumerated().map { (before + 1 + UInt64($0), $1) }
    )
  }
}

extension ConflictShelf {
  /// What is kept, by its number.
  var numbered: [UInt64: Entry] {
    Dictionary(uniqueKeysWithValues: entries.map { ($0.number, $0) })
  }
}
