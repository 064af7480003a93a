import LocalAuthKeychain
import Testing

@Suite struct QueryParserTests {
  private static let base: QueryDictionary = ["class": .text("genp")]
  private static let reference = PersistentReference.item(
    .genericPassword,
    ItemIdentifier(high: 1, low: 2)
  )

  // MARK: Classes

  @Test func aMissingClassIsAParameterFault() {
    for query: QueryDictionary in [[:], ["acct": .text("a")], ["class": .number(1)]] {
      #expect(queryStatus(query) == .param)
      #expect(addStatus(query) == .param)
      #expect(deleteStatus(query) == .param)
      #expect(updateStatus(query, [:]) == .param)
    }
  }

  @Test func anUnknownClassIsNoSuchClass() {
    for name in ["apls", "", "GENP", "genp ", "password"] {
      #expect(queryStatus(["class": .text(name)]) == .noSuchClass)
      #expect(addStatus(["class": .text(name)]) == .noSuchClass)
      #expect(deleteStatus(["class": .text(name)]) == .noSuchClass)
    }
  }

  @Test func theClassMayComeFromAPersistentReference() throws {
    let query = try ItemQuery(
      ["v_PersistentRef": .data(Self.reference.bytes)],
      groups: ownGroups
    )
    #expect(query.selection.itemClass == .genericPassword)
    #expect(query.selection.reference == Self.reference)
  }

  @Test func aClassThatContradictsThePersistentReferenceIsNoSuchClass() {
    let query: QueryDictionary = [
      "class": .text("inet"), "v_PersistentRef": .data(Self.reference.bytes),
    ]
    #expect(queryStatus(query) == .noSuchClass)
    #expect(queryStatus(query.with("class", .text("genp"))) == .success)
  }

  // MARK: Keys

  @Test func aKeyOfFourCharactersIsAnAttribute() {
    #expect(queryStatus(Self.base.with("vXYZ", .text("a"))) == .noSuchAttribute)
    #expect(queryStatus(Self.base.with("rXYZ", .text("a"))) == .noSuchAttribute)
    #expect(queryStatus(Self.base.with("fXYZ", .text("a"))) == .noSuchAttribute)
    #expect(queryStatus(Self.base.with("éààé", .text("a"))) == .noSuchAttribute)
  }

  @Test(arguments: ["", "a", "c", "m", "x1", "Account", "account", "é", "kSecAttrAccount", "~~~~~"])
  func anyOtherFirstLetterOrAKeyOfOneCharacterIsAParameterFault(key: String) {
    #expect(queryStatus(Self.base.with(key, .text("a"))) == .param)
    #expect(addStatus(Self.base.with(key, .text("a"))) == .param)
    #expect(deleteStatus(Self.base.with(key, .text("a"))) == .param)
  }

  @Test(arguments: ["r_Nonsense", "u_Nonsense", "v_Nonsense", "classy", "u_Keychain"])
  func unknownReturnUseAndValueKeysAreParameterFaults(key: String) {
    #expect(queryStatus(Self.base.with(key, .boolean(true))) == .param)
    #expect(addStatus(Self.base.with(key, .boolean(true))) == .param)
  }

  @Test func keysThatBeginWithFAreIgnored() {
    #expect(queryStatus(Self.base.with("f_anything", .null)) == .success)
    #expect(addStatus(Self.base.with("fx", .null)) == .success)
  }

  @Test func unknownMatchKeysAreIgnoredInAQueryAndRefusedInUpdateAndDelete() {
    let query = Self.base.with("m_Nonsense", .null)
    #expect(queryStatus(query) == .success)
    #expect(deleteStatus(query) == .param)
    #expect(updateStatus(query, [:]) == .param)
  }

  @Test func useDataProtectionKeychainIsIgnored() {
    for value: QueryValue in [.boolean(true), .boolean(false), .text("x")] {
      #expect(queryStatus(Self.base.with("nleg", value)) == .success)
      #expect(addStatus(Self.base.with("nleg", value)) == .success)
      #expect(deleteStatus(Self.base.with("nleg", value)) == .success)
      #expect(updateStatus(Self.base.with("nleg", value), ["nleg": value]) == .success)
    }
  }

  // MARK: Values

  @Test func dataMustBeData() {
    for value: QueryValue in [.text("x"), .number(1), .null, .boolean(true), .data([1])] {
      #expect(queryStatus(Self.base.with("v_Data", value)) == .param)
      #expect(addStatus(Self.base.with("v_Data", value)) == .param)
      #expect(deleteStatus(Self.base.with("v_Data", value)) == .param)
      #expect(updateStatus(Self.base, ["v_Data": value]) == .param)
    }
    #expect(addStatus(Self.base.with("v_Data", .secret)) == .success)
  }

  @Test(arguments: ["r_Data", "r_Attributes", "r_Ref", "r_PersistentRef"])
  func returnKeysMustBeRealBooleans(key: String) {
    #expect(queryStatus(Self.base.with(key, .boolean(true))) == .success)
    #expect(queryStatus(Self.base.with(key, .boolean(false))) == .success)
    for value: QueryValue in [.number(1), .number(0), .text("true"), .null] {
      #expect(queryStatus(Self.base.with(key, value)) == .param)
      #expect(addStatus(Self.base.with(key, value)) == .param)
    }
  }

  @Test func theInterfaceModeMustBeOneOfApplesTexts() throws {
    for (word, mode) in [
      ("u_AuthUIA", InterfaceMode.allow), ("u_AuthUIF", .fail), ("u_AuthUIS", .skip),
    ] {
      let query = try ItemQuery(Self.base.with("u_AuthUI", .text(word)), groups: ownGroups)
      #expect(query.options.interface == mode)
    }
    for value: QueryValue in [.boolean(true), .number(1), .text("u_AuthUIX"), .null] {
      #expect(queryStatus(Self.base.with("u_AuthUI", value)) == .param)
    }
  }

  @Test func theInterfaceModeDefaultsToAllow() throws {
    #expect(try ItemQuery(Self.base, groups: ownGroups).options.interface == .allow)
  }

  @Test func noAuthenticationUIMeansFail() throws {
    let query = try ItemQuery(Self.base.with("u_NoAuthUI", .boolean(true)), groups: ownGroups)
    #expect(query.options.interface == .fail)
    let both = Self.base.with("u_NoAuthUI", .boolean(true)).with("u_AuthUI", .text("u_AuthUIA"))
    #expect(try ItemQuery(both, groups: ownGroups).options.interface == .fail)
  }

  @Test func theMatchLimitIsANumberOneOrAll() throws {
    let limits: [(QueryValue, MatchLimit)] = [
      (.text("m_LimitOne"), .one), (.text("m_LimitAll"), .all), (.number(1), .one),
      (.number(7), .count(7)),
    ]
    for (value, limit) in limits {
      let query = try ItemQuery(Self.base.with("m_Limit", value), groups: ownGroups)
      #expect(query.limit == limit)
    }
    let bad: [QueryValue] = [
      .text("all"), .boolean(true), .null, .data([1]), .number(0), .number(-1),
    ]
    for value in bad { #expect(queryStatus(Self.base.with("m_Limit", value)) == .param) }
  }

  @Test func aPersistentReferenceMustBeDataOfTheRightShape() {
    for value: QueryValue in [.text("x"), .null, .data([]), .data([1, 2, 3]), .secret] {
      #expect(queryStatus(Self.base.with("v_PersistentRef", value)) == .param)
      #expect(deleteStatus(Self.base.with("v_PersistentRef", value)) == .param)
    }
  }

  @Test func aPersistentReferenceWithAnyOtherAttributeIsAParameterFault() {
    let query: QueryDictionary = ["v_PersistentRef": .data(Self.reference.bytes)]
    for key in ["acct", "labl", "agrp"] {
      #expect(queryStatus(query.with(key, .text("team.app"))) == .param)
      #expect(deleteStatus(query.with(key, .text("team.app"))) == .param)
      #expect(updateStatus(query.with(key, .text("team.app")), [:]) == .param)
    }
    let row = PersistentReference.row(.genericPassword, 3)
    #expect(deleteStatus(["v_PersistentRef": .data(row.bytes), "acct": .text("a")]) == .param)
  }

  @Test func aPersistentReferenceWithLimitReturnAndUseKeysIsFine() {
    let query: QueryDictionary = [
      "v_PersistentRef": .data(Self.reference.bytes), "m_Limit": .text("m_LimitOne"),
      "r_Data": .boolean(true), "u_AuthUI": .text("u_AuthUIF"), "sync": .text("syna"),
    ]
    #expect(queryStatus(query) == .success)
  }

  @Test func accessibleTogetherWithAccessControlIsAParameterFaultUnlessASearchNamesOneClass() throws
  {
    let control = try AccessControl(.whenUnlocked, flags: .biometryAny)
    let both = Self.base.with("pdmn", .text("ak")).with("accc", .accessControl(control))
    #expect(addStatus(both) == .param)
    for (query, status) in [
      (both, KeychainStatus.success), (both.with("pdmn", .text("aku")), .param),
    ] {
      #expect(queryStatus(query) == status)
      #expect(deleteStatus(query) == status)
      #expect(updateStatus(query, [:]) == status)
    }
    let changes: QueryDictionary = ["pdmn": .text("ak"), "accc": .accessControl(control)]
    #expect(updateStatus(Self.base, changes) == .param)
  }

  @Test func aContextTogetherWithACredentialIsAParameterFault() {
    let both = Self.base.with("u_AuthCtx", .opaque).with("u_CredRef", .opaque)
    #expect(queryStatus(both) == .param)
    #expect(addStatus(both) == .param)
  }

  @Test func anItemListIsAParameterFault() {
    #expect(queryStatus(Self.base.with("u_ItemList", .list([]))) == .param)
  }

  @Test func anObjectOfAPasswordIsAParameterFault() {
    for name in ["genp", "inet"] {
      #expect(deleteStatus(["class": .text(name), "v_Ref": .opaque]) == .param)
    }
    #expect(deleteStatus(["class": .text("cert"), "v_Ref": .opaque]) == .success)
  }

  @Test func whatOnlyApplesOwnProgramsMayUseIsRestricted() {
    #expect(queryStatus(Self.base.with("u_SystemKeychain", .boolean(true))) == .restrictedAPI)
    #expect(queryStatus(Self.base.with("u_SystemKeychain", .boolean(false))) == .success)
  }

  @Test func theOperationPromptIsHandedOn() throws {
    let query = try ItemQuery(Self.base.with("u_OpPrompt", .text("why")), groups: ownGroups)
    #expect(query.options.prompt == "why")
    #expect(queryStatus(Self.base.with("u_OpPrompt", .number(1))) == .param)
  }
}
