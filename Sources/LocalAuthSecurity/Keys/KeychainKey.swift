import LocalAuth
import LocalAuthClient
import LocalAuthKeychain
import LocalAuthPKI
import LocalAuthSecret

/// A P-256 private key that never leaves the keychain, which uses it after the proof that the key's
/// access control requires.
struct KeychainKey: Sendable {
  let keychain: Keychain
  let reference: PersistentReference
  let publicKey: ExternalPublicKey
  let accessControl: AccessControl
  /// The key's token: that of the Secure Enclave, or none.
  let token: AttributeValue?
  /// The application label of its item.
  private let label: AttributeValue?
  /// The query entries that control the prompt when the key is used.
  private let asking: QueryDictionary

  /// The key of `item`; `query` is the dictionary that found or created it.
  init(_ item: Item, in keychain: Keychain, _ query: QueryDictionary) throws(PKIError) {
    guard case .data(let point)? = item.attributes[.tokenObjectID] else { throw .malformed }
    publicKey = try ExternalPublicKey(.ellipticCurve, representation: point)
    reference = item.reference
    accessControl = item.accessControl
    token = item.attributes[.tokenID]
    label = item.attributes[.applicationLabel]
    self.keychain = keychain
    let keys: [QueryKey] = [.useAuthenticationUI, .useNoAuthenticationUI, .useOperationPrompt]
    asking = QueryDictionary(
      query.entries.filter { entry in keys.contains { $0.rawValue == entry.key } }
    )
  }

  /// Whether `item` is such a key.
  static func isOne(_ item: Item) -> Bool { item.attributes[.tokenObjectID] != nil }

  /// The query that finds its items, by attributes, because a dictionary may name more of them.
  var selection: QueryDictionary {
    var query: QueryDictionary = [
      QueryKey.itemClass.rawValue: .text(ItemClass.key.rawValue),
      ItemAttribute.keyClass.rawValue: .number(1),
      ItemAttribute.tokenObjectID.rawValue: .data(publicKey.representation),
    ]
    if case .data(let label)? = label {
      query[ItemAttribute.applicationLabel.rawValue] = .data(label)
    }
    return query
  }

  private var use: QueryDictionary {
    var query = asking
    query[QueryKey.valuePersistentReference.rawValue] = .data(reference.bytes)
    return query
  }

  /// Signs a digest; the signature is the DER of X9.62.
  func sign(_ digest: [UInt8]) throws(KeychainFailure) -> [UInt8] {
    // ECDSA over P-256 takes the first 256 bits of a digest as a number, or all of a shorter one.
    let number = Array(digest.prefix(32))
    let padded = [UInt8](repeating: 0, count: 32 - number.count) + number
    return try keychain.sign(padded, .ecdsaSignatureDigestX962SHA256, use)
  }

  /// The secret shared with another key: the x-coordinate of the common point.
  func sharedSecret(with peer: ExternalPublicKey) throws(KeychainFailure) -> Secret {
    let box = try keychain.sharedSecret(with: peer.representation, .ecdhKeyExchangeStandard, use)
    guard let secret = box.take() else {
      throw .service(.internalError("a shared secret was taken before"))
    }
    return secret
  }
}
