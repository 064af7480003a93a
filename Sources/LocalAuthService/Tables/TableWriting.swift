import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSync

/// Writing rows, some of them in one commit.
extension Engine {
  /// Makes changes of rows in one commit, each after the other.
  ///
  /// A write that says what is there already is no change; neither is the deletion of a row that is gone.
  ///
  /// - Parameters:
  ///   - changes: At most ``tableRowsMax``.
  ///   - request: The group.
  ///   - caller: Who asks.
  ///   - body: Called once it is durable, or with why nothing was written: as ``tableRows(_:after:bytesMax:caller:)``,
  ///     `invalidArgument` for what is no row, `refused` with `keychainError` for one that is too long, `limitReached` for too many, and `internalError` for a row that was damaged on the
  ///     disk, which can be deleted.
  public func writeTables(
    _ changes: [TableChange],
    _ request: GroupRequest,
    caller: Caller,
    then body: @escaping (Result<TableWritten, EngineError>) -> Void
  ) {
    do throws(EngineError) {
      let place = try tables(request, caller)
      guard changes.count <= Self.tableRowsMax else {
        throw .limitReached("One write changes at most \(Self.tableRowsMax) rows.")
      }
      var keyed: [(TableKey, [ExactText: CellValue]?)] = []
      for change in changes {
        keyed.append((try key(change.table, change.row, in: place), change.values))
      }
      let device = place.device
      device.mutations.enter { [self] in
        write(keyed, ExactText(place.group), on: device, as: request.writer) { result in
          device.mutations.leave()
          body(result)
        }
      }
    } catch { body(.failure(error)) }
  }

  private func write(
    _ changes: [(key: TableKey, values: [ExactText: CellValue]?)],
    _ store: ExactText,
    on device: LiveDevice,
    as writer: UInt64?,
    then end: @escaping (Result<TableWritten, EngineError>) -> Void
  ) {
    do throws(EngineError) {
      // The device may have been removed or restarted while others had their turn.
      guard !device.machine.isRemoved else { throw .gone(device) }
      try requireOpen(device)
      var write = TableWrite(device, device.synchronizer?.followingTables(), at: self)
      for (key, values) in changes { try write.change(key, values, self) }
      let (items, sync) = try write.finish(self)
      var revisions = try tableRevisions(of: device)
      guard !items.isEmpty else {
        return end(.success(TableWritten(token: revisions.token, changes: 0)))
      }
      let synchronizer = device.synchronizer
      let written = sync.flatMap { synchronizer?.written($0) }
      guard sync == nil || written != nil else { throw .unwritable(device) }
      revisions.commit()
      let (token, count) = (revisions.token, write.changeCount)
      runner.store(written?.changes ?? [StateChange](), items, written?.kind ?? .ordinary) {
        [self] stored in
        if case .success = stored {
          device.tableRevisions?.commit()
          if let sync { synchronizer?.adopt(sync) }
        }
        end(
          stored.map { TableWritten(token: token, changes: count) }.mapError { EngineError($0) }
        )
        guard case .success = stored else { return }
        tellTables(store, on: device, except: writer)
        synchronizer?.tablesChanged(isFollowed: sync != nil)
      }
    } catch { end(.failure(error)) }
  }
}

/// The rows of one commit, each read once and written once.
private struct TableWrite {
  private let device: LiveDevice
  private var following: TableFollowing?
  private let now: WallInstant
  private var rows: [TableKey: (before: ReadTableRow, after: TableRow?)] = [:]
  /// The rows in the order of their last changes.
  private var order: [TableKey] = []
  private(set) var changeCount = 0
  /// The bytes of rows that were read, and made.
  private var byteCount = 0

  init(_ device: LiveDevice, _ following: TableFollowing?, at engine: Engine) {
    self.device = device
    self.following = following
    now = following?.now ?? device.now(engine.clock.now()).wall
  }

  mutating func change(
    _ key: TableKey,
    _ values: [ExactText: CellValue]?,
    _ engine: Engine
  ) throws(EngineError) {
    let place = TablePlace(device: device, key: key)
    let (before, old): (ReadTableRow, TableRow?)
    if let known = rows[key] {
      (before, old) = known
      order.removeAll { $0 == key }
    } else {
      before = try engine.read(place)
      old = before.row
      byteCount += before.byteCount
    }
    var row: TableRow?
    if let values {
      guard !before.isDamaged else { throw .damagedRow(key) }
      row = try written(values, over: old, key)
      byteCount += row?.bytes.count ?? 0
    }
    guard byteCount <= Engine.writtenBytesMax else {
      throw .limitReached(
        "One write changes rows of at most \(Engine.writtenBytesMax >> 20) MiB: write them in several steps."
      )
    }
    rows[key] = (before, row)
    order.append(key)
  }

  private func written(
    _ values: [ExactText: CellValue],
    over old: TableRow?,
    _ key: TableKey
  ) throws(EngineError) -> TableRow {
    var row = old ?? TableRow()
    do throws(TableRow.Refusal) {
      _ = try row.write(values, made: nil, at: now)
    } catch {
      let name = "The row '\(key.row.text)' of the table '\(key.table.text)'"
      switch error {
      case .columnName:
        throw .invalidArgument(
          "A column has a name of one line and at most \(TableRow.columnBytesMax) bytes."
        )
      case .tooManyColumns:
        throw .tooLargeRow("\(name) would have more than \(TableRow.columnsMax) columns.")
      case .tooLong:
        throw .tooLargeRow(
          "\(name) would have more than \(TableRow.bytesMax >> 10) KiB: keep what is long as a document."
        )
      }
    }
    return row
  }

  /// What is written: items, and what is synchronized of them.
  mutating func finish(
    _ engine: Engine
  ) throws(EngineError) -> (items: [ItemChange], sync: Synchronizer.Change?) {
    var items: [ItemChange] = []
    for key in order {
      guard let (before, after) = rows[key] else { continue }
      guard after != before.row || before.isDamaged else { continue }
      changeCount += 1
      var row = after
      following?.follow(key, &row)
      items += try engine.replacing(before, by: row, TablePlace(device: device, key: key))
    }
    return (items, items.isEmpty ? nil : following?.change)
  }
}
