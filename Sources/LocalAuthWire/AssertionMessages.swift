/// The messages of `io.localauth.Assertions`; the interface description documents the fields.
public enum AssertionMessages {
  /// The interface's name.
  public static let interface = "io.localauth.Assertions"

  /// A public key.
  public struct Key: WireReply, Sendable {
    /// The kind of the key: `OKP`.
    public var kty: String = ""
    /// The curve: `Ed25519`.
    public var crv: String = ""
    /// The key, in base64url.
    public var x: String = ""
    /// The identifier of the key.
    public var kid: String = ""
    /// The use of the key: `sig`.
    public var use: String = ""
    /// The algorithm: `EdDSA`.
    public var alg: String = ""
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("kty", &kty)
      try mapper.required("crv", &crv)
      try mapper.required("x", &x)
      try mapper.required("kid", &kid)
      try mapper.required("use", &use)
      try mapper.required("alg", &alg)
    }
  }

  /// The parameters of `Keys` and `Rotate`.
  public struct KeysCall: WireObject, Sendable {
    /// Whether the issuer of simulated devices is meant.
    public var simulated: Bool?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.optional("simulated", &simulated)
    }
  }

  /// The reply to `Keys` and `Rotate`.
  public struct KeysReply: WireReply, Sendable {
    /// The issuer, as its assertions have it in `iss`.
    public var issuer: String = ""
    /// The issuer's keys; the first one signs.
    public var keys: [Key] = []
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("issuer", &issuer)
      try mapper.required("keys", &keys)
    }
  }
}
