import LocalAuthCore
import LocalAuthKeychain
import Testing

@testable import LocalAuthCrypto

@Suite struct SearchHashTests {
  private func search(_ first: UInt8 = 1, _ name: String = "desk") throws -> SearchHash {
    SearchHash(try testKey(first), of: DeviceLabel(DeviceIdentity(owner: 1000, name: name)))
  }

  private func item(
    _ itemClass: ItemClass = .genericPassword,
    _ attributes: [ItemAttribute: AttributeValue] = [:]
  ) -> Item {
    Item(
      identifier: ItemIdentifier(high: 1, low: 2),
      itemClass: itemClass,
      group: "team.app",
      accessControl: AccessControl(.whenUnlocked),
      created: WallInstant(milliseconds: 0),
      modified: WallInstant(milliseconds: 0),
      attributes: attributes,
      hasData: false
    )
  }

  @Test func theSameTermHasTheSameHashAndNoOther() throws {
    let search = try search()
    let hash = search.hash(of: SearchTerm(.account, .text("ab")))
    #expect(hash != nil)
    #expect(search.hash(of: SearchTerm(.account, .data([97, 98]))) == hash)
    for other in [
      SearchTerm(.account, .text("a")), SearchTerm(.account, .text("AB")),
      SearchTerm(.service, .text("ab")), SearchTerm(.account, .text("ab\u{0}")),
    ] {
      let found = search.hash(of: other)
      #expect(found?.high != hash?.high)
    }
  }

  @Test func theSamePrimaryKeyHasTheSameHashAndNoOther() throws {
    let search = try search()
    let key = PrimaryKey(of: item(.genericPassword, [.account: .text("a")]))
    #expect(search.hash(of: key) == search.hash(of: key))
    #expect(search.hash(of: key) != search.hash(of: PrimaryKey(of: item())))
  }

  @Test func anotherDeviceOrInstallationHashesOtherwise() throws {
    let key = PrimaryKey(of: item())
    let term = SearchTerm(.account, .text("a"))
    for other in try [search(2), search(1, "desks")] {
      #expect(try search().hash(of: key) != other.hash(of: key))
      #expect(try search().hash(of: term) != other.hash(of: term))
    }
  }

  @Test func anItemIsFoundByWhateverASearchMatches() throws {
    let search = try search()
    let password = item(
      .genericPassword,
      [.account: .text("me"), .service: .data([1]), .label: .text(""), .type: .number(7)]
    )
    let terms = search.terms(of: password)
    for term in [
      SearchTerm(.accessGroup, .text("team.app")), SearchTerm(.account, .text("me")),
      SearchTerm(.service, .data([1])), SearchTerm(.label, .text("")),
      SearchTerm(.type, .number(7)),
    ] {
      #expect(term.matches(password))
      #expect(try terms.contains(#require(search.hash(of: term))))
    }
    #expect(terms.count == 5)
  }

  @Test func defaultValuesAreTerms() throws {
    let search = try search()
    let bare = item(.internetPassword)
    let terms = search.terms(of: bare)
    for term in [
      SearchTerm(.account, .text("")), SearchTerm(.server, .text("")),
      SearchTerm(.port, .number(0)), SearchTerm(.protocol, .number(0)),
    ] {
      #expect(term.matches(bare))
      #expect(try terms.contains(#require(search.hash(of: term))))
    }
  }

  @Test func whatAnItemCannotHaveIsNoTermOfIt() throws {
    let numbers = Set(try search().terms(of: item(.certificate)).map(\.attribute))
    #expect(numbers == [1, 15, 16], "the group, and the defaults of issuer and serial number")
  }
}
