import LocalAuthKeychain
import Testing

@Suite struct ItemSelectionTests {
  private static let base: QueryDictionary = ["class": .text("genp")]

  @Test func anAbsentSyncFindsOnlyWhatIsNotSynchronizable() throws {
    let plain = try item(Self.base)
    let synchronizable = try item(Self.base.with("sync", .boolean(true)))
    #expect(try finds(Self.base, plain))
    #expect(try !finds(Self.base, synchronizable))
    #expect(try !finds(Self.base.with("sync", .boolean(true)), plain))
    #expect(try finds(Self.base.with("sync", .number(1)), synchronizable))
  }

  @Test func synchronizableAnyFindsBoth() throws {
    let any = Self.base.with("sync", .text("syna"))
    #expect(try finds(any, item(Self.base)))
    #expect(try finds(any, item(Self.base.with("sync", .boolean(true)))))
  }

  @Test func aPersistentReferenceFindsASynchronizableItemToo() throws {
    let stored = try item(Self.base.with("sync", .boolean(true)))
    #expect(try finds(["v_PersistentRef": .data(stored.reference.bytes)], stored))
  }

  @Test func anUnknownPersistentReferenceFindsNothing() throws {
    let stored = try item(Self.base, id: 1)
    let other = try item(Self.base, id: 2)
    #expect(try !finds(["v_PersistentRef": .data(other.reference.bytes)], stored))
    let row = PersistentReference.row(.genericPassword, 1)
    #expect(try !finds(["v_PersistentRef": .data(row.bytes)], stored))
  }

  @Test func accessibleInAQueryFilters() throws {
    let stored = try item(Self.base.with("pdmn", .text("ck")))
    #expect(try finds(Self.base.with("pdmn", .text("ck")), stored))
    #expect(try !finds(Self.base.with("pdmn", .text("ak")), stored))
  }

  @Test(arguments: ["labl", "desc", "icmt", "acct", "svce", "gena"])
  func everyOtherAttributeFiltersByExactValue(key: String) throws {
    let stored = try item(Self.base.with(key, .text("Value")))
    #expect(try finds(Self.base.with(key, .text("Value")), stored))
    #expect(try finds(Self.base.with(key, .data(Array("Value".utf8))), stored))
    #expect(try !finds(Self.base.with(key, .text("value")), stored))
    #expect(try !finds(Self.base.with(key, .text("Valu")), stored))
    #expect(try !finds(Self.base.with(key, .text("")), stored))
  }

  @Test func aMissingColumnOfTheKeyIsFoundByItsDefaultAndAnyOtherIsNot() throws {
    let stored = try item(Self.base)
    #expect(try finds(Self.base.with("acct", .text("")), stored))
    #expect(try !finds(Self.base.with("labl", .text("")), stored))
  }

  @Test func tombstonesAreInvisibleUnlessAskedFor() throws {
    var stored = try item(Self.base.with("sync", .boolean(true)))
    stored.isTombstone = true
    let query = Self.base.with("sync", .boolean(true))
    #expect(try !finds(query, stored))
    #expect(try finds(query.with("tomb", .boolean(true)), stored))
  }

  @Test func anotherClassIsNeverFound() throws {
    let stored = try item(["class": .text("inet")])
    #expect(try !finds(Self.base, stored))
  }

  @Test func everyTermMustMatch() throws {
    let stored = try item(Self.base.with("acct", .text("a")).with("svce", .text("s")))
    let query = Self.base.with("acct", .text("a"))
    #expect(try finds(query.with("svce", .text("s")), stored))
    #expect(try !finds(query.with("svce", .text("t")), stored))
  }

  @Test func theTermsAreInOneOrderWhateverTheDictionarys() throws {
    let one: QueryDictionary = ["class": .text("genp"), "acct": .text("a"), "svce": .text("b")]
    let other: QueryDictionary = ["svce": .text("b"), "acct": .text("a"), "class": .text("genp")]
    let terms = try [one, other].map { try ItemQuery($0, groups: ownGroups).selection.terms }
    #expect(terms[0] == terms[1])
    #expect(terms[0].count == 2)
  }
}
