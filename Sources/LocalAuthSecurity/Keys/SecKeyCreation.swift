// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import LocalAuth
import LocalAuthClient
import LocalAuthKeychain
import LocalAuthPKI
import LocalAuthSecret

/// Generates a key pair, and adds an item for each half that the dictionary makes permanent.
///
/// With `kSecAttrTokenIDSecureEnclave`, or if the private key is permanent but not extractable, the
/// keychain generates the private key (P-256) and never releases it: it uses the key after the
/// proof that the access control requires. A key of the Secure Enclave is permanent by default;
/// `kSecAttrIsPermanent` of false fails with `errSecUnimplemented`.
///
/// - Parameters:
///   - parameters: `kSecAttrKeyType` and `kSecAttrKeySizeInBits`; `kSecPrivateKeyAttrs` and
///     `kSecPublicKeyAttrs` for the items.
///   - error: receives why there is no key: `errSecParam`, `errSecKeySizeNotAllowed`,
///     `errSecDuplicateItem` or another status.
/// - Returns: the private key, or nil.
@discardableResult
public func SecKeyCreateRandomKey(
  _ parameters: CFDictionary,
  _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? {
  unsafe KeyFailure.reporting(to: error) { () throws(KeyFailure) in
    try SecKey.make(KeyRequest(parameters))
  }
}

/// Generates a key pair and returns both halves; deprecated by Apple for `SecKeyCreateRandomKey`.
///
/// - Parameters:
///   - parameters: as for `SecKeyCreateRandomKey`.
///   - publicKey: receives the public half.
///   - privateKey: receives the private half.
/// - Returns: `errSecSuccess`, or the code of the error.
@discardableResult
public func SecKeyGeneratePair(
  _ parameters: CFDictionary,
  _ publicKey: UnsafeMutablePointer<SecKey?>?,
  _ privateKey: UnsafeMutablePointer<SecKey?>?
) -> OSStatus {
  do throws(KeyFailure) {
    let key = try SecKey.make(KeyRequest(parameters))
    unsafe publicKey?.pointee = SecKeyCopyPublicKey(key)
    unsafe privateKey?.pointee = key
    return errSecSuccess
  } catch {
    return error.error.status
  }
}

/// Creates a key from its external representation, as `SecKeyCopyExternalRepresentation` returns
/// it.
///
/// - Parameters:
///   - keyData: the bytes; an RSA public key may also be a SubjectPublicKeyInfo.
///   - attributes: `kSecAttrKeyType` and `kSecAttrKeyClass`.
///   - error: receives `errSecParam` if the bytes are not such a key, `errSecKeySizeNotAllowed` for
///     an unsupported size, `errSecUnimplemented` for symmetric keys and keys of a token.
/// - Returns: the key, or nil.
@discardableResult
public func SecKeyCreateWithData(
  _ keyData: CFData,
  _ attributes: CFDictionary,
  _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? {
  unsafe KeyFailure.reporting(to: error) { () throws(KeyFailure) in
    guard attributes[kSecAttrTokenID] == nil else {
      throw KeyFailure(errSecUnimplemented, "A key of the keychain has no bytes to make it of.")
    }
    let keyClass = wholeNumber(attributes[kSecAttrKeyClass])
    guard keyClass != 2 else {
      throw KeyFailure(errSecUnimplemented, "There are no symmetric keys here.")
    }
    guard let type = ExternalKeyType(attribute: attributes[kSecAttrKeyType]) else {
      throw KeyFailure(errSecParam, "kSecAttrKeyType says no kind of key that is used here.")
    }
    let data = keyData as Data
    return try KeyFailure.translating { () throws(PKIError) in
      switch keyClass {
      case 0: SecKey(.publicKey(try ExternalPublicKey(type, representation: [UInt8](data))))
      case 1: SecKey(.privateKey(try ExternalPrivateKey(type, representation: Secret(data))))
      default: throw .malformed
      }
    }
  }
}

extension SecKey {
  /// Generates the requested pair and returns its private half.
  fileprivate static func make(_ request: KeyRequest) throws(KeyFailure) -> SecKey {
    guard !request.isForKeychain else { return try makeInKeychain(request) }
    let key = try KeyFailure.translating { () throws(PKIError) in
      try ExternalPrivateKey.generate(request.type, bits: request.bits)
    }
    let made = SecKey(.privateKey(key))
    if let item = request.publicItem { try SecKey(.publicKey(key.publicKey)).add(item) }
    if let item = request.privateItem { try made.add(item) }
    return made
  }

  private static func makeInKeychain(_ request: KeyRequest) throws(KeyFailure) -> SecKey {
    guard let item = request.privateItem else {
      throw KeyFailure(
        errSecUnimplemented,
        "A key that the keychain makes is kept there: leave kSecAttrIsPermanent out."
      )
    }
    let made = try newItem(item, request)
    if let item = request.publicItem { try SecKey(.publicKey(made.publicKey)).add(item) }
    return made
  }

  private static func newItem(
    _ item: [String: Any],
    _ request: KeyRequest
  ) throws(KeyFailure) -> SecKey {
    let dictionary = try KeyFailure.translating { () throws(ItemStatus) in
      try ItemDictionary(item as NSDictionary, for: .addition)
    }
    guard dictionary.data == nil else {
      throw KeyFailure(errSecParam, "A key that the keychain makes has no data of the caller's.")
    }
    var query = dictionary.query
    query[ItemAttribute.type.rawValue] = .number(request.type.number)
    query[ItemAttribute.keySizeInBits.rawValue] = .number(Int64(request.bits))
    query[QueryKey.returnAttributes.rawValue] = .boolean(true)
    let asked = query
    let keychain = try KeyFailure.translating { () throws(ItemStatus) in
      try Keychain.of(dictionary)
    }
    let made = try KeyFailure.translating { () throws(KeychainFailure) in
      try keychain.generateKey(asked)
    }
    return try KeyFailure.translating { () throws(ItemStatus) in
      try SecKey(made, in: keychain, asked)
    }
  }

  /// Adds an item for the key, with the attributes in `item`.
  private func add(_ item: [String: Any]) throws(KeyFailure) {
    var item = item
    item[kSecValueRef] = self
    let status = SecItemAdd(item as NSDictionary, nil)
    guard status == errSecSuccess else { throw KeyFailure(status) }
  }
}
