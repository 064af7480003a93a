/// The messages of `io.localauth.Tables`; the interface description documents the fields.
public enum TableMessages {
  /// The interface's name.
  public static let interface = "io.localauth.Tables"

  /// The most bytes of property lists in a call or reply with several rows; as base64 they are less than a frame.
  public static let bytesMax = 96 * 1024

  /// A row.
  public struct Row: WireReply, Sendable {
    /// The table.
    public var table: String = ""
    /// The row.
    public var row: String = ""
    /// The columns that have a value.
    public var columns: [String] = []
    /// Their values, as a property list; absent for none.
    public var values: WireBytes?
    /// The columns without a value.
    public var nulls: [String] = []
    /// Whether it was deleted.
    public var deleted: Bool = false
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("table", &table)
      try mapper.required("row", &row)
      try mapper.required("columns", &columns)
      try mapper.optional("values", &values)
      try mapper.required("nulls", &nulls)
      try mapper.required("deleted", &deleted)
    }
  }

  /// A write to a row.
  public struct Change: WireObject, Sendable {
    /// The table.
    public var table: String = ""
    /// The row.
    public var row: String = ""
    /// The columns that get a value.
    public var columns: [String]?
    /// The values, as a property list.
    public var values: WireBytes?
    /// The columns whose values are removed.
    public var nulls: [String]?
    /// Whether the row is deleted.
    public var delete: Bool?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("table", &table)
      try mapper.required("row", &row)
      try mapper.optional("columns", &columns)
      try mapper.optional("values", &values)
      try mapper.optional("nulls", &nulls)
      try mapper.optional("delete", &delete)
    }
  }

  /// The parameters of `Write`.
  public struct WriteCall: GroupCall, Sendable {
    /// The access group on its device.
    public var target = GroupTarget()
    /// The changes.
    public var changes: [Change] = []
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try target.mapWithWriter(&mapper, as: "group")
      try mapper.required("changes", &changes)
    }
  }

  /// The reply to `Write`.
  public struct WriteReply: WireReply, Sendable {
    /// How far who knew all rows before knows them now.
    public var token: String = ""
    /// How many rows are others than before.
    public var changed: Int64 = 0
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("token", &token)
      try mapper.required("changed", &changed)
    }
  }

  /// The parameters of `Read`.
  public struct ReadCall: GroupCall, Sendable {
    /// The access group on its device.
    public var target = GroupTarget()
    /// The table.
    public var table: String = ""
    /// The row.
    public var row: String = ""
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try target.map(&mapper, as: "group")
      try mapper.required("table", &table)
      try mapper.required("row", &row)
    }
  }

  /// The reply to `Read`.
  public struct ReadReply: WireReply, Sendable {
    /// The row; absent if there is none.
    public var row: Row?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.optional("row", &row)
    }
  }

  /// The parameters of `Changes`.
  public struct ChangesCall: GroupCall, Sendable {
    /// The access group on its device.
    public var target = GroupTarget()
    /// How far the caller knows the rows; not at all when absent.
    public var after: String?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try target.map(&mapper, as: "group")
      try mapper.optional("after", &after)
    }
  }

  /// The reply to `Changes`.
  public struct ChangesReply: WireReply, Sendable {
    /// The rows, in the order of their last changes.
    public var rows: [Row] = []
    /// How far the caller knows the rows now.
    public var token: String = ""
    /// Whether others have changed, too.
    public var more: Bool = false
    /// Whether the list begins with the first row although the caller knew some.
    public var anew: Bool = false
    /// How many rows were left out because they were changed on the disk.
    public var damaged: Int64 = 0
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("rows", &rows)
      try mapper.required("token", &token)
      try mapper.required("more", &more)
      try mapper.required("anew", &anew)
      try mapper.required("damaged", &damaged)
    }
  }

  /// The parameters of `Watch`.
  public struct WatchCall: GroupCall, Sendable {
    /// The access group on its device.
    public var target = GroupTarget()
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try target.mapWithWriter(&mapper, as: "group")
    }
  }

  /// The reply to `Watch`.
  public struct WatchReply: WireReply, Sendable {
    /// How far the rows have come.
    public var token: String = ""
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("token", &token)
    }
  }
}
