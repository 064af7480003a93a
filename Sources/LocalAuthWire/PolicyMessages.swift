/// The messages of `io.localauth.Policies`; the interface description documents the fields.
public enum PolicyMessages {
  /// The interface's name.
  public static let interface = "io.localauth.Policies"

  /// A policy in a list.
  public struct PolicyLine: WireReply, Sendable {
    /// Its name.
    public var name: String = ""
    /// Its purpose.
    public var summary: String = ""
    /// `shipped`, `system` or `user`.
    public var origin: String = ""
    /// What must be proven.
    public var requirement: String = ""
    /// The authentication context class of a success; absent if the file could not be read.
    public var acr: String?
    /// Whether its file could be read.
    public var usable: Bool = false
    /// The problem with its file.
    public var message: String?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("name", &name)
      try mapper.required("summary", &summary)
      try mapper.required("origin", &origin)
      try mapper.required("requirement", &requirement)
      try mapper.optional("acr", &acr)
      try mapper.required("usable", &usable)
      try mapper.optional("message", &message)
    }
  }

  /// The reply to `List`.
  public struct ListReply: WireReply, Sendable {
    /// The policies, by name.
    public var policies: [PolicyLine] = []
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("policies", &policies)
    }
  }

  /// The parameters of `Show`.
  public struct ShowCall: WireObject, Sendable {
    /// The policy's name.
    public var policy: String = ""
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("policy", &policy)
    }
  }

  /// The reply to `Show`.
  public struct ShowReply: WireReply, Sendable {
    /// The policy's name.
    public var name: String = ""
    /// `shipped`, `system` or `user`.
    public var origin: String = ""
    /// The text of its file.
    public var source: String = ""
    /// The policy in words.
    public var description: String = ""
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("name", &name)
      try mapper.required("origin", &origin)
      try mapper.required("source", &source)
      try mapper.required("description", &description)
    }
  }

  /// The parameters of `Check`.
  public struct CheckCall: WireObject, Sendable {
    /// The name of the file in messages.
    public var file: String = ""
    /// The text of the file.
    public var source: String = ""
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("file", &file)
      try mapper.required("source", &source)
    }
  }

  /// The reply to `Check`.
  public struct CheckReply: WireReply, Sendable {
    /// Whether the text is valid.
    public var valid: Bool = false
    /// The problem with the text.
    public var message: String?
    /// The policy in words.
    public var description: String?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("valid", &valid)
      try mapper.optional("message", &message)
      try mapper.optional("description", &description)
    }
  }
}
