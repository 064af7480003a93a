// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import LocalAuthPKI

// Functions that source for older systems calls, in their forms for iOS and for macOS.

/// The public key, the same as ``SecCertificateCopyKey(_:)``.
public func SecCertificateCopyPublicKey(_ certificate: SecCertificate) -> SecKey? {
  SecCertificateCopyKey(certificate)
}

/// Copies the public key, the same as ``SecCertificateCopyKey(_:)``.
///
/// - Parameters:
///   - certificate: the certificate.
///   - key: receives the public key.
/// - Returns: `errSecSuccess`; `errSecUnimplemented` for an unsupported kind of key.
@discardableResult
public func SecCertificateCopyPublicKey(
  _ certificate: SecCertificate,
  _ key: UnsafeMutablePointer<SecKey?>
) -> OSStatus {
  guard let found = SecCertificateCopyKey(certificate) else { return errSecUnimplemented }
  unsafe key.pointee = found
  return errSecSuccess
}

/// The serial number: the bytes of its INTEGER.
public func SecCertificateCopySerialNumber(_ certificate: SecCertificate) -> CFData? {
  SecCertificateCopySerialNumberData(certificate, nil)
}

/// The serial number: the bytes of its INTEGER.
///
/// - Parameters:
///   - certificate: the certificate.
///   - error: unchanged; every certificate has a serial number.
/// - Returns: the serial number.
public func SecCertificateCopySerialNumber(
  _ certificate: SecCertificate,
  _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
  unsafe SecCertificateCopySerialNumberData(certificate, error)
}

/// Creates the identity of a certificate and its private key in the keychain.
///
/// - Parameters:
///   - keychainOrArray: ignored; there is one keychain.
///   - certificateRef: the certificate, which need not be in the keychain.
///   - identityRef: receives the identity.
/// - Returns: `errSecSuccess`; `errSecItemNotFound` if the keychain has no key for the certificate;
///   otherwise the status of `SecItemCopyMatching`.
@discardableResult
public func SecIdentityCreateWithCertificate(
  _ keychainOrArray: CFTypeRef?,
  _ certificateRef: SecCertificate,
  _ identityRef: UnsafeMutablePointer<SecIdentity?>
) -> OSStatus {
  let hash = Data(certificateRef.certificate.publicKeyHash)
  let query: [String: Any] = [
    kSecClass: kSecClassKey, kSecAttrKeyClass: kSecAttrKeyClassPrivate,
    kSecAttrApplicationLabel: hash, kSecReturnRef: true,
  ]
  var found: CFTypeRef?
  let status = unsafe SecItemCopyMatching(query as CFDictionary, &found)
  guard status == errSecSuccess else { return status }
  guard let key = found as? SecKey, let identity = SecIdentity(certificateRef, key) else {
    return errSecItemNotFound
  }
  unsafe identityRef.pointee = identity
  return errSecSuccess
}
