import LocalAuthTestKit
import Security
import Testing

/// `SecItem…` as Apple's code calls it: dictionaries in, statuses and objects out.
@Suite struct SecItemTests {
  private let device: TestDevice

  init() throws { device = try TestDevice(fingers: [.rightIndex], passcode: "1234") }

  private static var password: [String: Any] {
    [
      kSecClass as String: kSecClassGenericPassword,
      kSecAttrService as String: "mail",
      kSecAttrAccount as String: "ann",
    ]
  }

  private func add(_ more: [String: Any] = [:], data: Data = Data("hunter2".utf8)) -> OSStatus {
    var item = Self.password
    item[kSecValueData as String] = data
    item.merge(more) { _, new in new }
    return SecItemAdd(item as CFDictionary, nil)
  }

  private func query(_ more: [String: Any] = [:]) -> CFDictionary {
    Self.password.merging(more) { _, new in new } as CFDictionary
  }

  private func copy(_ more: [String: Any]) -> (status: OSStatus, result: CFTypeRef?) {
    var result: CFTypeRef?
    let status = SecItemCopyMatching(query(more), &result)
    return (status, result)
  }

  private func data() -> Data? { copy([kSecReturnData as String: true]).result as? Data }

  // MARK: A password's life

  @Test func whatIsAddedIsFoundChangedAndDeleted() {
    device.use {
      #expect(add() == errSecSuccess)
      #expect(add() == errSecDuplicateItem)
      #expect(data() == Data("hunter2".utf8))
      let changes = [kSecValueData as String: Data("swordfish".utf8)] as CFDictionary
      #expect(SecItemUpdate(query(), changes) == errSecSuccess)
      #expect(data() == Data("swordfish".utf8))
      #expect(SecItemDelete(query()) == errSecSuccess)
      #expect(SecItemDelete(query()) == errSecItemNotFound)
      #expect(SecItemUpdate(query(), changes) == errSecItemNotFound)
      #expect(copy([kSecReturnData as String: true]).status == errSecItemNotFound)
    }
  }

  @Test func anInsertOrUpdateWrapperWorks() {
    func set(_ value: String) -> OSStatus {
      let data = Data(value.utf8)
      let status = SecItemUpdate(query(), [kSecValueData: data] as CFDictionary)
      return status == errSecItemNotFound ? add(data: data) : status
    }
    device.use {
      for value in ["one", "two", ""] {
        #expect(set(value) == errSecSuccess)
        #expect(data() == Data(value.utf8))
      }
    }
  }

  @Test func devicesOfTwoTestsKnowNothingOfEachOther() async throws {
    let other = try TestDevice()
    device.use { #expect(add() == errSecSuccess) }
    other.use { #expect(data() == nil) }
    await device.use {
      await Task { #expect(data() != nil) }.value
    }
  }

  // MARK: Shapes

  @Test func whatIsAskedForComesInItsShape() throws {
    try device.use {
      #expect(add([kSecAttrLabel as String: "Work", kSecAttrGeneric as String: Data([1])]) == 0)
      #expect(copy([:]).status == errSecSuccess)
      #expect(copy([:]).result == nil)

      let attributes = try #require(copy([kSecReturnAttributes as String: true]).result)
      let found = try #require(attributes as? [String: Any])
      #expect(found[kSecAttrLabel as String] as? String == "Work")
      #expect(found[kSecAttrGeneric as String] as? Data == Data([1]))
      #expect(found[kSecAttrAccessible as String] as? String == kSecAttrAccessibleWhenUnlocked)
      #expect(found[kSecAttrSynchronizable as String] as? Bool == false)
      #expect(found[kSecAttrCreationDate as String] is Date)
      #expect(found[kSecAttrAccessControl as String] is SecAccessControl)
      #expect(found[kSecValueData as String] == nil)
      #expect(found[kSecClass as String] == nil)

      let both = copy([kSecReturnAttributes as String: true, kSecReturnData as String: true])
      let all = try #require(both.result as? [String: Any])
      #expect(all[kSecValueData as String] as? Data == Data("hunter2".utf8))
      #expect(all[kSecAttrAccount as String] as? String == "ann")
    }
  }

  @Test func aLimitOfAllIsAListAlsoForOne() throws {
    try device.use {
      #expect(add() == 0)
      let all = copy([kSecReturnData as String: true, kSecMatchLimit as String: kSecMatchLimitAll])
      #expect(all.result as? [Data] == [Data("hunter2".utf8)])
      let one = copy([kSecReturnData as String: true, kSecMatchLimit as String: 1])
      #expect(one.result is Data)
      let dictionaries = copy([
        kSecReturnAttributes as String: kCFBooleanTrue!,
        kSecMatchLimit as String: kSecMatchLimitAll,
      ])
      let list = try #require(dictionaries.result as? [[String: Any]])
      #expect(list.count == 1)
    }
  }

  @Test func aLongListComesWhole() {
    device.use {
      for number in 0..<2_000 {
        #expect(
          add([kSecAttrAccount as String: "\(number)", kSecAttrComment as String: text(300)]) == 0
        )
      }
      let query: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "mail",
        kSecMatchLimit as String: kSecMatchLimitAll, kSecReturnAttributes as String: true,
      ]
      var result: CFTypeRef?
      #expect(SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess)
      #expect((result as? [[String: Any]])?.count == 2_000)
    }
  }

  @Test func aListIsInTheOrderOfItsAdditionsAlsoAfterChanges() {
    device.use {
      let accounts = (0..<40).map { "account \($0 * 7 % 40)" }
      for account in accounts { #expect(add([kSecAttrAccount as String: account]) == 0) }
      var third = Self.password
      third[kSecAttrAccount as String] = accounts[2]
      let changes = [kSecAttrLabel as String: "changed"] as CFDictionary
      #expect(SecItemUpdate(third as CFDictionary, changes) == errSecSuccess)
      let query: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword, kSecMatchLimit as String: kSecMatchLimitAll,
        kSecReturnAttributes as String: true,
      ]
      var result: CFTypeRef?
      #expect(SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess)
      let found = (result as? [[String: Any]])?.map { $0[kSecAttrAccount as String] as? String }
      #expect(found == accounts)
    }
  }

  private func text(_ count: Int) -> String { String(repeating: "x", count: count) }

  @Test func aPersistentReferenceFindsItsItem() throws {
    try device.use {
      var added: CFTypeRef?
      var item = Self.password
      item[kSecReturnPersistentRef as String] = true
      #expect(SecItemAdd(item as CFDictionary, &added) == errSecSuccess)
      let reference = try #require(added as? Data)
      let rename = [kSecAttrAccount as String: "bob"] as CFDictionary
      #expect(SecItemUpdate(query(), rename) == errSecSuccess)
      var found: CFTypeRef?
      let byReference: [String: Any] = [
        kSecValuePersistentRef as String: reference, kSecReturnAttributes as String: true,
      ]
      #expect(SecItemCopyMatching(byReference as CFDictionary, &found) == errSecSuccess)
      #expect((found as? [String: Any])?[kSecAttrAccount as String] as? String == "bob")
    }
  }

  @Test func anObjectOfAKeyIsRefusedAndOneOfAPasswordIsNone() {
    device.use {
      #expect(add() == errSecSuccess)
      #expect(copy([kSecReturnRef as String: true]).status == errSecSuccess)
      #expect(copy([kSecReturnRef as String: true]).result == nil)
      let key: [String: Any] = [
        kSecClass as String: kSecClassKey, kSecAttrKeyClass as String: kSecAttrKeyClassPrivate,
        kSecValueData as String: Data([1]),
      ]
      #expect(SecItemAdd(key as CFDictionary, nil) == errSecSuccess)
      for more: [String: Any] in [[:], [kSecReturnAttributes as String: true]] {
        var query: [String: Any] = [kSecClass as String: kSecClassKey]
        query[kSecReturnRef as String] = true
        query.merge(more) { _, new in new }
        var result: CFTypeRef?
        #expect(SecItemCopyMatching(query as CFDictionary, &result) == errSecUnimplemented)
        #expect(result == nil)
      }
    }
  }

  // MARK: Proof

  @Test func aProtectedItemOpensOnAMatchAndNotOnThreeMisses() throws {
    try device.use {
      let control = try #require(
        SecAccessControlCreateWithFlags(
          nil,
          kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly,
          .biometryAny,
          nil
        )
      )
      #expect(add([kSecAttrAccessControl as String: control]) == errSecSuccess)
      let read: [String: Any] = [kSecReturnData as String: true]
      #expect(
        copy(read.merging([kSecUseAuthenticationUI as String: kSecUseAuthenticationUIFail]) { $1 })
          .status == errSecInteractionNotAllowed
      )
      #expect(
        copy(read.merging([kSecUseAuthenticationUI as String: kSecUseAuthenticationUISkip]) { $1 })
          .status == errSecItemNotFound
      )
      try device.sensor.match()
      #expect(copy(read).result as? Data == Data("hunter2".utf8))
      try device.sensor.script("cancel")
      #expect(copy(read).status == errSecUserCanceled)
      try device.sensor.script("miss, miss, miss")
      #expect(copy(read).status == errSecAuthFailed)
    }
  }

  @Test func aLockedDeviceIsInteractionNotAllowed() throws {
    try device.use {
      #expect(add() == errSecSuccess)
      try device.lock()
      try device.clock.advance(by: .seconds(11))
      #expect(copy([kSecReturnData as String: true]).status == errSecInteractionNotAllowed)
      try device.unlock()
      #expect(data() == Data("hunter2".utf8))
    }
  }

  // MARK: Bad input

  private static var senseless: [(String, [String: Any], OSStatus)] {
    [
      ("no class", [kSecAttrAccount: "ann"], errSecParam),
      ("no known class", [kSecClass: "gnep"], errSecNoSuchClass),
      ("a class that is no text", [kSecClass: 7], errSecParam),
      ("an unknown attribute", [kSecClass: kSecClassGenericPassword, "xxxx": 1], errSecNoSuchAttr),
      ("an unknown key", [kSecClass: kSecClassGenericPassword, "r_Xxx": true], errSecParam),
      (
        "a number for a Boolean", [kSecClass: kSecClassGenericPassword, kSecReturnData: 1],
        errSecParam
      ),
      (
        "a limit of no kind", [kSecClass: kSecClassGenericPassword, kSecMatchLimit: "two"],
        errSecParam
      ),
      (
        "data that is text", [kSecClass: kSecClassGenericPassword, kSecValueData: "x"], errSecParam
      ),
      (
        "data that is null", [kSecClass: kSecClassGenericPassword, kSecValueData: NSNull()],
        errSecParam
      ),
      (
        "a context that is none",
        [kSecClass: kSecClassGenericPassword, kSecUseAuthenticationContext: "me"], errSecParam
      ),
      ("a fraction", [kSecClass: kSecClassInternetPassword, kSecAttrPort: 1.5], errSecParam),
      (
        "an object", [kSecClass: kSecClassGenericPassword, kSecAttrAccount: NSObject()], errSecParam
      ),
      (
        "an access control that is none",
        [kSecClass: kSecClassGenericPassword, kSecAttrAccessControl: "ak"], errSecParam
      ),
      (
        "somebody else's group",
        [kSecClass: kSecClassGenericPassword, kSecAttrAccessGroup: "theirs"],
        errSecMissingEntitlement
      ),
    ]
  }

  @Test func whatMakesNoSenseHasItsStatusAndNeverTraps() {
    device.use {
      #expect(add() == errSecSuccess)
      for (what, query, status) in Self.senseless {
        let dictionary = query as CFDictionary
        var result: CFTypeRef?
        let isData = what.hasPrefix("data")
        #expect(SecItemCopyMatching(dictionary, &result) == status, "copy: \(what)")
        #expect(result == nil, "copy: \(what)")
        if !what.contains("limit"), !what.contains("Boolean"), !what.contains("unknown key") {
          #expect(SecItemDelete(dictionary) == status || isData, "delete: \(what)")
          #expect(SecItemAdd(dictionary, nil) == status, "add: \(what)")
        }
      }
      #expect(SecItemCopyMatching([:] as CFDictionary, nil) == errSecParam)
      #expect(SecItemAdd([:] as CFDictionary, nil) == errSecParam)
      #expect(SecItemCopyMatching([7: "x"] as CFDictionary, nil) == errSecParam)
      #expect(
        SecItemUpdate(query(), [kSecClass as String: "genp"] as CFDictionary) == errSecNoSuchAttr
      )
      #expect(data() == Data("hunter2".utf8))
    }
  }

  @Test func dataBeyondTheLimitIsTooLarge() {
    device.use {
      #expect(add(data: Data(count: 65_536)) == errSecSuccess)
      #expect(
        add([kSecAttrAccount as String: "b"], data: Data(count: 65_537)) == errSecDataTooLarge
      )
      #expect(
        add([kSecAttrAccount as String: "b"], data: Data(count: 10_000_000)) == errSecDataTooLarge
      )
    }
  }
}
