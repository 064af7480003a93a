public import LocalAuthToken

/// Why an assertion does not count; there is one for each rule.
public enum AssertionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// It is no token, or one of its parts cannot be read.
  case malformed(TokenError)
  /// It is signed by another algorithm than `EdDSA`, or says so.
  case algorithm
  /// It is another kind of token.
  case type
  /// No key of that name is trusted: it was rotated out, or never was the issuer's.
  case unknownKey
  /// The signature is not that key's over these claims.
  case signature
  /// The issuer is not the one whose key signed it.
  case issuer
  /// It is for somebody else.
  case audience
  /// It answers another request.
  case nonce
  /// It is signed in the future.
  case notYetValid
  case expired
  /// It lives longer than any of ours does.
  case lifetime
  /// It was proven longer ago than is wanted, or after it was signed.
  case authTime
  /// The success is worth something else than is wanted.
  case acr
  /// Another action was approved, or none.
  case action
  /// The device is simulated.
  case simulated
  /// It was used before.
  case replayed
  /// Too many assertions are remembered that may not be forgotten yet; nothing is taken meanwhile.
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
