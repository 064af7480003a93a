/// The audience and the nonce of a requested assertion, both chosen by its verifier.
public struct AssertionRequest: Hashable, Sendable {
  /// The most bytes of each.
  public static let bytesMax = 256

  /// The intended audience.
  public let audience: String
  /// The nonce that the audience chose for this request and accepts once.
  public let nonce: String

  /// Makes a request; nil unless both have 1 to 256 visible ASCII characters.
  public init?(audience: String, nonce: String) {
    guard Self.isValid(audience), Self.isValid(nonce) else { return nil }
    self.audience = audience
    self.nonce = nonce
  }

  /// Whether `text` is valid as an audience or a nonce.
  public static func isValid(_ text: String) -> Bool {
    (1...bytesMax).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }
}
