import LocalAuthKeychain
import Testing

@Suite struct ParameterFaultTests {
  @Test func aFaultNamesTheKeyAndNeverTheValue() throws {
    let query: QueryDictionary = ["class": .text("genp"), "r_Data": .text("hunter2")]
    let error = #expect(throws: KeychainError.self) {
      try ItemQuery(query, groups: ownGroups)
    }
    let sentence = try #require(error?.sentence)
    #expect(sentence.contains("r_Data"))
    #expect(!sentence.contains("hunter2"))
  }
}
