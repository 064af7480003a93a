public import LocalAuthKeychain

extension AuthenticationMessages {
  /// An item as a prompt names it, with long words cut.
  public struct NamedItem: WireReply, Sendable, Hashable {
    /// Its class, in Apple's letters.
    public var itemClass: String = ""
    /// Its readable label, or the tag of a key.
    public var label: String?
    /// The service, or the server.
    public var service: String?
    /// The account.
    public var account: String?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}

    /// Creates the wire form of `name`.
    public init(_ name: ItemName) {
      itemClass = name.itemClass.rawValue
      label = name.label
      service = name.service
      account = name.account
    }

    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("class", &itemClass)
      try mapper.optional("label", &label)
      try mapper.optional("service", &service)
      try mapper.optional("account", &account)
    }
  }

  /// The operations and items of a keychain call.
  public struct Items: WireReply, Sendable, Hashable {
    /// The operations: `decrypt`, `update`, `sign`, ...
    public var operations: [String] = []
    /// The number of items; absent if every item with the access control is meant.
    public var count: Int64?
    /// The first of the items.
    public var named: [NamedItem] = []
    /// The access control of the items.
    public var accessControl = WireAccessControl()
    /// A sentence for a person that says all of this, without its initial "to".
    public var text: String = ""
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}

    /// Creates the wire form of `items`.
    public init(_ items: NamedItems) {
      operations = items.operations.map(\.rawValue)
      count = items.count.map { Int64($0) }
      named = items.names.map { NamedItem($0) }
      accessControl = WireAccessControl(items.accessControl)
      text = items.text
    }

    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("operations", &operations)
      try mapper.optional("count", &count)
      try mapper.required("named", &named)
      try mapper.required("accessControl", &accessControl)
      try mapper.required("text", &text)
    }
  }
}
