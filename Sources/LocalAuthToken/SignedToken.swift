import LocalAuthJSON

/// The fixed header values of every LocalAuth token; the sender chooses none of them.
public enum TokenHeader {
  /// The token type (`typ`), which keeps other JWTs signed by the same key from being accepted (RFC
  /// 8725 section 3.11).
  public static let type = "localauth+jwt"
  /// The signature algorithm (`alg`): always Ed25519 (RFC 8037).
  public static let algorithm = "EdDSA"
}

/// A JWT in compact form (RFC 7515 section 3.1): header, claims and signature.
public struct SignedToken: Hashable, Sendable {
  /// The size limit of a token in bytes: twice the size of the longest that LocalAuth issues.
  public static let bytesMax = 8192
  /// The size of an Ed25519 signature in bytes.
  public static let signatureSize = 64

  /// The algorithm named in the header.
  public let algorithm: String
  /// The token type named in the header.
  public let type: String?
  /// The identifier of the signing key.
  public let keyIdentifier: String
  /// The claims, exactly as they were signed.
  public let claims: [UInt8]
  /// The bytes that the signature covers.
  public let signingInput: [UInt8]
  /// The signature.
  public let signature: [UInt8]

  /// The encoded header of tokens signed by the key with this identifier.
  public static func header(keyIdentifier: String) -> String {
    var header: [UInt8] = []
    // Writing fails only for numbers that are not finite, and there are none.
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

  /// The bytes to sign: the encoded header and `claims`.
  public static func signingInput(_ claims: AssertionClaims, header: String) -> [UInt8] {
    var input = Array("\(header).".utf8)
    Base64URL.encode(claims.json, onto: &input)
    return input
  }

  /// Joins the signed bytes and the signature into a token.
  public static func text(signing input: [UInt8], _ signature: [UInt8]) -> String {
    var token = input + [UInt8(ascii: ".")]
    Base64URL.encode(signature, onto: &token)
    return String(decoding: token, as: UTF8.self)
  }

  /// Parses `text` without verifying anything.
  ///
  /// A header that demands extensions (`crit`) is refused, because none is supported.
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
