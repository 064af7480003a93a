import Foundation
import Security

/// Values of any type that can be written, by their key: an app's settings that are secret.
struct ValueStore {
  let service: String

  private func query(_ key: String) -> NSMutableDictionary {
    let query = NSMutableDictionary()
    query[kSecClass as String] = kSecClassGenericPassword
    query[kSecAttrService as String] = service
    query[kSecAttrAccount as String] = key
    return query
  }

  /// The value of `key`, nil where there is none or one of another type; setting nil removes it.
  subscript<Value: Codable>(key: String, _ type: Value.Type = Value.self) -> Value? {
    get {
      let query = query(key)
      query[kSecReturnData as String] = true
      var found: CFTypeRef?
      guard SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess,
        let data = found as? Data
      else { return nil }
      return try? PropertyListDecoder().decode([Value].self, from: data).first
    }
    nonmutating set {
      guard let newValue else {
        SecItemDelete(query(key) as CFDictionary)
        return
      }
      // A property list is a list or a dictionary.
      guard let data = try? PropertyListEncoder().encode([newValue]) else { return }
      let changes = [kSecValueData: data] as CFDictionary
      guard SecItemUpdate(query(key) as CFDictionary, changes) == errSecItemNotFound else { return }
      let item = query(key)
      item[kSecValueData as String] = data
      item[kSecAttrAccessible as String] = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
      SecItemAdd(item as CFDictionary, nil)
    }
  }
}
