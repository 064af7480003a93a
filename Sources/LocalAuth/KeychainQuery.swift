public import LocalAuthKeychain

/// Selects the items of a call, and how it may ask; attributes to match are also members:
/// `query.label = "work"`.
///
/// An item that requires proof requires it as soon as it matches, even if only its attributes are
/// fetched. ``interaction`` determines what the call does then.
@dynamicMemberLookup
public struct KeychainQuery: Hashable, Sendable {
  /// Selects items by whether they are meant for the user's other devices.
  public enum Synchronizable: Hashable, Sendable {
    /// Items that stay on this device; the default.
    case no
    /// Items that are also meant for other devices.
    case yes
    /// Both kinds.
    case any
  }

  /// The class of the items.
  public let itemClass: ItemClass
  /// The single item to select; a query with a reference must have no attributes.
  public let reference: PersistentReference?
  /// The values to match, compared byte by byte and case-sensitively.
  public var attributes = ItemAttributes()
  /// The access group of the items; nil for all of the caller's groups.
  public var group: String?
  /// The protection of the items; nil for any.
  public var accessible: ProtectionClass?
  /// Whether the items are meant for other devices too.
  public var synchronizable = Synchronizable.no
  /// A host that an internet password's server must equal or be below; for searches only.
  public var host: String?
  /// The maximum number of items; nil for all.
  ///
  /// Updates and deletions affect all matches, and refuse a limit.
  public var limit: Int?
  /// Whether a person may be asked; `skip` omits the items that would need it.
  public var interaction = InterfaceMode.allow
  /// The reason shown to the person; nil for the context's.
  ///
  /// At most 1024 bytes.
  public var reason: String?

  /// Selects all items of a class.
  public init(_ itemClass: ItemClass) {
    self.itemClass = itemClass
    reference = nil
  }

  /// Selects the item of this reference, in any access group.
  public init(_ reference: PersistentReference) {
    itemClass = reference.itemClass
    self.reference = reference
    synchronizable = .any
  }

  /// Selects generic passwords, optionally those of a service or an account.
  public static func genericPasswords(
    service: String? = nil,
    account: String? = nil
  ) -> KeychainQuery {
    var query = KeychainQuery(.genericPassword)
    query.service = service
    query.account = account
    return query
  }

  /// Selects internet passwords, optionally those of a server or an account.
  public static func internetPasswords(
    server: String? = nil,
    account: String? = nil
  ) -> KeychainQuery {
    var query = KeychainQuery(.internetPassword)
    query.server = server
    query.account = account
    return query
  }

  /// Selects all certificates.
  public static var certificates: KeychainQuery { KeychainQuery(.certificate) }

  /// Selects all keys.
  public static var keys: KeychainQuery { KeychainQuery(.key) }

  /// Selects the item of this reference, in any access group.
  public static func item(_ reference: PersistentReference) -> KeychainQuery {
    KeychainQuery(reference)
  }

  /// An attribute by its name.
  public subscript<Value>(
    dynamicMember path: WritableKeyPath<ItemAttributes, Value>
  ) -> Value {
    get { attributes[keyPath: path] }
    set { attributes[keyPath: path] = newValue }
  }
}

extension KeychainQuery {
  /// The query as Apple's dictionary, for a call that changes the items.
  ///
  /// A limit or a host stays in the dictionary so that the service refuses it; dropping it would
  /// change more items than intended.
  var selection: QueryDictionary {
    var dictionary = attributes.dictionary
    dictionary[QueryKey.itemClass.rawValue] = .text(itemClass.rawValue)
    dictionary[QueryKey.valuePersistentReference.rawValue] = reference.map { .data($0.bytes) }
    if let group { dictionary[ItemAttribute.accessGroup.rawValue] = .text(group) }
    if let accessible {
      dictionary[ItemAttribute.accessible.rawValue] = .text(accessible.rawValue)
    }
    let synchronizableKey = ItemAttribute.synchronizable.rawValue
    switch synchronizable {
    case .no: break
    case .yes: dictionary[synchronizableKey] = .boolean(true)
    case .any: dictionary[synchronizableKey] = .text(QueryKey.synchronizableAny)
    }
    dictionary[QueryKey.matchHost.rawValue] = host.map { .text($0) }
    dictionary[QueryKey.matchLimit.rawValue] = limit.map { .number(Int64($0)) }
    if interaction != .allow {
      dictionary[QueryKey.useAuthenticationUI.rawValue] = .text(interaction.rawValue)
    }
    return dictionary
  }

  /// The query as Apple's dictionary, for a search that returns ``KeychainItem`` values.
  func search(withData: Bool) -> QueryDictionary {
    var dictionary = selection
    if limit == nil { dictionary[QueryKey.matchLimit.rawValue] = .text("m_LimitAll") }
    dictionary.wantItem(withData: withData)
    return dictionary
  }
}

extension QueryDictionary {
  /// Requests everything that a ``KeychainItem`` contains.
  mutating func wantItem(withData: Bool) {
    self[QueryKey.returnAttributes.rawValue] = .boolean(true)
    self[QueryKey.returnPersistentReference.rawValue] = .boolean(true)
    if withData { self[QueryKey.returnData.rawValue] = .boolean(true) }
  }
}

extension ItemAttributes {
  /// The attributes as Apple's dictionary, sorted by key.
  var dictionary: QueryDictionary {
    QueryDictionary(
      values.sorted { $0.key.rawValue < $1.key.rawValue }.map { attribute, value in
        QueryDictionary.Entry(key: attribute.rawValue, value: QueryValue(value))
      }
    )
  }
}

extension QueryValue {
  fileprivate init(_ value: AttributeValue) {
    switch value {
    case .text(let text): self = .text(text)
    case .data(let bytes): self = .data(bytes)
    case .number(let number): self = .number(number)
    case .date(let milliseconds): self = .date(milliseconds)
    }
  }
}
