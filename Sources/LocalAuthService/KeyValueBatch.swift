import LocalAuthCore
import LocalAuthPropertyList
import LocalAuthSync

/// A write to a key-value store.
public struct KeyValueChange: Hashable, Sendable {
  /// The key.
  public var key: String
  /// The value as a binary property list, or a part of it; nil to remove the key.
  public var value: [UInt8]?
  /// Whether the value goes on in the next change, which has the same key.
  public var continues: Bool

  /// The change of `key` to `value`.
  public init(_ key: String, _ value: [UInt8]?, continues: Bool = false) {
    self.key = key
    self.value = value
    self.continues = continues
  }
}

/// The changes that a connection sends in several calls, and that are made in one commit.
struct KeyValueBatch {
  /// The most bytes of keys and values in one batch: a whole store exchanged for another.
  static let bytesMax = 2 * KeyValueLimits.bytesMax + 2 * KeyValueLimits.keysMax * 64
  /// The most changes in one batch: each key of a store removed, and as many written.
  static let changesMax = 4 * KeyValueLimits.keysMax

  private(set) var changes: [KeyValueChange] = []
  private(set) var byteCount = 0

  /// Adds the changes of one call, the first of which may go on with the last value.
  mutating func add(_ added: [KeyValueChange]) throws(EngineError) {
    for change in added {
      guard KeyValueKey(change.key).isShort else { throw Self.keyTooLong(change.key) }
      byteCount += change.key.utf8.count + (change.value?.count ?? 0)
      try append(change)
      guard changes.count <= Self.changesMax, byteCount <= Self.bytesMax else {
        throw .limitReached(
          "That is more than a key-value store has room for; nothing was written."
        )
      }
    }
  }

  private mutating func append(_ change: KeyValueChange) throws(EngineError) {
    guard let last = changes.last, last.continues else { return changes.append(change) }
    guard KeyValueKey(last.key) == KeyValueKey(change.key), let part = change.value else {
      throw .invalidArgument("A value that continues is followed by its next part.")
    }
    changes[changes.count - 1].value?.append(contentsOf: part)
    changes[changes.count - 1].continues = change.continues
  }

  private static func keyTooLong(_ key: String) -> EngineError {
    .invalidArgument(
      "A key has at most \(KeyValueLimits.keyBytesMax) bytes of UTF-8; this one has \(key.utf8.count)."
    )
  }

  /// The writes, each value as the one property list that its bytes say.
  func writes() throws(EngineError) -> [(key: KeyValueKey, value: StoredKeyValues.Zone.Value?)] {
    guard changes.last?.continues != true else {
      throw .invalidArgument("The last value is not whole.")
    }
    var writes: [(KeyValueKey, StoredKeyValues.Zone.Value?)] = []
    for change in changes {
      let content = try change.value.map { bytes throws(EngineError) in
        do throws(PropertyListError) {
          return try PropertyList(binary: bytes).binary()
        } catch {
          throw .invalidArgument("The value of '\(change.key)' cannot be kept: \(error)")
        }
      }
      writes.append(
        (KeyValueKey(change.key), content.map { StoredKeyValues.Zone.Value($0, size: $0.count) })
      )
    }
    return writes
  }
}

/// Batches of all connections that are not whole yet.
struct KeyValueBatches {
  /// The most bytes that the connections of one user may keep here.
  private static let bytesMax = 2 * KeyValueBatch.bytesMax
  /// The most bytes that all connections may keep here.
  private static let bytesMaxInAll = 16 * bytesMax

  private var batches: [UInt64: (user: UInt32, batch: KeyValueBatch)] = [:]

  /// Keeps the changes of one call until the rest comes.
  mutating func add(
    _ changes: [KeyValueChange],
    of user: UInt32,
    on connection: UInt64
  ) throws(EngineError) {
    var batch = batches[connection]?.batch ?? KeyValueBatch()
    batches[connection] = nil
    try batch.add(changes)
    let others = batches.values.filter { $0.user == user }.reduce(0) { $0 + $1.batch.byteCount }
    guard others + batch.byteCount <= Self.bytesMax else {
      throw .limitReached("Other programs of this user write to key-value stores: try again.")
    }
    let all = batches.values.reduce(0) { $0 + $1.batch.byteCount }
    guard all + batch.byteCount <= Self.bytesMaxInAll else {
      throw .limitReached("Many users write to key-value stores: try again.")
    }
    batches[connection] = (user, batch)
  }

  /// Takes what a connection has sent; empty if it sent nothing.
  mutating func take(_ connection: UInt64) -> KeyValueBatch {
    batches.removeValue(forKey: connection)?.batch ?? KeyValueBatch()
  }
}
