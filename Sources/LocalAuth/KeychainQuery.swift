public import LocalAuthKeychain

/// Which items a call is about, and how it may ask; the attributes to match are members of its own:
/// `query.label = "work"`.
///
/// An item that asks for proof asks for it as soon as it matches, also where only its attributes are
/// wanted. ``interaction`` says what then becomes of the call.
@dynamicMemberLookup
public struct KeychainQuery: Hashable, Sendable {
  /// Which items are meant, as to the user's other devices.
  public enum Synchronizable: Hashable, Sendable {
    /// Those that stay here; the default.
    case no
    /// Those that are meant for other devices too.
    case yes
    /// Both.
    case any
  }

  /// Of which class.
  public let itemClass: ItemClass
  /// The one item that is meant; it needs no attributes, and must have none.
  public let reference: PersistentReference?
  /// The values that the items have; case and every byte count.
  public var attributes = ItemAttributes()
  /// The access group they belong to; nil for all of the caller's.
  public var group: String?
  /// Their protection; nil for any.
  public var accessible: ProtectionClass?
  /// Whether they are meant for other devices too.
  public var synchronizable = Synchronizable.no
  /// The host that the server of an internet password is, or is below; for searches only.
  public var host: String?
  /// How many are wanted at most; nil for all.
  ///
  /// Updates and deletions are about all that match, and refuse a limit.
  public var limit: Int?
  /// Whether somebody may be asked; `skip` leaves out the items that would need it.
  public var interaction = InterfaceMode.allow
  /// Why, as the person reads it; nil for the context's.
  ///
  /// At most 1024 bytes.
  public var reason: String?

  /// All items of a class.
  public init(_ itemClass: ItemClass) {
    self.itemClass = itemClass
    reference = nil
  }

  /// The item of this reference, wherever it is.
  public init(_ reference: PersistentReference) {
    itemClass = reference.itemClass
    self.reference = reference
    synchronizable = .any
  }

  /// Generic passwords, those of a service or an account where these are named.
  public static func genericPasswords(
    service: String? = nil,
    account: String? = nil
  ) -> KeychainQuery {
    var query = KeychainQuery(.genericPassword)
    query.service = service
    query.account = account
    return query
  }

  /// Internet passwords, those of a server or an account where these are named.
  public static func internetPasswords(
    server: String? = nil,
    account: String? = nil
  ) -> KeychainQuery {
    var query = KeychainQuery(.internetPassword)
    query.server = server
    query.account = account
    return query
  }

  /// Certificates.
  public static var certificates: KeychainQuery { KeychainQuery(.certificate) }

  /// Keys.
  public static var keys: KeychainQuery { KeychainQuery(.key) }

  /// The item of this reference, wherever it is.
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
  /// The query as Apple's dictionary has it, for a call that changes what it finds.
  ///
  /// A limit or a host is left in it, because the service refuses them there; without them more
  /// would be changed than was asked for.
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

  /// The same for a search that wants its items described.
  func search(withData: Bool) -> QueryDictionary {
    var dictionary = selection
    if limit == nil { dictionary[QueryKey.matchLimit.rawValue] = .text("m_LimitAll") }
    dictionary.wantItem(withData: withData)
    return dictionary
  }
}

extension QueryDictionary {
  /// Asks for all that a ``KeychainItem`` shows.
  mutating func wantItem(withData: Bool) {
    self[QueryKey.returnAttributes.rawValue] = .boolean(true)
    self[QueryKey.returnPersistentReference.rawValue] = .boolean(true)
    if withData { self[QueryKey.returnData.rawValue] = .boolean(true) }
  }
}

extension ItemAttributes {
  /// The attributes as Apple's dictionary has them, in the order of their keys.
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
