@_exported public import Foundation
import LocalAuthSecurity
@_exported public import LocalAuthentication
@_exported public import Security

/// P-256 private keys that the device's keychain generates and never exports, under the names of
/// Apple's CryptoKit.
///
/// CryptoKit's own types cannot be created here. Public keys, signatures and shared secrets have
/// the same representations, from which swift-crypto can create its types.
public enum SecureEnclave {
  /// Whether keys can be generated and used, which means that the current device answers.
  public static var isAvailable: Bool {
    let nothing: [CFString: Any] = [
      kSecClass: kSecClassKey, kSecAttrApplicationLabel: Data(),
      kSecUseAuthenticationUI: kSecUseAuthenticationUIFail,
    ]
    let answers = [errSecSuccess, errSecItemNotFound, errSecInteractionNotAllowed]
    return answers.contains(SecItemCopyMatching(nothing as CFDictionary, nil))
  }

  /// NIST's curve P-256 (secp256r1), the only supported one.
  public enum P256 {
    /// Keys that sign with ECDSA.
    public enum Signing {}
    /// Keys that agree on secrets with ECDH.
    public enum KeyAgreement {}
  }
}

extension SecAccessControl {
  /// The default access control of a key, which requires only that the device is unlocked.
  ///
  /// Its flags are compatible and its protection is valid, so creating it does not fail.
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

/// Returns the result of a Security call, or throws the error that it passes out.
@safe
func asking<Value>(
  _ body: (UnsafeMutablePointer<Unmanaged<CFError>?>) -> Value?
) throws -> Value {
  var error: Unmanaged<CFError>?
  if let value = unsafe body(&error) { return value }
  throw unsafe error?.takeRetainedValue() ?? NSError(errSecInternalComponent)
}
