import LocalAuthJSON

/// A public Ed25519 key as a JSON Web Key (RFC 8037).
public struct JSONWebKey: Hashable, Sendable {
  /// The size of the key in bytes.
  public static let size = 32

  /// The key identifier (`kid`): its thumbprint.
  public let identifier: String
  /// The 32 bytes of the key (RFC 8032).
  public let publicKey: [UInt8]

  /// Makes a key with this identifier; nil unless `publicKey` has 32 bytes.
  public init?(identifier: String, publicKey: [UInt8]) {
    guard publicKey.count == Self.size else { return nil }
    self.identifier = identifier
    self.publicKey = publicKey
  }

  /// The input of the thumbprint's SHA-256 (RFC 7638 section 3, RFC 8037 section 2).
  public static func thumbprintInput(of publicKey: [UInt8]) -> [UInt8] {
    Array("{\"crv\":\"Ed25519\",\"kty\":\"OKP\",\"x\":\"\(Base64URL.encode(publicKey))\"}".utf8)
  }
}

/// An issuer's set of public keys (RFC 7517 section 5).
public struct JSONWebKeySet: Hashable, Sendable {
  /// The size limit of a set in bytes.
  public static let bytesMax = 64 * 1024
  /// The most keys in a set.
  public static let keysMax = 64

  /// The keys usable for verifying assertions.
  public let keys: [JSONWebKey]

  /// Makes a set of these keys.
  public init(_ keys: [JSONWebKey]) { self.keys = keys }

  /// The key with this identifier.
  public subscript(identifier: String) -> JSONWebKey? {
    keys.first { $0.identifier == identifier }
  }

  /// Parses a set; keys other than Ed25519 signature keys are ignored, as RFC 7517 section 5
  /// demands.
  ///
  /// Two keys with the same identifier are refused as ambiguous.
  public init(json text: String) throws(TokenError) {
    let bytes = Array(text.utf8)
    guard bytes.count <= Self.bytesMax else { throw .tooLong }
    let values = try TokenObject(bytes, .keys).array("keys")
    guard values.count <= Self.keysMax else { throw .tooLong }
    var keys: [JSONWebKey] = []
    for value in values {
      guard let key = try Self.key(value) else { continue }
      guard !keys.contains(where: { $0.identifier == key.identifier }) else {
        throw .invalid("kid")
      }
      keys.append(key)
    }
    self.keys = keys
  }

  private static func key(_ value: JSONValue) throws(TokenError) -> JSONWebKey? {
    let object = try TokenObject(value, .keys)
    guard try object.string("kty") == "OKP", try object.optionalString("crv") == "Ed25519",
      try object.optionalString("use") ?? "sig" == "sig",
      try object.optionalString("alg") ?? TokenHeader.algorithm == TokenHeader.algorithm
    else { return nil }
    // With a published private key, anyone can sign.
    guard !object.has("d") else { throw .invalid("d") }
    let identifier = try object.string("kid")
    guard let key = JSONWebKey(identifier: identifier, publicKey: try object.bytes("x")) else {
      throw .invalid("x")
    }
    return key
  }

  /// The set as JSON, on one line.
  public var json: String {
    var bytes: [UInt8] = []
    // Writing fails only for numbers that are not finite, and there are none.
    try? JSONWriter.write(into: &bytes) { writer in
      writer.beginObject()
      writer.key("keys")
      writer.beginArray()
      for key in keys {
        writer.beginObject()
        for (name, text) in key.members {
          writer.key(named: name)
          writer.string(text)
        }
        writer.endObject()
      }
      writer.endArray()
      writer.endObject()
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension JSONWebKey {
  /// The key's JSON members, in the order of output.
  public var members: [(name: String, text: String)] {
    [
      ("kty", "OKP"), ("crv", "Ed25519"), ("x", Base64URL.encode(publicKey)), ("kid", identifier),
      ("use", "sig"), ("alg", TokenHeader.algorithm),
    ]
  }
}
