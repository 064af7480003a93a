// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import LocalAuth
import LocalAuthClient
import LocalAuthEmbedded
import LocalAuthKeychain

/// Adds an item and returns what the dictionary requests of it.
///
/// Blocks until the item is durable. The keychain is that of the context in the dictionary, or that
/// of the current device of the task or the process.
///
/// - Parameters:
///   - attributes: the item's attributes and data.
///   - result: receives what was requested; may be nil.
/// - Returns: `errSecSuccess`, `errSecDuplicateItem`, `errSecParam` or another status.
@discardableResult
public func SecItemAdd(
  _ attributes: CFDictionary,
  _ result: UnsafeMutablePointer<CFTypeRef?>?
) -> OSStatus {
  ItemStatus.of { () throws(ItemStatus) in
    let dictionary = try ItemDictionary(attributes, for: .addition)
    let keychain = try Keychain.of(dictionary)
    if let identity = dictionary.object as? SecIdentity {
      let object = try keychain.addHalves(of: identity, as: dictionary)
      unsafe result?.pointee = object
      return
    }
    let answer = try ItemStatus.translating { () throws(KeychainFailure) in
      try keychain.add(dictionary.queryForObjects, data: dictionary.data)
    }
    let parsed = try ItemStatus.parsing { () throws(KeychainError) in
      try ItemAdd(dictionary.query, groups: .everything)
    }
    guard parsed.returns != [] else { return }
    let object = try ItemResult(answer.items, in: keychain, dictionary.query)
      .object(parsed.returns, .one)
    unsafe result?.pointee = object
  }
}

/// Finds items and returns what the query requests of them.
///
/// An item that requires proof prompts the user, unless the query forbids it. The call blocks until
/// the prompt ends; other calls do not wait for it.
///
/// - Parameters:
///   - query: the items to find, how many of them, and what to return.
///   - result: receives one object, or a list if the query has a limit other than one.
/// - Returns: `errSecSuccess`, `errSecItemNotFound`, `errSecInteractionNotAllowed`,
///   `errSecAuthFailed`, `errSecUserCanceled` or another status.
@discardableResult
public func SecItemCopyMatching(
  _ query: CFDictionary,
  _ result: UnsafeMutablePointer<CFTypeRef?>?
) -> OSStatus {
  ItemStatus.of { () throws(ItemStatus) in
    let dictionary = try ItemDictionary(query, for: .selection)
    let keychain = try Keychain.of(dictionary)
    let items = try ItemStatus.translating { () throws(KeychainFailure) in
      try keychain.copy(dictionary.queryForObjects)
    }
    let parsed = try ItemStatus.parsing { () throws(KeychainError) in
      try ItemQuery(dictionary.query, groups: .everything)
    }
    let object = try ItemResult(items, in: keychain, dictionary.query)
      .object(parsed.returns, parsed.limit)
    unsafe result?.pointee = object
  }
}

/// Changes all items that the query finds, or none of them.
///
/// Identities are changed in two such steps: first the certificates, then the keys.
///
/// - Parameters:
///   - query: the items to change; a match limit and requests for results are not allowed.
///   - attributesToUpdate: the new values; attributes and data only.
/// - Returns: `errSecSuccess`, `errSecItemNotFound`, `errSecDuplicateItem` or another status.
@discardableResult
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
  ItemStatus.of { () throws(ItemStatus) in
    let dictionary = try ItemDictionary(query, for: .selection)
    let changes = try ItemDictionary(attributesToUpdate, for: .change)
    // A context says how to make the call; it is not an attribute that could be changed.
    guard changes.context == nil else { throw ItemStatus(.noSuchAttribute) }
    let keychain = try Keychain.of(dictionary)
    for half in try dictionary.halves() {
      try ItemStatus.translating { () throws(KeychainFailure) in
        try keychain.update(half.query, changes: changes.query, data: changes.data?.copied())
      }
    }
  }
}

/// Deletes every item that the query finds, without asking for proof.
///
/// A match limit is ignored, as on macOS: code that distinguishes platforms takes its macOS branch
/// on Linux, and expects every match to be deleted.
///
/// - Parameter query: the items to delete.
/// - Returns: `errSecSuccess`, `errSecItemNotFound` or another status.
@discardableResult
public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
  ItemStatus.of { () throws(ItemStatus) in
    var dictionary = try ItemDictionary(query, for: .selection)
    dictionary.remove(.matchLimit)
    let keychain = try Keychain.of(dictionary)
    if let identity = dictionary.object as? SecIdentity {
      return try keychain.deleteHalves(of: identity, as: dictionary)
    }
    try ItemStatus.translating { () throws(KeychainFailure) in
      try keychain.delete(dictionary.query)
    }
  }
}

extension Keychain {
  /// The keychain of the dictionary's context, or of the current device.
  static func of(_ dictionary: ItemDictionary) throws(ItemStatus) -> Keychain {
    if let context = dictionary.context { return Keychain(context: context.authContext) }
    do throws(DeviceError) {
      return try CurrentDevice.get().keychain
    } catch {
      throw ItemStatus(.notAvailable)
    }
  }
}

extension AccessGroups {
  /// Every group, with one for items that name none; the service decides which the caller may use.
  static var everything: AccessGroups { AccessGroups(["any", "*"]) }
}
