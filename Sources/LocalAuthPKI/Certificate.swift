import CLocalAuthOpenSSL

/// An X.509 certificate, taken apart.
///
/// Nobody's signature is checked by it and no date: it says what is written, not whether that is true.
public struct Certificate: Hashable, Sendable {
  /// The most bytes that a certificate may have; an item of the keychain holds as many.
  public static let maximumSize = 65_536

  /// The certificate in DER.
  public let der: [UInt8]
  /// Its version: 1, 2 or 3.
  public let version: Int
  /// The content of the INTEGER that its serial number is, 1 to 37 bytes.
  public let serialNumber: [UInt8]
  /// When it begins to be valid, in seconds since 1970-01-01 UTC.
  public let notBefore: Int64
  /// When it ends to be valid, in seconds since 1970-01-01 UTC.
  public let notAfter: Int64
  /// The content of the issuer's SEQUENCE, as names are compared.
  public let normalizedIssuer: [UInt8]
  /// The content of the subject's SEQUENCE, as names are compared.
  public let normalizedSubject: [UInt8]
  /// The public key: a SubjectPublicKeyInfo in DER.
  public let subjectPublicKeyInfo: [UInt8]
  /// The SHA-1 of the public key without what kind it is: what a key of the keychain is labelled with.
  ///
  /// It names a key; nothing rests on nobody finding two keys with one name.
  public let publicKeyHash: [UInt8]
  /// The identifier of its key that the issuer chose; nil where he chose none.
  public let subjectKeyIdentifier: [UInt8]?

  let subject: DistinguishedName
  let alternativeNames: [DERElement]

  /// The certificate at the beginning of `bytes`; bytes behind it are left out, as Apple's leaves them.
  ///
  /// - Throws: ``PKIError/malformed`` for what is none, and for one of more than ``maximumSize`` bytes.
  public init(_ bytes: [UInt8]) throws(PKIError) {
    var outside = DERReader(bytes[...])
    let whole = try outside.next(DERTag.sequence).whole
    guard whole.count <= Self.maximumSize else { throw .malformed }
    let der = Array(whole)
    let outer = try DERReader.only(DERTag.sequence, in: der[...])
    var reader = DERReader(outer.content)
    let body = try CertificateBody(try reader.next(DERTag.sequence))
    try CertificateBody.checkAlgorithm(try reader.next(DERTag.sequence))
    _ = try CertificateBody.bits(try reader.next(DERTag.bitString))
    try reader.finish()

    self.der = der
    version = body.version
    serialNumber = Array(body.serialNumber)
    notBefore = body.notBefore
    notAfter = body.notAfter
    normalizedIssuer = body.issuer.normalized
    normalizedSubject = body.subject.normalized
    subjectPublicKeyInfo = Array(body.publicKeyInfo)
    publicKeyHash = try HashFunction.sha1.digest(of: Array(body.publicKey))
    subjectKeyIdentifier = body.subjectKeyIdentifier.map { Array($0) }
    subject = body.subject
    alternativeNames = body.alternativeNames
  }

  /// The content of a name's SEQUENCE as names are compared, from the name in DER.
  ///
  /// - Throws: ``PKIError/malformed`` for what is no name.
  public static func normalizedName(_ der: [UInt8]) throws(PKIError) -> [UInt8] {
    let name = try DERReader.only(DERTag.sequence, in: der[...])
    return try DistinguishedName(content: name.content).normalized
  }

  /// A SEQUENCE in DER with this content.
  public static func sequence(_ content: [UInt8]) -> [UInt8] {
    DERReader.element(DERTag.sequence, content)
  }

  /// Whether `issuer` has the name of this certificate's issuer, and its key made the signature.
  public func isIssued(by issuer: Certificate) -> Bool {
    guard normalizedIssuer == issuer.normalizedSubject else { return false }
    // SAFETY: both arrays are lent for the call.
    return unsafe der.withUnsafeBytes { certificate in
      unsafe issuer.der.withUnsafeBytes { issuer in
        unsafe la_certificate_is_signed(
          certificate.baseAddress,
          certificate.count,
          issuer.baseAddress,
          issuer.count
        )
      }
    }
  }

  /// Two certificates are equal if their bytes are.
  public static func == (one: Self, other: Self) -> Bool { one.der == other.der }

  /// Adds the bytes.
  public func hash(into hasher: inout Hasher) { hasher.combine(der) }
}
