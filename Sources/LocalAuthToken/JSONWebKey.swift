import LocalAuthJSON

/// A public Ed25519 key as RFC 8037 writes it in JSON.
public struct JSONWebKey: Hashable, Sendable {
  /// Bytes of the key.
  public static let size = 32

  /// Names it (`kid`): its thumbprint.
  public let identifier: String
  /// The 32 bytes of RFC 8032.
  public let publicKey: [UInt8]

  /// The key with this name; nil unless `publicKey` has 32 bytes.
  public init?(identifier: String, publicKey: [UInt8]) {
    guard publicKey.count == Self.size else { return nil }
    self.identifier = identifier
    self.publicKey = publicKey
  }

  /// What the thumbprint is the SHA-256 of, RFC 7638 section 3 and RFC 8037 section 2.
  public static func thumbprintInput(of publicKey: [UInt8]) -> [UInt8] {
    Array("{\"crv\":\"Ed25519\",\"kty\":\"OKP\",\"x\":\"\(Base64URL.encode(publicKey))\"}".utf8)
  }
}

/// The keys that an issuer signs with, RFC 7517 section 5.
public struct JSONWebKeySet: Hashable, Sendable {
  /// Bytes of a set, at most.
  public static let bytesMax = 64 * 1024
  /// Keys of a set that are looked at, at most.
  public static let keysMax = 64

  /// The keys that can verify an assertion.
  public let keys: [JSONWebKey]

  /// The set of these keys.
  public init(_ keys: [JSONWebKey]) { self.keys = keys }

  /// The key called `identifier`.
  public subscript(identifier: String) -> JSONWebKey? {
    keys.first { $0.identifier == identifier }
  }

  /// The set in `text`: its Ed25519 keys that are for signatures; others are passed over, as RFC 7517
  /// section 5 wants it.
  ///
  /// Two keys of one name are refused: nobody could say which is meant.
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
    // A private key that is published signs for everybody.
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
    // Only numbers that are not finite cannot be written, and there are none.
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
  /// Its members in JSON, in the order in which they are written.
  public var members: [(name: String, text: String)] {
    [
      ("kty", "OKP"), ("crv", "Ed25519"), ("x", Base64URL.encode(publicKey)), ("kid", identifier),
      ("use", "sig"), ("alg", TokenHeader.algorithm),
    ]
  }
}
