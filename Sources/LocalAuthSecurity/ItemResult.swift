import LocalAuth
import LocalAuthClient
import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret

/// What a call answers with, as objects of Foundation's.
struct ItemResult {
  private let items: [RemoteItem]
  private let keychain: Keychain
  private let query: QueryDictionary

  /// The result of `query`, which found `items` in `keychain`.
  init(_ items: [RemoteItem], in keychain: Keychain, _ query: QueryDictionary) {
    self.items = items
    self.keychain = keychain
    self.query = query
  }

  /// The result in the shape that was asked for; nil where nothing was.
  func object(_ returns: ReturnSet, _ limit: MatchLimit) throws(ItemStatus) -> CFTypeRef? {
    let result = try ItemStatus.parsing { () throws(KeychainError) in
      try QueryResult(items.map(\.described), returns: returns, limit: limit)
    }
    switch result {
    case .nothing: return nil
    case .one(let entry): return try value(of: entry) as AnyObject
    case .many(let entries):
      var values: [Any] = []
      for entry in entries { values.append(try value(of: entry)) }
      return values as CFArray
    }
  }

  private func value(of entry: QueryResult.Entry) throws(ItemStatus) -> Any {
    switch entry {
    case .data(let row): items[row].copyData()
    case .attributes(let attributes): Self.dictionary(of: attributes)
    case .reference(let row): try reference(row)
    case .persistentReference(let reference): Data(reference.bytes)
    case .dictionary(let combination): try dictionary(of: combination)
    }
  }

  private func dictionary(
    of combination: QueryResult.Combination
  ) throws(ItemStatus) -> [String: Any] {
    var all: [String: Any] = combination.attributes.map { Self.dictionary(of: $0) } ?? [:]
    all[QueryKey.itemClass.rawValue] = combination.itemClass?.rawValue
    all[QueryKey.valueData.rawValue] = combination.data.map { items[$0].copyData() }
    if let row = combination.reference { all[QueryKey.valueReference.rawValue] = try reference(row) }
    all[QueryKey.valuePersistentReference.rawValue] = combination.persistentReference.map {
      Data($0.bytes)
    }
    return all
  }

  /// The object that a program knows an item by.
  private func reference(_ row: Int) throws(ItemStatus) -> NSObject {
    let item = items[row]
    switch item.itemClass {
    case .key: return try SecKey(item, in: keychain, query)
    // There are no objects of these yet.
    case .certificate, .identity: throw .unimplemented
    case .genericPassword, .internetPassword: throw .unimplemented
    }
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

  /// The item's data, empty where it has none; an object may be made of the same.
  fileprivate func copyData() -> Data {
    guard let secret = data?.copied()?.take() else { return Data() }
    return Data(secret)
  }
}

extension AttributeValue {
  /// The value as Foundation has it.
  var foundation: Any {
    switch self {
    case .text(let text): text
    case .data(let bytes): Data(bytes)
    case .number(let number): NSNumber(value: number)
    case .date(let milliseconds): Date(milliseconds: milliseconds)
    }
  }
}
