import Foundation
import Security

/// Passwords of one service, as an app keeps them.
struct PasswordStore {
  /// What the keychain had to say.
  enum Failure: Error, Equatable {
    case alreadyThere
    case notThere
    case notText
    case status(OSStatus)

    init(_ status: OSStatus) {
      switch status {
      case errSecDuplicateItem: self = .alreadyThere
      case errSecItemNotFound: self = .notThere
      default: self = .status(status)
      }
    }
  }

  let service: String
  var accessGroup: String?
  var accessibility: CFString = kSecAttrAccessibleWhenUnlocked
  var isSynchronizable = false

  private func item(_ account: String?) -> [String: Any] {
    var item: [String: Any] = [
      kSecClass as String: kSecClassGenericPassword,
      kSecAttrService as String: service,
    ]
    item[kSecAttrAccount as String] = account
    item[kSecAttrAccessGroup as String] = accessGroup
    if isSynchronizable { item[kSecAttrSynchronizable as String] = kCFBooleanTrue }
    return item
  }

  func add(
    _ password: String,
    for account: String,
    label: String? = nil,
    note: String? = nil
  ) throws {
    var new = item(account)
    new[kSecValueData as String] = password.data(using: .utf8)
    new[kSecAttrAccessible as String] = accessibility
    new[kSecAttrLabel as String] = label
    new[kSecAttrDescription as String] = note
    try check(SecItemAdd(new as CFDictionary, nil))
  }

  func update(_ password: String, for account: String) throws {
    let changes = [kSecValueData as String: Data(password.utf8)]
    try check(SecItemUpdate(item(account) as CFDictionary, changes as CFDictionary))
  }

  /// Adds, or updates what is there: by what the first answers.
  func set(_ password: String, for account: String) throws {
    do {
      try add(password, for: account)
    } catch Failure.alreadyThere {
      try update(password, for: account)
    }
  }

  func password(for account: String) throws -> String {
    var query = item(account)
    query[kSecMatchLimit as String] = kSecMatchLimitOne
    query[kSecReturnData as String] = kCFBooleanTrue
    var found: AnyObject?
    let status = withUnsafeMutablePointer(to: &found) {
      SecItemCopyMatching(query as CFDictionary, UnsafeMutablePointer($0))
    }
    try check(status)
    guard let data = found as? Data, let password = String(data: data, encoding: .utf8) else {
      throw Failure.notText
    }
    return password
  }

  func attributes(of account: String) throws -> [String: Any] {
    var query = item(account)
    query[kSecReturnAttributes as String] = true
    var found: CFTypeRef?
    try check(SecItemCopyMatching(query as CFDictionary, &found))
    return found as? [String: Any] ?? [:]
  }

  /// Every account; none where the keychain finds nothing.
  func accounts() throws -> [String] {
    var query = item(nil)
    query[kSecMatchLimit as String] = kSecMatchLimitAll
    query[kSecReturnAttributes as String] = true
    var found: CFTypeRef?
    let status = SecItemCopyMatching(query as CFDictionary, &found)
    if status == errSecItemNotFound { return [] }
    try check(status)
    let items = found as? [[String: Any]] ?? []
    return items.compactMap { $0[kSecAttrAccount as String] as? String }
  }

  func remove(_ account: String) throws { try check(SecItemDelete(item(account) as CFDictionary)) }

  /// Removes all of the service; none is no failure.
  func removeAll() throws {
    let status = SecItemDelete(item(nil) as CFDictionary)
    guard status != errSecItemNotFound else { return }
    try check(status)
  }

  private func check(_ status: OSStatus) throws {
    guard status == errSecSuccess else { throw Failure(status) }
  }
}
