import Foundation
import LocalAuthSecret
import LocalAuthSecurity
import LocalAuthentication
import Synchronization

/// A private key in the device's keychain, shared by all copies of a `PrivateKey`.
///
/// A key whose blob was never taken cannot be reached again, so its item is deleted with the last
/// copy. A program that ends before that leaves the item behind.
final class EnclaveKey: Sendable {
  /// The key's label in prompts and lists.
  static let label = "SecureEnclave.P256"

  let publicKey: SecKey
  private let key: SecKey
  private let blob: KeyBlob
  /// Retained, because it determines how a person is asked and holds the proofs.
  private let context: LAContext?
  private let isKept: Atomic<Bool>

  /// Generates a new key.
  ///
  /// - Throws: `errSecParam` for an access control without `.privateKeyUsage`; an `LAError` if the
  ///   device cannot prove what it requires; another status.
  init(_ accessControl: SecAccessControl, _ context: LAContext?) throws {
    var item: [CFString: Any] = [
      kSecAttrIsPermanent: true, kSecAttrLabel: Self.label, kSecAttrAccessControl: accessControl,
    ]
    item[kSecUseAuthenticationContext] = context
    let parameters: [CFString: Any] = [
      kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
      kSecAttrTokenID: kSecAttrTokenIDSecureEnclave, kSecPrivateKeyAttrs: item,
    ]
    let key = try asking { unsafe SecKeyCreateRandomKey(parameters as CFDictionary, $0) }
    self.key = key
    self.context = context
    (publicKey, blob) = try Self.parts(of: key)
    isKept = Atomic(false)
  }

  /// Opens the key of a blob.
  ///
  /// - Throws: `errSecDecode` for bytes that are not a blob; `errSecItemNotFound` if the device has
  ///   no such key (another device, a deleted key, or one whose fingers or passcode are gone);
  ///   `errSecInteractionNotAllowed` while the device is locked.
  init(_ bytes: Data, _ context: LAContext?) throws {
    guard let blob = KeyBlob(bytes) else {
      throw NSError(errSecDecode, "These bytes are no key of the Secure Enclave, or are damaged.")
    }
    var query: [CFString: Any] = [kSecValuePersistentRef: blob.reference, kSecReturnRef: true]
    query[kSecUseAuthenticationContext] = context
    var result: CFTypeRef?
    let status = unsafe SecItemCopyMatching(query as CFDictionary, &result)
    guard status != errSecItemNotFound else { throw Self.notHere }
    guard status == errSecSuccess else { throw NSError(status) }
    guard let key = result as? SecKey, key.itemReference == blob.reference else {
      throw Self.notHere
    }
    let (publicKey, actual) = try Self.parts(of: key)
    guard actual.point == blob.point else { throw Self.notHere }
    self.key = key
    self.publicKey = publicKey
    self.blob = blob
    self.context = context
    isKept = Atomic(true)
  }

  deinit {
    // The key cannot be reached again; if its item cannot be deleted now, it stays and is useless.
    if !isKept.load(ordering: .relaxed) { try? key.deleteItem() }
  }

  private static var notHere: NSError {
    NSError(
      errSecItemNotFound,
      "This device has no such key: it was made on another one, or it is gone."
    )
  }

  private static func parts(of key: SecKey) throws -> (SecKey, KeyBlob) {
    guard let publicKey = SecKeyCopyPublicKey(key), let reference = key.itemReference else {
      throw NSError(errSecInternalComponent)
    }
    let point = try asking { unsafe SecKeyCopyExternalRepresentation(publicKey, $0) }
    return (publicKey, KeyBlob(reference: reference, point: point as Data))
  }

  /// Returns the blob; from then on, the key stays until it is deleted.
  var dataRepresentation: Data {
    isKept.store(true, ordering: .relaxed)
    return blob.bytes
  }

  /// The public half, `04 || X || Y`.
  var point: Data { blob.point }

  /// Signs `data`; the result of the RFC 4754 algorithms is `r || s`.
  func sign(_ data: Data, _ algorithm: SecKeyAlgorithm) throws -> Data {
    try asking { unsafe SecKeyCreateSignature(key, algorithm, data as CFData, $0) } as Data
  }

  /// Agrees on a secret with the owner of another key.
  func sharedSecret(with peer: SecKey) throws -> SharedSecretStorage {
    SharedSecretStorage(try key.sharedSecret(with: peer))
  }

  /// Deletes the key, which makes every copy and every blob of it useless.
  func delete() throws {
    try key.deleteItem()
    isKept.store(true, ordering: .relaxed)
  }
}
