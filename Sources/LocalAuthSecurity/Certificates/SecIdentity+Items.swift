import LocalAuth
import LocalAuthClient
import LocalAuthKeychain
import LocalAuthPKI
import LocalAuthSecret

// An identity is not an item itself: each operation applies to its certificate and then to its key.

extension Keychain {
  /// Adds the halves that do not exist yet and returns what the dictionary requests.
  ///
  /// - Throws: `errSecDuplicateItem` if both exist.
  func addHalves(
    of identity: SecIdentity,
    as dictionary: ItemDictionary
  ) throws(ItemStatus) -> CFTypeRef? {
    var silent = dictionary
    silent.remove(.returnData, .returnAttributes, .returnReference, .returnPersistentReference)
    var items = try addUnlessThere(identity.certificate, as: dictionary)
    let isKeyNew = try addUnlessThere(identity.privateKey, as: silent) != nil
    guard items != nil || isKeyNew else { throw ItemStatus(.duplicateItem) }
    let query = try dictionary.naming(identity.certificate, for: .addition).query
    let returns = try ItemStatus.parsing { () throws(KeychainError) in
      try ItemAdd(query, groups: .everything).returns
    }
    guard returns != [] else { return nil }
    if items == nil { items = try certificate(of: identity, query) }
    return try ItemResult(items ?? [], in: self, query, standingFor: identity).object(returns, .one)
  }

  /// Adds one half and returns the answer; nil if it exists already.
  private func addUnlessThere(
    _ half: any KeychainObject,
    as dictionary: ItemDictionary
  ) throws(ItemStatus) -> [RemoteItem]? {
    do throws(ItemStatus) {
      let named = try dictionary.naming(half, for: .addition)
      return try ItemStatus.translating { () throws(KeychainFailure) in
        try add(named.query, data: named.data).items
      }
    } catch {
      guard error == ItemStatus(.duplicateItem) else { throw error }
      return nil
    }
  }

  /// The certificate that existed before, in the group that `query` names.
  private func certificate(
    of identity: SecIdentity,
    _ query: QueryDictionary
  ) throws(ItemStatus) -> [RemoteItem] {
    var found = identity.certificate.selection
    for key in [
      ItemAttribute.accessGroup.rawValue, ItemAttribute.synchronizable.rawValue,
      QueryKey.returnData.rawValue, QueryKey.returnAttributes.rawValue,
      QueryKey.returnReference.rawValue, QueryKey.returnPersistentReference.rawValue,
    ] {
      found[key] = query[key]
    }
    return try ItemStatus.translating { () throws(KeychainFailure) in try copy(found) }
  }

  /// Deletes the certificate, and the key unless another certificate has it too.
  ///
  /// - Throws: `errSecItemNotFound` if the key to be deleted does not exist; or if the key is kept
  ///   and the certificate does not exist.
  func deleteHalves(
    of identity: SecIdentity,
    as dictionary: ItemDictionary
  ) throws(ItemStatus) {
    let certificate = try dictionary.naming(identity.certificate, for: .selection)
    var missing: ItemStatus?
    do throws(ItemStatus) {
      try ItemStatus.translating { () throws(KeychainFailure) in try delete(certificate.query) }
    } catch {
      guard error == ItemStatus(.itemNotFound) else { throw error }
      missing = error
    }
    if try isCertified(identity.privateKey) {
      if let missing { throw missing }
      return
    }
    let key = try dictionary.naming(identity.privateKey, for: .selection)
    try ItemStatus.translating { () throws(KeychainFailure) in try delete(key.query) }
  }

  /// Whether the keychain has a certificate for the key.
  private func isCertified(_ key: SecKey) throws(ItemStatus) -> Bool {
    let query: QueryDictionary = [
      QueryKey.itemClass.rawValue: .text(ItemClass.certificate.rawValue),
      ItemAttribute.publicKeyHash.rawValue: .data(key.publicKey.label),
    ]
    do throws(ItemStatus) {
      return try ItemStatus.translating { () throws(KeychainFailure) in try !copy(query).isEmpty }
    } catch {
      guard error == ItemStatus(.itemNotFound) else { throw error }
      return false
    }
  }
}

extension ItemDictionary {
  /// The dictionaries of an update: one for each half of an identity, otherwise this one.
  func halves() throws(ItemStatus) -> [Self] {
    if let identity = object as? SecIdentity {
      return try [
        naming(identity.certificate, for: .selection), naming(identity.privateKey, for: .selection),
      ]
    }
    guard query[QueryKey.itemClass.rawValue] == .text(ItemClass.identity.rawValue),
      query[QueryKey.valuePersistentReference.rawValue] == nil
    else { return [self] }
    return [of(.certificate), of(.key)]
  }
}

extension SecIdentity: KeychainObject {
  var itemClass: ItemClass { .identity }

  /// Never called for its data, because the halves are added instead.
  func newItem() -> (attributes: QueryDictionary, data: SecretBox?) { (selection, nil) }

  var selection: QueryDictionary {
    var query = certificate.selection
    query[QueryKey.itemClass.rawValue] = .text(ItemClass.identity.rawValue)
    query[ItemAttribute.applicationLabel.rawValue] = .data(privateKey.publicKey.label)
    return query
  }
}
