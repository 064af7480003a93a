public import Foundation
import LocalAuthKeychain
import LocalAuthPKI
import LocalAuthSecurity

extension SecureEnclave.P256 {
  /// A point of the curve, in the forms that public keys have in CryptoKit and in swift-crypto.
  public protocol PublicKeyRepresentation: Hashable, Sendable {
    /// `04 || X || Y` of ANSI X9.63, 65 bytes.
    var x963Representation: Data { get }

    /// Creates a key from the bytes of ``x963Representation``.
    ///
    /// - Throws: `errSecParam` if they are not a point of the curve.
    init(x963Representation: some ContiguousBytes) throws
  }
}

extension SecureEnclave.P256.PublicKeyRepresentation {
  /// Creates a key from the bytes of ``rawRepresentation``.
  ///
  /// - Throws: `errSecParam` if they are not a point of the curve.
  public init(rawRepresentation: some ContiguousBytes) throws {
    let bytes = unsafe rawRepresentation.withUnsafeBytes { unsafe Data($0) }
    try self.init(x963Representation: [4] + bytes)
  }

  /// Creates a key from the SubjectPublicKeyInfo of ``derRepresentation``.
  ///
  /// - Throws: `errSecParam` if it is not that of a P-256 key.
  public init(derRepresentation: some RandomAccessCollection<UInt8>) throws {
    let key: ExternalPublicKey
    do throws(PKIError) {
      key = try ExternalPublicKey(subjectPublicKeyInfo: Array(derRepresentation))
    } catch {
      throw NSError(errSecParam, error.description)
    }
    try self.init(x963Representation: key.representation)
  }

  /// `X || Y`, 64 bytes.
  public var rawRepresentation: Data { Data(x963Representation.dropFirst()) }

  /// `02 || X` or `03 || X` of ANSI X9.63, 33 bytes.
  public var compressedRepresentation: Data {
    let isOdd = x963Representation.last.map { $0 & 1 == 1 } ?? false
    return Data([isOdd ? 3 : 2]) + rawRepresentation.prefix(32)
  }

  /// `X`, 32 bytes, if `Y` is the lesser of its two possible values; otherwise nil.
  public var compactRepresentation: Data? {
    guard KeyCurve.isCompact(Array(x963Representation)) else { return nil }
    return Data(rawRepresentation.prefix(32))
  }

  /// The SubjectPublicKeyInfo of RFC 5280, in DER.
  public var derRepresentation: Data {
    // For P-256, the length is fixed and only the point differs.
    let head: [UInt8] = [
      0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08,
      0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
    ]
    return Data(head) + x963Representation
  }

  /// ``derRepresentation`` as PEM (RFC 7468).
  public var pemRepresentation: String {
    let text = derRepresentation.base64EncodedString(options: [
      .lineLength64Characters, .endLineWithLineFeed,
    ])
    return "-----BEGIN PUBLIC KEY-----\n\(text)\n-----END PUBLIC KEY-----"
  }

  /// Reads a point from `bytes`, and returns its key and its bytes.
  static func point(_ bytes: some ContiguousBytes) throws -> (SecKey, Data) {
    let bytes = unsafe bytes.withUnsafeBytes { unsafe Data($0) }
    guard bytes.count == 65 else {
      throw NSError(errSecParam, "A public key of P-256 has 65 bytes, or 64 without the first.")
    }
    let attributes: [CFString: Any] = [
      kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeyClass: kSecAttrKeyClassPublic,
    ]
    let key = try asking {
      unsafe SecKeyCreateWithData(bytes as CFData, attributes as CFDictionary, $0)
    }
    return (key, bytes)
  }
}
