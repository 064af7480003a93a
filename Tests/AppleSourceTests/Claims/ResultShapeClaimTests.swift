import LocalAuthTestKit
import Security
import Testing

/// Section 2.9: what `SecItemCopyMatching` answers with, for all that can be asked and every limit.
@Suite struct ResultShapeClaimTests {
  private static let kinds = [
    kSecReturnData, kSecReturnAttributes, kSecReturnRef, kSecReturnPersistentRef,
  ]

  /// Everything that can be asked of an item, and nothing.
  private static let asked: [[String]] = (0..<16).map { bits in
    kinds.indices.filter { bits & 1 << $0 != 0 }.map { kinds[$0] }
  }

  private let device: TestDevice

  init() throws {
    device = try .phone()
    device.use {
      for account in ["a", "b", "c"] {
        #expect(Items.add(Attributes.generic(account).holding(account)) == errSecSuccess)
      }
    }
  }

  private typealias Answer = (status: OSStatus, result: CFTypeRef?)

  private func copy(_ asked: [String], _ more: Attributes) -> Answer {
    var query = Attributes.anyGeneric.with(more)
    for kind in asked { query[kind] = true }
    return Items.copy(query)
  }

  /// Whether `value` is what one of the items looks like that was asked for like this; which of them
  /// comes first, nobody promises.
  private func isShape(_ value: Any, of asked: [String]) -> Bool {
    ["a", "b", "c"].contains { isShape(value, of: asked, account: $0) }
  }

  private func isShape(_ value: Any, of asked: [String], account: String) -> Bool {
    let data = Data(account.utf8)
    guard asked.count > 1 else {
      switch asked.first {
      case kSecReturnData: return value as? Data == data
      case kSecReturnAttributes:
        return (value as? [String: Any])?[kSecAttrAccount] as? String == account
      case kSecReturnPersistentRef: return (value as? Data)?.count == 20
      default: return false
      }
    }
    guard let value = value as? [String: Any] else { return false }
    let wantsObject = asked.contains(kSecReturnRef)
    return (value[kSecAttrAccount] as? String == account) == asked.contains(kSecReturnAttributes)
      && (value[kSecValueData] as? Data == data) == asked.contains(kSecReturnData)
      && ((value[kSecValuePersistentRef] as? Data)?.count == 20)
        == asked.contains(kSecReturnPersistentRef)
      && (value[kSecClass] as? String == kSecClassGenericPassword) == wantsObject
      && (value[kSecClass] != nil) == wantsObject
      && value[kSecValueRef] == nil
  }

  /// A password has no object, so that asking for nothing else finds it and gives nothing.
  private static func givesNothing(_ asked: [String]) -> Bool {
    asked.isEmpty || asked == [kSecReturnRef]
  }

  // MARK: 2.9 The table

  @Test(arguments: asked)
  func oneIsTheObjectItself(asked: [String]) throws {
    try device.use {
      for limit: Attributes in [[:], [kSecMatchLimit: kSecMatchLimitOne], [kSecMatchLimit: 1]] {
        let answer = copy(asked, limit)
        #expect(answer.status == errSecSuccess)
        guard !Self.givesNothing(asked) else {
          #expect(answer.result == nil)
          continue
        }
        let result = try #require(answer.result)
        #expect(isShape(result, of: asked), "\(asked)")
      }
    }
  }

  @Test(arguments: asked)
  func moreThanOneIsAList(asked: [String]) throws {
    try device.use {
      for (limit, count) in [(kSecMatchLimitAll as Any, 3), (2 as Any, 2), (100 as Any, 3)] {
        let answer = copy(asked, [kSecMatchLimit: limit])
        #expect(answer.status == errSecSuccess)
        guard !Self.givesNothing(asked) else {
          #expect(answer.result == nil)
          continue
        }
        let list = try #require(answer.result as? [Any])
        #expect(list.count == count)
        for value in list { #expect(isShape(value, of: asked), "\(asked)") }
      }
    }
  }

  @Test(arguments: asked)
  func allAndAnyNumberButOneAreAListAlsoForOneItem(asked: [String]) throws {
    try device.use {
      for limit: Any in [kSecMatchLimitAll, 2, 100] {
        let answer = copy(asked, [kSecMatchLimit: limit, kSecAttrAccount: "b"])
        #expect(answer.status == errSecSuccess)
        guard !Self.givesNothing(asked) else {
          #expect(answer.result == nil)
          continue
        }
        let list = try #require(answer.result as? [Any])
        #expect(list.count == 1)
        let first = try #require(list.first)
        #expect(isShape(first, of: asked, account: "b"), "\(asked)")
      }
    }
  }

  @Test(arguments: asked)
  func noHitIsNotFoundAndNeverAnEmptyList(asked: [String]) {
    device.use {
      for limit: Any in [kSecMatchLimitOne, kSecMatchLimitAll, 1, 5] {
        let answer = copy(asked, [kSecMatchLimit: limit, kSecAttrAccount: "nobody"])
        #expect(answer.status == errSecItemNotFound)
        #expect(answer.result == nil)
      }
    }
  }

  @Test func theClientNeedsNoPlaceForTheResult() {
    device.use {
      #expect(Items.exists(.generic("a").with([kSecReturnData: true])) == errSecSuccess)
      #expect(Items.exists(.generic("z").with([kSecReturnData: true])) == errSecItemNotFound)
    }
  }

  @Test func aListOfSecretsIsGivenOut() {
    device.use {
      let all = copy([kSecReturnData], [kSecMatchLimit: kSecMatchLimitAll])
      #expect(all.result as? [Data] == ["a", "b", "c"].map { Data($0.utf8) })
    }
  }

  @Test func aLongListOfLargeSecretsComesWholeOrUpToItsLimit() {
    device.use {
      let large = Attributes.anyGeneric.with([kSecAttrService: "large", kSecReturnData: true])
      for number in 0..<60 {
        let data = Data(repeating: UInt8(number), count: 60_000)
        let item = Attributes.generic(number, "large").with([kSecValueData: data])
        #expect(Items.add(item) == errSecSuccess)
      }
      for (limit, count) in [(kSecMatchLimitAll as Any, 60), (45 as Any, 45), (61 as Any, 60)] {
        let answer = Items.copy(large.with([kSecMatchLimit: limit]))
        let found = answer.result as? [Data]
        #expect(found?.count == count)
        #expect(Set(found ?? []).count == count, "none twice")
      }
    }
  }

  @Test func resultsAreTheTypesThatClientsCastTo() throws {
    try device.use {
      let data = try #require(copy([kSecReturnData], [:]).result)
      #expect(data is Data && data is NSData && (data as? CFData) != nil)
      let attributes = try #require(copy([kSecReturnAttributes], [:]).result)
      #expect(attributes is [String: Any] && attributes is NSDictionary)
      #expect(attributes is [String: AnyObject] && attributes is [CFString: Any])
      #expect((attributes as? NSDictionary)?[kSecAttrAccount] is String)
      let list = copy([kSecReturnAttributes], [kSecMatchLimit: kSecMatchLimitAll])
      let all = try #require(list.result)
      #expect(all is [[String: Any]] && all is NSArray && all is [NSDictionary])
      #expect(all is [Any] && all is [[CFString: Any]])
      #expect(CFGetTypeID(all) == CFArrayGetTypeID())
      #expect(CFGetTypeID(attributes) == CFDictionaryGetTypeID())
      #expect(CFGetTypeID(data) == CFDataGetTypeID())
    }
  }

  // MARK: 2.9 Attributes

  @Test func attributesAreWhatTheItemHasAndNeverItsClassOrNumber() throws {
    try device.use {
      let found = try #require(Items.attributes(.generic("a")))
      #expect(found[kSecAttrAccessGroup] as? String == "local")
      #expect(found[kSecAttrAccessible] as? String == kSecAttrAccessibleWhenUnlocked)
      #expect(found[kSecAttrAccessControl] is SecAccessControl)
      #expect(found[kSecAttrSynchronizable] as? Bool == false)
      #expect(found["tomb"] as? Bool == false)
      #expect(found[kSecAttrCreationDate] is Date)
      #expect(found[kSecAttrModificationDate] is Date)
      #expect(found[kSecAttrService] as? String == "mail")
      for key in [kSecClass, kSecValueData, kSecValuePersistentRef, "UUID", "musr", "sha1"] {
        #expect(found[key] == nil, "\(key)")
      }
    }
  }

  /// Ours: Apple's keychain answers with one beside the data.
  @Test func noDigestOfAnItemIsKept() throws {
    try device.use {
      let both = copy([kSecReturnAttributes, kSecReturnData], [:])
      let found = try #require(both.result as? [String: Any])
      #expect(found["sha1"] == nil)
    }
  }

  @Test func dataThatIsNotThereIsMissingInADictionary() throws {
    try device.use {
      #expect(Items.add(.generic("empty")) == errSecSuccess)
      let query = Attributes.generic("empty")
      let both = Items.copy(query.with([kSecReturnAttributes: true, kSecReturnData: true]))
      let found = try #require(both.result as? [String: Any])
      #expect(found[kSecValueData] == nil)
      #expect(Items.copy(query.with([kSecReturnData: true])).status == errSecSuccess)
    }
  }

  // MARK: 2.9 What filters

  @Test func dataAndAccessControlInAQueryAreIgnored() {
    device.use {
      let query = Attributes.generic("a")
      #expect(Items.exists(query.holding("something else")) == errSecSuccess)
      #expect(Items.exists(query.guarded(by: .biometryAny)) == errSecSuccess)
    }
  }

  @Test func accessibilityInAQueryFilters() {
    device.use {
      let query = Attributes.generic("a")
      for (protection, status) in [
        (kSecAttrAccessibleWhenUnlocked, errSecSuccess),
        (kSecAttrAccessibleAfterFirstUnlock, errSecItemNotFound),
        (kSecAttrAccessibleWhenUnlockedThisDeviceOnly, errSecItemNotFound),
      ] {
        #expect(Items.exists(query.with([kSecAttrAccessible: protection])) == status)
      }
    }
  }

  @Test func textsFilterByTheirExactValue() {
    device.use {
      let texts: Attributes = [
        kSecAttrLabel: "Label", kSecAttrDescription: "Description", kSecAttrComment: "Comment",
      ]
      #expect(Items.add(.generic("texts").with(texts)) == errSecSuccess)
      for (key, value) in texts {
        guard let text = value as? String else { continue }
        #expect(Items.exists(Attributes.anyGeneric.with([key: text])) == errSecSuccess)
        for other in [text.lowercased(), text.uppercased(), text + " ", String(text.dropLast())] {
          #expect(Items.exists(Attributes.anyGeneric.with([key: other])) == errSecItemNotFound)
        }
      }
    }
  }

  // MARK: 2.9 Persistent references

  @Test func aReferenceStandsAloneButForLimitsAndWhatIsReturned() throws {
    try device.use {
      let answer = copy([kSecReturnPersistentRef], [kSecAttrAccount: "b"])
      let query: Attributes = [kSecValuePersistentRef: try #require(answer.result as? Data)]
      #expect(Items.data(query) == Data("b".utf8))
      let all = query.with([
        kSecMatchLimit: kSecMatchLimitAll, kSecReturnData: true,
        kSecUseAuthenticationUI: kSecUseAuthenticationUIFail,
      ])
      #expect(Items.copy(all).result as? [Data] == [Data("b".utf8)])
      for more: Attributes in [
        [kSecAttrAccount: "b"], [kSecAttrAccessGroup: "local"], [kSecAttrLabel: "x"],
        [kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked],
      ] {
        #expect(Items.exists(query.with(more)) == errSecParam, "\(more)")
      }
    }
  }

  @Test func aReferenceToNothingIsNotFoundAndAMalformedOneAParameterFault() {
    device.use {
      for bytes in [Data("genp".utf8) + Data(count: 16), Data("genp".utf8) + Data(count: 8)] {
        #expect(Items.exists([kSecValuePersistentRef: bytes]) == errSecItemNotFound)
      }
      for bytes in [
        Data(), Data("genp".utf8), Data("genp".utf8) + Data(count: 7), Data(count: 20),
        Data("none".utf8) + Data(count: 16), Data(count: 100_000),
      ] {
        #expect(Items.exists([kSecValuePersistentRef: bytes]) == errSecParam)
      }
      #expect(Items.exists([kSecValuePersistentRef: "genp"]) == errSecParam)
    }
  }

  // MARK: 2.9 What matches

  @Test func whatOtherClassesMatchByIsUnsupported() {
    device.use {
      #expect(Items.exists(.anyGeneric.with([kSecMatchIssuers: [Data()]])) == errSecUnimplemented)
      let host = kSecMatchHostOrSubdomainOfHost
      #expect(Items.exists(.anyGeneric.with([host: "example.org"])) == errSecUnimplemented)
      #expect(Items.exists(.anyGeneric.with([kSecMatchIssuers: "x"])) == errSecParam)
      for policy: Any in ["x", 1, NSObject()] {
        #expect(Items.exists(.anyGeneric.with([kSecMatchPolicy: policy])) == errSecParam)
      }
      #expect(Items.exists(.anyGeneric.with([host: 7])) == errSecParam)
      #expect(Items.exists(.anyGeneric.with([kSecUseItemList: [Data()]])) == errSecParam)
    }
  }

  @Test func matchingWithoutRegardToCaseIsIgnoredForPasswords() {
    device.use {
      let anyCase: Attributes = [kSecMatchCaseInsensitive: true]
      #expect(Items.exists(.generic("a").with(anyCase)) == errSecSuccess)
      #expect(Items.exists(.generic("A").with(anyCase)) == errSecItemNotFound)
    }
  }

  @Test func aServerIsFoundByItsHostOrAHostAbove() {
    device.use {
      #expect(Items.add(.internet) == errSecSuccess)
      for (host, status) in [
        ("example.org", errSecSuccess), ("org", errSecSuccess), ("EXAMPLE.ORG", errSecSuccess),
        ("ample.org", errSecItemNotFound), ("www.example.org", errSecItemNotFound),
      ] {
        let query: Attributes = [
          kSecClass: kSecClassInternetPassword, kSecMatchHostOrSubdomainOfHost: host,
        ]
        #expect(Items.exists(query) == status, "\(host)")
      }
    }
  }
}
