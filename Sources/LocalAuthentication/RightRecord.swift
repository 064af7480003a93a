import Foundation
import LocalAuthKeychain
import LocalAuthSecurity

/// The stored form of a right.
///
/// An item records the requirement, and a keychain key is usable only with that proof. The secret
/// is encrypted for the key and stored in the item.
struct RightRecord: Sendable {
  let requirement: LAAuthenticationRequirement
  let publicKey: SecKey
  private let sealedSecret: Data

  /// The service of the items and the label of the keys.
  private static let name = "com.apple.LocalAuthentication.LARight"
  private static let scheme =
    SecKeyAlgorithm.eciesEncryptionCofactorVariableIVX963SHA256AESGCM

  /// Generates the key of a right and saves both.
  ///
  /// - Throws: `errSecDuplicateItem` if the name is taken; an `LAError` if the device cannot prove
  ///   what the right requires.
  init(_ requirement: LAAuthenticationRequirement, _ identifier: String, secret: Data) throws {
    try Self.check(SecItemCopyMatching(Self.item(identifier), nil), expecting: errSecItemNotFound)
    // Removes a key left behind by an interrupted save.
    try Self.removeKeys(Self.keys(identifier))
    let key = try Self.makeKey(requirement, identifier)
    guard let publicKey = SecKeyCopyPublicKey(key) else {
      throw Self.error(errSecInternalComponent)
    }
    self.requirement = requirement
    self.publicKey = publicKey
    sealedSecret =
      try Self.asking {
        unsafe SecKeyCreateEncryptedData(publicKey, Self.scheme, secret as CFData, $0)
      } as Data
    do {
      var item = Self.attributes(identifier)
      item[kSecValueData] = try serialized()
      item[kSecAttrAccessible] = kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly
      try Self.check(SecItemAdd(item as CFDictionary, nil))
    } catch {
      try? Self.removeKeys(Self.keys(identifier))
      throw error
    }
  }

  /// Reads the record saved under a name.
  ///
  /// - Throws: `errSecItemNotFound` if there is none, `errSecDecode` if it is damaged.
  init(of identifier: String) throws {
    var result: CFTypeRef?
    let query = Self.item(identifier, [kSecReturnData: true])
    try Self.check(unsafe SecItemCopyMatching(query, &result))
    let parts = (result as? Data ?? Data()).split(separator: 0, maxSplits: 1)
    let pointSize = 65
    guard parts.count == 2, parts[1].count > pointSize,
      let kind = LAAuthenticationRequirement.Kind(
        rawValue: String(decoding: parts[0], as: UTF8.self)
      ),
      let key = try? Self.publicKey(Data(parts[1].prefix(pointSize)))
    else { throw Self.error(errSecDecode) }
    requirement = LAAuthenticationRequirement(kind)
    publicKey = key
    sealedSecret = Data(parts[1].dropFirst(pointSize))
  }

  private func serialized() throws -> Data {
    let point = try Self.asking { unsafe SecKeyCopyExternalRepresentation(publicKey, $0) }
    return Data(requirement.kind.rawValue.utf8) + [0] + (point as Data) + sealedSecret
  }

  /// Removes the right saved under a name.
  ///
  /// - Throws: `errSecItemNotFound` if there is none.
  static func remove(_ identifier: String) throws {
    try removeKeys(keys(identifier))
    try check(SecItemDelete(item(identifier)))
  }

  /// Removes every right.
  static func removeAll() throws {
    try removeKeys([kSecClass: kSecClassKey, kSecAttrLabel: name])
    let status = SecItemDelete(
      [kSecClass: kSecClassGenericPassword, kSecAttrService: name] as CFDictionary
    )
    guard status != errSecItemNotFound else { return }
    try check(status)
  }

  // MARK: The key

  /// Returns the right's key for use with the proof in `context`; nobody is asked.
  ///
  /// - Throws: `errSecItemNotFound` if the key is gone, together with the fingers or passcode it
  ///   required.
  static func key(of identifier: String, in context: LAContext) throws -> SecKey {
    var query = keys(identifier)
    query[kSecReturnRef] = true
    query[kSecUseAuthenticationContext] = context
    query[kSecUseAuthenticationUI] = kSecUseAuthenticationUIFail
    var result: CFTypeRef?
    try check(unsafe SecItemCopyMatching(query as CFDictionary, &result))
    guard let key = result as? SecKey else { throw error(errSecDecode) }
    return key
  }

  /// Decrypts the secret with the right's key.
  func secret(with key: SecKey) throws -> Data {
    try Self.asking {
      unsafe SecKeyCreateDecryptedData(key, Self.scheme, sealedSecret as CFData, $0)
    } as Data
  }

  private static func makeKey(
    _ requirement: LAAuthenticationRequirement,
    _ identifier: String
  ) throws -> SecKey {
    guard let control = requirement.keyAccessControl else { throw error(errSecParam) }
    var item = keys(identifier)
    item[kSecAttrAccessControl] = SecAccessControl(control)
    item[kSecClass] = nil
    let parameters =
      [
        kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
        kSecAttrTokenID: kSecAttrTokenIDSecureEnclave, kSecPrivateKeyAttrs: item,
      ] as [CFString: Any]
    return try asking { unsafe SecKeyCreateRandomKey(parameters as CFDictionary, $0) }
  }

  private static func removeKeys(_ query: [CFString: Any]) throws {
    let status = SecItemDelete(query as CFDictionary)
    guard status != errSecItemNotFound else { return }
    try check(status)
  }

  private static func keys(_ identifier: String) -> [CFString: Any] {
    [
      kSecClass: kSecClassKey, kSecAttrLabel: name,
      kSecAttrApplicationTag: Data(identifier.utf8),
    ]
  }

  // MARK: Calls

  private static func attributes(_ identifier: String) -> [CFString: Any] {
    [
      kSecClass: kSecClassGenericPassword, kSecAttrService: name, kSecAttrAccount: identifier,
    ]
  }

  private static func item(
    _ identifier: String,
    _ more: [CFString: Any] = [:]
  ) -> CFDictionary {
    attributes(identifier).merging(more) { _, new in new } as CFDictionary
  }

  private static func check(_ status: OSStatus, expecting expected: OSStatus = errSecSuccess) throws
  {
    guard status != expected else { return }
    throw error(status == errSecSuccess ? errSecDuplicateItem : status)
  }

  private static func error(_ status: OSStatus) -> NSError { NSError(status) }

  /// Creates a public key from `04 || X || Y`.
  static func publicKey(_ point: Data) throws -> SecKey {
    let kind =
      [kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeyClass: kSecAttrKeyClassPublic]
      as CFDictionary
    return try asking { unsafe SecKeyCreateWithData(point as CFData, kind, $0) }
  }

  /// Returns the result of a Security call, or throws the error that it passes out.
  @safe
  static func asking<Value>(
    _ call: (UnsafeMutablePointer<Unmanaged<CFError>?>) -> Value?
  ) throws -> Value {
    var failure: Unmanaged<CFError>?
    if let value = unsafe call(&failure) { return value }
    throw unsafe failure?.takeRetainedValue() ?? error(errSecInternalComponent)
  }
}

extension LAAuthenticationRequirement {
  /// The access control of a key that is usable only with this proof.
  var keyAccessControl: AccessControl? {
    try? AccessControl(
      .whenPasscodeSetThisDeviceOnly,
      flags: kind.flags.union(.privateKeyUsage)
    )
  }
}
