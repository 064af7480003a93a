import LocalAuthKeychain
import Testing

@Suite struct QueryDictionaryTests {
  @Test func moreThanItsLimitOfKeysIsAParameterFault() {
    var query: QueryDictionary = ["class": .text("genp")]
    for number in 1..<QueryDictionary.limit {
      query.entries.append(.init(key: "f_number\(number)", value: .null))
    }
    #expect(queryStatus(query) == .success)
    query.entries.append(.init(key: "f_more", value: .null))
    #expect(queryStatus(query) == .param)
    #expect(addStatus(query) == .param)
    #expect(deleteStatus(query) == .param)
    #expect(updateStatus(query, [:]) == .param)
  }

  @Test func aKeyThatIsThereTwiceIsAParameterFault() {
    var query: QueryDictionary = ["class": .text("genp"), "acct": .text("a")]
    query.entries.append(.init(key: "acct", value: .text("b")))
    #expect(queryStatus(query) == .param)
    #expect(updateStatus(["class": .text("genp")], query) == .param)
  }

  @Test func settingNilRemovesAndSettingAgainReplaces() {
    var query: QueryDictionary = ["a": .null]
    query["a"] = .number(1)
    query["b"] = .number(2)
    #expect(query.entries.map(\.key) == ["a", "b"])
    #expect(query["a"] == .number(1))
    query["a"] = nil
    query["c"] = nil
    #expect(query.entries.map(\.key) == ["b"])
  }
}
