// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import LocalAuth
import LocalAuthClient
import LocalAuthEmbedded
import LocalAuthKeychain

/// Adds an item, and answers with what the dictionary asks to be returned of it.
///
/// It blocks until the item is on the disk. The keychain is that of the context in the dictionary, or
/// of the device that the process or the task means.
///
/// - Parameters:
///   - attributes: what the item is, with its data.
///   - result: takes what was asked for; nil where nothing was.
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

/// Finds items, and answers with what the query asks to be returned of them.
///
/// An item that asks for proof has somebody asked, unless the query says otherwise; the call blocks for
/// as long as that takes, and no other call waits for it.
///
/// - Parameters:
///   - query: which items, how many, and what of them.
///   - result: takes what was found: an object, or a list where the query has a limit other than one.
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

/// Changes every item that the query finds, all of them or none; of identities first the certificates and
/// then the keys.
///
/// - Parameters:
///   - query: which items; it may neither limit them nor ask for any to be returned.
///   - attributesToUpdate: what becomes of them; attributes and data only.
/// - Returns: `errSecSuccess`, `errSecItemNotFound`, `errSecDuplicateItem` or another status.
@discardableResult
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
  ItemStatus.of { () throws(ItemStatus) in
    let dictionary = try ItemDictionary(query, for: .selection)
    let changes = try ItemDictionary(attributesToUpdate, for: .change)
    // A context is a use, and no attribute that could be changed.
    guard changes.context == nil else { throw ItemStatus(.noSuchAttribute) }
    let keychain = try Keychain.of(dictionary)
    for half in try dictionary.halves() {
      try ItemStatus.translating { () throws(KeychainFailure) in
        try keychain.update(half.query, changes: changes.query, data: changes.data?.copied())
      }
    }
  }
}

/// Deletes every item that the query finds; nobody is asked for proof.
///
/// A match limit is ignored, as code for macOS expects, which Linux takes the place of: every match is
/// deleted there, whatever the limit.
///
/// - Parameter query: which items.
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
  /// The keychain of the dictionary's context, or of the device that the caller means.
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
  /// Every group, and one for what names none: which ones the caller has, the service judges.
  static var everything: AccessGroups { AccessGroups(["any", "*"]) }
}
