import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSync

/// What of a change is written: the rows that differ, and how far everything was verified.
extension Synchronizer {
  /// What a change writes; nil before the first unlock.
  func written(_ change: Change) -> (changes: [StateChange], kind: CommitKind)? {
    var changes: [StateChange] = change.lines.map { .audit($0) }
    for row in rows(of: change) {
      guard let sealed = sealed(row) else { return nil }
      changes.append(.syncRow(device.identity, sealed))
    }
    let watermarks = Self.watermarks(change.state)
    guard watermarks != Self.watermarks(state) || !isStored else { return (changes, .ordinary) }
    changes.append(.watermarks(device.identity, SyncWatermark.bytes(of: watermarks)))
    return (changes, .guarded)
  }

  /// The rows that differ.
  private func rows(of change: Change) -> [SyncRow.Change] {
    var rows = change.state.circle.changes(appended: change.entries)
    rows += change.state.book.changes(from: state.book)
    if change.state.membership != state.membership || !isStored {
      rows.append(.put(change.state.membership.row))
    }
    for (zone, replica) in change.state.zones.replicas {
      rows += state.zones[zone].map { replica.changes(from: $0) } ?? replica.rows.map { .put($0) }
    }
    for name in change.state.items.changed {
      rows.append(SyncedItem.change(of: name, to: change.state.items[name]))
    }
    for kept in change.state.bodies.changed {
      rows.append(kept.change(to: change.state.bodies[kept]))
    }
    for name in change.state.values.changed {
      rows.append(ValueRecord.change(of: name, to: change.state.values[name]))
    }
    for name in change.state.documents.changed {
      rows.append(DocumentKey.change(of: name, to: change.state.documents[name]))
    }
    for name in change.state.rows.changed {
      rows.append(TableKey.change(of: name, to: change.state.rows[name]))
    }
    if change.state.sweep != state.sweep {
      rows.append(.put(change.state.sweep.row(in: .documents)))
    }
    if change.state.hasValues != state.hasValues {
      let row = ValueRecord.downloaded
      rows.append(change.state.hasValues ? .put(row) : .remove(row.key))
    }
    if change.state.hasTables, !state.hasTables { rows.append(.put(TableRecord.downloaded)) }
    let planned = Set(state.plannedKeys.keys).union(change.state.plannedKeys.keys)
    for zone in planned where state.plannedKeys[zone] != change.state.plannedKeys[zone] {
      rows.append(PlannedEpoch.change(of: zone, to: change.state.plannedKeys[zone]))
    }
    for peer in change.state.seen.changed {
      rows.append(SeenSecrets.change(of: peer, to: change.state.seen[peer]))
    }
    for (zone, keys, sealed) in change.keys {
      rows.append(.put(sealed.row(of: zone, epoch: keys.epoch)))
    }
    return rows
  }

  private func sealed(_ change: SyncRow.Change) -> SealedRow? {
    switch change {
    case .put(let row): vault.seal(row.key.bytes, row.value)
    case .remove(let key): vault.name(of: key.bytes).map { SealedRow(name: $0, sealed: nil) }
    }
  }

  /// How far everything was verified.
  static func watermarks(_ state: State) -> [SyncWatermark] {
    let circle = state.circle.circle
    return [SyncWatermark(.circle(circle), at: state.circle.head)]
      + state.zones.replicas.sorted { $0.key < $1.key }.map { zone, replica in
        SyncWatermark(.zone(zone, circle: circle), at: replica.chain.head)
      }
  }
}
