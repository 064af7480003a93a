import LocalAuthClient
import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret

/// What a call answers with, as objects of Foundation's.
enum ItemResult {
  /// The result of `items` in the shape that was asked for; nil where nothing was.
  static func object(
    of items: [RemoteItem],
    _ returns: ReturnSet,
    _ limit: MatchLimit
  ) throws(ItemStatus) -> CFTypeRef? {
    let result = try ItemStatus.parsing { () throws(KeychainError) in
      try QueryResult(items.map(\.described), returns: returns, limit: limit)
    }
    switch result {
    case .nothing: return nil
    case .one(let entry): return try value(of: entry, items) as AnyObject
    case .many(let entries):
      var values: [Any] = []
      for entry in entries { values.append(try value(of: entry, items)) }
      return values as CFArray
    }
  }

  private static func value(
    of entry: QueryResult.Entry,
    _ items: [RemoteItem]
  ) throws(ItemStatus) -> Any {
    switch entry {
    case .data(let row): return items[row].takeData()
    case .attributes(let attributes): return dictionary(of: attributes)
    // There are no objects of keys and certificates yet.
    case .reference: throw .unimplemented
    case .persistentReference(let reference): return Data(reference.bytes)
    case .dictionary(let combination):
      guard combination.reference == nil else { throw .unimplemented }
      return dictionary(of: combination, items)
    }
  }

  private static func dictionary(
    of combination: QueryResult.Combination,
    _ items: [RemoteItem]
  ) -> [String: Any] {
    var all: [String: Any] = combination.attributes.map { dictionary(of: $0) } ?? [:]
    all[QueryKey.itemClass.rawValue] = combination.itemClass?.rawValue
    all[QueryKey.valueData.rawValue] = combination.data.map { items[$0].takeData() }
    all[QueryKey.valuePersistentReference.rawValue] = combination.persistentReference.map {
      Data($0.bytes)
    }
    return all
  }

  private static func dictionary(of attributes: ResultAttributes) -> [String: Any] {
    var all: [String: Any] = [:]
    for (attribute, value) in attributes.values { all[attribute.rawValue] = value.foundation }
    all[ItemAttribute.accessControl.rawValue] = SecAccessControl(attributes.accessControl)
    return all
  }
}

extension RemoteItem {
  /// The item as far as it was asked for.
  fileprivate var described: Item {
    item
      ?? Item(
        identifier: identifier,
        itemClass: itemClass,
        group: "",
        accessControl: AccessControl(.whenUnlocked),
        isSynchronizable: false,
        created: WallInstant(milliseconds: 0),
        modified: WallInstant(milliseconds: 0),
        attributes: [:],
        hasData: data != nil
      )
  }

  /// The item's data, empty where it has none.
  fileprivate func takeData() -> Data {
    guard let secret = data?.take() else { return Data() }
    return Data(secret)
  }
}

extension AttributeValue {
  /// The value as Foundation has it.
  fileprivate var foundation: Any {
    switch self {
    case .text(let text): text
    case .data(let bytes): Data(bytes)
    case .number(let number): NSNumber(value: number)
    case .date(let milliseconds): Date(milliseconds: milliseconds)
    }
  }
}
