/// The result of a call; data is represented by the index of its row.
public enum QueryResult: Hashable, Sendable {
  /// Success without a value.
  case nothing
  case one(Entry)
  case many([Entry])

  /// One object of the result.
  public enum Entry: Hashable, Sendable {
    /// The data of the row with index `row`; empty if it has none.
    case data(row: Int)
    case attributes(ResultAttributes)
    /// The object that represents the item in a program.
    case reference(row: Int)
    case persistentReference(PersistentReference)
    /// Everything that was requested, in one dictionary.
    case dictionary(Combination)
  }

  /// The content of a dictionary, if more than one kind was requested.
  public struct Combination: Hashable, Sendable {
    /// The class, if an object was requested too.
    public var itemClass: ItemClass?
    /// The attributes, if requested.
    public var attributes: ResultAttributes?
    /// The row whose data it holds, if requested and present.
    public var data: Int?
    /// The row whose object it holds, if requested and the class has objects.
    public var reference: Int?
    /// The persistent reference, if requested.
    public var persistentReference: PersistentReference?
  }

  /// The result of a query that found `rows`.
  ///
  /// Throws ``KeychainError/itemNotFound`` if there are none: a result is never an empty list.
  public init(
    _ rows: [Item],
    returns: ReturnSet,
    limit: MatchLimit
  ) throws(KeychainError) {
    guard !rows.isEmpty else { throw .itemNotFound }
    let entries = rows.prefix(limit.maximum).enumerated().compactMap {
      Self.entry($1, row: $0, returns)
    }
    switch limit {
    case .one: self = entries.first.map { .one($0) } ?? .nothing
    case .count, .all: self = entries.isEmpty ? .nothing : .many(entries)
    }
  }

  private static func entry(_ item: Item, row: Int, _ returns: ReturnSet) -> Entry? {
    switch returns {
    case []: return nil
    case .data: return .data(row: row)
    case .attributes: return .attributes(ResultAttributes(of: item, withDigest: false))
    case .reference: return item.itemClass.hasReferences ? .reference(row: row) : nil
    case .persistentReference: return .persistentReference(item.reference)
    default: return .dictionary(combination(item, row: row, returns))
    }
  }

  private static func combination(_ item: Item, row: Int, _ returns: ReturnSet) -> Combination {
    let wantsReference = returns.contains(.reference)
    let wantsData = returns.contains(.data)
    return Combination(
      itemClass: wantsReference ? item.itemClass : nil,
      attributes: returns.contains(.attributes)
        ? ResultAttributes(of: item, withDigest: wantsData) : nil,
      data: wantsData && item.hasData ? row : nil,
      reference: wantsReference && item.itemClass.hasReferences ? row : nil,
      persistentReference: returns.contains(.persistentReference) ? item.reference : nil
    )
  }
}

/// The attributes of an item as a result shows them, never including its class or UUID.
public struct ResultAttributes: Hashable, Sendable {
  /// The values, by attribute.
  public var values: [ItemAttribute: AttributeValue]
  /// The access control, which every item has.
  public var accessControl: AccessControl

  /// The attributes of `item`, with the digest of its data only if the data is requested too.
  public init(of item: Item, withDigest: Bool) {
    var values = item.attributes.filter { $0.key.isShown && ($0.key != .digest || withDigest) }
    for attribute in Item.fields where attribute != .accessControl {
      values[attribute] = item.value(of: attribute)
    }
    self.values = values
    accessControl = item.accessControl
  }
}
