/// The messages of `io.localauth.Files`; the interface description documents the fields.
public enum FileMessages {
  /// The interface's name.
  public static let interface = "io.localauth.Files"

  /// The parameters of `MakeKey`.
  public struct MakeKeyCall: WireObject, Sendable {
    /// The device; the user's own machine when absent.
    public var device: String?
    /// Whether keys of a simulated device count.
    public var allowSimulated: Bool?
    /// When the file can be opened.
    public var protection: String = ""
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.optional("device", &device)
      try mapper.optional("allowSimulated", &allowSimulated)
      try mapper.required("protection", &protection)
    }
  }

  /// The reply to `MakeKey`.
  public struct MakeKeyReply: WireReply, Sendable {
    /// The file's identifier.
    public var identifier = WireBytes([])
    /// The key as the file keeps it.
    public var wrappedKey = WireBytes([])
    /// The key.
    public var key = WireSecret.none
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("identifier", &identifier)
      try mapper.required("wrappedKey", &wrappedKey)
      try mapper.required("key", &key)
    }
  }

  /// The parameters of `OpenKey`.
  public struct OpenKeyCall: WireObject, Sendable {
    /// The device; the user's own machine when absent.
    public var device: String?
    /// Whether keys of a simulated device count.
    public var allowSimulated: Bool?
    /// When the file can be opened.
    public var protection: String = ""
    /// The file's identifier.
    public var identifier = WireBytes([])
    /// The key as the file keeps it.
    public var wrappedKey = WireBytes([])
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.optional("device", &device)
      try mapper.optional("allowSimulated", &allowSimulated)
      try mapper.required("protection", &protection)
      try mapper.required("identifier", &identifier)
      try mapper.required("wrappedKey", &wrappedKey)
    }
  }

  /// The reply to `OpenKey`.
  public struct OpenKeyReply: WireReply, Sendable {
    /// The key.
    public var key = WireSecret.none
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("key", &key)
    }
  }
}
