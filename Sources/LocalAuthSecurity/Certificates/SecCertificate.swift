// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import LocalAuthKeychain
package import LocalAuthPKI

/// An X.509 certificate.
///
/// Whose signature it bears, and whether it is valid, nobody has looked at.
public final class SecCertificate: NSObject, Sendable {
  /// The same, taken apart.
  package let certificate: Certificate

  /// The object of `certificate`.
  package init(_ certificate: Certificate) { self.certificate = certificate }

  /// Whether the other has the same bytes.
  public override func isEqual(_ object: Any?) -> Bool {
    (object as? SecCertificate)?.certificate == certificate
  }

  /// Equal for equal ones.
  public override var hash: Int { certificate.hashValue }
}

/// The number of certificates.
public func SecCertificateGetTypeID() -> CFTypeID { TypeNumber.of(SecCertificate.self) }

/// The certificate in DER; bytes behind it are left out.
///
/// - Parameters:
///   - allocator: ignored.
///   - data: one certificate in DER, of 64 KiB at most. PEM is none.
/// - Returns: the certificate, or nil where the data is none.
public func SecCertificateCreateWithData(
  _ allocator: CFAllocator?,
  _ data: CFData
) -> SecCertificate? {
  guard let certificate = try? Certificate([UInt8](data as Data)) else { return nil }
  return SecCertificate(certificate)
}

/// The certificate in DER.
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData {
  Data(certificate.certificate.der) as NSData
}

/// What a person would call the subject; nil where its name is empty and it has no other.
public func SecCertificateCopySubjectSummary(_ certificate: SecCertificate) -> CFString? {
  certificate.certificate.subjectSummary
}

/// Finds the subject's common name, the last where it has several.
///
/// - Parameters:
///   - certificate: whose.
///   - commonName: takes the name.
/// - Returns: `errSecSuccess`; `errSecInternal` where it has none.
@discardableResult
public func SecCertificateCopyCommonName(
  _ certificate: SecCertificate,
  _ commonName: UnsafeMutablePointer<CFString?>?
) -> OSStatus {
  guard let name = certificate.certificate.commonName else {
    return ItemStatus(.internalFailure).code
  }
  unsafe commonName?.pointee = name
  return errSecSuccess
}

/// Finds the subject's mail addresses.
///
/// - Parameters:
///   - certificate: whose.
///   - emailAddresses: takes a list of text, empty where it has none.
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecCertificateCopyEmailAddresses(
  _ certificate: SecCertificate,
  _ emailAddresses: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
  unsafe emailAddresses.pointee = certificate.certificate.emailAddresses as CFArray
  return errSecSuccess
}

/// The issuer's name in DER, in the form in which names are compared.
public func SecCertificateCopyNormalizedIssuerSequence(_ certificate: SecCertificate) -> CFData? {
  Data(Certificate.sequence(certificate.certificate.normalizedIssuer)) as NSData
}

/// The subject's name in DER, in the form in which names are compared.
public func SecCertificateCopyNormalizedSubjectSequence(_ certificate: SecCertificate) -> CFData? {
  Data(Certificate.sequence(certificate.certificate.normalizedSubject)) as NSData
}

/// The serial number: the bytes of its INTEGER.
///
/// - Parameters:
///   - certificate: whose.
///   - error: stays as it is; every certificate has a number.
/// - Returns: the number.
public func SecCertificateCopySerialNumberData(
  _ certificate: SecCertificate,
  _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
  Data(certificate.certificate.serialNumber) as NSData
}

/// The public key; nil for a kind that is neither RSA nor of a curve of NIST's.
public func SecCertificateCopyKey(_ certificate: SecCertificate) -> SecKey? {
  let info = certificate.certificate.subjectPublicKeyInfo
  guard let key = try? ExternalPublicKey(subjectPublicKeyInfo: info) else { return nil }
  return SecKey(.publicKey(key))
}

/// When the certificate begins to be valid.
public func SecCertificateCopyNotValidBeforeDate(_ certificate: SecCertificate) -> CFDate? {
  Date(timeIntervalSince1970: Double(certificate.certificate.notBefore)) as NSDate
}

/// When the certificate ends to be valid.
public func SecCertificateCopyNotValidAfterDate(_ certificate: SecCertificate) -> CFDate? {
  Date(timeIntervalSince1970: Double(certificate.certificate.notAfter)) as NSDate
}
