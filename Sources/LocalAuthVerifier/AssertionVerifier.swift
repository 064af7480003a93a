import Glibc
import LocalAuthCrypto
import LocalAuthKeychain
public import LocalAuthToken
import Synchronization

/// Verifies assertions offline, and takes each of them once.
///
/// ```swift
/// let verifier = AssertionVerifier([.init(name: issuer, keys: try JSONWebKeySet(json: jwks))])
/// let claims = try verifier.verify(
///   token, .init(audience: "https://pay.example", nonce: nonce, action: "pay 10 to ann"))
/// ```
///
/// Keys come from where the service trusts them to (`authctl jwks`), never from a token. It may be
/// used from any thread.
public final class AssertionVerifier: Sendable {
  /// An issuer that is trusted, and its keys.
  public struct Issuer: Hashable, Sendable {
    /// What its assertions have as `iss`.
    public var name: String
    /// Its keys.
    public var keys: JSONWebKeySet

    /// The issuer called `name`.
    public init(name: String, keys: JSONWebKeySet) {
      self.name = name
      self.keys = keys
    }
  }

  /// What an assertion must say to count.
  public struct Expectation: Hashable, Sendable {
    /// The service itself.
    public var audience: String
    /// What the service sent for this request, and for no other.
    public var nonce: String
    /// What was to be approved, as it was shown; nil where nothing in particular was, and then an
    /// assertion for an action does not count either.
    public var action: String?
    /// What a success may be worth; empty for anything.
    public var acrValues: Set<String> = []
    /// How many seconds ago it may have been proven; nil for as long as assertions live, so that an
    /// earlier success that was remembered counts only for who says how old it may be.
    public var maxAge: Int64?
    /// Whether a simulated device's counts: for tests, and nothing else.
    public var allowsSimulated = false

    /// Expects this audience, nonce and action.
    public init(audience: String, nonce: String, action: String? = nil) {
      self.audience = audience
      self.nonce = nonce
      self.action = action
    }
  }

  /// The longest time between signing and expiry that is taken, in seconds: what our issuers give.
  public static let lifetimeMax: Int64 = 60
  /// How far clocks may differ unless somebody says otherwise, in seconds.
  public static let standardSkew: Int64 = 30

  private let issuers: [Issuer]
  private let skew: Int64
  private let used: Mutex<ReplayCache>

  /// A verifier that trusts `issuers`.
  ///
  /// - Parameters:
  ///   - issuers: whose assertions count.
  ///   - skew: by how many seconds the issuer's clock may differ, 0 to 300.
  ///   - rememberedMax: how many used assertions are remembered until they have expired; while there
  ///     are so many, every further one is refused.
  public init(
    _ issuers: [Issuer],
    skew: Int64 = AssertionVerifier.standardSkew,
    rememberedMax: Int = 100_000
  ) {
    self.issuers = issuers
    self.skew = min(max(skew, 0), 300)
    used = Mutex(ReplayCache(limit: rememberedMax))
  }

  /// Takes an assertion that is all that `expected` says; it counts no more after this.
  ///
  /// - Parameters:
  ///   - token: the assertion in its compact form.
  ///   - expected: what it must say.
  ///   - now: seconds since 1970; nil for the machine's clock.
  /// - Returns: what it says.
  /// - Throws: the rule that it breaks.
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

  /// The nonce that a token claims to answer, or nil where it cannot be read.
  ///
  /// Nothing of the token is verified: this finds the request that ``verify(_:_:at:)`` is then to
  /// expect, in a service that has several open, and says nothing else.
  public static func unverifiedNonce(of token: String) -> String? {
    guard let signed = try? SignedToken(token) else { return nil }
    return try? AssertionClaims(json: signed.claims).nonce
  }

  /// The claims that one of the issuers signed.
  private func authentic(_ text: String) throws(AssertionError) -> AssertionClaims {
    let token = try Self.reading { () throws(TokenError) in try SignedToken(text) }
    // Before anything else is looked at: the algorithm is ours to say, not the token's.
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
  /// What an assertion of the action has as its digest.
  fileprivate var actionDigest: [UInt8]? {
    action.map { MessageHash().sha256(of: Array($0.utf8)) }
  }
}
