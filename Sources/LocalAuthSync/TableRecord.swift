/// A row of a table as the fields of a record; its cells are the record's secret.
///
/// | field | what                                        |
/// |-------|---------------------------------------------|
/// | 1     | the store, which is named as an access group |
/// | 2     | the table                                   |
/// | 3     | the row                                     |
public struct TableRecord: Hashable, Sendable {
  /// What sort of record it is, for ``RecordName/message(kind:key:)``.
  public static let kind = Array("row".utf8)

  private enum Own {
    static let store: UInt32 = 1
    static let table: UInt32 = 2
    static let row: UInt32 = 3
    static let known: Set<UInt32> = [store, table, row]
  }

  /// The row.
  public let key: TableKey

  /// The record of a row; nil for what stays on its device, because the name of its store is too long.
  public init?(_ key: TableKey) {
    guard Self.travels(key.store) else { return nil }
    self.key = key
    guard fields.count <= RecordHead.fieldsMax else { return nil }
  }

  /// Reads a record; nil for what no member signs.
  public init?(_ head: RecordHead) {
    guard !head.version.isTombstone, head.version.keyClass == .afterFirstUnlock,
      let store = Self.text(head.fields[Own.store]), let table = Self.text(head.fields[Own.table]),
      let row = Self.text(head.fields[Own.row]),
      let key = TableKey(
        store,
        table,
        row,
        keeping: head.fields.filter { !Own.known.contains($0.key) }
      )
    else { return nil }
    self.init(key)
  }

  private static func travels(_ store: ExactText) -> Bool {
    (1...TableKey.storeBytesMax).contains(store.text.utf8.count) && store.text.utf8.first != 0
  }

  private static func text(_ bytes: [UInt8]?) -> ExactText? {
    bytes.flatMap { String(validating: $0, as: UTF8.self) }.map { ExactText($0) }
  }

  /// What is sealed of it, besides its version and its cells.
  public var fields: [UInt32: [UInt8]] {
    RecordHead.fields(
      [
        Own.store: Array(key.store.text.utf8), Own.table: Array(key.table.text.utf8),
        Own.row: Array(key.row.text.utf8),
      ],
      known: Own.known,
      over: key.unknown
    )
  }

  /// What stands for its content, beside its cells.
  public var content: [UInt8] { RecordHead.content(of: fields) }

  /// The row that says that the first download has ended.
  public static let downloaded = SyncRow(SyncRow.Key(.store, .tables), [1])

  /// What distinguishes it from others, for ``RecordName/message(kind:key:)``.
  public var nameKey: [UInt8] {
    var framed = FramedBytes("LocalAuth sync table name 1")
    framed.add(key.store)
    framed.add(key.table)
    framed.add(key.row)
    return framed.bytes
  }
}
