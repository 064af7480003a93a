@_exported public import Foundation
import LocalAuthSecurity
@_exported public import LocalAuthentication
@_exported public import Security

/// Private keys of P-256 that the device's keychain makes and never gives away, with the names that they
/// have in Apple's CryptoKit.
///
/// Types of CryptoKit's own cannot be made here: public keys, signatures and shared secrets have the same
/// representations, of which swift-crypto makes its types.
public enum SecureEnclave {
  /// Whether keys can be made and used: whether the device that the caller means answers.
  public static var isAvailable: Bool {
    let nothing: [CFString: Any] = [
      kSecClass: kSecClassKey, kSecAttrApplicationLabel: Data(),
      kSecUseAuthenticationUI: kSecUseAuthenticationUIFail,
    ]
    let answers = [errSecSuccess, errSecItemNotFound, errSecInteractionNotAllowed]
    return answers.contains(SecItemCopyMatching(nothing as CFDictionary, nil))
  }

  /// The curve P-256 of NIST's (secp256r1), the only one of these keys.
  public enum P256 {
    /// Keys that sign by ECDSA.
    public enum Signing {}
    /// Keys that agree on secrets by ECDH.
    public enum KeyAgreement {}
  }
}

extension SecAccessControl {
  /// What a key asks for where nobody says more: that the device is unlocked.
  ///
  /// The flags do not exclude each other and the protection is one, so that there is always one.
  static var enclaveDefault: SecAccessControl {
    get throws {
      try asking {
        unsafe SecAccessControlCreateWithFlags(
          nil,
          kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
          .privateKeyUsage,
          $0
        )
      }
    }
  }
}

/// A call of Security's whose error comes through a pointer: its answer, or its error thrown.
@safe
func asking<Value>(
  _ body: (UnsafeMutablePointer<Unmanaged<CFError>?>) -> Value?
) throws -> Value {
  var error: Unmanaged<CFError>?
  if let value = unsafe body(&error) { return value }
  throw unsafe error?.takeRetainedValue() ?? NSError(errSecInternalComponent)
}
