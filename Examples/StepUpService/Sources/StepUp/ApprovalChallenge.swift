/// What a service answers to a request for which nothing was proven.
///
/// RFC 9470 says how the client learns what must be proven (``header``). It does not say how it learns
/// the action, the audience and the nonce that an assertion is to be made for, so these are the body.
public struct ApprovalChallenge: Hashable, Sendable, Encodable {
  /// What is to be approved, word for word.
  public let action: String
  /// Whom the assertion is to be made out to.
  public let audience: String
  /// Stands for this challenge; it counts once.
  public let nonce: String
  /// What a success may be worth, the preferred first.
  public let acrValues: [String]
  /// How many seconds ago it may have been proven.
  public let maxAge: Int64

  private enum CodingKeys: CodingKey {
    case action, audience, nonce
  }

  /// The value of `WWW-Authenticate`.
  public var header: String {
    """
    Bearer error="insufficient_user_authentication", \
    error_description="The person at the machine must approve this action", \
    acr_values="\(acrValues.joined(separator: " "))", max_age="\(maxAge)"
    """
  }
}
