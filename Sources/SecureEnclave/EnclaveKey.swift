import Foundation
import LocalAuthSecret
import LocalAuthSecurity
import LocalAuthentication
import Synchronization

/// A private key in the device's keychain, on behalf of every copy of a `PrivateKey`.
///
/// Whoever never took its blob cannot come back to the key: with the last copy the item is deleted. A
/// program that ends before that leaves the item.
final class EnclaveKey: Sendable {
  /// What people read of it in prompts and lists.
  static let label = "SecureEnclave.P256"

  let publicKey: SecKey
  private let key: SecKey
  private let blob: KeyBlob
  /// Kept alive, because it says how somebody is asked and what was proven.
  private let context: LAContext?
  private let isKept: Atomic<Bool>

  /// A new key.
  ///
  /// - Throws: `errSecParam` for an access control without the use of a private key; an `LAError` where what
  ///   it asks for cannot be proven on this device; another status.
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

  /// The key of a blob.
  ///
  /// - Throws: `errSecDecode` for bytes that are none, `errSecItemNotFound` where the device has no such key
  ///   (another device, a key that was deleted, one whose fingers or passcode are gone),
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
    // Nobody can come back to it; where the item cannot be deleted now, it stays and is of no use.
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

  /// The blob; from now on the key stays until somebody deletes it.
  var dataRepresentation: Data {
    isKept.store(true, ordering: .relaxed)
    return blob.bytes
  }

  /// The public half, `04 || X || Y`.
  var point: Data { blob.point }

  /// Signs; `r || s`.
  func sign(_ data: Data, _ algorithm: SecKeyAlgorithm) throws -> Data {
    try asking { unsafe SecKeyCreateSignature(key, algorithm, data as CFData, $0) } as Data
  }

  /// Agrees with the owner of another key on a secret.
  func sharedSecret(with peer: SecKey) throws -> SharedSecretStorage {
    SharedSecretStorage(try key.sharedSecret(with: peer))
  }

  /// Deletes the key; each copy and each blob of it is of no use from then on.
  func delete() throws {
    try key.deleteItem()
    isKept.store(true, ordering: .relaxed)
  }
}
