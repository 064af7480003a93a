import LocalAuthCore
import LocalAuthKeychain
import Testing

@testable import authctl

/// What `keychain find` finds.
@Suite struct NameSearchTests {
  @Test(arguments: [
    ("mail", "Mail"), ("MAIL", "webmail.example.org"), ("straße", "HAUPTSTRASSE"),
    ("STRASSE", "Hauptstraße 7"), ("jürgen", "JÜRGEN"), ("e\u{301}", "Caf\u{E9}"),
    ("\u{E9}", "CAFE\u{301}"), ("銀行", "三菱銀行"), ("بنك", "بنك القاهرة"), ("", "anything"),
    ("ё", "ЁЛКА"), ("a b", "xA By"),
  ]) func findsAPartInAnyCase(_ searched: String, _ text: String) {
    #expect(NameSearch(searched).matches(text))
  }

  @Test(arguments: [
    ("mail", "mai"), ("mail", ""), ("銀", "行"), ("e", "Caf\u{E9}"), ("ü", "u"), ("ab", "a b"),
    ("x", "Straße"),
  ]) func findsNothingElse(_ searched: String, _ text: String) {
    #expect(!NameSearch(searched).matches(text))
  }
}
