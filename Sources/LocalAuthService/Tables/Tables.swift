import LocalAuthCore
import LocalAuthKeychain
public import LocalAuthSync

/// A row as it is listed.
public struct ListedTableRow: Hashable, Sendable {
  /// Which row of which table it is.
  public let key: TableKey
  /// How far its reader knows the tables with it.
  public let token: TableToken
  /// Its columns; nil for a row that was deleted.
  public let values: [ExactText: CellValue]?
}

/// Rows that changed since some moment, in the order of their last changes.
public struct TablePage: Hashable, Sendable {
  /// The rows.
  public var rows: [ListedTableRow] = []
  /// How far its reader knows the tables now.
  public var token: TableToken
  /// Whether it begins with the first row although its reader knew some: all that is not listed is gone.
  public var isAnew: Bool
  /// Whether no more have changed.
  public var isLast = false
  /// How many rows were left out because they were damaged on the disk.
  public var damaged = 0
}

/// What a write does to a row.
public struct TableChange: Hashable, Sendable {
  /// The table.
  public var table: String
  /// The row.
  public var row: String
  /// What is written to which columns; nil to delete the row.
  public var values: [ExactText: CellValue]?

  /// The change of a row.
  public init(_ table: String, _ row: String, _ values: [ExactText: CellValue]?) {
    self.table = table
    self.row = row
    self.values = values
  }
}

/// What a write did.
public struct TableWritten: Hashable, Sendable {
  /// How far who knew all before knows the tables now.
  public let token: TableToken
  /// How many rows are others than before.
  public let changes: Int
}

/// Tables: rows that the programs of an access group share.
extension Engine {
  /// The most rows of a page, and of a write.
  public static let tableRowsMax = 1000
  /// The most bytes of the rows that a write changes, as they were and as they become, so that others wait no longer.
  public static let writtenBytesMax = 16 << 20

  /// The rows of a group that changed since its caller asked last.
  ///
  /// - Parameters:
  ///   - request: The group.
  ///   - token: How far the caller knows the rows; nil for not at all.
  ///   - bytesMax: The bytes of rows after which the page ends.
  ///   - caller: Who asks.
  /// - Returns: the rows, each once, as they are now.
  /// - Throws: ``EngineError``: `refused` with the outcome if the caller has no such group, or the device was not
  ///   unlocked since it was started.
  public func tableRows(
    _ request: GroupRequest,
    after token: TableToken?,
    bytesMax: Int = 1 << 20,
    caller: Caller
  ) throws(EngineError) -> TablePage {
    let place = try tables(request, caller)
    let (device, store) = (place.device, ExactText(place.group))
    let revisions = try tableRevisions(of: device)
    let isKnown = token.map { revisions.knows($0) }
    let start = isKnown == true ? token?.revision ?? 0 : 0
    var page = TablePage(
      token: TableToken(generation: revisions.generation, revision: start),
      isAnew: isKnown == false
    )
    let now = device.now(clock.now()).boot
    var room = bytesMax
    let end = try reading { (items) throws(StorageError) in
      try items.eachItem(
        .genericPassword,
        of: device.identity,
        after: TableRevisions.cursor(behind: start),
        limit: Self.tableRowsMax
      ) { stored in
        guard room > 0 else { return false }
        room -= page.take(stored, of: store, on: device, at: now, generation: revisions.generation)
        return true
      }
    }
    page.isLast = end.next == nil
    page.damaged += end.damaged
    return page
  }

  /// One row; nil for none.
  ///
  /// It throws as ``tableRows(_:after:bytesMax:caller:)`` does, and `internalError` for a row that was damaged on the disk.
  public func tableRow(
    _ table: String,
    _ row: String,
    _ request: GroupRequest,
    caller: Caller
  ) throws(EngineError) -> [ExactText: CellValue]? {
    let place = try tables(request, caller)
    let key = try key(table, row, in: place)
    let read = try read(TablePlace(device: place.device, key: key))
    guard !read.isDamaged else { throw .damagedRow(key) }
    return read.row?.cells.mapValues(\.value)
  }

  /// How far the rows of a group have come.
  ///
  /// It throws as ``tableRows(_:after:bytesMax:caller:)`` does.
  public func tableToken(
    _ request: GroupRequest,
    caller: Caller
  ) throws(EngineError) -> TableToken {
    try tableRevisions(of: try tables(request, caller).device).token
  }

  /// Reports when other writers change rows of a group, and at once; nil once the device is gone.
  ///
  /// It throws as ``tableRows(_:after:bytesMax:caller:)`` does.
  public func watchTables(
    _ request: GroupRequest,
    caller: Caller,
    onReport: @escaping (TableToken?) -> Void
  ) throws(EngineError) -> GroupWatch<TableToken> {
    let place = try tables(request, caller)
    let token = try tableRevisions(of: place.device).token
    let watch = GroupWatch(place, \.tableWatches, by: request.writer, onReport)
    onReport(token)
    return watch
  }

  /// Tells those who watch a group that rows of it changed.
  func tellTables(_ store: ExactText, on device: LiveDevice, except writer: UInt64?) {
    guard let token = device.tableRevisions?.token else { return }
    for watch in device.tableWatches.of(store.text, except: writer) { watch.tell(token) }
  }

  /// Tells all who watch rows of a device, because it was erased.
  func tellTables(of device: LiveDevice) {
    guard let token = try? tableRevisions(of: device).token else { return }
    device.tableWatches.tellAll(token)
  }

  func tables(_ request: GroupRequest, _ caller: Caller) throws(EngineError) -> GroupPlace {
    try groupPlace(request, caller, closing: "tables")
  }

  func key(
    _ table: String,
    _ row: String,
    in place: GroupPlace
  ) throws(EngineError) -> TableKey {
    guard let key = TableKey(ExactText(place.group), ExactText(table), ExactText(row)) else {
      throw .invalidArgument(
        "A table has a name of at most \(TableKey.tableBytesMax) bytes, a row one of at most "
          + "\(TableKey.rowBytesMax), and both are of one line."
      )
    }
    return key
  }
}

extension TablePage {
  /// Takes in an item, if it is a row of the group; returns its bytes.
  fileprivate mutating func take(
    _ stored: borrowing StoredItem,
    of store: ExactText,
    on device: LiveDevice,
    at now: BootInstant,
    generation: UInt64
  ) -> Int {
    let revision = TableRevisions.revision(of: stored.header.identifier)
    guard let revision else { return 0 }
    token = TableToken(generation: generation, revision: revision)
    let read = Engine.openRow(stored, of: store, on: device, at: now)
    guard !read.isDamaged else {
      damaged += 1
      return 0
    }
    guard let item = read.item, let key = TablePlace.key(of: item), key.store == store else {
      return 0
    }
    rows.append(
      ListedTableRow(key: key, token: token, values: read.row?.cells.mapValues(\.value))
    )
    return read.byteCount
  }
}

extension EngineError {
  static func tooLargeRow(_ sentence: String) -> EngineError {
    .refused(Outcome(.keychainError, detail: sentence))
  }

  static func damagedRow(_ key: TableKey) -> EngineError {
    .internalError(
      "The row '\(key.row.text)' of the table '\(key.table.text)' was changed or damaged on the disk; nothing was "
        + "changed: put a backup back, or delete it."
    )
  }
}
