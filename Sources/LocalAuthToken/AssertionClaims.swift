import LocalAuthJSON

/// What an assertion says: the claims of its JWT, RFC 7519 and OpenID Connect Core 1.0.
public struct AssertionClaims: Hashable, Sendable {
  /// Who signs (`iss`); simulated devices, users and systems have different ones.
  public var issuer: String
  /// Whose presence was proven (`sub`).
  public var subject: String
  /// For whom it is meant (`aud`).
  public var audience: String
  /// When it was signed (`iat`), in seconds since 1970.
  public var issuedAt: Int64
  /// From when on it counts no more (`exp`), in seconds since 1970.
  public var expires: Int64
  /// When the person proved it (`auth_time`): the oldest proof that it rests on, in seconds since 1970.
  public var authTime: Int64
  /// What the success is worth (`acr`), as the policy says.
  public var acr: String
  /// How it was proven (`amr`), in the words of RFC 8176.
  public var amr: [String]
  /// The audience's own word for this request (`nonce`).
  public var nonce: String
  /// Names this assertion, which counts once (`jti`).
  public var identifier: String
  /// SHA-256 of the action that was approved (`action_digest`, base64url); nil where none was named.
  public var actionDigest: [UInt8]?
  /// Whether the device is simulated (`sim`), so that nothing is proven about a person.
  public var isSimulated: Bool

  /// How many bytes a digest has.
  static let digestSize = 32

  /// The claims with these values.
  public init(
    issuer: String,
    subject: String,
    audience: String,
    issuedAt: Int64,
    expires: Int64,
    authTime: Int64,
    acr: String,
    amr: [String],
    nonce: String,
    identifier: String,
    actionDigest: [UInt8]?,
    isSimulated: Bool
  ) {
    self.issuer = issuer
    self.subject = subject
    self.audience = audience
    self.issuedAt = issuedAt
    self.expires = expires
    self.authTime = authTime
    self.acr = acr
    self.amr = amr
    self.nonce = nonce
    self.identifier = identifier
    self.actionDigest = actionDigest
    self.isSimulated = isSimulated
  }

  /// The claims in `bytes`; every one must be there but the action's, and others are not looked at.
  public init(json bytes: [UInt8]) throws(TokenError) {
    let object = try TokenObject(bytes, .claims)
    issuer = try object.string("iss")
    subject = try object.string("sub")
    audience = try object.string("aud")
    issuedAt = try object.seconds("iat")
    expires = try object.seconds("exp")
    authTime = try object.seconds("auth_time")
    acr = try object.string("acr")
    amr = try object.strings("amr")
    nonce = try object.string("nonce")
    identifier = try object.string("jti")
    actionDigest = object.has("action_digest") ? try object.bytes("action_digest") : nil
    isSimulated = try object.bool("sim")
    guard actionDigest.map({ $0.count == Self.digestSize }) ?? true else {
      throw .invalid("action_digest")
    }
  }

  /// The claims as JSON.
  public var json: [UInt8] {
    var bytes: [UInt8] = []
    // Only numbers that are not finite cannot be written, and there are none.
    try? JSONWriter.write(into: &bytes) { write(to: &$0) }
    return bytes
  }

  private func write(to writer: inout JSONWriter<JSONGrowingBuffer>) {
    writer.beginObject()
    for (name, text) in [
      ("iss", issuer), ("sub", subject), ("aud", audience), ("acr", acr), ("nonce", nonce),
      ("jti", identifier),
    ] {
      writer.key(named: name)
      writer.string(text)
    }
    for (name, seconds) in [("iat", issuedAt), ("exp", expires), ("auth_time", authTime)] {
      writer.key(named: name)
      writer.int(seconds)
    }
    writer.key("amr")
    writer.beginArray()
    for method in amr { writer.string(method) }
    writer.endArray()
    if let actionDigest {
      writer.key("action_digest")
      writer.string(Base64URL.encode(actionDigest))
    }
    writer.key("sim")
    writer.bool(isSimulated)
    writer.endObject()
  }
}
