import LocalAuthJSON

/// The header that each of our tokens has: nothing in it is the sender's to choose.
public enum TokenHeader {
  /// What the token is (`typ`), so that no other JWT of the same key can be taken for it, RFC 8725
  /// section 3.11.
  public static let type = "localauth+jwt"
  /// How it is signed (`alg`): Ed25519 by RFC 8037, and nothing else ever.
  public static let algorithm = "EdDSA"
}

/// A JWT in its compact form, RFC 7515 section 3.1: header, claims and signature.
public struct SignedToken: Hashable, Sendable {
  /// Bytes of a whole token, at most: twice what the longest of ours has.
  public static let bytesMax = 8192
  /// Bytes of an Ed25519 signature.
  public static let signatureSize = 64

  /// What the header says of the algorithm.
  public let algorithm: String
  /// What the header says of the token's type.
  public let type: String?
  /// Which key signed it.
  public let keyIdentifier: String
  /// The claims, as they were signed.
  public let claims: [UInt8]
  /// What the signature is over.
  public let signingInput: [UInt8]
  /// The signature.
  public let signature: [UInt8]

  /// The first part of what is signed under the key called `keyIdentifier`.
  public static func header(keyIdentifier: String) -> String {
    var header: [UInt8] = []
    // Only numbers that are not finite cannot be written, and there are none.
    try? JSONWriter.write(into: &header) { writer in
      writer.beginObject()
      for (name, text) in [
        ("alg", TokenHeader.algorithm), ("typ", TokenHeader.type), ("kid", keyIdentifier),
      ] {
        writer.key(named: name)
        writer.string(text)
      }
      writer.endObject()
    }
    return Base64URL.encode(header)
  }

  /// What is signed of `claims`: the first two parts.
  public static func signingInput(_ claims: AssertionClaims, header: String) -> [UInt8] {
    var input = Array("\(header).".utf8)
    Base64URL.encode(claims.json, onto: &input)
    return input
  }

  /// The token of what was signed.
  public static func text(signing input: [UInt8], _ signature: [UInt8]) -> String {
    var token = input + [UInt8(ascii: ".")]
    Base64URL.encode(signature, onto: &token)
    return String(decoding: token, as: UTF8.self)
  }

  /// Takes `text` apart; nothing of it is verified yet.
  ///
  /// A header that asks for extensions (`crit`) is refused, because none is understood.
  public init(_ text: String) throws(TokenError) {
    let bytes = Array(text.utf8)
    guard bytes.count <= Self.bytesMax else { throw .tooLong }
    let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3, let header = Base64URL.decode(parts[0]),
      let claims = Base64URL.decode(parts[1]), let signature = Base64URL.decode(parts[2])
    else { throw .notCompact }
    let object = try TokenObject(header, .header)
    guard !object.has("crit") else { throw .invalid("crit") }
    algorithm = try object.string("alg")
    type = try object.optionalString("typ")
    keyIdentifier = try object.string("kid")
    self.claims = claims
    self.signature = signature
    signingInput = Array(bytes[..<parts[1].endIndex])
  }
}
