import LocalAuthJSON

/// The claims of an assertion's JWT (RFC 7519 and OpenID Connect Core 1.0).
public struct AssertionClaims: Hashable, Sendable {
  /// The issuer (`iss`); simulated devices, users and systems have different ones.
  public var issuer: String
  /// The person whose presence was proven (`sub`).
  public var subject: String
  /// The intended audience (`aud`).
  public var audience: String
  /// The time of signing (`iat`), in seconds since 1970.
  public var issuedAt: Int64
  /// The expiry (`exp`), in seconds since 1970.
  public var expires: Int64
  /// The time of the oldest proof it rests on (`auth_time`), in seconds since 1970.
  public var authTime: Int64
  /// The assurance of the success (`acr`), as the policy states it.
  public var acr: String
  /// The methods of the proof (`amr`), as RFC 8176 names them.
  public var amr: [String]
  /// The nonce that the audience chose for this request (`nonce`).
  public var nonce: String
  /// The unique identifier of the assertion, which can be used once (`jti`).
  public var identifier: String
  /// SHA-256 of the approved action (`action_digest`, base64url); nil if there was none.
  public var actionDigest: [UInt8]?
  /// Whether the device is simulated (`sim`), so that nothing is proven about a person.
  public var isSimulated: Bool
  /// What judged the proof (`authenticators`); empty if it rests on an earlier success, or if the
  /// issuer does not say.
  public var authenticators: [ProvingAuthenticator]

  /// The size of an action digest in bytes.
  static let digestSize = 32

  /// Makes claims with these values.
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
    isSimulated: Bool,
    authenticators: [ProvingAuthenticator] = []
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
    self.authenticators = authenticators
  }

  /// Parses the claims in `bytes`; all are required except `action_digest` and `authenticators`, and
  /// unknown members are ignored.
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
    authenticators =
      object.has("authenticators")
      ? try object.array("authenticators").map { value throws(TokenError) in
        try ProvingAuthenticator(TokenObject(value, .claims))
      } : []
    guard actionDigest.map({ $0.count == Self.digestSize }) ?? true else {
      throw .invalid("action_digest")
    }
  }

  /// The claims as JSON.
  public var json: [UInt8] {
    var bytes: [UInt8] = []
    // Writing fails only for numbers that are not finite, and there are none.
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
    if !authenticators.isEmpty {
      writer.key("authenticators")
      writer.beginArray()
      for authenticator in authenticators { authenticator.write(to: &writer) }
      writer.endArray()
    }
    writer.endObject()
  }
}

/// An authenticator that judged a proof, as an assertion names it.
public struct ProvingAuthenticator: Hashable, Sendable {
  /// Its name on the machine (`name`).
  public var name: String
  /// What kind of evidence it judged (`kind`), such as `fingerprint`.
  public var kind: String
  /// How strong it is (`strength`): `convenience`, `weak` or `strong`; nil where that is not said.
  public var strength: String?

  /// The authenticator called `name`.
  public init(name: String, kind: String, strength: String?) {
    self.name = name
    self.kind = kind
    self.strength = strength
  }

  fileprivate init(_ object: TokenObject) throws(TokenError) {
    name = try object.string("name")
    kind = try object.string("kind")
    strength = try object.optionalString("strength")
  }

  fileprivate func write(to writer: inout JSONWriter<JSONGrowingBuffer>) {
    writer.beginObject()
    for (key, text) in [("name", name), ("kind", kind)] {
      writer.key(named: key)
      writer.string(text)
    }
    if let strength {
      writer.key("strength")
      writer.string(strength)
    }
    writer.endObject()
  }
}
