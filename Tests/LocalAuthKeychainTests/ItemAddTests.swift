import LocalAuthCore
import LocalAuthKeychain
import Testing

@Suite struct ItemAddTests {
  private static let base: QueryDictionary = ["class": .text("genp")]

  private func admit(
    _ dictionary: QueryDictionary,
    access: ClassAccess = .available,
    enrolment: AccessControl.Enrolment = .full,
    occupant: Occupant = .none
  ) throws(KeychainError) -> (item: Item, replaced: ItemIdentifier?) {
    try ItemAdd(dictionary, groups: ownGroups).admit(
      as: ItemIdentifier(high: 0, low: 1),
      at: wall(5000),
      access: access,
      enrolment: enrolment,
      occupant: { _ in occupant }
    )
  }

  private func control(
    _ flags: AccessControlFlags,
    _ protection: ProtectionClass = .whenUnlocked
  ) throws -> QueryValue {
    .accessControl(try AccessControl(protection, flags: flags))
  }

  @Test func anAccessControlOfAnotherTypeIsAParameterFault() {
    for value: QueryValue in [.text("x"), .null, .data([1]), .number(1)] {
      #expect(addStatus(Self.base.with("accc", value)) == .param)
      // Refused by the program's own library, before the groups are looked at.
      #expect(addStatus(Self.base.with("accc", value), AccessGroups([])) == .param)
    }
  }

  @Test func anAccessControlOnASynchronizableItemIsAParameterFault() throws {
    for flags: AccessControlFlags in [[], .biometryAny, .userPresence] {
      let query = Self.base.with("accc", try control(flags))
      #expect(addStatus(query) == .success)
      #expect(addStatus(query.with("sync", .boolean(true))) == .param)
      #expect(addStatus(query.with("sync", .boolean(false))) == .success)
    }
  }

  @Test func authenticationUISkipIsAParameterFault() {
    #expect(addStatus(Self.base.with("u_AuthUI", .text("u_AuthUIS"))) == .param)
    #expect(addStatus(Self.base.with("u_AuthUI", .text("u_AuthUIF"))) == .success)
  }

  @Test func aPersistentReferenceIsAParameterFault() {
    let references: [PersistentReference] = [
      .item(.genericPassword, ItemIdentifier(high: 0, low: 3)), .row(.genericPassword, 3),
    ]
    for reference in references {
      #expect(addStatus(Self.base.with("v_PersistentRef", .data(reference.bytes))) == .param)
    }
  }

  @Test(arguments: ["aku", "cku", "dku", "akpu"])
  func whatStaysOnThisDeviceIsNotSynchronizable(protection: String) throws {
    let query = Self.base.with("pdmn", .text(protection))
    let both = status { () throws(KeychainError) in
      try admit(query.with("sync", .boolean(true)))
    }
    #expect(both == .param)
    #expect(try !admit(query.with("sync", .boolean(false))).item.leavesDevice)
    #expect(try admit(Self.base.with("sync", .boolean(true))).item.leavesDevice)
    #expect(try !admit(Self.base).item.leavesDevice)
  }

  @Test func theDatesGivenAreOverwrittenWithNow() throws {
    let query = Self.base.with("cdat", .date(1)).with("mdat", .date(2))
    let stored = try admit(query).item
    #expect(stored.created == wall(5000))
    #expect(stored.modified == wall(5000))
  }

  @Test func anItemWithoutDataIsLegal() throws { #expect(try !admit(Self.base).item.hasData) }

  @Test func aDuplicateWhileLockedIsInteractionNotAllowed() {
    let live = Occupant.live(ItemIdentifier(high: 0, low: 9))
    let locked = status { () throws(KeychainError) in
      try admit(Self.base, access: .locked, occupant: live)
    }
    #expect(locked == .interactionNotAllowed)
    let open = status { () throws(KeychainError) in try admit(Self.base, occupant: live) }
    #expect(open == .duplicateItem)
  }

  @Test func aTombstoneOrCorruptItemWithTheSameKeyIsReplacedSilently() throws {
    let old = ItemIdentifier(high: 0, low: 9)
    #expect(try admit(Self.base, occupant: .remains(old)).replaced == old)
  }

  @Test func whenPasscodeSetWithoutAPasscodeIsAuthFailed() {
    let query = Self.base.with("pdmn", .text("akpu"))
    #expect(throws: KeychainError.authentication(.passcodeNotSet)) {
      try admit(query, access: .absent, enrolment: .nothing)
    }
    #expect(KeychainError.authentication(.passcodeNotSet).status == .authFailed)
  }

  @Test func biometryFlagsWithNothingEnrolledAreAuthFailed() throws {
    for flags: AccessControlFlags in [
      .biometryAny, .biometryCurrentSet, [.biometryAny, .or, .devicePasscode],
    ] {
      let query = Self.base.with("accc", try control(flags))
      #expect(throws: KeychainError.authentication(.biometryNotEnrolled)) {
        try admit(query, enrolment: .noFingers)
      }
    }
    #expect(KeychainError.authentication(.biometryNotEnrolled).status == .authFailed)
  }

  @Test func matchKeysAreParameterFaults() {
    #expect(addStatus(Self.base.with("m_Limit", .text("m_LimitOne"))) == .param)
  }

  @Test func theAccessControlIsBoundToTheSetOfTheMoment() throws {
    let query = Self.base.with("accc", try control(.biometryCurrentSet))
    #expect(try admit(query).item.accessControl.binding == .bound(generation: 7))
  }

  @Test func dataUnderAnAccessControlOfKeyUseIsRefused() throws {
    let query = Self.base.with("accc", try control([.privateKeyUsage, .biometryAny]))
    #expect(
      status { () throws(KeychainError) in try admit(query.with("v_Data", .secret)) } == .authFailed
    )
  }

  @Test func identitiesAreNotAddedAsSuch() {
    #expect(addStatus(["class": .text("idnt")]) == .unimplemented)
  }

  @Test func aSecureEnclaveKeyIsAPrivateP256KeyWhoseAccessControlSpeaksOfKeys() throws {
    let key: QueryDictionary = [
      "class": .text("keys"), "tkid": .text("com.apple.setoken"), "kcls": .text("1"),
      "type": .text("73"), "bsiz": .number(256),
    ]
    #expect(addStatus(key) == .success)
    #expect(addStatus(key.with("bsiz", .number(384))) == .param)
    #expect(addStatus(key.with("type", .text("42"))) == .param)
    #expect(addStatus(key.with("kcls", .text("0"))) == .param)
    #expect(addStatus(key.with("accc", try control(.biometryAny))) == .param)
    #expect(addStatus(key.with("accc", try control([.privateKeyUsage, .biometryAny]))) == .success)
    #expect(addStatus(Self.base.with("tkid", .text("com.apple.setoken"))) == .param)
  }

  @Test func whatIsReturnedIsWhatIsAskedFor() throws {
    #expect(try ItemAdd(Self.base, groups: ownGroups).returns == [])
    let query = Self.base.with("r_Data", .boolean(true)).with("r_Attributes", .boolean(true))
    #expect(try ItemAdd(query, groups: ownGroups).returns == [.data, .attributes])
  }
}
