/// What an assertion is wanted for: both come from whoever will verify it.
public struct AssertionRequest: Hashable, Sendable {
  /// Bytes of each, at most.
  public static let bytesMax = 256

  /// For whom it is meant.
  public let audience: String
  /// The audience's own word for this request, which it takes once.
  public let nonce: String

  /// A request with 1 to 256 visible characters of ASCII in both; nil for any other.
  public init?(audience: String, nonce: String) {
    guard Self.isValid(audience), Self.isValid(nonce) else { return nil }
    self.audience = audience
    self.nonce = nonce
  }

  /// Whether `text` can be an audience or a nonce.
  public static func isValid(_ text: String) -> Bool {
    (1...bytesMax).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }
}
