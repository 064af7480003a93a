/// A dictionary in buckets, for what is copied before each change and compared with the copy afterwards.
///
/// A change copies one bucket and not everything, and what a change left alone is seen to be equal by its bucket. So both
/// take the time of what was touched. Buckets become more as entries do, and never fewer.
public struct BucketedTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// The entries of a bucket, on average, above which there are four times as many buckets.
  private static var fullBucket: Int { 32 }

  private var buckets: [[Key: Value]] = [[:]]
  /// How many entries there are.
  public private(set) var count = 0

  /// An empty table.
  public init() {}

  /// The table of these entries.
  public init(_ entries: [Key: Value]) {
    for (key, value) in entries { self[key] = value }
  }

  /// Whether there are no entries.
  public var isEmpty: Bool { count == 0 }

  /// The entry of this key; setting nil removes it.
  public subscript(key: Key) -> Value? {
    get { buckets[bucket(of: key)][key] }
    set {
      let bucket = bucket(of: key)
      count -= buckets[bucket].count
      buckets[bucket][key] = newValue
      count += buckets[bucket].count
      if count > buckets.count * Self.fullBucket { split() }
    }
  }

  private func bucket(of key: Key) -> Int { key.hashValue & (buckets.count - 1) }

  private mutating func split() {
    let all = buckets
    buckets = [[Key: Value]](repeating: [:], count: all.count * 4)
    for old in all {
      for (key, value) in old { buckets[bucket(of: key)][key] = value }
    }
  }

  /// All keys, in no order.
  public var keys: [Key] { map(\.key) }

  /// All values, in no order.
  public var values: [Value] { map(\.value) }

  /// The same keys with other values.
  public func mapValues<Other>(_ transform: (Value) -> Other) -> [Key: Other] {
    Dictionary(uniqueKeysWithValues: map { ($0.key, transform($0.value)) })
  }
}

extension BucketedTable: Sequence {
  /// The entries, in no order.
  public func makeIterator() -> FlattenSequence<[[Key: Value]]>.Iterator {
    buckets.joined().makeIterator()
  }
}

extension BucketedTable: Equatable where Value: Equatable {
  /// Whether both have the same entries, however they are divided.
  public static func == (left: Self, right: Self) -> Bool {
    left.count == right.count && left.changedKeys(from: right).isEmpty
  }

  /// The keys that both say different things of.
  public func changedKeys(from old: Self) -> Set<Key> {
    guard buckets.count == old.buckets.count else {
      return mapValues { $0 }.changedKeys(from: old.mapValues { $0 })
    }
    var changed: Set<Key> = []
    // Of a copy that nobody touched this is seen at once.
    for (new, before) in zip(buckets, old.buckets) where new != before {
      changed.formUnion(new.changedKeys(from: before))
    }
    return changed
  }
}

extension Dictionary where Value: Equatable {
  /// The keys that both say different things of.
  func changedKeys(from old: Self) -> Set<Key> {
    var changed = Set(filter { old[$0.key] != $0.value }.keys)
    for key in old.keys where self[key] == nil { changed.insert(key) }
    return changed
  }
}

extension BucketedTable: Hashable where Value: Hashable {
  /// Hashes what does not depend on how entries are divided.
  public func hash(into hasher: inout Hasher) { hasher.combine(count) }
}

extension BucketedTable: ExpressibleByDictionaryLiteral {
  /// The table of these entries, of which no two have one key.
  public init(dictionaryLiteral entries: (Key, Value)...) {
    self.init(Dictionary(uniqueKeysWithValues: entries))
  }
}
