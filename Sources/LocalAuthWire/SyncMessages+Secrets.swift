extension SyncMessages {
  /// The most that a page of a list has.
  public static let pageMax = 256

  /// The parameters of `Conflicts` and `Exposed`.
  public struct ListCall: WireObject, Sendable {
    /// The device; the user's own machine when absent.
    public var device: String?
    /// Whether a simulated device counts.
    public var allowSimulated: Bool?
    /// How many come before this page; none when absent.
    public var after: Int64?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.optional("device", &device)
      try mapper.optional("allowSimulated", &allowSimulated)
      try mapper.optional("after", &after)
    }
  }

  /// A version that a merge overruled.
  public struct Conflict: WireReply, Sendable {
    /// What it is called, in hexadecimal digits.
    public var id: String = ""
    /// The item; absent for a value or a row, and while the device is locked.
    public var item: AuthenticationMessages.NamedItem?
    /// The group of the key-value store or of the tables; absent for an item.
    public var store: String?
    /// The key in the store; absent for an item and a row.
    public var key: String?
    /// The table; absent for an item and a value.
    public var table: String?
    /// The row of the table; absent for an item and a value.
    public var row: String?
    /// The name of the device that wrote it; absent if that never was in the circle.
    public var peerName: String?
    /// When it was written, in milliseconds since 1970 by the clock of the device that did; 0 if before it joined.
    public var modifiedAt: Int64 = 0
    /// When it lost, in milliseconds since 1970 by this device's clock.
    public var since: Int64 = 0
    /// Whether nothing stands in its place, because the item, value or row was deleted.
    public var isDeleted: Bool = false
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("id", &id)
      try mapper.optional("item", &item)
      try mapper.optional("store", &store)
      try mapper.optional("key", &key)
      try mapper.optional("table", &table)
      try mapper.optional("row", &row)
      try mapper.optional("peerName", &peerName)
      try mapper.required("modifiedAt", &modifiedAt)
      try mapper.required("since", &since)
      try mapper.required("isDeleted", &isDeleted)
    }
  }

  /// The reply to `Conflicts`.
  public struct ConflictsReply: WireReply, Sendable {
    /// The versions of this page, the oldest first.
    public var conflicts: [Conflict] = []
    /// How many there are.
    public var total: Int64 = 0
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("conflicts", &conflicts)
      try mapper.required("total", &total)
    }
  }

  /// The parameters of `Resolve`.
  public struct ResolveCall: WireObject, Sendable {
    /// The device; the user's own machine when absent.
    public var device: String?
    /// Whether a simulated device counts.
    public var allowSimulated: Bool?
    /// The version that lost.
    public var conflict: String = ""
    /// `restore` or `discard`.
    public var decision: String = ""
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.optional("device", &device)
      try mapper.optional("allowSimulated", &allowSimulated)
      try mapper.required("conflict", &conflict)
      try mapper.required("decision", &decision)
    }
  }

  /// A secret that a removed device knows.
  public struct Exposed: WireReply, Sendable {
    /// The device.
    public var peer: String = ""
    /// The name that people knew it by.
    public var peerName: String = ""
    /// The item; absent for one that is not open, as while the device is locked.
    public var item: AuthenticationMessages.NamedItem?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("peer", &peer)
      try mapper.required("peerName", &peerName)
      try mapper.optional("item", &item)
    }
  }

  /// A removed device of which this one cannot say what it knows, or not all of it.
  public struct UnlistedPeer: WireReply, Sendable {
    /// The device.
    public var peer: String = ""
    /// The name that people knew it by.
    public var peerName: String = ""
    /// Whether it was removed before this device came; otherwise this one has not taken all that the hub had then.
    public var wasRemovedBefore: Bool = false
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("peer", &peer)
      try mapper.required("peerName", &peerName)
      try mapper.required("wasRemovedBefore", &wasRemovedBefore)
    }
  }

  /// The reply to `Exposed`.
  public struct ExposedReply: WireReply, Sendable {
    /// The secrets of this page.
    public var secrets: [Exposed] = []
    /// The removed devices of which this one cannot say what they know, whatever the page.
    public var unlisted: [UnlistedPeer] = []
    /// How many there are.
    public var total: Int64 = 0
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("secrets", &secrets)
      try mapper.required("unlisted", &unlisted)
      try mapper.required("total", &total)
    }
  }
}
