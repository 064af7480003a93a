import LocalAuth
import LocalAuthClient
import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret

/// The result of a call, as Foundation objects.
struct ItemResult {
  /// An item; for an identity returned as an object, also its key.
  private struct Row {
    let item: RemoteItem
    var key: RemoteItem?
  }

  private let rows: [Row]
  private let keychain: Keychain
  private let query: QueryDictionary
  /// The identity to return in place of its certificate, which is the only item.
  private let identity: SecIdentity?

  /// The result of `query`, which found `items` in `keychain`.
  ///
  /// Items are in the order in which they were added, which Apple does not promise but clients rely
  /// on.
  init(
    _ items: [RemoteItem],
    in keychain: Keychain,
    _ query: QueryDictionary,
    standingFor identity: SecIdentity? = nil
  ) {
    var rows: [Row] = []
    for item in items {
      if item.itemClass == .key, rows.last?.item.itemClass == .identity {
        rows[rows.count - 1].key = item
      } else {
        rows.append(Row(item: item))
      }
    }
    self.rows = rows.sorted { $0.item.identifier < $1.item.identifier }
    self.keychain = keychain
    self.query = query
    self.identity = identity
  }

  /// The result in the requested form; nil if there is nothing to return.
  func object(_ returns: ReturnSet, _ limit: MatchLimit) throws(ItemStatus) -> CFTypeRef? {
    let items = rows.map { row in
      var item = row.item.described
      if identity != nil { item.itemClass = .identity }
      return item
    }
    let result = try ItemStatus.parsing { () throws(KeychainError) in
      try QueryResult(items, returns: returns, limit: limit)
    }
    switch result {
    case .nothing: return nil
    case .one(let entry): return try value(of: entry) as AnyObject
    case .many(let entries): return try list(of: entries)
    }
  }

  /// The values of a list; those that cannot be decoded or have no object are dropped, unless all
  /// are.
  private func list(of entries: [QueryResult.Entry]) throws(ItemStatus) -> CFArray {
    var values: [Any] = []
    var failure: ItemStatus?
    for entry in entries {
      do throws(ItemStatus) {
        values.append(try value(of: entry))
      } catch {
        guard error == .decode || error == .unimplemented else { throw error }
        failure = failure ?? error
      }
    }
    if values.isEmpty, let failure { throw failure }
    return values as CFArray
  }

  private func value(of entry: QueryResult.Entry) throws(ItemStatus) -> Any {
    switch entry {
    case .data(let row): rows[row].item.copyData()
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
    all[QueryKey.valueData.rawValue] = combination.data.map { rows[$0].item.copyData() }
    if let row = combination.reference {
      all[QueryKey.valueReference.rawValue] = try reference(row)
    }
    all[QueryKey.valuePersistentReference.rawValue] = combination.persistentReference.map {
      Data($0.bytes)
    }
    return all
  }

  /// The object that `kSecReturnRef` returns for an item.
  private func reference(_ row: Int) throws(ItemStatus) -> NSObject {
    if let identity { return identity }
    let item = rows[row].item
    switch item.itemClass {
    case .key: return try SecKey(item, in: keychain, query)
    case .certificate: return try SecCertificate(item)
    case .identity:
      guard let key = rows[row].key else { throw ItemStatus(.internalComponent) }
      let certificate = try SecCertificate(item)
      guard let identity = SecIdentity(certificate, try SecKey(key, in: keychain, query)) else {
        throw .decode
      }
      return identity
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
  /// The item, or a placeholder if its attributes were not requested.
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

  /// A copy of the item's data, which its object may need too; empty if the item has none.
  fileprivate func copyData() -> Data {
    guard let secret = data?.copied()?.take() else { return Data() }
    return Data(secret)
  }
}

extension AttributeValue {
  /// The value as a Foundation type.
  var foundation: Any {
    switch self {
    case .text(let text): text
    case .data(let bytes): Data(bytes)
    case .number(let number): NSNumber(value: number)
    case .date(let milliseconds): Date(milliseconds: milliseconds)
    }
  }
}
