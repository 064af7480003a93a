import LocalAuthPKI

/// A request for a new key pair, parsed from its dictionary.
struct KeyRequest {
  let type: ExternalKeyType
  let bits: Int
  /// Whether the keychain generates the private key and never releases it.
  let isForKeychain: Bool
  /// The attributes of the private key's item; nil if no item is requested.
  let privateItem: [String: Any]?
  /// The attributes of the public key's item; nil if no item is requested.
  let publicItem: [String: Any]?

  init(_ parameters: CFDictionary) throws(KeyFailure) {
    let all = try Self.words(parameters)
    guard let type = ExternalKeyType(attribute: all[kSecAttrKeyType]) else {
      throw KeyFailure(errSecParam, "kSecAttrKeyType says no kind of key that is made here.")
    }
    self.type = type
    guard let bits = wholeNumber(all[kSecAttrKeySizeInBits]).flatMap({ Int(exactly: $0) }) else {
      throw KeyFailure(errSecKeySizeNotAllowed, "kSecAttrKeySizeInBits says no size.")
    }
    self.bits = bits
    let privateWords = try Self.merged(all, kSecPrivateKeyAttrs)
    var publicWords = try Self.merged(all, kSecPublicKeyAttrs)
    // Only the private half is held by a token.
    publicWords[kSecAttrTokenID] = nil
    let token = privateWords[kSecAttrTokenID] as? String
    guard token == nil || token == kSecAttrTokenIDSecureEnclave else {
      throw KeyFailure(errSecParam, "There is no token of this name.")
    }
    privateItem = Self.item(privateWords, unlessSaid: token != nil)
    // A permanent key that must not be extracted can be used only inside the keychain.
    let mayLeave = privateItem?[kSecAttrIsExtractable].flatMap(wholeNumber) != 0
    isForKeychain = token != nil || !mayLeave
    publicItem = Self.item(publicWords, unlessSaid: false)
  }

  private static func words(_ dictionary: CFDictionary) throws(KeyFailure) -> [String: Any] {
    var words: [String: Any] = [:]
    for (key, value) in dictionary {
      guard let key = key as? String else {
        throw KeyFailure(errSecParam, "A key of the dictionary is no text.")
      }
      words[key] = value
    }
    return words
  }

  /// The attributes of one half, which take precedence over those given for both.
  private static func merged(
    _ all: [String: Any],
    _ half: String
  ) throws(KeyFailure) -> [String: Any] {
    var words: [String: Any] = [:]
    if let value = all[half] {
      guard let dictionary = value as? NSDictionary else {
        throw KeyFailure(errSecParam, "The attributes of one half are no dictionary.")
      }
      words = try Self.words(dictionary)
    }
    words.merge(all) { own, _ in own }
    for key in [kSecPublicKeyAttrs, kSecPrivateKeyAttrs, kSecAttrKeyType, kSecAttrKeySizeInBits] {
      words[key] = nil
    }
    return words
  }

  private static func item(_ words: [String: Any], unlessSaid isKept: Bool) -> [String: Any]? {
    var words = words
    let isPermanent = words.removeValue(forKey: kSecAttrIsPermanent) as? Bool ?? isKept
    return isPermanent ? words : nil
  }
}
