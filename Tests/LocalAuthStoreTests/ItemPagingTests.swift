import LocalAuthCore
import LocalAuthKeychain
import LocalAuthTestSupport
import Testing

@testable import LocalAuthStore

/// However the pages are cut, every item that matches comes once, in the order of keys.
@Suite struct ItemPagingTests {
  private func lookup(_ terms: [TermHash] = []) -> ItemLookup {
    ItemLookup(device: Sample.identity(), itemClass: .genericPassword, terms: terms)
  }

  private func ordered(_ items: [SealedItem]) -> [SealedItem] {
    items.sorted { $0.header.key.bytes.lexicographicallyPrecedes($1.header.key.bytes) }
  }

  @Test func everyPageSizeGivesEveryItemOnce() throws {
    let store = try Place().openWithDevices()
    let items = (1...25).map { Sample.item($0, version: $0, terms: [Sample.term(1, 1)]) }
    let others = [Sample.item(90, itemClass: .key), Sample.item(91, device: "lamp")]
    try store.commitAndWait(items: (items + others).map { .add($0) })
    for limit in [1, 2, 5, 24, 25, 26, 1000] {
      #expect(try store.all(lookup(), limit: limit) == ordered(items))
      #expect(try store.all(lookup([Sample.term(1, 1)]), limit: limit) == ordered(items))
    }
    #expect(try store.all(lookup([Sample.term(2, 1)])).isEmpty)
    #expect(try store.all(lookup([Sample.term(1, 2)])).isEmpty)
    for limit in [0, -1] {
      let page = try store.eachItem(lookup(), after: nil, limit: limit) { _ in true }
      #expect(page == ItemPage(next: nil, damaged: 0))
    }
  }

  @Test func aPageOfRowsWithoutAValidKeyIsDamageAndNotReadForever() throws {
    let place = Place()
    let store = try place.openWithDevices()
    try store.commitAndWait(items: (1...9).map { .add(Sample.item($0)) })
    try place.edit("PRAGMA ignore_check_constraints = ON; UPDATE item SET key = substr(key, 2)")
    #expect(throws: StorageError.corrupt("4 items in a row have no valid key")) {
      _ = try store.eachItem(lookup(), after: nil, limit: 4) { _ in true }
    }
    #expect(
      try store.eachItem(lookup(), after: nil, limit: 10) { _ in true }
        == ItemPage(next: nil, damaged: 9)
    )
  }

  @Test func aPageEndsWhereItsReaderSaysSoAndTheNextGoesOn() throws {
    let store = try Place().openWithDevices()
    let items = ordered((1...9).map { Sample.item($0, terms: [Sample.term(1, 1)]) })
    try store.commitAndWait(items: items.map { .add($0) })
    for terms in [[], [Sample.term(1, 1)]] {
      var seen: [ItemHash] = []
      let page = try store.eachItem(lookup(terms), after: nil, limit: 100) { item in
        seen.append(item.header.key)
        return seen.count < 4
      }
      #expect(seen == items.prefix(4).map(\.header.key))
      #expect(page.next == items[3].header.key)
      // The item that the cursor names may be gone by then.
      try store.commitAndWait(items: [.remove(Sample.identity(), items[3].header.identifier)])
      _ = try store.eachItem(lookup(terms), after: page.next, limit: 100) { item in
        seen.append(item.header.key)
        return true
      }
      #expect(seen == items.map(\.header.key))
      try store.commitAndWait(items: [.add(items[3])])
    }
  }

  @Test func theOldestComeFirstHoweverThePagesAreCut() throws {
    let store = try Place().openWithDevices()
    let items = (1...25).map { Sample.item($0, version: $0) }
    let others = [Sample.item(90, itemClass: .key), Sample.item(91, device: "lamp")]
    try store.commitAndWait(items: (items + others).map { .add($0) })
    let ordered = items.map(\.header.identifier).sorted { $0 < $1 }
    for limit in [1, 2, 24, 25, 26, 1000] {
      var seen: [ItemIdentifier] = []
      var cursor: ItemIdentifier?
      repeat {
        let page = try store.eachItem(
          .genericPassword,
          of: Sample.identity(),
          after: cursor,
          limit: limit
        ) { item in
          seen.append(item.header.identifier)
          return seen.count != 10
        }
        cursor = page.next
      } while cursor != nil
      #expect(seen == ordered)
    }
    for (itemClass, limit) in [(ItemClass.genericPassword, 0), (.certificate, 7), (.identity, 7)] {
      let page = try store.eachItem(itemClass, of: Sample.identity(), after: nil, limit: limit) {
        _ in
        true
      }
      #expect(page == ItemAgePage(next: nil, damaged: 0))
    }
  }

  @Test func theIntersectionIsThatOfTheTerms() throws {
    var generator = SeededGenerator.ofThisRun
    let seed = generator.seed
    let store = try Place().openWithDevices()
    var items: [SealedItem] = []
    for number in UInt64(1)...150 {
      var terms: [TermHash] = []
      for attribute in UInt8(1)...4 where Int.random(in: 0..<4, using: &generator) > 0 {
        terms.append(Sample.term(attribute, generator.next() % 3))
      }
      items.append(Sample.item(number, version: number, terms: terms))
    }
    try store.commitAndWait(items: items.map { .add($0) })
    for _ in 0..<60 {
      let terms = (0..<Int.random(in: 1...5, using: &generator)).map { _ in
        Sample.term(UInt8.random(in: 1...4, using: &generator), generator.next() % 3)
      }
      let expected = ordered(items.filter { Set($0.terms).isSuperset(of: terms) })
      let limit = Int.random(in: 1...20, using: &generator)
      #expect(try store.all(lookup(terms), limit: limit) == expected, "SEED=\(seed)")
    }
  }

  @Test func lookupsDescendAndScanNoMoreThanTheyMust() throws {
    let database = try Database.open("", .memory)
    try database.execute(Schema.tables)
    let plans: [(StaticString, String)] = [
      (
        "EXPLAIN QUERY PLAN SELECT * FROM item WHERE keychain = ? AND class = ? AND key = ?",
        "SEARCH item USING PRIMARY KEY (keychain=? AND class=? AND key=?)"
      ),
      (
        "EXPLAIN QUERY PLAN SELECT * FROM item WHERE keychain = ? AND id = ?",
        "SEARCH item USING INDEX item_id (keychain=? AND id=?)"
      ),
      (
        """
        EXPLAIN QUERY PLAN SELECT * FROM item WHERE keychain = ? AND class = ? AND key > ?
        ORDER BY key LIMIT ?
        """, "SEARCH item USING PRIMARY KEY (keychain=? AND class=? AND key>?)"
      ),
      (
        """
        EXPLAIN QUERY PLAN SELECT key FROM term WHERE keychain = ? AND class = ? AND key >= ?
        AND attribute = ? AND hash = ? ORDER BY key LIMIT 1
        """,
        "SEARCH term USING PRIMARY KEY"
          + " (keychain=? AND attribute=? AND hash=? AND class=? AND key>?)"
      ),
    ]
    for (query, plan) in plans {
      var steps: [String] = []
      try database.prepare(query).eachRow { row in steps.append(row.text(3)) }
      #expect(steps == [plan])
    }
  }

  @Test func aHundredThousandItemsAreUsable() throws {
    let place = Place()
    let store = try place.openWithDevices()
    let count: UInt64 = 100_000
    for start in stride(from: 0, to: count, by: 5000) {
      try store.commitAndWait(
        items: (start..<(start + 5000)).map { number in
          .add(
            Sample.item(
              number,
              version: 1 + number % 50,
              terms: [Sample.term(1, number % 1000), Sample.term(2, 0)]
            )
          )
        }
      )
    }
    let item = Sample.item(
      77_777,
      version: 28,
      terms: [Sample.term(1, 777), Sample.term(2, 0)]
    )
    #expect(try store.stored(like: item) == item)
    #expect(try store.all(lookup(item.terms)).count == 100)
    var seen = 0
    var cursor: ItemHash?
    repeat {
      cursor = try store.eachItem(lookup(), after: cursor, limit: 1000) { _ in
        seen += 1
        return true
      }.next
    } while cursor != nil
    #expect(seen == Int(count))
    try store.commitAndWait([.deviceRemoved(Sample.identity())])
    #expect(try store.all(lookup()).isEmpty)
    store.close()
  }
}
