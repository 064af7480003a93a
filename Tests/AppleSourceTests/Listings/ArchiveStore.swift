import Foundation
import Security

/// An object that is written by a secure coder, as apps of any age have them.
final class Contact: NSObject, NSSecureCoding {
  static let supportsSecureCoding = true

  let name: String
  let born: Date
  let tags: [String]

  init(name: String, born: Date, tags: [String]) {
    self.name = name
    self.born = born
    self.tags = tags
  }

  init?(coder: NSCoder) {
    guard let name = coder.decodeObject(of: NSString.self, forKey: "name"),
      let born = coder.decodeObject(of: NSDate.self, forKey: "born"),
      let tags = coder.decodeObject(of: [NSArray.self, NSString.self], forKey: "tags")
        as? [String]
    else { return nil }
    self.name = name as String
    self.born = born as Date
    self.tags = tags
  }

  func encode(with coder: NSCoder) {
    coder.encode(name as NSString, forKey: "name")
    coder.encode(born as NSDate, forKey: "born")
    coder.encode(tags as NSArray, forKey: "tags")
  }

  override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? Contact else { return false }
    return name == other.name && born == other.born && tags == other.tags
  }

  override var hash: Int { name.hashValue }
}

/// Objects in the keychain.
enum ArchiveStore {
  private static func item(_ name: String) -> [CFString: Any] {
    [kSecClass: kSecClassGenericPassword, kSecAttrAccount: name, kSecAttrService: "archive"]
  }

  static func keep(_ object: NSObject & NSSecureCoding, named name: String) throws -> OSStatus {
    var item = item(name)
    item[kSecValueData] = try NSKeyedArchiver.archivedData(
      withRootObject: object,
      requiringSecureCoding: true
    )
    SecItemDelete(Self.item(name) as CFDictionary)
    return SecItemAdd(item as CFDictionary, nil)
  }

  static func object<Object: NSObject & NSSecureCoding>(
    _ type: Object.Type,
    named name: String
  ) throws -> Object? {
    var query = item(name)
    query[kSecReturnData] = kCFBooleanTrue
    var found: AnyObject?
    guard SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess,
      let data = found as? NSData
    else { return nil }
    return try NSKeyedUnarchiver.unarchivedObject(ofClass: type, from: data as Data)
  }
}

/// A number that names the device to an app, also after the app was removed and installed again.
enum DeviceNumber {
  private static var item: [String: Any] {
    [
      kSecClass as String: kSecClassGenericPassword,
      kSecAttrService as String: "device",
      kSecAttrAccount as String: "number",
    ]
  }

  /// The number, made when it is first asked for; nil while the keychain is locked.
  static var current: UUID? {
    var found: CFTypeRef?
    let query = item.merging([kSecReturnData as String: true]) { $1 }
    switch SecItemCopyMatching(query as CFDictionary, &found) {
    case errSecSuccess:
      return (found as? Data).flatMap { UUID(uuidString: String(decoding: $0, as: UTF8.self)) }
    case errSecItemNotFound:
      let new = UUID()
      let added = item.merging([
        kSecValueData as String: Data(new.uuidString.utf8),
        kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
      ]) { $1 }
      return SecItemAdd(added as CFDictionary, nil) == errSecSuccess ? new : nil
    default: return nil
    }
  }
}
