import LocalAuthTestKit
import Security
import Testing

/// Section 2.4: how dictionaries are read, and what becomes of each value.
@Suite struct ParserClaimTests {
  private let device: TestDevice

  init() throws {
    device = try .phone()
    try device.use { try #require(Items.add(.generic().holding("x")) == errSecSuccess) }
  }

  /// The statuses of the three calls that take a query; an item is never deleted by it, because a key
  /// of `more` is wrong.
  private func statuses(_ more: [AnyHashable: Any]) -> [OSStatus] {
    var query = Attributes.generic() as [AnyHashable: Any]
    query.merge(more) { $1 }
    let dictionary = query as CFDictionary
    return [
      SecItemCopyMatching(dictionary, nil), SecItemAdd(dictionary, nil), SecItemDelete(dictionary),
      SecItemUpdate(dictionary, [kSecAttrLabel: "new"] as CFDictionary),
    ]
  }

  // MARK: 2.4 Keys

  @Test func aKeyOfFourCharactersIsAnAttributeOfTheClass() {
    device.use {
      for key in [kSecAttrServer, kSecAttrPort, kSecAttrKeyClass, "zzzz", "cl s", "m_Li"] {
        #expect(statuses([key: "x"]) == Array(repeating: errSecNoSuchAttr, count: 4), "\(key)")
      }
    }
  }

  @Test func theDataProtectionKeychainIsTheOnlyOne() {
    device.use {
      for isWanted in [true, false] {
        let query = Attributes.generic().with([kSecUseDataProtectionKeychain: isWanted])
        #expect(Items.exists(query) == errSecSuccess)
        #expect(Items.update(query, [kSecAttrLabel: "x"]) == errSecSuccess)
        #expect(Items.add(query.with([kSecAttrAccount: "\(isWanted)"])) == errSecSuccess)
      }
      let attributes = Items.attributes(.generic())
      #expect(attributes?["nleg"] == nil)
    }
  }

  @Test func aKeyThatBeginsWithFIsIgnored() {
    device.use {
      #expect(Items.exists(.generic().with(["future": 1])) == errSecSuccess)
      #expect(Items.add(.generic("f").with(["f_Key": NSNull()])) == errSecSuccess)
      #expect(Items.delete(.generic("f").with(["fine thing": 1])) == errSecSuccess)
    }
  }

  @Test(arguments: ["", "a", "account", "Class", "é", "kSecAttrAccount", " class", "x_Data"])
  func anyOtherKeyIsAParameterFault(key: String) {
    device.use { #expect(statuses([key: "x"]) == Array(repeating: errSecParam, count: 4)) }
  }

  @Test(arguments: ["r_Nothing", "u_Nothing", "v_Nothing", "classes", "r_data"])
  func anUnknownKeyOfAKnownFamilyIsAParameterFault(key: String) {
    device.use { #expect(statuses([key: true]) == Array(repeating: errSecParam, count: 4)) }
  }

  @Test func anUnknownMatchKeyIsIgnoredInASearchOnly() {
    device.use {
      let query = Attributes.generic().with(["m_Nothing": 1])
      #expect(Items.exists(query) == errSecSuccess)
      #expect(Items.update(query, [kSecAttrLabel: "x"]) == errSecParam)
      #expect(Items.delete(query) == errSecParam)
    }
  }

  @Test func aKeyThatIsNoTextIsAParameterFault() {
    device.use {
      let keys: [AnyHashable] = [
        Data("acct".utf8), Date(timeIntervalSince1970: 0), NSNull(), 7, 1.5, true, UUID(),
        ["acct"], URL(fileURLWithPath: "/"),
      ]
      for key in keys {
        #expect(statuses([key: "x"]) == Array(repeating: errSecParam, count: 4), "\(key)")
      }
    }
  }

  @Test func moreThanAHundredAndTwentyEightKeysAreAParameterFault() {
    device.use {
      var query = Attributes.generic()
      for number in 0..<125 { query["future \(number)"] = number }
      #expect(query.count == 128)
      #expect(Items.exists(query) == errSecSuccess)
      query["one more"] = nil
      query["future again"] = 1
      #expect(Items.exists(query) == errSecParam)
      #expect(Items.add(query) == errSecParam)
      #expect(Items.delete(query) == errSecParam)
    }
  }

  // MARK: 2.4 The class

  @Test func theClassMayComeFromAPersistentReference() throws {
    try device.use {
      let answer = Items.copy(.generic().with([kSecReturnPersistentRef: true]))
      let reference = try #require(answer.result as? Data)
      #expect(reference.count == 20)
      #expect(Items.data([kSecValuePersistentRef: reference]) == Data("x".utf8))
      let named: Attributes = [
        kSecClass: kSecClassGenericPassword, kSecValuePersistentRef: reference,
      ]
      #expect(Items.exists(named) == errSecSuccess)
      let contrary = named.with([kSecClass: kSecClassInternetPassword])
      #expect(Items.exists(contrary) == errSecNoSuchClass)
      #expect(Items.delete(contrary) == errSecNoSuchClass)
    }
  }

  @Test(arguments: ["", "apls", "GENP", "generic", "class"])
  func aClassThatIsNoneIsNoSuchClass(name: String) {
    device.use {
      #expect(statuses([kSecClass: name]) == Array(repeating: errSecNoSuchClass, count: 4))
    }
  }

  // MARK: 2.4 Values

  @Test func aBlobKeepsTheTypeThatItWasGivenIn() throws {
    try device.use {
      let bytes = Data([0xff, 0, 1])
      #expect(Items.add(.generic(bytes, 7).with([kSecAttrLabel: "text"])) == errSecSuccess)
      let found = try #require(Items.attributes(.generic(bytes, 7)))
      #expect(found[kSecAttrAccount] as? Data == bytes)
      #expect(found[kSecAttrService] as? Int == 7)
      #expect(found[kSecAttrService] as? String == nil)
      #expect(found[kSecAttrLabel] as? String == "text")
      let server = Attributes.internet.with([kSecAttrServer: Data("host".utf8)])
      #expect(Items.add(server) == errSecSuccess)
      #expect(Items.attributes(server)?[kSecAttrServer] as? Data == Data("host".utf8))
    }
  }

  @Test func aDataAttributeTakesTextAsItsBytes() throws {
    try device.use {
      let certificate: Attributes = [
        kSecClass: kSecClassCertificate, kSecAttrIssuer: Data([1]),
        kSecAttrSerialNumber: "serial",
      ]
      try #require(Items.add(certificate) == errSecSuccess)
      let found = try #require(Items.attributes(certificate))
      #expect(found[kSecAttrSerialNumber] as? Data == Data("serial".utf8))
    }
  }

  @Test func aNumberTakesABooleanAndADecimal() throws {
    try device.use {
      let values: [(Any, String)] = [
        (true, "1"), (false, "0"), ("443", "443"), (5, "5"), (-1, "-1"),
      ]
      for (value, number) in values {
        let item = Attributes.internet.with([kSecAttrPort: value])
        try #require(Items.add(item) == errSecSuccess)
        let port = try #require(Items.attributes(item)?[kSecAttrPort] as? NSNumber)
        #expect(port.stringValue == number)
      }
    }
  }

  @Test(arguments: ["", "0443", "+1", "4 4 3", "https", "99999999999999999999"])
  func aNumberKeepsATextThatIsNoDecimal(text: String) throws {
    try device.use {
      let item = Attributes.internet.with([kSecAttrPort: text])
      try #require(Items.add(item) == errSecSuccess)
      #expect(Items.attributes(item)?[kSecAttrPort] as? String == text)
    }
  }

  @Test func aProtocolIsATextInANumbersPlace() {
    device.use {
      #expect(Items.add(.internet) == errSecSuccess)
      #expect(Items.attributes(.internet)?[kSecAttrProtocol] as? String == kSecAttrProtocolHTTPS)
    }
  }

  @Test func aTextAttributeTakesTheDataThatIsItsUTF8() {
    device.use {
      let protection = Data(kSecAttrAccessibleAfterFirstUnlock.utf8)
      #expect(Items.add(.generic("p").with([kSecAttrAccessible: protection])) == errSecSuccess)
      let found = Items.attributes(.generic("p"))
      #expect(found?[kSecAttrAccessible] as? String == kSecAttrAccessibleAfterFirstUnlock)
      let noText = Data([0xff, 0xfe])
      #expect(Items.exists(.generic().with([kSecAttrAccessible: noText])) == errSecParam)
    }
  }

  @Test func aDateIsADateAndNothingElse() {
    device.use {
      for value: Any in ["2020-01-01", 0, true, Data([1]), NSNull()] {
        #expect(Items.exists(.generic().with([kSecAttrCreationDate: value])) == errSecParam)
        #expect(
          Items.add(.generic("d").with([kSecAttrModificationDate: value])) == errSecParam
        )
      }
      let epoch = Date(timeIntervalSince1970: 0)
      #expect(Items.exists(.generic().with([kSecAttrCreationDate: epoch])) == errSecItemNotFound)
    }
  }

  @Test(arguments: ["", "AK", "unlocked", "akpux"])
  func anAccessibilityThatIsNoneIsAParameterFault(name: String) {
    device.use {
      #expect(statuses([kSecAttrAccessible: name]) == Array(repeating: errSecParam, count: 4))
      #expect(Items.update(.generic(), [kSecAttrAccessible: name]) == errSecParam)
    }
  }

  @Test func dataMustBeData() {
    device.use {
      for value: Any in ["x", 1, true, NSNull(), [Data()], Date(), ["a": Data()]] {
        #expect(Items.add(.generic("v").with([kSecValueData: value])) == errSecParam)
        #expect(Items.update(.generic(), [kSecValueData: value]) == errSecParam)
        #expect(Items.exists(.generic().with([kSecValueData: value])) == errSecParam)
      }
      #expect(Items.add(.generic("v").with([kSecValueData: NSData()])) == errSecSuccess)
    }
  }

  @Test(arguments: [
    kSecReturnData, kSecReturnAttributes, kSecReturnRef, kSecReturnPersistentRef,
  ])
  func whatIsReturnedIsSaidByARealBoolean(key: String) {
    device.use {
      for value: Any in [1, 0, NSNumber(value: 1), "true", NSNull(), 1.0] {
        #expect(Items.exists(.generic().with([key: value])) == errSecParam)
        #expect(Items.add(.generic("r").with([key: value])) == errSecParam)
      }
      for value: Any in [true, NSNumber(value: true), kCFBooleanTrue as Any] {
        #expect(Items.exists(.generic().with([key: value])) == errSecSuccess)
      }
    }
  }

  @Test func theInterfaceModeIsAText() {
    device.use {
      for value: Any in [0, true, NSNull(), Data(), "u_AuthUI", ""] {
        #expect(Items.exists(.generic().with([kSecUseAuthenticationUI: value])) == errSecParam)
      }
      for mode in [
        kSecUseAuthenticationUIAllow, kSecUseAuthenticationUIFail, kSecUseAuthenticationUISkip,
      ] {
        #expect(Items.exists(.generic().with([kSecUseAuthenticationUI: mode])) == errSecSuccess)
      }
    }
  }

  @Test func aLimitIsANumberOneOrAll() {
    device.use {
      for value: Any in ["", "2", "all", 0, -1, Int64.min, 1.5, NSNull(), Data(), [1]] {
        #expect(
          Items.exists(.generic().with([kSecMatchLimit: value])) == errSecParam,
          "\(value)"
        )
      }
      for value: Any in [kSecMatchLimitOne, kSecMatchLimitAll, 1, 2, Int32.max, Int64.max] {
        #expect(Items.exists(.generic().with([kSecMatchLimit: value])) == errSecSuccess)
      }
    }
  }

  // MARK: 2.4 Dates

  @Test func datesThatAddIsGivenAreOverwritten() throws {
    try device.use {
      let past = Date(timeIntervalSince1970: 1_000_000)
      let item = Attributes.generic("dated").with([
        kSecAttrCreationDate: past, kSecAttrModificationDate: past,
      ])
      try #require(Items.add(item) == errSecSuccess)
      let found = try #require(Items.attributes(.generic("dated")))
      let created = try #require(found[kSecAttrCreationDate] as? Date)
      #expect(created > past)
      #expect(found[kSecAttrModificationDate] as? Date == created)
    }
  }

  @Test func anUpdateMovesTheModificationDateByAtLeastAMillisecond() throws {
    try device.use {
      func dates() throws -> (created: Date, modified: Date) {
        let found = try #require(Items.attributes(.generic()))
        return (
          try #require(found[kSecAttrCreationDate] as? Date),
          try #require(found[kSecAttrModificationDate] as? Date)
        )
      }
      // The clock stands still meanwhile.
      let before = try dates()
      #expect(Items.update(.generic(), [kSecAttrLabel: "new"]) == errSecSuccess)
      let after = try dates()
      #expect(after.created == before.created)
      #expect(after.modified.timeIntervalSince(before.modified) > 0.000_9)

      let past = Date(timeIntervalSince1970: 1_000_000)
      let changes: Attributes = [kSecAttrModificationDate: past, kSecAttrCreationDate: past]
      #expect(Items.update(.generic(), changes) == errSecSuccess)
      #expect(try dates().created == past, "one that is given is honoured")
      #expect(try dates().modified > after.modified, "and the other is not")
    }
  }
}
