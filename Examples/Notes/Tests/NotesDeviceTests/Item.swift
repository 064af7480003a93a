import Foundation
import Security
import Testing

@testable import NotesDevice

/// What the keychain says of an item.
struct Item {
  let reference: Data
  let created: Date
  let changed: Date

  init(of item: AppItem) throws {
    var query = item.query(nil)
    query[kSecReturnAttributes as String] = true
    query[kSecReturnPersistentRef as String] = true
    var found: CFTypeRef?
    #expect(SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess)
    let attributes = try #require(found as? [String: Any])
    reference = try #require(attributes[kSecValuePersistentRef as String] as? Data)
    created = try #require(attributes[kSecAttrCreationDate as String] as? Date)
    changed = try #require(attributes[kSecAttrModificationDate as String] as? Date)
  }
}
