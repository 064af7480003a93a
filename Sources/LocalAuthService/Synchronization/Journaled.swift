import LocalAuthSync

/// A table that remembers which of its entries were changed since they were last written.
struct Journaled<Key: Hashable & Sendable, Value: Sendable> {
  private(set) var entries = BucketedTable<Key, Value>()
  /// The keys of what was changed or removed.
  private(set) var changed: Set<Key> = []

  /// The entry of this key; setting it notes the change.
  subscript(key: Key) -> Value? {
    get { entries[key] }
    set {
      entries[key] = newValue
      changed.insert(key)
    }
  }

  /// Forgets what was changed, because it is written.
  mutating func settle() { changed = [] }
}
