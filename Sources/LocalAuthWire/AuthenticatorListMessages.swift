/// The messages of `io.localauth.Authenticators`; the interface description documents the fields.
public enum AuthenticatorListMessages {
  /// The interface's name.
  public static let interface = "io.localauth.Authenticators"

  /// An authenticator in a list.
  public struct Line: WireReply, Sendable {
    /// Its name.
    public var name: String = ""
    /// Its purpose.
    public var summary: String = ""
    /// The kind of evidence that it judges.
    public var kind: String = ""
    /// What the evidence rests on.
    public var evidence: String = ""
    /// What it asks of the person: `nothing`, `text` or `touch`.
    public var asks: String = ""
    /// Its authentication method reference of RFC 8176.
    public var amr: String?
    /// Whether its proof is simulated.
    public var simulated: Bool = false
    /// Its program, or the socket of its unit.
    public var program: String = ""
    /// The file of its manifest.
    public var file: String = ""
    /// `ready`, `starting`, `unavailable` or `unusable`.
    public var state: String = ""
    /// Why it cannot be asked.
    public var message: String?
    /// How many things the caller has enrolled with it; absent if that is not known.
    public var enrolled: Int64?
    /// Where it keeps its state; absent if that is its unit's business.
    public var directory: String?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("name", &name)
      try mapper.required("summary", &summary)
      try mapper.required("kind", &kind)
      try mapper.required("evidence", &evidence)
      try mapper.required("asks", &asks)
      try mapper.optional("amr", &amr)
      try mapper.required("simulated", &simulated)
      try mapper.required("program", &program)
      try mapper.required("file", &file)
      try mapper.required("state", &state)
      try mapper.optional("message", &message)
      try mapper.optional("enrolled", &enrolled)
      try mapper.optional("directory", &directory)
    }
  }

  /// The reply to `List`.
  public struct ListReply: WireReply, Sendable {
    /// The authenticators, by name.
    public var authenticators: [Line] = []
    /// The mistakes in manifests, one line each.
    public var problems: [String] = []
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("authenticators", &authenticators)
      try mapper.required("problems", &problems)
    }
  }
}
