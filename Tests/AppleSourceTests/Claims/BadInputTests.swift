import LocalAuthTestKit
import LocalAuthentication
import Testing

/// Whatever stands in a dictionary, each call answers with one of Apple's statuses, and the keychain is
/// as it was.
@Suite struct BadInputTests {
  private let device: TestDevice
  private let item = Attributes.generic().holding("x")

  init() throws {
    device = try .phone()
    device.use { #expect(Items.add(item) == errSecSuccess) }
  }

  private static let attributes = [
    kSecAttrAccessible, kSecAttrAccessControl, kSecAttrAccessGroup, kSecAttrSynchronizable,
    kSecAttrCreationDate, kSecAttrModificationDate, kSecAttrDescription, kSecAttrComment,
    kSecAttrCreator, kSecAttrType, kSecAttrLabel, kSecAttrIsInvisible, kSecAttrIsNegative,
    kSecAttrAccount, kSecAttrService, kSecAttrGeneric, kSecAttrSyncViewHint, kSecAttrTokenID,
  ]
  private static let others = [
    kSecClass, kSecMatchLimit, kSecMatchIssuers, kSecMatchPolicy, kSecMatchCaseInsensitive,
    kSecMatchItemList, kSecMatchSearchList, kSecMatchTrustedOnly, kSecMatchValidOnDate,
    kSecReturnData, kSecReturnAttributes, kSecReturnRef, kSecReturnPersistentRef, kSecValueData,
    kSecValueRef, kSecValuePersistentRef, kSecUseItemList, kSecUseOperationPrompt,
    kSecUseNoAuthenticationUI, kSecUseAuthenticationUI, kSecUseAuthenticationContext,
    kSecUseKeychain, kSecUseDataProtectionKeychain,
  ]

  /// A value of every kind that a dictionary can have, and the ends of each.
  private static var values: [Any] {
    [
      "", "x", "\0", "é", "\u{65}\u{301}", String(repeating: "y", count: 5_000), 0, 1, -1,
      4_294_967_296, Int64.min, Int64.max, UInt64.max, 0.5, -0.0, 1e300, Double.nan,
      Double.infinity,
      -Double.infinity, Float.nan, Double.leastNonzeroMagnitude, Decimal(string: "1e100") ?? 0,
      true, false, Data(), Data([0xff, 0xfe]), Data(count: 5_000), NSNull(), NSObject(), Date(),
      Date.distantPast, Date.distantFuture, Date(timeIntervalSince1970: .nan),
      Date(timeIntervalSince1970: .infinity), UUID(), URL(fileURLWithPath: "/"), [Any](), ["x"],
      [[["x"], [NSNull()]], [1]], [Double.nan], [String: Any](), ["x": ["y": NSNull()]], [1: 2],
      Set(["x"]), NSMutableString(string: "x"), NSMutableArray(), NSDecimalNumber.notANumber,
      LAContext(), NSError(domain: "x", code: 1), (1, 2), Optional<String>.none as Any,
      accessControl(.userPresence) as Any, { () -> Int in 1 },
    ]
  }

  private static let known: Set<OSStatus> = [
    errSecSuccess, errSecParam, errSecUnimplemented, errSecItemNotFound, errSecDuplicateItem,
    errSecNoSuchAttr, errSecNoSuchClass, errSecMissingEntitlement, errSecInteractionNotAllowed,
    errSecAuthFailed, errSecDataTooLarge, errSecRestrictedAPI,
  ]

  @Test(arguments: attributes + others)
  func everyValueOfEveryKeyIsAnsweredByAStatus(key: String) {
    device.use {
      for value in Self.values {
        let more: Attributes = [key: value]
        let query = Attributes.generic().with(more)
        let nobody = Attributes.generic("nobody").with(more)
        let statuses = [
          Items.copy(query.with([kSecReturnAttributes: true]).with(more)).status,
          Items.update(nobody, [kSecAttrLabel: "x"]), Items.update(.generic("nobody"), more),
          Items.delete(nobody), Items.add(.generic("new").with(more)),
        ]
        for (call, status) in statuses.enumerated() {
          #expect(Self.known.contains(status), "call \(call), \(key): \(value) gave \(status)")
        }
        if statuses.last == errSecSuccess { _ = Items.delete(.generic("new")) }
      }
      #expect(Items.data(.generic()) == Data("x".utf8) || key == kSecAttrAccount)
    }
  }

  // MARK: Numbers

  @Test func whatIsNoWholeNumberOfSixtyFourBitsIsAParameterFault() {
    device.use {
      for value: Any in [
        0.5, Double.nan, Double.infinity, -Double.infinity, 1e300, UInt64.max, Float.nan,
        NSDecimalNumber.notANumber,
      ] {
        #expect(Items.add(.generic("n").with([kSecAttrType: value])) == errSecParam, "\(value)")
        #expect(Items.exists(.generic(value)) == errSecParam, "\(value)")
        #expect(Items.exists(.generic().with([kSecMatchLimit: value])) == errSecParam)
      }
      for value: Any in [-1, Int64.min, Int64.max, 4_294_967_296, 2.0] {
        let numbered = Attributes.generic("\(value)").with([kSecAttrType: value])
        #expect(Items.add(numbered) == errSecSuccess, "\(value)")
        #expect(Items.exists(numbered) == errSecSuccess)
      }
    }
  }

  // MARK: Sizes

  @Test func megabytesOfDataAreTooLarge() {
    device.use {
      let data = Data(count: 3 << 20)
      #expect(Items.add(.generic("big").with([kSecValueData: data])) == errSecDataTooLarge)
      #expect(Items.update(.generic(), [kSecValueData: data]) == errSecDataTooLarge)
      #expect(Items.data(.generic()) == Data("x".utf8))
    }
  }

  @Test(arguments: [kSecAttrAccount, kSecAttrLabel, kSecAttrGeneric, kSecAttrAccessGroup])
  func aGiantTextIsRefusedAndHarmsNothing(key: String) {
    device.use {
      for value: Any in [String(repeating: "z", count: 2 << 20), Data(count: 2 << 20)] {
        let refusals: Set<OSStatus> = [errSecDataTooLarge, errSecParam, errSecMissingEntitlement]
        #expect(refusals.contains(Items.add(.generic("big").with([key: value]))))
        #expect(Items.exists(.generic().with([key: value])) != errSecSuccess)
        #expect(refusals.contains(Items.update(.generic(), [key: value])))
      }
      #expect(Items.data(.generic()) == Data("x".utf8))
    }
  }

  @Test func thousandsOfKeysAreAParameterFault() {
    device.use {
      var query = Attributes.generic()
      for number in 0..<1_000 { query["future \(number)"] = "x" }
      for status in [
        Items.add(query), Items.exists(query), Items.delete(query),
        Items.update(query, [kSecAttrLabel: "x"]),
      ] { #expect(status == errSecParam) }
      #expect(Items.update(.generic(), query) == errSecParam)
      let long = String(repeating: "k", count: 100_000)
      #expect(Items.exists(.generic().with([long: 1])) == errSecParam)
    }
  }

  @Test func listsInListsAreAParameterFault() {
    device.use {
      var nested: Any = "x"
      for _ in 0..<100 { nested = [nested, [nested] as [Any]].prefix(1).map { $0 } as [Any] }
      let items: [Attributes] = [
        [kSecAttrAccount: nested], [kSecMatchIssuers: nested], [kSecMatchItemList: nested],
        [kSecAttrAccount: ["a": nested]], [kSecReturnData: nested], [kSecClass: nested],
      ]
      for more in items { #expect(Items.exists(.generic().with(more)) == errSecParam) }
    }
  }

  @Test func aPromptOfAnyLengthIsShown() throws {
    try device.use {
      let guarded = Attributes.generic("g").holding("x").guarded(by: .biometryAny)
      #expect(Items.add(guarded) == errSecSuccess)
      for length in [0, 1_024, 1_025, 100_000] {
        let prompt = String(repeating: "p", count: length)
        try device.sensor.match()
        #expect(
          Items.exists(.generic("g").with([kSecUseOperationPrompt: prompt])) == errSecSuccess
        )
      }
      let lengths = device.prompts.map(\.reason.count)
      #expect(lengths.suffix(3) == [1_024, 1_024, 1_024])
    }
  }

  /// Some ten thousand deep are too deep for Foundation itself, whoever looks at them.
  @Test func deepListsAreAParameterFault() {
    device.use {
      let outermost = NSMutableArray()
      var list = outermost
      for _ in 0..<1_000 {
        let next = NSMutableArray()
        list.add(next)
        list = next
      }
      #expect(Items.exists(.generic().with([kSecMatchIssuers: outermost])) == errSecParam)
    }
  }

  // MARK: Nothing

  @Test func nothingIsAParameterFault() {
    device.use {
      #expect(Items.add([:]) == errSecParam)
      #expect(Items.exists([:]) == errSecParam)
      #expect(Items.update([:], [:]) == errSecParam)
      #expect(Items.delete([:]) == errSecParam)
      #expect(SecItemCopyMatching(NSMutableDictionary(), nil) == errSecParam)
    }
  }

  @Test func nullsAreParameterFaults() {
    device.use {
      for key in [
        kSecAttrAccount, kSecAttrLabel, kSecAttrAccessible, kSecAttrSynchronizable, kSecReturnData,
        kSecValueData, kSecMatchLimit, kSecAttrAccessControl, kSecUseAuthenticationContext,
      ] {
        #expect(Items.exists(.generic().with([key: NSNull()])) == errSecParam, "\(key)")
        #expect(Items.add(.generic("n").with([key: NSNull()])) == errSecParam, "\(key)")
      }
      #expect(Items.update(.generic(), [kSecAttrLabel: NSNull()]) == errSecParam)
    }
  }

  @Test func textsThatAreUnusualAreTexts() {
    device.use {
      for text in ["\0", "a\0b", "\u{1F511}", "\u{202E}evil", "\n", " ", "' OR 1=1 --", "%", "*"] {
        let odd = Attributes.generic(text, text).with([kSecAttrLabel: text]).holding(text)
        #expect(Items.add(odd) == errSecSuccess)
        #expect(Items.data(.generic(text, text)) == Data(text.utf8))
        #expect(Items.attributes(.generic(text, text))?[kSecAttrLabel] as? String == text)
        #expect(Items.count(.anyGeneric.with([kSecAttrLabel: text])) == 1)
      }
      #expect(Items.count(.anyGeneric) == 10)
    }
  }
}
