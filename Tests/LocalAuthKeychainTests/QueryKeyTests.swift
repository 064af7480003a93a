import Testing

@testable import LocalAuthKeychain

@Suite struct QueryKeyTests {
  @Test func everyKeyIsFoundByItsName() {
    for key in QueryKey.allCases { #expect(QueryKey(named: key.rawValue) == key) }
    for name in ["", "class ", "clas", "a", "zzzz", "u_Authui"] {
      #expect(QueryKey(named: name) == nil)
    }
  }
}
