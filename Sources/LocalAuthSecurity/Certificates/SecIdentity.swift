// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

/// A certificate with the private key that belongs to it.
public final class SecIdentity: NSObject, Sendable {
  let certificate: SecCertificate
  let privateKey: SecKey

  /// Nil if the private key does not belong to the certificate.
  init?(_ certificate: SecCertificate, _ privateKey: SecKey) {
    guard privateKey.isPrivate,
      SecCertificateCopyKey(certificate)?.publicKey == privateKey.publicKey
    else { return nil }
    self.certificate = certificate
    self.privateKey = privateKey
  }

  /// Whether `object` is an identity with the same certificate and the same key.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? SecIdentity else { return false }
    return certificate == other.certificate && privateKey == other.privateKey
  }

  /// Equal identities have equal hashes.
  public override var hash: Int { certificate.hash ^ privateKey.hash }
}

/// The type ID of identities.
public func SecIdentityGetTypeID() -> CFTypeID { TypeNumber.of(SecIdentity.self) }

/// Creates the identity of a certificate and its private key.
///
/// - Parameters:
///   - allocator: ignored.
///   - certificate: the certificate.
///   - privateKey: its private key.
/// - Returns: the identity, or nil if the key does not belong to the certificate.
public func SecIdentityCreate(
  _ allocator: CFAllocator?,
  _ certificate: SecCertificate,
  _ privateKey: SecKey
) -> SecIdentity? {
  SecIdentity(certificate, privateKey)
}

/// Copies the certificate of an identity.
///
/// - Parameters:
///   - identityRef: the identity.
///   - certificateRef: receives the certificate.
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecIdentityCopyCertificate(
  _ identityRef: SecIdentity,
  _ certificateRef: UnsafeMutablePointer<SecCertificate?>
) -> OSStatus {
  unsafe certificateRef.pointee = identityRef.certificate
  return errSecSuccess
}

/// Copies the private key of an identity.
///
/// - Parameters:
///   - identityRef: the identity.
///   - privateKeyRef: receives the private key.
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecIdentityCopyPrivateKey(
  _ identityRef: SecIdentity,
  _ privateKeyRef: UnsafeMutablePointer<SecKey?>
) -> OSStatus {
  unsafe privateKeyRef.pointee = identityRef.privateKey
  return errSecSuccess
}
