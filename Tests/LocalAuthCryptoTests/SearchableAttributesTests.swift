import LocalAuthKeychain
import Testing

@testable import LocalAuthCrypto

@Suite struct SearchableAttributesTests {
  /// Stored with every item: a number that changes loses all of them.
  @Test func theNumbersAreWhatTheyWere() {
    let numbers: [String: UInt8] = [
      "agrp": 1, "labl": 2, "acct": 3, "svce": 4, "gena": 5, "crtr": 6, "type": 7, "sdmn": 8,
      "srvr": 9, "ptcl": 10, "atyp": 11, "port": 12, "path": 13, "subj": 14, "issr": 15,
      "slnr": 16, "skid": 17, "pkhh": 18, "kcls": 19, "klbl": 20, "atag": 21,
    ]
    for attribute in ItemAttribute.allCases {
      #expect(attribute.searchNumber == numbers[attribute.rawValue], "\(attribute)")
    }
  }

  @Test func noNumberIsTwoAttributes() {
    let numbers = ItemAttribute.searchable.compactMap(\.searchNumber)
    #expect(Set(numbers).count == numbers.count)
    #expect(numbers.count == ItemAttribute.searchable.count)
  }

  @Test func aGenericPasswordHasAtMostEightTerms() {
    let own = ItemAttribute.searchable.filter { $0.belongs(to: .genericPassword) }
    #expect(own.count <= 8)
    #expect(own.contains(.accessGroup))
  }
}
