import LocalAuth
import LocalAuthClient
import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret

/// What a call answers with, as objects of Foundation's.
struct ItemResult {
  /// An item, and of an identity the key behind it, where an object is made of both.
  private struct Row {
    let item: RemoteItem
    var key: RemoteItem?
  }

  private let rows: [Row]
  private let keychain: Keychain
  private let query: QueryDictionary
  /// The identity whose certificate the only item is.
  private let identity: SecIdentity?

  /// The result of `query`, which found `items` in `keychain`.
  ///
  /// They are in the order in which they were added, which Apple's does not promise and clients rely on.
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

  /// The result in the shape that was asked for; nil where nothing was.
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

  /// The objects of a list; one that is no key or certificate does not take the others with it.
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

  /// The object that a program knows an item by.
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
