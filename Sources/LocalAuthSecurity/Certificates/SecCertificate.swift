// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import LocalAuthKeychain
package import LocalAuthPKI

/// An X.509 certificate.
///
/// Neither its signature nor its validity has been checked.
public final class SecCertificate: NSObject, Sendable {
  /// The parsed certificate.
  package let certificate: Certificate

  /// An object for `certificate`.
  package init(_ certificate: Certificate) { self.certificate = certificate }

  /// Whether `object` is a certificate with the same bytes.
  public override func isEqual(_ object: Any?) -> Bool {
    (object as? SecCertificate)?.certificate == certificate
  }

  /// Equal certificates have equal hashes.
  public override var hash: Int { certificate.hashValue }
}

/// The type ID of certificates.
public func SecCertificateGetTypeID() -> CFTypeID { TypeNumber.of(SecCertificate.self) }

/// Creates a certificate from DER; bytes after it are ignored.
///
/// - Parameters:
///   - allocator: ignored.
///   - data: one certificate in DER, at most 64 KiB. PEM is not accepted.
/// - Returns: the certificate, or nil if the data is not one.
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

/// A name of the subject for people to read; nil if its name is empty and it has no other.
public func SecCertificateCopySubjectSummary(_ certificate: SecCertificate) -> CFString? {
  certificate.certificate.subjectSummary
}

/// Finds the subject's common name, the last one if there are several.
///
/// - Parameters:
///   - certificate: the certificate.
///   - commonName: receives the name.
/// - Returns: `errSecSuccess`; `errSecInternal` (-26276) if there is none.
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

/// Finds the subject's email addresses.
///
/// - Parameters:
///   - certificate: the certificate.
///   - emailAddresses: receives a list of strings, empty if there are none.
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecCertificateCopyEmailAddresses(
  _ certificate: SecCertificate,
  _ emailAddresses: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
  unsafe emailAddresses.pointee = certificate.certificate.emailAddresses as CFArray
  return errSecSuccess
}

/// The issuer's name in DER, normalized for comparison.
public func SecCertificateCopyNormalizedIssuerSequence(_ certificate: SecCertificate) -> CFData? {
  Data(Certificate.sequence(certificate.certificate.normalizedIssuer)) as NSData
}

/// The subject's name in DER, normalized for comparison.
public func SecCertificateCopyNormalizedSubjectSequence(_ certificate: SecCertificate) -> CFData? {
  Data(Certificate.sequence(certificate.certificate.normalizedSubject)) as NSData
}

/// The serial number: the bytes of its INTEGER.
///
/// - Parameters:
///   - certificate: the certificate.
///   - error: unchanged; every certificate has a serial number.
/// - Returns: the serial number.
public func SecCertificateCopySerialNumberData(
  _ certificate: SecCertificate,
  _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
  Data(certificate.certificate.serialNumber) as NSData
}

/// The public key; nil for a kind other than RSA and NIST's curves.
public func SecCertificateCopyKey(_ certificate: SecCertificate) -> SecKey? {
  let info = certificate.certificate.subjectPublicKeyInfo
  guard let key = try? ExternalPublicKey(subjectPublicKeyInfo: info) else { return nil }
  return SecKey(.publicKey(key))
}

/// The date from which the certificate is valid.
public func SecCertificateCopyNotValidBeforeDate(_ certificate: SecCertificate) -> CFDate? {
  Date(timeIntervalSince1970: Double(certificate.certificate.notBefore)) as NSDate
}

/// The date until which the certificate is valid.
public func SecCertificateCopyNotValidAfterDate(_ certificate: SecCertificate) -> CFDate? {
  Date(timeIntervalSince1970: Double(certificate.certificate.notAfter)) as NSDate
}
