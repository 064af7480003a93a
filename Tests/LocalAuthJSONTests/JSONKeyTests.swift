import LocalAuthJSON
import Testing

@Suite struct JSONKeyTests {
  private func keys(_ text: String) throws(JSONError) -> [JSONKey] {
    try read(text) { (reader) throws(JSONError) in
      var keys: [JSONKey] = []
      try reader.beginObject()
      while let key = try reader.nextKey() {
        keys.append(key)
        try reader.skipValue()
      }
      return keys
    }
  }

  @Test func comparesWithLiteralsOfEveryLength() throws {
    let text =
      #"{"":0,"a":0,"ab":0,"abcdefgh":0,"abcdefghi":0,"abcdefghijklmnopqrstuvwx":0,"#
      + #""abcdefghijklmnopqrstuvwxy":0,"é":0}"#
    let keys = try keys(text)
    #expect(keys[0] == "")
    #expect(keys[1] == "a")
    #expect(keys[2] == "ab")
    #expect(keys[3] == "abcdefgh")
    #expect(keys[4] == "abcdefghi")
    #expect(keys[5] == "abcdefghijklmnopqrstuvwx")
    #expect(keys[6] == "abcdefghijklmnopqrstuvwxy")
    #expect(keys[7] == "é")
    #expect(!(keys[6] == "abcdefghijklmnopqrstuvwxz"))
    #expect(!(keys[5] == "abcdefghijklmnopqrstuvwy"))
    #expect(!(keys[4] == "abcdefghj"))
    #expect(!(keys[1] == "b"))
    #expect(!(keys[1] == "aa"))
    #expect(!(keys[0] == "\u{0}"))
  }

  @Test func givesTheKeyAsAString() throws {
    for count in [0, 1, 7, 8, 9, 15, 16, 17, 23, 24, 25, 32, 200] {
      let name = String(String(repeating: "abcdefghijklmnop", count: 13).prefix(count))
      #expect(try keys("{\"\(name)\":1}").map(\.string) == [name])
    }
    #expect(try keys(#"{"\ud83d\ude00é\u0000":1}"#).map(\.string) == ["😀é\u{0}"])
  }

  @Test func decodesEscapesBeforeComparing() throws {
    #expect(try keys(#"{"p\u006flicy":1}"#)[0] == "policy")
    let long = try keys(#"{"kSecUseAuthentication\u0043ontext":1}"#)[0]
    #expect(long == "kSecUseAuthenticationContext")
  }

  @Test func knowsWhereItStands() throws {
    #expect(try keys(#"{ "a":1, "b":2}"#).map(\.offset) == [2, 9])
  }

  @Test func worksAtTheVeryEndOfTheText() {
    for count in 0..<30 {
      let name = String(repeating: "k", count: count)
      #expect(complaint("{\"\(name)\":1}") == nil)
      #expect(complaint("{\"\(name)\"")?.kind == .unexpectedEnd)
    }
  }
}
