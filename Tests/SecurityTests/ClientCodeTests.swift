import Foundation
import Security
import Testing

/// The shapes in which clients write these names; that they compile is the test.
@Suite struct ClientCodeTests {
  private func object(_ value: AnyObject) -> AnyObject { value }

  @Test func dictionariesOfStrings() {
    let query: [String: Any] = [
      kSecClass as String: kSecClassGenericPassword,
      kSecAttrAccount as String: "account",
      String(kSecAttrService): "service",
      kSecReturnData as String: true,
      kSecReturnAttributes as String: kCFBooleanTrue as Any,
      kSecMatchLimit as String: kSecMatchLimitOne,
    ]
    #expect((query as CFDictionary).count == 6)
    #expect((query as CFDictionary)["class"] as? String == "genp")
    #expect(query[kSecReturnAttributes as String] as? Bool == true)
  }

  @Test func dictionariesOfNames() {
    let literal = [kSecClass: kSecClassGenericPassword] as CFDictionary
    #expect(literal[kSecClass] as? String == "genp")
    let mixed =
      [
        kSecClass: kSecClassInternetPassword,
        kSecAttrPort: 443,
        kSecReturnData: kCFBooleanTrue!,
        kSecValueData: Data("x".utf8),
      ] as [CFString: Any]
    #expect((mixed as CFDictionary).count == 4)
    var hashable: [AnyHashable: Any] = [kSecClass: kSecClassKey]
    hashable[kSecAttrKeyType] = kSecAttrKeyTypeECSECPrimeRandom
    #expect((hashable as CFDictionary)["type"] as? String == "73")
  }

  @Test func dictionariesThatAreFilledValueByValue() {
    let query = NSMutableDictionary()
    query.setValue(kSecClassGenericPassword, forKey: kSecClass as String)
    query.setValue("mail", forKey: kSecAttrService as String)
    query.setValue(nil, forKey: kSecAttrService as String)
    query.setObject(kSecMatchLimitOne, forKey: kSecMatchLimit as NSString)
    #expect(query as CFDictionary == ["class": "genp", "m_Limit": "m_LimitOne"] as NSDictionary)
  }

  @Test func dictionariesOfObjects() {
    var query: [String: AnyObject] = [
      kSecClass as String: kSecClassGenericPassword,
      kSecMatchLimit as String: kSecMatchLimitAll,
      kSecReturnData as String: kCFBooleanTrue,
      kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock,
    ]
    query[kSecAttrSynchronizable as String] = kSecAttrSynchronizableAny
    query[kSecUseAuthenticationUI as String] = kSecUseAuthenticationUISkip
    #expect(query.count == 6)
    #expect(query["class"] as? String == "genp")
  }

  @Test func dictionariesOfFoundation() {
    let query = NSMutableDictionary()
    query[kSecClass as String] = kSecClassGenericPassword
    query[kSecAttrLabel as NSString] = "label" as NSString
    query.setObject(kSecMatchLimitAll, forKey: kSecMatchLimit as NSString)
    #expect((query as CFDictionary).count == 3)
    #expect(query.value(forKey: "class") as? String == "genp")
  }

  @Test func valuesByThemselves() {
    let reference: CFTypeRef = kSecAttrAccessibleWhenUnlocked
    #expect(reference as? String == "ak")
    let key = kSecAttrAccount as NSString
    #expect(key.length == 4)
    let text: String = kSecAttrAccount as String
    #expect(text == String(kSecAttrAccount))
    let any: Any = kSecAttrService
    #expect(any as? String == "svce")
    #expect(object(kSecClassKey) as? String == "keys")
    let optional: CFString? = kSecAttrProtocolHTTPS
    #expect(optional.map { $0 as String } == "htps")
    let raw = [kSecAttrAccessibleAlways, kSecAttrAccessibleWhenUnlocked].map { $0 as String }
    #expect(raw == ["dk", "ak"])
    switch raw[1] {
    case String(kSecAttrAccessibleWhenUnlocked): break
    default: Issue.record("a name does not match itself")
    }
  }

  @Test func booleansAndErrors() {
    let yes: CFBoolean = kCFBooleanTrue
    #expect(yes as? Bool == true)
    #expect(kCFBooleanFalse! == false)
    let allocator: CFAllocator? = kCFAllocatorDefault
    #expect(allocator == nil)
    #expect(Bundle.main.infoDictionary?[kCFBundleIdentifierKey as String] as? Int == nil)
    let error: NSError = CFErrorCreate(nil, kCFErrorDomainOSStatus, CFIndex(errSecDecode), nil)
    let copy = NSError(
      domain: CFErrorGetDomain(error) as String,
      code: CFErrorGetCode(error),
      userInfo: CFErrorCopyUserInfo(error) as? [String: Any]
    )
    #expect(copy.code == Int(errSecDecode))
    let message = SecCopyErrorMessageString(errSecItemNotFound, nil) as String? ?? "unknown"
    #expect(message == "The item was not found.")
  }

  @Test func errorsThroughPointers() {
    func fails(_ error: NSErrorPointer) -> Bool {
      unsafe error?.pointee = NSError(domain: NSOSStatusErrorDomain, code: Int(errSecIO))
      return false
    }
    var error: NSError?
    // SAFETY: the pointer is used during the call only.
    #expect(!(unsafe fails(&error)))
    #expect(error?.code == Int(errSecIO))
  }

  @Test func statusesInSwitches() {
    func name(_ status: OSStatus) -> String {
      switch status {
      case errSecSuccess, noErr: "success"
      case errSecItemNotFound: "missing"
      case errSecDuplicateItem: "twice"
      default: "other"
      }
    }
    #expect(name(-25_300) == "missing")
    #expect(name(errSecAuthFailed) == "other")
  }

  @Test func randomBytes() {
    var bytes = [UInt8](repeating: 0, count: 16)
    // SAFETY: the array has as many bytes as are asked for.
    let status = unsafe SecRandomCopyBytes(kSecRandomDefault, bytes.count, &bytes)
    #expect(status == errSecSuccess)
    var data = Data(count: 32)
    // SAFETY: the data has as many bytes as are asked for.
    let result = unsafe data.withUnsafeMutableBytes {
      unsafe SecRandomCopyBytes(kSecRandomDefault, 32, $0.baseAddress!)
    }
    #expect(result == 0)
  }
}
