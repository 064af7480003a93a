// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import LocalAuth
import LocalAuthClient
import LocalAuthKeychain
import LocalAuthPKI
import LocalAuthSecret

/// Makes a pair of keys, and items of its halves where the dictionary says that they are permanent.
///
/// With `kSecAttrTokenIDSecureEnclave` the keychain makes the private key (P-256), and it never leaves
/// there: it is used on the proof that its access control asks for. It is permanent unless the dictionary
/// says otherwise, which cannot be had.
///
/// - Parameters:
///   - parameters: `kSecAttrKeyType` and `kSecAttrKeySizeInBits`; `kSecPrivateKeyAttrs` and
///     `kSecPublicKeyAttrs` for what becomes an item.
///   - error: takes why there is no key: `errSecParam`, `errSecKeySizeNotAllowed`,
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

/// The same with both halves and a status; deprecated by Apple for `SecKeyCreateRandomKey`.
///
/// - Parameters:
///   - parameters: as there.
///   - publicKey: takes the public half.
///   - privateKey: takes the private half.
/// - Returns: `errSecSuccess`, or why there is no pair.
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
    return OSStatus(truncatingIfNeeded: error.error.code)
  }
}

/// The key that `SecKeyCopyExternalRepresentation` gave the bytes of.
///
/// - Parameters:
///   - keyData: the bytes; of a public key of RSA in a SubjectPublicKeyInfo too.
///   - attributes: `kSecAttrKeyType` and `kSecAttrKeyClass`.
///   - error: takes `errSecParam` where the bytes are no such key, `errSecUnimplemented` for symmetric keys
///     and for those of a token.
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
  /// The private key that a request asks for.
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

  /// Adds an item of the key, which `item` says more of.
  private func add(_ item: [String: Any]) throws(KeyFailure) {
    var item = item
    item[kSecValueRef] = self
    let status = SecItemAdd(item as NSDictionary, nil)
    guard status == errSecSuccess else { throw KeyFailure(status) }
  }
}
