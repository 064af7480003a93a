import Testing

@testable import LocalAuthToken

@Suite struct Base64URLTests {
  @Test(arguments: [
    ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
    ("foobar", "Zm9vYmFy"),
  ])
  func hasTheExamplesOfRFC4648(_ text: String, _ encoded: String) {
    #expect(Base64URL.encode(text.utf8) == encoded)
    #expect(Base64URL.decode(Array(encoded.utf8)) == Array(text.utf8))
  }

  @Test(arguments: [
    "Z", "Zg==", "Zg=", "Zh", "Zm9=", "Zm9vYmF=", "Z g", "Zg\n", "+/+/", "Zm9vZ", "é",
  ])
  func refusesEveryOtherSpelling(_ text: String) {
    #expect(Base64URL.decode(Array(text.utf8)) == nil)
  }
}
