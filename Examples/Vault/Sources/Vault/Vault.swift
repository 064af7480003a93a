import CommonCrypto
import Foundation
import LocalAuthentication
import Security

/// Keeps notes that open on a finger or, after misses, on the passcode; nothing here knows that it does
/// not run on one of Apple's platforms.
public struct Vault: Sendable {
  /// Why a note did not open.
  public enum Failure: Error, Equatable {
    /// There is none of that name.
    case noNote
    /// The person said no.
    case canceled
    /// The person could not be recognized.
    case refused
    /// Anything else, with the keychain's own words.
    case keychain(String)
  }

  private let service: String

  /// The notes of a service.
  public init(service: String) { self.service = service }

  /// Whether somebody could be asked for a finger or the passcode.
  public var isUsable: Bool {
    LAContext().canEvaluatePolicy(.deviceOwnerAuthentication, error: nil)
  }

  /// Keeps a note in place of the one of that name.
  public func keep(_ note: String, named name: String) throws {
    var error: Unmanaged<CFError>?
    guard
      let access = SecAccessControlCreateWithFlags(
        nil,
        kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly,
        .userPresence,
        &error
      )
    else { throw error?.takeRetainedValue() ?? Failure.refused }
    SecItemDelete(item(name) as CFDictionary)
    var new = item(name)
    new[kSecValueData as String] = Data(note.utf8)
    new[kSecAttrAccessControl as String] = access
    let status = SecItemAdd(new as CFDictionary, nil)
    guard status == errSecSuccess else { throw failure(status) }
  }

  /// Opens a note; it blocks while somebody is asked.
  public func open(_ name: String, reason: String) throws -> String {
    let context = LAContext()
    context.localizedReason = reason
    var query = item(name)
    query[kSecReturnData as String] = true
    query[kSecUseAuthenticationContext as String] = context
    var result: CFTypeRef?
    let status = SecItemCopyMatching(query as CFDictionary, &result)
    guard status == errSecSuccess, let data = result as? Data else { throw failure(status) }
    return String(decoding: data, as: UTF8.self)
  }

  /// Tells notes apart without showing them.
  public func fingerprint(of note: String) -> String {
    let data = Data(note.utf8)
    var digest = [UInt8](repeating: 0, count: Int(CC_SHA256_DIGEST_LENGTH))
    data.withUnsafeBytes { _ = CC_SHA256($0.baseAddress, CC_LONG(data.count), &digest) }
    return digest.map { String(format: "%02x", $0) }.joined()
  }

  private func item(_ name: String) -> [String: Any] {
    [
      kSecClass as String: kSecClassGenericPassword,
      kSecAttrService as String: service,
      kSecAttrAccount as String: name,
    ]
  }

  private func failure(_ status: OSStatus) -> Failure {
    switch status {
    case errSecItemNotFound: return .noNote
    case errSecUserCanceled: return .canceled
    case errSecAuthFailed: return .refused
    default: return .keychain(SecCopyErrorMessageString(status, nil) as String? ?? "\(status)")
    }
  }
}
