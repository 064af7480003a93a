import LocalAuthPKI

/// What a dictionary that asks for a new pair of keys says.
struct KeyRequest {
  let type: ExternalKeyType
  let bits: Int
  /// Whether the keychain is to make the private key and keep it to itself.
  let isForKeychain: Bool
  /// What the item of the private key is; nil where none is asked for.
  let privateItem: [String: Any]?
  /// The same for the public key.
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
    // Only the private half is kept where nobody sees it.
    publicWords[kSecAttrTokenID] = nil
    let token = privateWords[kSecAttrTokenID] as? String
    guard token == nil || token == kSecAttrTokenIDSecureEnclave else {
      throw KeyFailure(errSecParam, "There is no token of this name.")
    }
    privateItem = Self.item(privateWords, unlessSaid: token != nil)
    // What is kept and must not be given away can be used only where it is kept.
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

  /// The dictionary for one half, with whatever the one for both says besides.
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
