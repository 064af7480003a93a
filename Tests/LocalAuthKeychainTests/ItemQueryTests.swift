import LocalAuthKeychain
import Testing

@Suite struct ItemQueryTests {
  private static let base: QueryDictionary = ["class": .text("genp")]

  @Test func aQueryIsForOneByDefault() throws {
    #expect(try ItemQuery(Self.base, groups: ownGroups).limit == .one)
  }

  @Test func dataInAQueryIsIgnoredForMatching() throws {
    let stored = try item(Self.base)
    #expect(try finds(Self.base.with("v_Data", .secret), stored))
  }

  @Test func accessControlInAQueryIsIgnoredForMatching() throws {
    let control = try AccessControl(.afterFirstUnlock, flags: .devicePasscode)
    #expect(try finds(Self.base.with("accc", .accessControl(control)), item(Self.base)))
    #expect(queryStatus(Self.base.with("accc", .text("x"))) == .param)
  }

  @Test func returnKeysOfADeletionAreIgnored() throws {
    let query = Self.base.with("r_Data", .boolean(true)).with("v_Data", .secret)
    #expect(deleteStatus(query) == .success)
  }

  @Test func everyMatchKeyOfADeletionIsAParameterFault() {
    for value: QueryValue in [.text("m_LimitAll"), .text("m_LimitOne"), .number(1), .null] {
      #expect(deleteStatus(Self.base.with("m_Limit", value)) == .param)
    }
    #expect(deleteStatus(Self.base.with("m_CaseInsensitive", .boolean(true))) == .param)
  }

  @Test func aDeletionIsOfAllMatchesAndLeavesATraceOfSynchronizableItems() throws {
    let delete = try ItemDelete(Self.base.with("sync", .text("syna")), groups: ownGroups)
    let plain = try item(Self.base)
    let synchronizable = try item(Self.base.with("sync", .boolean(true)))
    #expect(delete.selection.matches(plain))
    #expect(delete.selection.matches(synchronizable))
    #expect(!delete.leavesTombstone(of: plain))
    #expect(delete.leavesTombstone(of: synchronizable))
  }
}
