import Testing

@testable import LocalAuthCrypto

@Suite struct SearchHashTests {
  @Test func theSameBytesHaveTheSameHashAndNoOther() throws {
    let hash = SearchHash(try testKey(1))
    #expect(hash.primary([1, 2]) == hash.primary([1, 2]))
    #expect(hash.primary([1, 2]) != hash.primary([1, 2, 0]))
    #expect(hash.term([1, 2]) == hash.term([1, 2]))
    #expect(hash.term([1, 2]) != hash.term([2, 1]))
    #expect(hash.primary([]).count == SearchHash.primarySize)
    #expect(hash.term([]).count == SearchHash.termSize)
  }

  @Test func primaryKeysAndTermsHaveNothingInCommon() throws {
    let hash = SearchHash(try testKey(1))
    #expect(Array(hash.primary([1])[..<SearchHash.termSize]) != hash.term([1]))
  }

  @Test func anotherInstallationHashesOtherwise() throws {
    let (one, two) = (SearchHash(try testKey(1)), SearchHash(try testKey(2)))
    #expect(one.primary([1]) != two.primary([1]))
    #expect(one.term([1]) != two.term([1]))
  }
}
