import LocalAuthKeychain
import LocalAuthTestSupport
import Testing

@Suite struct PrimaryKeyTests {
  private static let base: QueryDictionary = ["class": .text("genp")]

  private func key(_ dictionary: QueryDictionary) throws -> PrimaryKey {
    PrimaryKey(of: try item(dictionary))
  }

  @Test func twoPasswordsWithNeitherAccountNorServiceCollide() throws {
    #expect(try key(Self.base) == key(Self.base.with("labl", .text("another"))))
    #expect(try key(Self.base) == key(Self.base.with("acct", .text(""))))
  }

  @Test(arguments: ["gena", "labl", "icmt", "desc"])
  func whatIsNoPartOfTheKeyDoesNotTellItemsApart(attribute: String) throws {
    #expect(try key(Self.base) == key(Self.base.with(attribute, .text("x"))))
  }

  @Test func anotherAccessibilityIsTheSameItem() throws {
    #expect(try key(Self.base) == key(Self.base.with("pdmn", .text("dku"))))
    let control = try AccessControl(.whenUnlocked, flags: .biometryAny)
    #expect(try key(Self.base) == key(Self.base.with("accc", .accessControl(control))))
  }

  @Test func aSynchronizableTwinIsAnotherItem() throws {
    #expect(try key(Self.base) != key(Self.base.with("sync", .boolean(true))))
  }

  @Test func anotherGroupIsAnotherItem() throws {
    #expect(try key(Self.base) != key(Self.base.with("agrp", .text("team.shared"))))
  }

  @Test func aTextAndTheDatumOfItsBytesAreTheSame() throws {
    let text = Self.base.with("acct", .text("a"))
    #expect(try key(text) == key(Self.base.with("acct", .data([0x61]))))
  }

  @Test func everyColumnOfEveryClassTellsItemsApart() throws {
    for itemClass in ItemClass.stored {
      let base: QueryDictionary = ["class": .text(itemClass.rawValue)]
      let plain = try key(base)
      for attribute in itemClass.primaryKey {
        var changed = try item(base)
        if attribute == .synchronizable {
          changed.isSynchronizable = true
        } else if attribute == .accessGroup {
          changed.group = "elsewhere"
        } else {
          changed.attributes[attribute] = .text("9")
        }
        #expect(PrimaryKey(of: changed) != plain, "\(itemClass) \(attribute)")
      }
    }
  }

  @Test func noValueLooksLikeTheBeginningOfTheNext() throws {
    let one = Self.base.with("acct", .text("ab")).with("svce", .text("c"))
    let other = Self.base.with("acct", .text("a")).with("svce", .text("bc"))
    #expect(try key(one) != key(other))
    let forged = Self.base.with("acct", .text("svce\u{0}\u{0}\u{0}\u{1}x"))
    #expect(try key(forged) != key(Self.base.with("svce", .text("x"))))
  }

  @Test func keysAreEqualExactlyWhenTheirColumnsAre() throws {
    var random = SeededGenerator.ofThisRun
    let values: [QueryValue] = [.text(""), .text("a"), .data([0x61]), .text("svce"), .data([0])]
    for _ in 0..<500 {
      let picks = (0..<4).map { _ in values.randomElement(using: &random) ?? .text("") }
      let one = try item(Self.base.with("acct", picks[0]).with("svce", picks[1]))
      let other = try item(Self.base.with("acct", picks[2]).with("svce", picks[3]))
      let columns: [ItemAttribute] = [.account, .service]
      let equal = columns.allSatisfy {
        one.value(of: $0)?.canonicalBytes == other.value(of: $0)?.canonicalBytes
      }
      #expect((PrimaryKey(of: one) == PrimaryKey(of: other)) == equal, "seed \(random.seed)")
    }
  }

  @Test func aTermHashesNameCountAndBytes() {
    let term = SearchTerm(.account, .text("ab"))
    #expect(term.bytes == Array("acct".utf8) + [0, 0, 0, 2] + Array("ab".utf8))
  }
}
