import Glibc
import LocalAuthCrypto
import LocalAuthKeychain
public import LocalAuthToken
import Synchronization

/// Verifies assertions offline and accepts each of them once.
///
/// ```swift
/// let verifier = AssertionVerifier([.init(name: issuer, keys: try JSONWebKeySet(json: jwks))])
/// let claims = try verifier.verify(
///   token, .init(audience: "https://pay.example", nonce: nonce, action: "pay 10 to ann"))
/// ```
///
/// Get the keys from a source that the service trusts (`authctl jwks`), never from a token. Any
/// thread may use a verifier.
public final class AssertionVerifier: Sendable {
  /// A trusted issuer and its keys.
  public struct Issuer: Hashable, Sendable {
    /// The `iss` claim of its assertions.
    public var name: String
    /// Its keys.
    public var keys: JSONWebKeySet

    /// Makes the issuer called `name`.
    public init(name: String, keys: JSONWebKeySet) {
      self.name = name
      self.keys = keys
    }
  }

  /// The requirements on an assertion.
  public struct Expectation: Hashable, Sendable {
    /// The audience: the service itself.
    public var audience: String
    /// The nonce that the service sent for this request and for no other.
    public var nonce: String
    /// The action to be approved, as it was shown; nil for none, and then an assertion for an
    /// action is rejected.
    public var action: String?
    /// The accepted `acr` values; empty for any.
    public var acrValues: Set<String> = []
    /// The greatest age of the proof in seconds.
    ///
    /// Nil for ``AssertionVerifier/lifetimeMax``, so that a service accepts an older, remembered
    /// success only if it states an age.
    public var maxAge: Int64?
    /// Whether to accept a simulated device; for tests only.
    public var allowsSimulated = false

    /// Makes the requirements for this audience, nonce and action.
    public init(audience: String, nonce: String, action: String? = nil) {
      self.audience = audience
      self.nonce = nonce
      self.action = action
    }
  }

  /// The longest accepted lifetime in seconds: that of LocalAuth's assertions.
  public static let lifetimeMax: Int64 = 60
  /// The default for the allowed clock difference, in seconds.
  public static let standardSkew: Int64 = 30

  private let issuers: [Issuer]
  private let skew: Int64
  private let used: Mutex<ReplayCache>

  /// A verifier that trusts `issuers`.
  ///
  /// - Parameters:
  ///   - issuers: the trusted issuers.
  ///   - skew: the allowed difference from the issuer's clock in seconds, limited to 0 to 300.
  ///   - rememberedMax: the most used assertions to remember until they expire; at this limit every
  ///     further assertion is rejected.
  public init(
    _ issuers: [Issuer],
    skew: Int64 = AssertionVerifier.standardSkew,
    rememberedMax: Int = 100_000
  ) {
    self.issuers = issuers
    self.skew = min(max(skew, 0), 300)
    used = Mutex(ReplayCache(limit: rememberedMax))
  }

  /// Accepts an assertion that meets `expected`; it cannot be used again.
  ///
  /// - Parameters:
  ///   - token: the assertion in compact form.
  ///   - expected: the requirements.
  ///   - now: the current time in seconds since 1970; nil for the machine's clock.
  /// - Returns: the verified claims.
  /// - Throws: the rule that the assertion violates.
  public func verify(
    _ token: String,
    _ expected: Expectation,
    at now: Int64? = nil
  ) throws(AssertionError) -> AssertionClaims {
    let now = now ?? Int64(time(nil))
    let claims = try authentic(token)
    guard claims.audience == expected.audience else { throw .audience }
    guard claims.nonce == expected.nonce else { throw .nonce }
    try checkTimes(of: claims, expected, now)
    guard expected.acrValues.isEmpty || expected.acrValues.contains(claims.acr) else { throw .acr }
    guard claims.actionDigest == expected.actionDigest else { throw .action }
    guard !claims.isSimulated || expected.allowsSimulated else { throw .simulated }
    let key = ReplayCache.Key(issuer: claims.issuer, identifier: claims.identifier)
    let expires = claims.expires + skew
    switch used.withLock({ $0.take(key, until: expires, at: now) }) {
    case .fresh: return claims
    case .used: throw .replayed
    case .full: throw .tooManyRemembered
    }
  }

  /// The nonce in an unverified token; nil if it cannot be parsed.
  ///
  /// Use it only to find the pending request that the token may answer, then call
  /// ``verify(_:_:at:)``.
  public static func unverifiedNonce(of token: String) -> String? {
    guard let signed = try? SignedToken(token) else { return nil }
    return try? AssertionClaims(json: signed.claims).nonce
  }

  /// Parses the claims of a token signed by one of the issuers.
  private func authentic(_ text: String) throws(AssertionError) -> AssertionClaims {
    let token = try Self.reading { () throws(TokenError) in try SignedToken(text) }
    // Check the algorithm first: the verifier determines it, not the token.
    guard token.algorithm == TokenHeader.algorithm else { throw .algorithm }
    guard token.type == TokenHeader.type else { throw .type }
    let owner = issuers.first { $0.keys[token.keyIdentifier] != nil }
    guard let owner, let key = owner.keys[token.keyIdentifier] else { throw .unknownKey }
    guard Self.isSigned(token, by: key) else { throw .signature }
    let claims = try Self.reading { () throws(TokenError) in
      try AssertionClaims(json: token.claims)
    }
    guard claims.issuer == owner.name else { throw .issuer }
    return claims
  }

  private func checkTimes(
    of claims: AssertionClaims,
    _ expected: Expectation,
    _ now: Int64
  ) throws(AssertionError) {
    guard claims.issuedAt <= now + skew else { throw .notYetValid }
    guard now < claims.expires + skew else { throw .expired }
    guard (1...Self.lifetimeMax).contains(claims.expires - claims.issuedAt) else {
      throw .lifetime
    }
    guard claims.authTime <= claims.issuedAt else { throw .authTime }
    let maxAge = expected.maxAge ?? Self.lifetimeMax
    guard now - claims.authTime - skew <= maxAge else { throw .authTime }
  }

  private static func isSigned(_ token: SignedToken, by key: JSONWebKey) -> Bool {
    guard token.signature.count == SignedToken.signatureSize,
      let publicKey = try? PublicKey(.ed25519, key.publicKey)
    else { return false }
    let isValid = try? publicKey.verify(
      token.signature,
      of: token.signingInput,
      by: .edDSASignatureMessageCurve25519SHA512
    )
    return isValid == true
  }

  private static func reading<Value>(
    _ body: () throws(TokenError) -> Value
  ) throws(AssertionError) -> Value {
    do throws(TokenError) { return try body() } catch { throw .malformed(error) }
  }
}

extension AssertionVerifier.Expectation {
  /// The digest in an assertion of the expected action.
  fileprivate var actionDigest: [UInt8]? {
    action.map { MessageHash().sha256(of: Array($0.utf8)) }
  }
}
