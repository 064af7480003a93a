// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

/// A certificate with the private key that belongs to it.
public final class SecIdentity: NSObject, Sendable {
  let certificate: SecCertificate
  let privateKey: SecKey

  /// Nil where the key is not the one that the certificate is about.
  init?(_ certificate: SecCertificate, _ privateKey: SecKey) {
    guard privateKey.isPrivate,
      SecCertificateCopyKey(certificate)?.publicKey == privateKey.publicKey
    else { return nil }
    self.certificate = certificate
    self.privateKey = privateKey
  }

  /// Whether the other has the same certificate and the same key.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? SecIdentity else { return false }
    return certificate == other.certificate && privateKey == other.privateKey
  }

  /// Equal for equal ones.
  public override var hash: Int { certificate.hash ^ privateKey.hash }
}

/// The number of identities.
public func SecIdentityGetTypeID() -> CFTypeID { TypeNumber.of(SecIdentity.self) }

/// The identity of a certificate and its key.
///
/// - Parameters:
///   - allocator: ignored.
///   - certificate: who it is.
///   - privateKey: by which that is proven.
/// - Returns: nil where the key is not the one that the certificate is about.
public func SecIdentityCreate(
  _ allocator: CFAllocator?,
  _ certificate: SecCertificate,
  _ privateKey: SecKey
) -> SecIdentity? {
  SecIdentity(certificate, privateKey)
}

/// Takes the certificate out.
///
/// - Parameters:
///   - identityRef: of what.
///   - certificateRef: takes it.
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecIdentityCopyCertificate(
  _ identityRef: SecIdentity,
  _ certificateRef: UnsafeMutablePointer<SecCertificate?>
) -> OSStatus {
  unsafe certificateRef.pointee = identityRef.certificate
  return errSecSuccess
}

/// Takes the private key out.
///
/// - Parameters:
///   - identityRef: of what.
///   - privateKeyRef: takes it.
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecIdentityCopyPrivateKey(
  _ identityRef: SecIdentity,
  _ privateKeyRef: UnsafeMutablePointer<SecKey?>
) -> OSStatus {
  unsafe privateKeyRef.pointee = identityRef.privateKey
  return errSecSuccess
}
