/// The keys and values of one call, in their original order.
public struct QueryDictionary: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  /// One key with its value.
  public struct Entry: Hashable, Sendable {
    /// Apple's key string.
    public var key: String
    /// The value.
    public var value: QueryValue

    /// The entry with this key and value.
    public init(key: String, value: QueryValue) {
      self.key = key
      self.value = value
    }
  }

  /// The most keys that a call may have; Apple's limit.
  public static let limit = 128

  /// The pairs; a duplicate key is refused when the dictionary is read.
  public var entries: [Entry]

  /// The dictionary of these pairs.
  public init(_ entries: [Entry] = []) { self.entries = entries }

  /// The dictionary of these pairs.
  public init(dictionaryLiteral elements: (String, QueryValue)...) {
    entries = elements.map { Entry(key: $0, value: $1) }
  }

  /// The value of `key`; setting nil removes it.
  public subscript(key: String) -> QueryValue? {
    get { entries.first { $0.key == key }?.value }
    set {
      let index = entries.firstIndex { $0.key == key }
      switch (index, newValue) {
      case (let index?, let value?): entries[index].value = value
      case (let index?, nil): entries.remove(at: index)
      case (nil, let value?): entries.append(Entry(key: key, value: value))
      case (nil, nil): break
      }
    }
  }

  /// Throws if there are too many keys or one is a duplicate.
  func validate() throws(KeychainError) {
    guard entries.count <= Self.limit else { throw .parameter(.tooManyKeys) }
    guard entries.count > Self.few else {
      for (index, entry) in entries.enumerated()
      where entries[..<index].contains(where: { $0.key == entry.key }) {
        throw .parameter(.duplicateKey(entry.key))
      }
      return
    }
    var seen: Set<String> = []
    for entry in entries where !seen.insert(entry.key).inserted {
      throw .parameter(.duplicateKey(entry.key))
    }
  }

  /// The number of keys up to which comparing every pair is faster than hashing.
  private static let few = 16
}
