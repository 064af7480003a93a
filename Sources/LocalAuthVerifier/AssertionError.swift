public import LocalAuthToken

/// Why an assertion is rejected; there is one case for each rule.
public enum AssertionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// It is not a token, or one of its parts cannot be parsed.
  case malformed(TokenError)
  /// Its header names an algorithm other than `EdDSA`.
  case algorithm
  /// It is another type of token.
  case type
  /// Its key is not trusted: it was rotated out, or never belonged to a trusted issuer.
  case unknownKey
  /// The signature does not match the key and the claims.
  case signature
  /// Its issuer is not the owner of the key that signed it.
  case issuer
  /// It is for another audience.
  case audience
  /// It answers another request.
  case nonce
  /// Its time of signing is in the future.
  case notYetValid
  case expired
  /// Its lifetime is not from 1 second to ``AssertionVerifier/lifetimeMax``.
  case lifetime
  /// The proof is older than accepted, or later than the signature.
  case authTime
  /// Its `acr` is not one of those accepted.
  case acr
  /// It approves another action, or none, or one where none was expected.
  case action
  /// The device is simulated.
  case simulated
  /// It was used before.
  case replayed
  /// Too many unexpired assertions are remembered; no more are accepted until some expire.
  case tooManyRemembered

  /// One line that says what is wrong.
  public var description: String {
    switch self {
    case .malformed(let error): "The assertion cannot be read: \(error)."
    case .algorithm: "The assertion is not signed by EdDSA."
    case .type: "The token is not an assertion of LocalAuth."
    case .unknownKey: "The assertion is signed by a key that is not trusted."
    case .signature: "The assertion's signature is wrong."
    case .issuer: "The assertion's issuer is not the owner of the key."
    case .audience: "The assertion is for another audience."
    case .nonce: "The assertion answers another request."
    case .notYetValid: "The assertion is signed in the future."
    case .expired: "The assertion has expired."
    case .lifetime: "The assertion lives for too long."
    case .authTime: "The assertion rests on a proof that is too old."
    case .acr: "The assertion is worth something else than is wanted."
    case .action: "The assertion approves another action."
    case .simulated: "The assertion is a simulated device's."
    case .replayed: "The assertion was used before."
    case .tooManyRemembered: "Too many assertions were used within their time."
    }
  }
}
