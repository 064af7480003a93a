import LocalAuthTestKit
import LocalAuthentication

/// A dictionary of `SecItem…`, as clients write it.
typealias Attributes = [CFString: Any]

/// The calls, with what they answer in one value.
enum Items {
  static func add(_ item: Attributes) -> OSStatus { SecItemAdd(item as CFDictionary, nil) }

  static func adding(_ item: Attributes) -> (status: OSStatus, result: CFTypeRef?) {
    var result: CFTypeRef?
    let status = SecItemAdd(item as CFDictionary, &result)
    return (status, result)
  }

  static func copy(_ query: Attributes) -> (status: OSStatus, result: CFTypeRef?) {
    var result: CFTypeRef?
    let status = SecItemCopyMatching(query as CFDictionary, &result)
    return (status, result)
  }

  static func update(_ query: Attributes, _ changes: Attributes) -> OSStatus {
    SecItemUpdate(query as CFDictionary, changes as CFDictionary)
  }

  static func delete(_ query: Attributes) -> OSStatus { SecItemDelete(query as CFDictionary) }

  /// The status of a search that wants nothing back.
  static func exists(_ query: Attributes) -> OSStatus {
    SecItemCopyMatching(query as CFDictionary, nil)
  }

  /// The attributes of the first item that matches.
  static func attributes(_ query: Attributes) -> [String: Any]? {
    copy(query.with([kSecReturnAttributes: true])).result as? [String: Any]
  }

  /// Its data.
  static func data(_ query: Attributes) -> Data? {
    copy(query.with([kSecReturnData: true])).result as? Data
  }

  /// How many items match; 0 where none does.
  static func count(_ query: Attributes) -> Int {
    let all = query.with([kSecMatchLimit: kSecMatchLimitAll, kSecReturnAttributes: true])
    return (copy(all).result as? [[String: Any]])?.count ?? 0
  }
}

extension Attributes {
  /// The same with more; what is there already gives way.
  func with(_ more: Attributes) -> Attributes { merging(more) { $1 } }

  /// The same without a key.
  func without(_ key: CFString) -> Attributes { filter { $0.key != key } }

  /// A generic password, as little as tells it from others.
  static func generic(_ account: Any = "ann", _ service: Any = "mail") -> Attributes {
    [kSecClass: kSecClassGenericPassword, kSecAttrAccount: account, kSecAttrService: service]
  }

  /// Every generic password.
  static var anyGeneric: Attributes { [kSecClass: kSecClassGenericPassword] }

  /// An Internet password with everything that tells it from others.
  static var internet: Attributes {
    [
      kSecClass: kSecClassInternetPassword, kSecAttrAccount: "ann",
      kSecAttrSecurityDomain: "realm", kSecAttrServer: "example.org",
      kSecAttrProtocol: kSecAttrProtocolHTTPS,
      kSecAttrAuthenticationType: kSecAttrAuthenticationTypeHTTPBasic, kSecAttrPort: 443,
      kSecAttrPath: "/login",
    ]
  }

  /// The same with a secret.
  func holding(_ text: String) -> Attributes { with([kSecValueData: Data(text.utf8)]) }

  /// The same behind an access control.
  func guarded(
    by flags: SecAccessControlCreateFlags,
    _ protection: CFString = kSecAttrAccessibleWhenUnlocked
  ) -> Attributes {
    with([kSecAttrAccessControl: accessControl(flags, protection) as Any])
  }
}

/// The access control of these flags; nil where they exclude each other.
func accessControl(
  _ flags: SecAccessControlCreateFlags,
  _ protection: Any = kSecAttrAccessibleWhenUnlocked
) -> SecAccessControl? {
  SecAccessControlCreateWithFlags(kCFAllocatorDefault, protection, flags, nil)
}

extension TestDevice {
  /// A device that counts misses as Apple's do.
  static func phone(
    _ fingers: [Finger] = [.rightIndex],
    passcode: String? = "1234"
  ) throws -> TestDevice {
    try TestDevice(fingers: fingers, passcode: passcode, lockout: .apple)
  }

  /// Locks it, and lets the time pass after which its keys are gone.
  func lockForGood() throws {
    try lock()
    try clock.advance(by: .seconds(11))
  }

  /// Locks its fingers by misses.
  func lockFingers() async throws {
    for script in ["miss,miss,miss", "miss,miss"] {
      try sensor.script(script)
      let context = use { LAContext() }
      _ = try? await context.evaluatePolicy(
        .deviceOwnerAuthenticationWithBiometrics,
        localizedReason: "test"
      )
    }
  }
}
