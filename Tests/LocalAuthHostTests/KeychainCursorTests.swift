import LocalAuthKeychain
import LocalAuthService
import Testing

@testable import LocalAuthHost

@Suite struct KeychainCursorTests {
  @Test func cursorComesBackAsItWas() throws {
    let key = try #require(ItemHash(bytes: (0..<32).map { UInt8($0 * 8) }))
    for group in [0, 1, 258, Int(UInt32.max)] {
      let cursor = KeychainCursor.key(key, group: group)
      #expect(cursor.text.utf8.count == 72)
      #expect(KeychainCursor(text: cursor.text) == cursor)
    }
    let byAge = KeychainCursor.age(ItemIdentifier(high: 0x0123_4567_89AB_CDEF, low: .max))
    #expect(byAge.text == "0123456789abcdefffffffffffffffff")
    #expect(KeychainCursor(text: byAge.text) == byAge)
  }

  @Test(arguments: ["", "0", String(repeating: "0", count: 71), String(repeating: "0", count: 73)])
  func textOfAnotherLengthIsNone(_ text: String) { #expect(KeychainCursor(text: text) == nil) }

  @Test(arguments: ["A", "g", "-", " ", "é"]) func onlyOneSpellingIsTaken(_ digit: String) {
    let rest = String(repeating: "0", count: 72 - digit.utf8.count)
    #expect(KeychainCursor(text: digit + rest) == nil)
    #expect(KeychainCursor(text: rest + digit) == nil)
  }
}
