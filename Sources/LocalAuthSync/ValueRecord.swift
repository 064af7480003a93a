public import LocalAuthCore
public import LocalAuthKeychain

/// A value of a key-value store as the fields of a record; the property list itself is the record's secret.
///
/// | field | what            |
/// |-------|-----------------|
/// | 1     | the store       |
/// | 2     | the key         |
///
/// All stores are one zone: their names are those of access groups, and a zone's name is no secret to the hub.
public struct ValueRecord: Hashable, Sendable {
  /// The longest name of a store that leaves its device, in bytes.
  public static let storeBytesMax = 1024
  /// What sort of record it is, for ``RecordName/message(kind:key:)``.
  public static let kind = Array("kval".utf8)
  /// The identifier of every version: a value has none.
  public static let identifier = ItemIdentifier(high: 0, low: 0)
  /// The time of a value from before the first download, which loses against each that another device wrote.
  public static let timeBeforeDownload = WallInstant(milliseconds: 0)
  private static let purpose: StaticString = "LocalAuth sync row value 1"

  private enum Own {
    static let store: UInt32 = 1
    static let key: UInt32 = 2
  }

  /// The store, which is named as an access group.
  public let store: String
  /// The key.
  public let key: KeyValueKey
  /// Fields that this version does not know, which are sent again.
  public let unknown: [UInt32: [UInt8]]

  /// The record of `key` in `store`; nil for what stays on its device, because one of them is empty or too long.
  public init?(store: String, key: KeyValueKey, keeping unknown: [UInt32: [UInt8]] = [:]) {
    guard (1...Self.storeBytesMax).contains(store.utf8.count), store.utf8.first != 0, key.isShort
    else { return nil }
    self.store = store
    self.key = key
    self.unknown = unknown.filter { $0.key != Own.store && $0.key != Own.key }
    guard fields.count <= RecordHead.fieldsMax else { return nil }
  }

  /// Reads a record; nil for what no member signs.
  public init?(_ head: RecordHead) {
    guard !head.version.isTombstone, head.version.keyClass == .afterFirstUnlock,
      let store = Self.text(head.fields[Own.store]), let key = Self.text(head.fields[Own.key])
    else { return nil }
    self.init(store: store, key: KeyValueKey(key), keeping: head.fields)
  }

  private static func text(_ bytes: [UInt8]?) -> String? {
    bytes.flatMap { String(validating: $0, as: UTF8.self) }
  }

  /// What is sealed of it, besides its version.
  public var fields: [UInt32: [UInt8]] {
    RecordHead.fields(
      [Own.store: Array(store.utf8), Own.key: Array(key.text.utf8)],
      known: [Own.store, Own.key],
      over: unknown
    )
  }

  /// What stands for its content, beside the value.
  public var content: [UInt8] { RecordHead.content(of: fields) }

  /// What distinguishes it from others, for ``RecordName/message(kind:key:)``.
  public var nameKey: [UInt8] {
    var framed = FramedBytes("LocalAuth sync value name 1")
    framed.add(store)
    framed.add(key.text)
    return framed.bytes
  }

  // MARK: Rows

  /// What becomes of the row when a record is this value now; nil if it is none.
  public static func change(of name: RecordName, to record: Self?) -> SyncRow.Change {
    let key = SyncRow.Key(.value, .keyValues, .name(name))
    guard let record else { return .remove(key) }
    var framed = FramedBytes(purpose)
    framed.add(record.fields)
    return .put(SyncRow(key, framed.bytes))
  }

  /// Reads a row; nil for anything that ``change(of:to:)`` does not write.
  public static func read(_ row: SyncRow) -> (name: RecordName, record: Self)? {
    guard row.key.kind == .value, row.key.zone == .keyValues, case .name(let name) = row.key.place,
      var reader = FramedReader(row.value, for: purpose), let fields = reader.fields(),
      reader.isAtEnd, let store = text(fields[Own.store]), let key = text(fields[Own.key]),
      let record = Self(store: store, key: KeyValueKey(key), keeping: fields)
    else { return nil }
    return (name, record)
  }

  /// The row that says that programs have the values of the first download.
  public static let downloaded = SyncRow(SyncRow.Key(.store, .keyValues), [1])
}
