import Foundation
import LocalAuthentication
import Security

/// One password item of the app, with its class and what it asks for spelt out.
struct AppItem {
  /// Why the keychain did not do it.
  enum Failure: Error, Equatable {
    /// The device keeps it locked.
    case locked
    /// What must be proven was not.
    case refused
    case other(OSStatus)
  }

  /// What tells it from the app's other items.
  let account: String
  /// When it can be opened, and on which devices.
  let accessible: CFString
  /// What it asks for; empty for nothing.
  var asksFor: SecAccessControlCreateFlags = []
  /// Which programs have it: those of this access group; nil for the app's first one.
  var group: String?
  /// Whether all devices of the person have it.
  var isSynchronizable = false
  private let service: String

  init(
    _ account: String,
    of service: String,
    accessible: CFString,
    asksFor: SecAccessControlCreateFlags = []
  ) {
    self.account = account
    self.service = service
    self.accessible = accessible
    self.asksFor = asksFor
  }

  /// Its data; nil only if the keychain says that there is none.
  func data(_ context: LAContext? = nil) throws(Failure) -> Data? {
    var query = query(context)
    query[kSecReturnData as String] = true
    var found: CFTypeRef?
    let status = SecItemCopyMatching(query as CFDictionary, &found)
    guard status != errSecItemNotFound else { return nil }
    try Self.check(status)
    return found as? Data
  }

  /// Whether there is one; nobody is asked.
  ///
  /// What a change of the device has ended is not there any more.
  func exists() throws(Failure) -> Bool {
    let silent = LAContext()
    silent.interactionNotAllowed = true
    switch SecItemCopyMatching(query(silent) as CFDictionary, nil) {
    case errSecItemNotFound: return false
    // It is there, and would ask.
    case errSecInteractionNotAllowed: return true
    case let status:
      try Self.check(status)
      return true
    }
  }

  /// Gives it this data: one update of the item that there is, or else a new one.
  ///
  /// Deleting it first and adding it again would lose its persistent reference, and be two changes to whoever hears of
  /// them.
  func put(_ data: Data) throws(Failure) {
    let change = [kSecValueData as String: data]
    let status = SecItemUpdate(query(nil) as CFDictionary, change as CFDictionary)
    guard status == errSecItemNotFound else { return try Self.check(status) }
    try add(data)
  }

  /// Makes it.
  ///
  /// - Parameters:
  ///   - data: What it has.
  ///   - context: What has the application password, if it asks for that.
  /// - Throws: `Failure`.
  func add(_ data: Data, _ context: LAContext? = nil) throws(Failure) {
    var item = query(context)
    item[kSecValueData as String] = data
    if asksFor.isEmpty {
      item[kSecAttrAccessible as String] = accessible
    } else {
      item[kSecAttrAccessControl as String] = try access()
    }
    try Self.check(SecItemAdd(item as CFDictionary, nil))
  }

  /// Deletes it, if there is one.
  func delete() throws(Failure) {
    let status = SecItemDelete(query(nil) as CFDictionary)
    guard status != errSecItemNotFound else { return }
    try Self.check(status)
  }

  /// What it asks for, as the keychain keeps it.
  func access() throws(Failure) -> SecAccessControl {
    guard let access = SecAccessControlCreateWithFlags(nil, accessible, asksFor, nil) else {
      throw .other(errSecParam)
    }
    return access
  }

  /// What finds it.
  func query(_ context: LAContext?) -> [String: Any] {
    var query: [String: Any] = [
      kSecClass as String: kSecClassGenericPassword,
      kSecAttrService as String: service,
      kSecAttrAccount as String: account,
      kSecAttrSynchronizable as String: isSynchronizable,
    ]
    query[kSecAttrAccessGroup as String] = group
    query[kSecUseAuthenticationContext as String] = context
    return query
  }

  private static func check(_ status: OSStatus) throws(Failure) {
    switch status {
    case errSecSuccess: return
    case errSecInteractionNotAllowed: throw .locked
    case errSecAuthFailed, errSecUserCanceled: throw .refused
    default: throw .other(status)
    }
  }
}
