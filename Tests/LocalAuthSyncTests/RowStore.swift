@testable import LocalAuthSync

/// Rows as a device's store has them.
struct RowStore: Equatable {
  private(set) var values: [SyncRow.Key: [UInt8]] = [:]

  init(_ rows: [SyncRow] = []) { apply(rows.map { .put($0) }) }

  mutating func apply(_ changes: [SyncRow.Change]) {
    for change in changes {
      switch change {
      case .put(let row): values[row.key] = row.value
      case .remove(let key): values.removeValue(forKey: key)
      }
    }
  }

  /// What is read back, from bytes alone.
  var rows: [SyncRow] {
    values.compactMap { SyncRow(key: $0.key.bytes, value: $0.value) }
  }
}
