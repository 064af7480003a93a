import LocalAuthCore
import LocalAuthKeychain
import LocalAuthTestSupport
import Testing

@Suite struct ItemNameTests {
  private func item(
    _ itemClass: ItemClass = .genericPassword,
    _ attributes: [ItemAttribute: AttributeValue]
  ) -> Item {
    Item(
      identifier: ItemIdentifier(high: 1, low: 2),
      itemClass: itemClass,
      group: "local",
      accessControl: AccessControl(.whenUnlocked),
      created: WallInstant(milliseconds: 0),
      modified: WallInstant(milliseconds: 0),
      attributes: attributes,
      hasData: true
    )
  }

  @Test func whatPeopleReadComesFirst() {
    let names: [([ItemAttribute: AttributeValue], String)] = [
      ([.service: .text("mail"), .account: .text("me")], #""mail" (account me)"#),
      ([.label: .text("mail"), .service: .text("mail")], #""mail""#),
      (
        [.label: .text("Post"), .service: .text("mail"), .account: .text("me")],
        #""Post" (service mail, account me)"#
      ),
      ([.label: .text("Post"), .account: .text("me")], #""Post" (account me)"#),
      ([.account: .text("me")], #""me""#), ([.account: .number(7)], #""7""#),
      ([.account: .data(Array("me".utf8))], #""me""#), ([.account: .data([0xFF])], "a password"),
      ([.account: .text(""), .service: .text("")], "a password"), ([:], "a password"),
    ]
    for (attributes, text) in names {
      #expect(ItemName(of: item(.genericPassword, attributes)).text == text)
    }
  }

  @Test func eachClassHasItsOwnWords() {
    let server: [ItemAttribute: AttributeValue] = [
      .label: .text("Post"), .server: .text("mail.example"),
    ]
    #expect(
      ItemName(of: item(.internetPassword, server)).text == #""Post" (server mail.example)"#
    )
    #expect(ItemName(of: item(.key, [.applicationTag: .data([0x61])])).text == #""a""#)
    #expect(ItemName(of: item(.key, [:])).text == "a key")
    #expect(ItemName(of: item(.certificate, [:])).text == "a certificate")
    #expect(ItemName(.identity).text == "an identity")
  }

  @Test func noNameForgesTheSentence() {
    let forged = #"mail" (account root) and "bank"#
    let name = ItemName(.genericPassword, label: forged, account: #"me), "bank" (account me"#)
    #expect(
      name.text
        == #""mail' (account root) and 'bank" (account "me), 'bank' (account me")"#
    )
    #expect(ItemName(.key, label: "a\u{201D} b").text == #""a' b""#)
  }

  @Test func aLongNameIsCut() throws {
    let long = String(repeating: "e\u{301}", count: 4000)
    let name = ItemName(.genericPassword, label: long, service: long, account: long)
    for part in [name.label, name.service, name.account] {
      let part = try #require(part)
      #expect(part.hasSuffix("..."))
      #expect(part.unicodeScalars.count == ItemName.limit + 3)
    }
  }
}

@Suite struct NamedItemsTests {
  private let guarded: AccessControl

  init() throws { guarded = try AccessControl(.whenUnlocked, flags: .biometryAny) }

  private func text(_ operation: AccessOperation, _ accounts: [String], of count: Int) -> String {
    let names = accounts.map { ItemName(.genericPassword, account: $0) }
    return NamedItems(operation, names, of: count, guarded).text
  }

  @Test func eachOperationHasItsWords() {
    let texts: [(AccessOperation, String)] = [
      (.decrypt, #"open "ann""#), (.update, #"change "ann""#), (.encrypt, #"add "ann""#),
      (.delete, #"delete "ann""#), (.sign, #"sign with "ann""#),
      (.computeKey, #"agree on a secret with "ann""#),
      (.decapsulate, #"unwrap a secret with "ann""#), (.attest, #"attest to "ann""#),
      (.use, #"use "ann""#),
    ]
    #expect(texts.map(\.0).count == AccessOperation.allCases.count)
    for (operation, words) in texts { #expect(text(operation, ["ann"], of: 1) == words) }
  }

  @Test func ofManyAFewAreNamedAndAllAreCounted() {
    #expect(text(.decrypt, ["ann", "bob"], of: 2) == #"open 2 items: "ann" and "bob""#)
    #expect(
      text(.delete, ["ann", "bob", "cid", "dot", "eve"], of: 17)
        == #"delete 17 items: "ann", "bob", "cid", "dot" and 13 more"#
    )
    #expect(text(.decrypt, [], of: 1) == "open an item")
    #expect(text(.decrypt, [], of: 3) == "open 3 items")
  }

  @Test func whereNoItemIsNamedTheAccessControlIs() throws {
    #expect(
      NamedItems([.decrypt, .update], onEvery: guarded).text
        == "open or change any item that asks for biometryAny"
    )
    let key = try AccessControl(.whenUnlocked, flags: [.privateKeyUsage, .biometryAny, .eachUse])
    #expect(
      NamedItems([.sign, .computeKey], onEvery: key).text
        == "sign with or agree on a secret with one key that asks for "
        + "biometryAny,privateKeyUsage,eachUse"
    )
    #expect(NamedItems([.sign], onEvery: key).count == nil)
  }

  @Test func theLongestFitsWhatAScreenShows() {
    let long = String(repeating: "a b", count: 4000)
    let name = ItemName(.internetPassword, label: long, service: "x" + long, account: long)
    let names = Array(repeating: name, count: 9)
    let text = NamedItems(.computeKey, names, of: .max, guarded).text
    #expect(text.unicodeScalars.count < 1024)
    #expect(text.hasSuffix(" more"))
  }
}
