public import LocalAuthKeychain

extension AuthenticationMessages {
  /// An item as a prompt names it, its words cut.
  public struct NamedItem: WireReply, Sendable, Hashable {
    /// Its class, in Apple's letters.
    public var itemClass: String = ""
    /// What people read, or the tag of a key.
    public var label: String?
    /// The service, or the server.
    public var service: String?
    /// Whose it is.
    public var account: String?
    /// Everything absent, empty or zero.
    public init() {}

    /// The name as it travels.
    public init(_ name: ItemName) {
      itemClass = name.itemClass.rawValue
      label = name.label
      service = name.service
      account = name.account
    }

    /// Hands over every field.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("class", &itemClass)
      try mapper.optional("label", &label)
      try mapper.optional("service", &service)
      try mapper.optional("account", &account)
    }
  }

  /// What a keychain call is about to do, and with which items.
  public struct Items: WireReply, Sendable, Hashable {
    /// What is done: `decrypt`, `update`, `sign`, ...
    public var operations: [String] = []
    /// How many items there are; absent where every one with the access control is meant.
    public var count: Int64?
    /// The first of them.
    public var named: [NamedItem] = []
    /// What the items ask for.
    public var accessControl = WireAccessControl()
    /// All of it as a sentence for a person, without its "to".
    public var text: String = ""
    /// Everything absent, empty or zero.
    public init() {}

    /// The items as they travel.
    public init(_ items: NamedItems) {
      operations = items.operations.map(\.rawValue)
      count = items.count.map { Int64($0) }
      named = items.names.map { NamedItem($0) }
      accessControl = WireAccessControl(items.accessControl)
      text = items.text
    }

    /// Hands over every field.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("operations", &operations)
      try mapper.optional("count", &count)
      try mapper.required("named", &named)
      try mapper.required("accessControl", &accessControl)
      try mapper.required("text", &text)
    }
  }
}
