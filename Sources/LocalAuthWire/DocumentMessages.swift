/// A call that changes a document, if it is the one that its program knows.
public protocol DocumentChangeCall: GroupCall {
  /// What the content is named by, empty for no document; any when absent.
  var over: String? { get set }
}

/// The messages of `io.localauth.Documents`; the interface description documents the fields.
public enum DocumentMessages {
  /// The interface's name.
  public static let interface = "io.localauth.Documents"

  /// The most bytes of a document in one `Write`; as base64, and with the name, they are less than a frame.
  public static let bytesMax = 128 * 1024

  /// The parameters of `List`.
  public struct ListCall: GroupCall, Sendable {
    /// The container on its device.
    public var target = GroupTarget()
    /// Where to go on.
    public var cursor: WireBytes?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try target.map(&mapper, as: "container")
      try mapper.optional("cursor", &cursor)
    }
  }

  /// A document in a list.
  public struct Listed: WireReply, Sendable {
    /// Its name.
    public var name: String = ""
    /// What its content is named by; absent for a document that was damaged on the disk.
    public var version: String?
    /// Its bytes; absent for a document that was damaged on the disk.
    public var size: Int64?
    /// When it was written, in milliseconds since 1970.
    public var modified: Int64?
    /// How many versions are in conflict with it.
    public var conflicts: Int64 = 0
    /// Whether all of its bytes are here.
    public var complete: Bool = false
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("name", &name)
      try mapper.optional("version", &version)
      try mapper.optional("size", &size)
      try mapper.optional("modified", &modified)
      try mapper.required("conflicts", &conflicts)
      try mapper.required("complete", &complete)
    }
  }

  /// The reply to `List`.
  public struct ListReply: WireReply, Sendable {
    /// The documents, in no order.
    public var documents: [Listed] = []
    /// Where to go on, if that is not all.
    public var next: WireBytes?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("documents", &documents)
      try mapper.optional("next", &next)
    }
  }

  /// The parameters of `Read`.
  public struct ReadCall: GroupCall, Sendable {
    /// The container on its device.
    public var target = GroupTarget()
    /// The document.
    public var name: String = ""
    /// The content that is wanted; what there is when absent.
    public var version: String?
    /// The first byte; zero when absent.
    public var offset: Int64?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try target.map(&mapper, as: "container")
      try mapper.required("name", &name)
      try mapper.optional("version", &version)
      try mapper.optional("offset", &offset)
    }
  }

  /// The reply to `Read`.
  public struct ReadReply: WireReply, Sendable {
    /// What the content is named by.
    public var version: String = ""
    /// Its bytes.
    public var size: Int64 = 0
    /// When it was written, in milliseconds since 1970.
    public var modified: Int64 = 0
    /// Some of its bytes.
    public var bytes = WireBytes([])
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("version", &version)
      try mapper.required("size", &size)
      try mapper.required("modified", &modified)
      try mapper.required("bytes", &bytes)
    }
  }

  /// The parameters of `Write`.
  public struct WriteCall: DocumentChangeCall, Sendable {
    /// The container on its device.
    public var target = GroupTarget()
    /// The document.
    public var name: String = ""
    /// What the content is named by that it replaces, empty for none; any when absent.
    public var over: String?
    /// Its next bytes.
    public var bytes = WireBytes([])
    /// Whether more bytes follow in another call.
    public var continues: Bool?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try target.mapWithWriter(&mapper, as: "container")
      try mapper.required("name", &name)
      try mapper.optional("over", &over)
      try mapper.required("bytes", &bytes)
      try mapper.optional("continues", &continues)
    }
  }

  /// The reply to `Write`; without fields while more bytes follow.
  public struct WriteReply: WireReply, Sendable {
    /// What the content is named by.
    public var version: String?
    /// Its bytes.
    public var size: Int64?
    /// Whether it is another content than before.
    public var changed: Bool?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.optional("version", &version)
      try mapper.optional("size", &size)
      try mapper.optional("changed", &changed)
    }
  }

  /// The parameters of `Versions`.
  public struct VersionsCall: GroupCall, Sendable {
    /// The container on its device.
    public var target = GroupTarget()
    /// The document.
    public var name: String = ""
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try target.map(&mapper, as: "container")
      try mapper.required("name", &name)
    }
  }

  /// A version of a document.
  public struct Version: WireReply, Sendable {
    /// What its content is named by.
    public var version: String = ""
    /// Its bytes.
    public var size: Int64 = 0
    /// When it was written, in milliseconds since 1970.
    public var modified: Int64 = 0
    /// Whether it is the one that stands.
    public var current: Bool = false
    /// The device of the circle that wrote it; absent where that is not known.
    public var peerName: String?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("version", &version)
      try mapper.required("size", &size)
      try mapper.required("modified", &modified)
      try mapper.required("current", &current)
      try mapper.optional("peerName", &peerName)
    }
  }

  /// The reply to `Versions`.
  public struct VersionsReply: WireReply, Sendable {
    /// The one that stands, and those in conflict with it.
    public var versions: [Version] = []
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("versions", &versions)
    }
  }

  /// The parameters of `Settle`.
  public struct SettleCall: DocumentChangeCall, Sendable {
    /// The container on its device.
    public var target = GroupTarget()
    /// The document.
    public var name: String = ""
    /// The versions in conflict that go.
    public var versions: [String] = []
    /// What the content is named by that stands; any when absent.
    public var over: String?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try target.mapWithWriter(&mapper, as: "container")
      try mapper.required("name", &name)
      try mapper.optional("over", &over)
      try mapper.required("versions", &versions)
    }
  }

  /// The parameters of `Remove`.
  public struct RemoveCall: DocumentChangeCall, Sendable {
    /// The container on its device.
    public var target = GroupTarget()
    /// The document.
    public var name: String = ""
    /// What the content is named by that stands; any when absent.
    public var over: String?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try target.mapWithWriter(&mapper, as: "container")
      try mapper.required("name", &name)
      try mapper.optional("over", &over)
    }
  }

  /// The parameters of `Watch`.
  public struct WatchCall: GroupCall, Sendable {
    /// The container on its device.
    public var target = GroupTarget()
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try target.mapWithWriter(&mapper, as: "container")
    }
  }

  /// A reply to `Watch`; without fields if any document may be another one.
  public struct WatchReply: WireReply, Sendable {
    /// What a document is like now.
    public var changed: Listed?
    /// A document that was removed.
    public var removed: String?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.optional("changed", &changed)
      try mapper.optional("removed", &removed)
    }
  }
}
