/// The messages of `io.localauth.KeyValues`; the interface description documents the fields.
public enum KeyValueMessages {
  /// The interface's name.
  public static let interface = "io.localauth.KeyValues"

  /// The most bytes of one call or reply, as ``size(of:)`` and the bytes of values count them; as base64, and with
  /// what is between, they are less than a frame.
  public static let bytesMax = 96 * 1024

  /// What an entry of a call or reply takes besides its value, at most.
  public static func size(of key: String) -> Int {
    // Control characters, quotes and backslashes are written as several.
    64
      + key.utf8.reduce(0) {
        $0 + ($1 < 0x20 ? 6 : $1 == UInt8(ascii: "\"") || $1 == UInt8(ascii: "\\") ? 2 : 1)
      }
  }

  /// A write to a store.
  public struct Change: WireObject, Sendable {
    /// The key.
    public var key: String = ""
    /// The value, or a part of it; absent to remove the key.
    public var value: WireBytes?
    /// Whether the value goes on in the next change.
    public var continues: Bool?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("key", &key)
      try mapper.optional("value", &value)
      try mapper.optional("continues", &continues)
    }
  }

  /// The parameters of `Write`.
  public struct WriteCall: GroupCall, Sendable {
    /// The store on its device.
    public var target = GroupTarget()
    /// Whether all values are removed first.
    public var removeAll: Bool?
    /// The changes.
    public var changes: [Change] = []
    /// Whether more changes follow in another call.
    public var continues: Bool?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try target.mapWithWriter(&mapper, as: "store")
      try mapper.optional("removeAll", &removeAll)
      try mapper.required("changes", &changes)
      try mapper.optional("continues", &continues)
    }
  }

  /// The reply to `Write`.
  public struct WriteReply: WireReply, Sendable {
    /// How often the store was changed; absent while more changes follow.
    public var revision: Int64?
    /// Whether the call changed anything; absent while more changes follow.
    public var changed: Bool?
    /// The keys whose values a quota keeps out.
    public var refused: [String] = []
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.optional("revision", &revision)
      try mapper.optional("changed", &changed)
      try mapper.required("refused", &refused)
    }
  }

  /// A place in the values of a store.
  public struct Place: WireObject, Sendable {
    /// The key.
    public var key: String = ""
    /// How many bytes of its value were read.
    public var offset: Int64 = 0
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("key", &key)
      try mapper.required("offset", &offset)
    }
  }

  /// The parameters of `Read`.
  public struct ReadCall: GroupCall, Sendable {
    /// The store on its device.
    public var target = GroupTarget()
    /// The keys that are wanted; all when absent.
    public var keys: [String]?
    /// Where to read on.
    public var from: Place?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try target.map(&mapper, as: "store")
      try mapper.optional("keys", &keys)
      try mapper.optional("from", &from)
    }
  }

  /// A value of a store.
  public struct Value: WireReply, Sendable {
    /// The key.
    public var key: String = ""
    /// The value, or a part of it.
    public var value = WireBytes([])
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("key", &key)
      try mapper.required("value", &value)
    }
  }

  /// The reply to `Read`.
  public struct ReadReply: WireReply, Sendable {
    /// How often the store was changed.
    public var revision: Int64 = 0
    /// The values.
    public var values: [Value] = []
    /// Where to read on, if that is not all.
    public var next: Place?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("revision", &revision)
      try mapper.required("values", &values)
      try mapper.optional("next", &next)
    }
  }

  /// The parameters of `Watch`.
  public struct WatchCall: GroupCall, Sendable {
    /// The store on its device.
    public var target = GroupTarget()
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try target.mapWithWriter(&mapper, as: "store")
    }
  }

  /// The reply to `Watch`.
  public struct WatchReply: WireReply, Sendable {
    /// How often the store was changed.
    public var revision: Int64 = 0
    /// Why it was, in Apple's numbers; absent in the first reply.
    public var reason: Int64?
    /// The keys that were.
    public var keys: [String] = []
    /// Those of them that have no value any more; absent for none.
    public var removed: [String]?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("revision", &revision)
      try mapper.optional("reason", &reason)
      try mapper.required("keys", &keys)
      try mapper.optional("removed", &removed)
    }
  }
}
