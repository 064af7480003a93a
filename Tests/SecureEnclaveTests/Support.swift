import LocalAuthTestKit
import SecureEnclave
import Testing

/// What a key asks for: of these flags, while the device is unlocked.
func control(_ flags: SecAccessControlCreateFlags) throws -> SecAccessControl {
  try #require(
    SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, flags, nil)
  )
}

/// The error that `body` throws; nil where it throws none.
func failure<Value>(_ body: () throws -> Value) -> NSError? {
  do {
    _ = try body()
    return nil
  } catch {
    return error as NSError
  }
}

/// The code of the error that `body` throws, in the domain of statuses; 0 where it throws none.
func status<Value>(_ body: () throws -> Value) -> OSStatus {
  guard let failure = failure(body) else { return errSecSuccess }
  #expect(failure.domain == NSOSStatusErrorDomain)
  #expect(!failure.localizedDescription.isEmpty)
  return OSStatus(failure.code)
}

/// How many keys the device's keychain has for this program.
func storedKeys() -> Int {
  var result: CFTypeRef?
  let query: [CFString: Any] = [
    kSecClass: kSecClassKey, kSecMatchLimit: kSecMatchLimitAll, kSecReturnAttributes: true,
  ]
  _ = SecItemCopyMatching(query as CFDictionary, &result)
  return (result as? [[String: Any]])?.count ?? 0
}

/// The key of Security that a public key's bytes are.
func securityKey(_ x963: Data) throws -> SecKey {
  let attributes: [CFString: Any] = [
    kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeyClass: kSecAttrKeyClassPublic,
  ]
  return try #require(SecKeyCreateWithData(x963 as CFData, attributes as CFDictionary, nil))
}
