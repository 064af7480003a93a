/// Which row of which table a record of the zone of tables is.
///
/// All tables are one zone, and those of an access group are one store.
public struct TableKey: Hashable, Sendable {
  /// The longest name of a store that leaves its device, in bytes.
  public static let storeBytesMax = 1024
  /// The longest name of a table, in bytes.
  public static let tableBytesMax = 128
  /// The longest name of a row, in bytes.
  public static let rowBytesMax = 512
  private static let purpose: StaticString = "LocalAuth sync row table 1"

  /// The store, which is named as an access group.
  public let store: ExactText
  /// The table.
  public let table: ExactText
  /// What the row is called in its table: its primary key.
  public let row: ExactText
  /// Fields of its record that this version does not know.
  public let unknown: [UInt32: [UInt8]]

  /// The key of a row; nil if one of its names is empty, too long, or of several lines.
  public init?(
    _ store: ExactText,
    _ table: ExactText,
    _ row: ExactText,
    keeping unknown: [UInt32: [UInt8]] = [:]
  ) {
    guard !store.text.isEmpty, table.isName(most: Self.tableBytesMax),
      row.isName(most: Self.rowBytesMax)
    else { return nil }
    self.store = store
    self.table = table
    self.row = row
    self.unknown = unknown
  }

  /// The row, whatever its record says that is not known here.
  public var plain: TableKey { TableKey(store, table, row) ?? self }

  // MARK: Rows

  /// What becomes of the row that says which one a record is; nil if it is none any more.
  public static func change(of record: RecordName, to key: Self?) -> SyncRow.Change {
    let place = SyncRow.Key(.tableRow, .tables, .name(record))
    guard let key else { return .remove(place) }
    var framed = FramedBytes(purpose)
    framed.add(key.store)
    framed.add(key.table)
    framed.add(key.row)
    framed.add(key.unknown)
    return .put(SyncRow(place, framed.bytes))
  }

  /// Reads a row; nil for anything that ``change(of:to:)`` does not write.
  public static func read(_ row: SyncRow) -> (record: RecordName, key: Self)? {
    guard row.key.kind == .tableRow, row.key.zone == .tables,
      case .name(let record) = row.key.place,
      var reader = FramedReader(row.value, for: purpose),
      let store = reader.counted(most: storeBytesMax)
        .flatMap({ String(validating: $0, as: UTF8.self) }),
      let table = reader.name(most: tableBytesMax), let name = reader.name(most: rowBytesMax),
      let unknown = reader.fields(), reader.isAtEnd,
      let key = Self(ExactText(store), table, name, keeping: unknown)
    else { return nil }
    return (record, key)
  }
}
