import LocalAuthCrypto
import LocalAuthKeychain
import LocalAuthToken
import LocalAuthVerifier

/// An issuer that signs whatever a test wants.
struct SampleIssuer {
  let name: String
  let identifier: String
  private let key: SigningKey

  private final class SigningKey: Sendable {
    let key: PrivateKey
    init(_ key: consuming PrivateKey) { self.key = key }
  }

  init(_ name: String = "urn:localauth:user:1", identifier: String = "key-1") throws {
    self.name = name
    self.identifier = identifier
    key = SigningKey(try PrivateKey.generate(.ed25519))
  }

  var publicKey: [UInt8] { key.key.publicKey.bytes }

  var keys: JSONWebKeySet {
    JSONWebKeySet([JSONWebKey(identifier: identifier, publicKey: publicKey)].compactMap { $0 })
  }

  var trusted: AssertionVerifier.Issuer { .init(name: name, keys: keys) }

  /// Claims that ``Sample/expectation`` expects at ``Sample/now``.
  func claims(_ change: (inout AssertionClaims) -> Void = { _ in }) -> AssertionClaims {
    var claims = AssertionClaims(
      issuer: name,
      subject: "uid:1000",
      audience: "https://pay.example",
      issuedAt: Sample.now,
      expires: Sample.now + 60,
      authTime: Sample.now - 2,
      acr: "urn:localauth:acr:device-owner",
      amr: ["fpt"],
      nonce: "n-0S6_WzA2Mj",
      identifier: "0123456789abcdef",
      actionDigest: MessageHash().sha256(of: Array("pay 10 to ann".utf8)),
      isSimulated: false
    )
    change(&claims)
    return claims
  }

  func token(_ change: (inout AssertionClaims) -> Void = { _ in }) throws -> String {
    let header = SignedToken.header(keyIdentifier: identifier)
    return try sign(SignedToken.signingInput(claims(change), header: header))
  }

  /// A token of this header and these claims, in JSON.
  func token(header: String, claims: String) throws -> String {
    try sign(Array("\(Base64URL.encode(header.utf8)).\(Base64URL.encode(claims.utf8))".utf8))
  }

  func sign(_ input: [UInt8]) throws -> String {
    let signature = try key.key.sign(input, by: .edDSASignatureMessageCurve25519SHA512)
    return SignedToken.text(signing: input, signature)
  }
}

enum Sample {
  static let now: Int64 = 1_790_000_000
  static let expectation = AssertionVerifier.Expectation(
    audience: "https://pay.example",
    nonce: "n-0S6_WzA2Mj",
    action: "pay 10 to ann"
  )
}
