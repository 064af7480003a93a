import LocalAuthKeychain
import Testing

@Suite struct QueryResultTests {
  private static let base: QueryDictionary = ["class": .text("genp"), "v_Data": .secret]
  private static let every: [ReturnSet] = (0..<16).map { ReturnSet(rawValue: $0) }

  private func rows(_ count: Int, _ dictionary: QueryDictionary = base) throws -> [Item] {
    try (0..<count).map { try item(dictionary, id: UInt64($0)) }
  }

  @Test func noHitIsItemNotFoundAndNeverAnEmptyList() {
    for returns in Self.every {
      for limit: MatchLimit in [.one, .count(3), .all] {
        #expect(throws: KeychainError.itemNotFound) {
          try QueryResult([], returns: returns, limit: limit)
        }
      }
    }
  }

  @Test func nothingAskedIsSuccessAndNothing() throws {
    #expect(try QueryResult(rows(1), returns: [], limit: .one) == .nothing)
    #expect(try QueryResult(rows(2), returns: [], limit: .all) == .nothing)
  }

  @Test func oneKindOfOneItemIsThatObject() throws {
    let rows = try rows(1)
    #expect(try QueryResult(rows, returns: .data, limit: .one) == .one(.data(row: 0)))
    let attributes = ResultAttributes(of: rows[0], withDigest: false)
    #expect(
      try QueryResult(rows, returns: .attributes, limit: .one) == .one(.attributes(attributes))
    )
    let reference = rows[0].reference
    #expect(
      try QueryResult(rows, returns: .persistentReference, limit: .one)
        == .one(.persistentReference(reference))
    )
    let keys = try self.rows(1, ["class": .text("keys")])
    #expect(try QueryResult(keys, returns: .reference, limit: .one) == .one(.reference(row: 0)))
  }

  @Test func limitAllIsAListEvenOfOneHit() throws {
    let result = try QueryResult(rows(1), returns: .data, limit: .all)
    #expect(result == .many([.data(row: 0)]))
  }

  @Test func aLimitOfSeveralIsAListUpToThatCount() throws {
    let result = try QueryResult(rows(5), returns: .data, limit: .count(3))
    #expect(result == .many([.data(row: 0), .data(row: 1), .data(row: 2)]))
  }

  @Test func dataOfAllPasswordsIsAllowed() throws {
    let result = try QueryResult(rows(2), returns: .data, limit: .all)
    #expect(result == .many([.data(row: 0), .data(row: 1)]))
  }

  @Test func anObjectOfAPasswordIsSuccessAndNothing() throws {
    #expect(try QueryResult(rows(1), returns: .reference, limit: .one) == .nothing)
    #expect(try QueryResult(rows(2), returns: .reference, limit: .all) == .nothing)
  }

  @Test func twoKindsOrMoreAreADictionary() throws {
    let rows = try rows(1)
    for returns in Self.every where returns.rawValue.nonzeroBitCount > 1 {
      guard case .one(.dictionary(let found)) = try QueryResult(rows, returns: returns, limit: .one)
      else {
        Issue.record("\(returns)")
        continue
      }
      #expect((found.itemClass != nil) == returns.contains(.reference))
      #expect((found.attributes != nil) == returns.contains(.attributes))
      #expect((found.data != nil) == returns.contains(.data))
      #expect((found.persistentReference != nil) == returns.contains(.persistentReference))
      #expect(found.reference == nil)
    }
  }

  @Test func anItemWithoutDataHasNoSuchKeyInItsDictionary() throws {
    let rows = try rows(1, ["class": .text("genp")])
    let result = try QueryResult(rows, returns: [.data, .attributes], limit: .one)
    guard case .one(.dictionary(let found)) = result else {
      Issue.record("no dictionary")
      return
    }
    #expect(found.data == nil)
  }

  @Test func theAttributesAreThoseOfApple() throws {
    let stored = try item(Self.base.with("acct", .text("a")).with("svce", .text("s")))
    let shown = ResultAttributes(of: stored, withDigest: false)
    let names = Set(shown.values.keys.map(\.rawValue))
    #expect(names == ["agrp", "cdat", "mdat", "pdmn", "sync", "tomb", "acct", "svce"])
    #expect(shown.accessControl == AccessControl(.whenUnlocked))
    #expect(ItemAttribute(rawValue: "UUID") == nil)
  }

  @Test func theDigestShowsOnlyWhereTheDataIsAskedForToo() throws {
    var stored = try item(Self.base)
    stored.attributes[.digest] = .data([1])
    #expect(ResultAttributes(of: stored, withDigest: false).values[.digest] == nil)
    let result = try QueryResult([stored], returns: [.data, .attributes], limit: .one)
    guard case .one(.dictionary(let found)) = result else {
      Issue.record("no dictionary")
      return
    }
    #expect(found.attributes?.values[.digest] == .data([1]))
  }
}
