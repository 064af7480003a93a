import Testing

@testable import LocalAuthKeychain

@Suite struct ItemAttributeTests {
  @Test func everyAttributeHasFourCharacters() {
    for attribute in ItemAttribute.allCases { #expect(attribute.rawValue.utf16.count == 4) }
  }

  @Test func everyAttributeBelongsToSomeClass() {
    for attribute in ItemAttribute.allCases {
      #expect(ItemClass.stored.contains { attribute.belongs(to: $0) }, "\(attribute)")
    }
  }

  @Test func anAttributeOfAnotherClassIsNoSuchAttribute() {
    let wrong: [(String, String)] = [
      ("genp", "srvr"), ("inet", "svce"), ("genp", "kcls"), ("cert", "acct"), ("keys", "svce"),
      ("genp", "zzzz"), ("keys", "issr"), ("genp", "acls"), ("inet", "UUID"), ("genp", "volm"),
    ]
    for (itemClass, key) in wrong {
      let query: QueryDictionary = ["class": .text(itemClass), key: .text("x")]
      #expect(queryStatus(query) == .noSuchAttribute, "\(itemClass) \(key)")
      #expect(addStatus(query) == .noSuchAttribute, "\(itemClass) \(key)")
      #expect(deleteStatus(query) == .noSuchAttribute, "\(itemClass) \(key)")
      #expect(updateStatus(["class": .text(itemClass)], [key: .text("x")]) == .noSuchAttribute)
    }
  }

  @Test func identitiesHaveTheAttributesOfBothHalves() {
    for attribute in ItemAttribute.allCases {
      let either = attribute.belongs(to: .certificate) || attribute.belongs(to: .key)
      #expect(attribute.belongs(to: .identity) == either)
    }
  }

  @Test func missingColumnsOfTheKeyDefaultToEmptyOrZero() {
    #expect(ItemAttribute.account.defaultValue(for: .genericPassword) == .text(""))
    #expect(ItemAttribute.port.defaultValue(for: .internetPassword) == .number(0))
    #expect(ItemAttribute.issuer.defaultValue(for: .certificate) == .data([]))
    #expect(ItemAttribute.startDay.defaultValue(for: .key) == .date(978_307_200_000))
    #expect(ItemAttribute.label.defaultValue(for: .genericPassword) == nil)
    #expect(ItemAttribute.creator.defaultValue(for: .genericPassword) == nil)
    #expect(ItemAttribute.creator.defaultValue(for: .key) == .number(0))
  }

  @Test func everyAttributeIsFoundByItsNumberAndNothingElseIs() {
    for attribute in ItemAttribute.allCases {
      #expect(ItemAttribute(number: attribute.number) == attribute)
      for other in [attribute.number - 1, attribute.number + 1] {
        #expect(ItemAttribute(number: other)?.number ?? other == other)
      }
    }
    #expect(ItemAttribute(number: 0) == nil && ItemAttribute(number: .max) == nil)
  }
}
