import LocalAuthSync
import LocalAuthWire

/// A row of a table: as it is, as it is to be written, or that it was deleted.
public struct StoredRow: Hashable, Sendable {
  /// The table.
  public var table: String
  /// What the row is called in its table, such as a UUID: rows of one name on two devices are one row.
  public var name: String
  /// The values by column: to write, those that change; nil for a row that is deleted.
  public var columns: [String: CellValue]?

  /// The row `name` of `table`.
  public init(_ name: String, in table: String, _ columns: [String: CellValue]?) {
    self.table = table
    self.name = name
    self.columns = columns
  }

  /// The deletion of a row.
  public static func deleted(_ name: String, in table: String) -> Self {
    Self(name, in: table, nil)
  }
}

/// Rows that changed since a program asked last.
public struct RowChanges: Hashable, Sendable {
  /// The rows as they are now, each once, in the order of their last changes.
  public let rows: [StoredRow]
  /// What to ask with the next time.
  public let token: String
  /// Whether others have changed, too: ask again.
  public let hasMore: Bool
  /// Whether the list begins with the first row although the program knew some, because the device was erased: whatever is
  /// not listed up to the end is gone.
  public let isAnew: Bool
  /// How many rows were left out because they were changed on the disk.
  public let damaged: Int

  /// The changes with these properties, as a test compares them.
  public init(rows: [StoredRow], token: String, hasMore: Bool, isAnew: Bool, damaged: Int) {
    self.rows = rows
    self.token = token
    self.hasMore = hasMore
    self.isAnew = isAnew
    self.damaged = damaged
  }
}

/// What a program is told without asking.
public enum TableNews: Hashable, Sendable {
  /// Rows may have changed: ask with the token.
  case changed
}

extension TableMessages.Change {
  init(_ row: StoredRow) {
    self.init()
    (table, self.row) = (row.table, row.name)
    guard let columns = row.columns else {
      delete = true
      return
    }
    let carried = TableColumns(
      Dictionary(uniqueKeysWithValues: columns.map { (ExactText($0.key), $0.value) })
    )
    (self.columns, nulls) = (carried.names, carried.nulls)
    values = carried.list.map { WireBytes($0) }
  }
}

extension StoredRow {
  /// Reads a row; nil for what no service sends.
  init?(_ row: TableMessages.Row) {
    self.init(row.row, in: row.table, nil)
    guard !row.deleted else { return }
    let carried = TableColumns(names: row.columns, list: row.values?.bytes, nulls: row.nulls)
    guard let values = try? carried.values() else { return nil }
    // Two spellings of one name are one key here; the one that comes first in bytes stays.
    columns = Dictionary(
      values.sorted { $0.key < $1.key }.map { ($0.key.text, $0.value) },
      uniquingKeysWith: { first, _ in first }
    )
  }
}
