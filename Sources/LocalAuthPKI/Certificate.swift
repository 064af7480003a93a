import CLocalAuthOpenSSL

/// A parsed X.509 certificate.
///
/// Neither signature nor dates are checked: it tells what the certificate says, not whether that is
/// true.
public struct Certificate: Hashable, Sendable {
  /// The size limit of a certificate in bytes; a keychain item holds as many.
  public static let maximumSize = 65_536

  /// The certificate as DER.
  public let der: [UInt8]
  /// Its version: 1, 2 or 3.
  public let version: Int
  /// The content of the serial number's INTEGER, 1 to 37 bytes.
  public let serialNumber: [UInt8]
  /// The start of its validity, in seconds since 1970-01-01 UTC.
  public let notBefore: Int64
  /// The end of its validity, in seconds since 1970-01-01 UTC.
  public let notAfter: Int64
  /// The content of the issuer's SEQUENCE, normalized for comparison.
  public let normalizedIssuer: [UInt8]
  /// The content of the subject's SEQUENCE, normalized for comparison.
  public let normalizedSubject: [UInt8]
  /// The public key as a SubjectPublicKeyInfo in DER.
  public let subjectPublicKeyInfo: [UInt8]
  /// SHA-1 of the public key without its algorithm: the label of keys in the keychain.
  ///
  /// It identifies a key; nothing depends on its collision resistance.
  public let publicKeyHash: [UInt8]
  /// The key identifier that the issuer chose; nil if there is none.
  public let subjectKeyIdentifier: [UInt8]?

  let subject: DistinguishedName
  let alternativeNames: [DERElement]

  /// Parses the certificate at the beginning of `bytes`; trailing bytes are ignored, as Apple does.
  ///
  /// - Throws: ``PKIError/malformed`` if there is none, or if it has more than ``maximumSize``
  ///   bytes.
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

  /// Normalizes the content of a name's SEQUENCE for comparison, from the name in DER.
  ///
  /// - Throws: ``PKIError/malformed`` if `der` is not a name.
  public static func normalizedName(_ der: [UInt8]) throws(PKIError) -> [UInt8] {
    let name = try DERReader.only(DERTag.sequence, in: der[...])
    return try DistinguishedName(content: name.content).normalized
  }

  /// Encodes a SEQUENCE in DER with this content.
  public static func sequence(_ content: [UInt8]) -> [UInt8] {
    DERReader.element(DERTag.sequence, content)
  }

  /// Whether `issuer` has the name of this certificate's issuer and its key made the signature.
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

  /// Compares the bytes of two certificates.
  public static func == (one: Self, other: Self) -> Bool { one.der == other.der }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) { hasher.combine(der) }
}
