import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthSync

/// What changes of rows become between devices: each row is a record of the zone of tables.
struct TableFollowing {
  /// What is to be written with the rows.
  private(set) var change: Synchronizer.Change
  /// Whether a row was followed.
  private(set) var isChanged = false
  /// When the rows are written, by this device's clock.
  let now: WallInstant
  private let keys: any ZoneKeys
  private let me: PeerIdentifier

  /// Begins to follow; nil if the zone or its keys are not there.
  init?(
    _ change: Synchronizer.Change,
    _ keys: (any ZoneKeys)?,
    _ me: PeerIdentifier,
    at now: WallInstant
  ) {
    guard let keys, change.state.zones[.tables] != nil else { return nil }
    self.change = change
    self.keys = keys
    self.me = me
    self.now = now
  }

  /// The record of a row; nil for one that stays on its device.
  func record(_ key: TableKey) -> (name: RecordName, record: TableRecord)? {
    guard let bare = TableRecord(key) else { return nil }
    let name = keys.name(kind: TableRecord.kind, key: bare.nameKey)
    return (name, change.state.rows[name].flatMap { TableRecord($0) } ?? bare)
  }

  /// What stands for a row between devices.
  func content(_ record: TableRecord, _ row: TableRow) -> SyncDigest {
    keys.content(record.content, Secret(copying: row.bytes))
  }

  /// Whether the zone says the same of a row.
  func isFollowed(_ key: TableKey, _ row: TableRow?) -> Bool {
    guard let (name, record) = record(key), let replica = change.state.zones[.tables] else {
      return true
    }
    return replica.shown(name)?.content == row.map { content(record, $0) }
  }

  /// Makes a row what it is now, nil for a deleted one; cells of which the version does not know who made them are this
  /// device's.
  mutating func follow(_ key: TableKey, _ row: inout TableRow?) {
    guard let (name, record) = record(key), let replica = change.state.zones[.tables] else {
      return
    }
    guard var made = row else {
      let tombstone = keys.content(ItemRecord.tombstoneContent, Secret(capacity: 0))
      change.state.zones[.tables]?.delete(name, content: tombstone, at: now)
      change.state.zones[.tables]?
        .deleteUnseen(
          name,
          ValueRecord.identifier,
          content: tombstone,
          .afterFirstUnlock,
          at: now
        )
      change.state.rows[name] = nil
      isChanged = true
      return
    }
    let dot = VersionVector.Dot(me, replica.changesMade + 1)
    var known = replica.shown(name)?.vector ?? VersionVector()
    known.add(dot)
    made.attribute(to: dot, knowing: known)
    isChanged = true
    let content = content(record, made)
    change.state.zones[.tables]?
      .put(name, ValueRecord.identifier, content: content, .afterFirstUnlock, at: now)
    row = made
    if change.state.rows[name] != record.key { change.state.rows[name] = record.key }
  }

  /// Keeps rows that are written with the change.
  mutating func write(_ items: [ItemChange]) { change.items += items }
}

/// Rows of tables between devices.
extension Synchronizer {
  /// What follows changes of rows in their own commit; nil as long as the hub has not shown what it has, or without keys.
  func followingTables() -> TableFollowing? {
    guard state.hasTables else { return nil }
    return TableFollowing(Change(state: state), keys.newest(of: .tables), me, at: now.wall)
  }

  /// A program changed rows; those that were not followed are looked for.
  func tablesChanged(isFollowed: Bool) {
    usesTables = true
    if !isFollowed { owesTables = true }
    changed()
  }

  // MARK: What was not followed

  /// Has what programs wrote while there were no keys be versions, before what others wrote meanwhile is merged with it.
  ///
  /// A zone that is fetched once more waits: what it had is known, and comes before what is here.
  func sendOwedTables(then body: @escaping () -> Void) {
    state.hasTables ? sendTables(then: body) : body()
  }

  /// Has sent what programs wrote while there were no keys, or before the first download, which has ended once all that the
  /// hub has was fetched and opened.
  func sendTables(then body: @escaping () -> Void) {
    guard let replica = state.zones[.tables] else {
      return usesTables ? body() : endDownload(\.hasTables, then: body)
    }
    guard owesTables || !state.hasTables, !replica.isReadOnly(in: state.circle),
      replica.chain.claimedNumber == 0, state.hasTables || replica.inbox.isSettled,
      keys.newest(of: .tables) != nil
    else { return body() }
    owesTables = false
    inTurn { this, change in
      change.state.hasTables = true
      return !this.state.hasTables
    } then: { [weak self] result in
      guard case .success = result else {
        self?.owesTables = true
        return body()
      }
      self?.sendTables(behind: 0, then: body)
    }
  }

  /// How many rows are looked at in one turn.
  private static let rowsAtOnce = 256

  private func sendTables(behind revision: UInt64, then body: @escaping () -> Void) {
    var next: UInt64?
    var isRead = false
    inTurn { this, change in
      guard var following = this.following(change) else { return false }
      do throws(EngineError) {
        next = try this.send(behind: revision, &following)
        isRead = true
      } catch { return false }
      change = following.change
      return following.isChanged
    } then: { [weak self] result in
      guard case .success = result, isRead else {
        self?.owesTables = true
        return body()
      }
      guard let next else { return body() }
      self?.sendTables(behind: next, then: body)
    }
  }

  private func following(_ change: Change, at time: WallInstant? = nil) -> TableFollowing? {
    TableFollowing(change, keys.newest(of: .tables), me, at: time ?? now.wall)
  }

  /// Follows what a page of rows says and the zone does not; returns where the next page begins, nil at the end.
  private func send(
    behind revision: UInt64,
    _ following: inout TableFollowing
  ) throws(EngineError) -> UInt64? {
    var rows: [(key: TableKey, read: ReadTableRow)] = []
    let next = try engine.eachRow(of: device, behind: revision, limit: Self.rowsAtOnce) { read in
      if let item = read.item, !read.isDamaged, let key = TablePlace.key(of: item) {
        rows.append((key, read))
      }
      return true
    }
    for (key, read) in rows where !following.isFollowed(key, read.row) {
      var row = read.row
      following.follow(key, &row)
      guard let row, row != read.row else { continue }
      let place = TablePlace(device: device, key: key)
      following.write(try engine.rewriting(read, by: row, place))
    }
    return next
  }

  /// Begins anew with the rows that the hub has, because what was here of one is not known; whoever calls it has the device's
  /// turn.
  ///
  /// What was not sent stays as it is, and waits on.
  func fetchTablesOnceMore(then body: @escaping (Result<Void, StorageError>) -> Void) {
    guard state.hasTables, state.zones[.tables] != nil else { return body(.success(())) }
    var change = Change(state: state)
    change.state.zones[.tables]?.beginAnew(keepingUnsent: true)
    forgetBodies(in: .tables, &change)
    commit(change, then: body)
  }

  // MARK: What the hub brings

  /// Brings rows to what these records say, columns of both where two devices wrote at once; false if one cannot be sealed.
  func showTables(
    _ names: [RecordName],
    from old: ZoneReplica,
    _ opener: BodyOpener,
    in change: inout Change
  ) -> Bool {
    for name in inOrder(names, of: change.state.zones[.tables]) {
      guard let new = change.state.zones[.tables] else { return true }
      guard new.shown(name) != nil else {
        guard let key = state.rows[name]?.plain else { continue }
        change.state.rows[name] = nil
        guard let before = try? engine.read(TablePlace(device: device, key: key)),
          bring(key, before, nil, in: &change)
        else { return false }
        continue
      }
      // Where nothing came, the local version stands and has its row already.
      guard let content = opener.contents[name], case .row(let record, let came) = content.meaning
      else { continue }
      let mine = old.records[name]?.current
      let isUnsent = old.outbox.waiting.contains(name)
      guard merge(name, mine, content.version, record, came, isUnsent: isUnsent, in: &change)
      else { return false }
    }
    return true
  }

  /// Records in the order of their changes, in which programs are to see the rows.
  private func inOrder(_ names: [RecordName], of replica: ZoneReplica?) -> [RecordName] {
    let times = names.map { (replica?.records[$0]?.current.modified.milliseconds ?? 0, $0) }
    return times.sorted { $0 < $1 }.map(\.1)
  }

  /// Merges a row that came with the one that is here.
  private func merge(
    _ name: RecordName,
    _ mine: RecordVersion?,
    _ theirs: RecordVersion,
    _ record: TableRecord,
    _ came: TableRow,
    isUnsent: Bool,
    in change: inout Change
  ) -> Bool {
    let key = record.key.plain
    guard let before = try? engine.read(TablePlace(device: device, key: key)) else { return false }
    // A version that knows nothing of what the hub had was made after that was purged, and the row with it.
    let isPurged = mine.map { !theirs.vector.knows($0.made) } ?? false
    let local = isPurged && !isUnsent ? nil : before.row
    let merged = local.map { self.merged($0, mine, with: came, theirs, in: change) } ?? came
    change.state.rows[name] = record.key
    settle(name, mine, theirs, local, came, merged, record, in: &change)
    var row: TableRow? = merged
    // What two devices wrote is as late as the later of them, however late they are merged.
    let time = mine.map { max($0.modified, theirs.modified) }
    if var following = following(change, at: time) {
      if !following.isFollowed(key, merged) {
        following.follow(key, &row)
        change = following.change
      }
    } else {
      owesTables = true
    }
    return bring(key, before, row, in: &change)
  }

  private func merged(
    _ local: TableRow,
    _ mine: RecordVersion?,
    with came: TableRow,
    _ theirs: RecordVersion,
    in change: Change
  ) -> TableRow {
    // What was here before the circle's gives way.
    guard let mine, let replica = change.state.zones[.tables] else {
      return local.unmade.replaced(by: came)
    }
    return local.merged(
      knowing: mine.vector,
      with: came,
      knowing: theirs.vector,
      replica.horizon
    )
  }

  /// Writes columns of a row as a change of this device; false if they cannot be kept.
  func write(
    _ values: [ExactText: CellValue],
    to key: TableKey,
    in change: inout Change
  ) -> Bool {
    guard let before = try? engine.read(TablePlace(device: device, key: key)),
      var following = following(change)
    else { return false }
    var written = before.row ?? TableRow()
    guard (try? written.write(values, made: nil, at: following.now)) != nil else { return false }
    var row: TableRow? = written
    following.follow(key, &row)
    change = following.change
    return bring(key, before, row, in: &change)
  }

  /// Whether a row can have these columns besides those that stand.
  func hasRoom(for values: [ExactText: CellValue], in key: TableKey) -> Bool {
    guard let before = try? engine.read(TablePlace(device: device, key: key)) else { return true }
    var row = before.row ?? TableRow()
    return (try? row.write(values, made: nil, at: now.wall)) != nil
  }

  /// Keeps the versions of which a value was overruled, and not those that a merge of whole versions would.
  private func settle(
    _ name: RecordName,
    _ mine: RecordVersion?,
    _ theirs: RecordVersion,
    _ local: TableRow?,
    _ came: TableRow,
    _ merged: TableRow,
    _ record: TableRecord,
    in change: inout Change
  ) {
    guard let local else { return }
    // What was never a version of the circle's has no body that could be shelved.
    let isVersion = mine.map { $0.content == following(change)?.content(record, local) } ?? false
    if !isVersion, local.isOverruled(by: merged, knowing: theirs.vector) {
      discard(local, of: record, name, in: &change)
    }
    guard let mine else { return }
    if isVersion { shelve(mine, local, name, overruledBy: merged, theirs.vector, in: &change) }
    shelve(theirs, came, name, overruledBy: merged, mine.vector, in: &change)
  }

  /// Keeps a version of which a value was overruled, and not one that a merge of whole versions would.
  private func shelve(
    _ version: RecordVersion,
    _ row: TableRow,
    _ name: RecordName,
    overruledBy merged: TableRow,
    _ vector: VersionVector,
    in change: inout Change
  ) {
    if row.isOverruled(by: merged, knowing: vector) {
      change.state.zones[.tables]?.shelve(version, of: name, at: now.wall)
    } else {
      _ = change.state.zones[.tables]?.shelf.take(name, content: version.content)
    }
  }

  /// Keeps a row from before the circle's that gave way, for a person to look at.
  private func discard(
    _ row: TableRow,
    of record: TableRecord,
    _ name: RecordName,
    in change: inout Change
  ) {
    guard let keys = keys.newest(of: .tables) else { return }
    keepDiscarded(record.fields, Secret(copying: row.bytes), name, .tables, keys, in: &change)
  }

  /// Makes a row what it is now, nil for a deleted one, and has programs told; false if it cannot be sealed.
  private func bring(
    _ key: TableKey,
    _ before: ReadTableRow,
    _ row: TableRow?,
    in change: inout Change
  ) -> Bool {
    guard row != before.row || before.isDamaged else { return true }
    let place = TablePlace(device: device, key: key)
    guard let items = try? engine.replacing(before, by: row, place) else { return false }
    change.items += items
    change.toldTables.insert(key.store)
    return true
  }
}
