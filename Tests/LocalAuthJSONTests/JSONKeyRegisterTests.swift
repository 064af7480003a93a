import LocalAuthJSON
import Testing

@Suite struct JSONKeyRegisterTests {
  private func object(_ names: [String]) -> String {
    "{" + names.map { "\"\($0)\":0" }.joined(separator: ",") + "}"
  }

  @Test func refusesTheSecondOfTwoEqualKeys() {
    #expect(complaint(#"{"a":1,"a":2}"#) == JSONError(.duplicateKey, at: 7))
    #expect(complaint(#"{"a":1,"b":{},"a":2}"#)?.kind == .duplicateKey)
    #expect(complaint(#"{"a":{"b":1,"c":2,"b":3}}"#)?.kind == .duplicateKey)
    #expect(complaint(#"{"":1,"":2}"#)?.kind == .duplicateKey)
  }

  @Test func refusesADuplicateThatIsWrittenDifferently() {
    #expect(complaint(#"{"a":1,"\u0061":2}"#)?.kind == .duplicateKey)
    #expect(complaint(#"{"é":1,"\u00e9":2}"#)?.kind == .duplicateKey)
  }

  @Test func keepsKeysThatOnlyLookAlikeApart() {
    #expect(complaint(#"{"":1,"\u0000":2,"\u0000\u0000":3}"#) == nil)
    #expect(complaint(#"{"e\u0301":1,"é":2}"#) == nil)
    let prefix = String(repeating: "x", count: 40)
    #expect(complaint(object([prefix + "a", prefix + "b", prefix])) == nil)
    #expect(complaint(object([prefix + "a", prefix + "b", prefix + "a"]))?.kind == .duplicateKey)
  }

  @Test func forgetsTheKeysOfAClosedObject() {
    #expect(complaint(#"[{"a":1},{"a":1}]"#) == nil)
    #expect(complaint(#"{"a":{"a":{"a":1},"b":1},"b":{"a":1}}"#) == nil)
    #expect(complaint(#"{"x":1,"a":{"b":1},"x":2}"#)?.kind == .duplicateKey)
  }

  @Test func allows256KeysAndNoMore() {
    let names = (0..<257).map { "key\($0)" }
    #expect(complaint(object(Array(names.dropLast()))) == nil)
    #expect(complaint(object(names))?.kind == .tooManyKeys)
  }

  @Test func findsADuplicateAtEveryDistance() {
    for count in 1..<100 {
      let names = (0..<count).map { "key\($0)" }
      for repeated in [names[0], names[count / 2], names[count - 1]] {
        #expect(complaint(object(names + [repeated]))?.kind == .duplicateKey, "\(count)")
      }
    }
  }

  @Test func countsEachObjectByItselfBeyondTheInlineKeys() {
    let wide = object((0..<200).map { "key\($0)" })
    #expect(complaint("[\(wide),\(wide)]") == nil)
    let nested = "{\"a\":\(wide),\"b\":\(wide),\"key0\":{\"c\":\(wide)},\"key1\":0"
    #expect(complaint(nested + "}") == nil)
    #expect(complaint(nested + ",\"b\":0}")?.kind == .duplicateKey)
    let names = (0..<60).map { "\"k\($0)\":0" }.joined(separator: ",")
    #expect(complaint("{\(names),\"in\":{\(names)},\"k59\":0}")?.kind == .duplicateKey)
    #expect(complaint("{\(names),\"in\":{\(names)},\"k3\":0}")?.kind == .duplicateKey)
    #expect(complaint("{\(names),\"in\":{\(names)},\"k60\":0}") == nil)
  }
}
