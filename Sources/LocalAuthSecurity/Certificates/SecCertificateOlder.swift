// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import LocalAuthPKI

// What source for older systems calls, in the form that it has for iOS and in that for macOS.

/// The public key, as ``SecCertificateCopyKey(_:)`` has it.
public func SecCertificateCopyPublicKey(_ certificate: SecCertificate) -> SecKey? {
  SecCertificateCopyKey(certificate)
}

/// Takes the public key out, as ``SecCertificateCopyKey(_:)`` has it.
///
/// - Parameters:
///   - certificate: of what.
///   - key: takes it.
/// - Returns: `errSecSuccess`; `errSecUnimplemented` for a kind that is not supported.
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
///   - certificate: whose.
///   - error: stays as it is; every certificate has a number.
/// - Returns: the number.
public func SecCertificateCopySerialNumber(
  _ certificate: SecCertificate,
  _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
  unsafe SecCertificateCopySerialNumberData(certificate, error)
}

/// Finds the identity in the keychain that has a certificate.
///
/// - Parameters:
///   - keychainOrArray: ignored; there is one keychain.
///   - certificateRef: which certificate.
///   - identityRef: takes the identity.
/// - Returns: `errSecSuccess`; `errSecItemNotFound` where the keychain has no key for it; what
///   `SecItemCopyMatching` answers.
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
