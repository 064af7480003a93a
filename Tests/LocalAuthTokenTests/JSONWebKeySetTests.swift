import Testing

@testable import LocalAuthToken

@Suite struct JSONWebKeySetTests {
  /// The key of RFC 8037, appendix A.2.
  private let x = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"

  private func set(_ members: String) -> String { "{\"keys\":[{\(members)}]}" }

  private func ours(_ more: String = "") -> String {
    set("\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"\(x)\",\"kid\":\"a\"\(more)")
  }

  @Test func readsWhatItWrites() throws {
    let key = try #require(JSONWebKey(identifier: "a", publicKey: Array(0..<32)))
    let other = try #require(JSONWebKey(identifier: "b", publicKey: Array(1..<33)))
    let keys = JSONWebKeySet([key, other])
    #expect(try JSONWebKeySet(json: keys.json) == keys)
    #expect(keys["b"] == other)
    #expect(keys["c"] == nil)
  }

  @Test func thumbprintIsOverWhatRFC8037Says() {
    let key = Base64URL.decode(Array(x.utf8)) ?? []
    #expect(
      String(decoding: JSONWebKey.thumbprintInput(of: key), as: UTF8.self)
        == "{\"crv\":\"Ed25519\",\"kty\":\"OKP\",\"x\":\"\(x)\"}"
    )
  }

  @Test func passesOverKeysOfOtherKindsAndUses() throws {
    for other in [
      "\"kty\":\"EC\",\"crv\":\"P-256\"", "\"kty\":\"oct\",\"k\":\"AA\"",
      "\"kty\":\"OKP\",\"crv\":\"X25519\",\"x\":\"\(x)\",\"kid\":\"a\"",
    ] {
      #expect(try JSONWebKeySet(json: set(other)).keys.isEmpty)
    }
    #expect(try JSONWebKeySet(json: ours(",\"use\":\"enc\"")).keys.isEmpty)
    #expect(try JSONWebKeySet(json: ours(",\"alg\":\"HS256\"")).keys.isEmpty)
    #expect(try JSONWebKeySet(json: ours()).keys.count == 1)
  }

  @Test func refusesWhatNobodyShouldPublish() {
    #expect(throws: TokenError.invalid("d")) { try JSONWebKeySet(json: ours(",\"d\":\"AA\"")) }
    let twice = ours().dropLast(2) + "," + ours().dropFirst(9)
    #expect(throws: TokenError.invalid("kid")) { try JSONWebKeySet(json: String(twice)) }
    let short = set("\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"AAAA\",\"kid\":\"a\"")
    #expect(throws: TokenError.invalid("x")) { try JSONWebKeySet(json: short) }
  }

  @Test(arguments: ["", "[]", "{}", "{\"keys\":{}}", "{\"keys\":[1]}", "{\"keys\":[],\"keys\":[]}"])
  func refusesWhatIsNoSet(_ text: String) {
    #expect(throws: TokenError.self) { try JSONWebKeySet(json: text) }
  }

  @Test func refusesGiantSets() {
    let key = "{\"kty\":\"EC\"}"
    let many = "{\"keys\":[" + Array(repeating: key, count: 65).joined(separator: ",") + "]}"
    #expect(throws: TokenError.tooLong) { try JSONWebKeySet(json: many) }
    let long = "{\"keys\":[],\"x\":\"\(String(repeating: "x", count: 70_000))\"}"
    #expect(throws: TokenError.tooLong) { try JSONWebKeySet(json: long) }
  }
}
