import LocalAuthCore
import LocalAuthKeychain
import LocalAuthTestSupport
import Testing

/// The parsers meet anything at all: they answer with a status and never with a trap.
@Suite struct QueryPropertyTests {
  private static let runs = 5000
  private static let keys: [String] =
    ItemAttribute.allCases.map(\.rawValue) + QueryKey.allCases.map(\.rawValue)
    + ["", "a", "nleg", "zzzz", "m_x", "r_x", "u_x", "v_x", "f_x", "c_x", "\u{0}", "💥", "éééé"]
  private static let texts = [
    "", "genp", "inet", "cert", "keys", "idnt", "apls", "ak", "akpu", "syna", "team.app", "*",
    "m_LimitAll", "m_LimitOne", "u_AuthUIS", "u_AuthUIF", "42", "com.apple.setoken", "\u{FFFD}",
  ]

  @Test func everyDictionaryIsAnsweredByAStatusOfTheParser() {
    var random = SeededGenerator.ofThisRun
    let possible: Set<KeychainStatus> = [
      .success, .param, .noSuchAttribute, .noSuchClass, .unimplemented, .missingEntitlement,
      .restrictedAPI,
    ]
    var seen: Set<KeychainStatus> = []
    for _ in 0..<Self.runs {
      let query = dictionary(using: &random)
      let changes = dictionary(using: &random)
      let groups = self.groups(using: &random)
      let statuses = [
        queryStatus(query, groups), addStatus(query, groups), deleteStatus(query, groups),
        updateStatus(query, changes, groups),
      ]
      #expect(possible.isSuperset(of: statuses), "seed \(random.seed): \(query)")
      seen.formUnion(statuses)
    }
    let frequent: Set<KeychainStatus> = [
      .success, .param, .noSuchAttribute, .noSuchClass, .missingEntitlement,
    ]
    #expect(seen.isSuperset(of: frequent), "seed \(random.seed) misses a status")
  }

  @Test func whatIsAddedIsFoundByItsOwnAttributesAndByItsReference() throws {
    var random = SeededGenerator.ofThisRun
    var added = 0
    for _ in 0..<Self.runs {
      let query = dictionary(using: &random)
      guard let stored = try? item(query) else { continue }
      added += 1
      var search: QueryDictionary = ["class": .text(stored.itemClass.rawValue)]
      search["sync"] = .text("syna")
      for (attribute, value) in stored.attributes { search[attribute.rawValue] = raw(value) }
      #expect(try finds(search, stored), "seed \(random.seed): \(query)")
      let reference: QueryDictionary = ["v_PersistentRef": .data(stored.reference.bytes)]
      #expect(try finds(reference, stored), "seed \(random.seed): \(query)")
      #expect(PrimaryKey(of: stored) == PrimaryKey(of: stored))
    }
    #expect(added > 100, "seed \(random.seed)")
  }

  @Test func noItemOfAnotherGroupIsEverFound() throws {
    var random = SeededGenerator.ofThisRun
    for _ in 0..<Self.runs {
      guard let parsed = try? ItemQuery(dictionary(using: &random), groups: ownGroups) else {
        continue
      }
      let itemClass = parsed.selection.itemClass
      guard itemClass != .identity else { continue }
      let foreign = try item(
        ["class": .text(itemClass.rawValue)],
        groups: AccessGroups(["other.app"])
      )
      #expect(!parsed.selection.matches(foreign), "seed \(random.seed)")
    }
  }

  private func dictionary(using random: inout SeededGenerator) -> QueryDictionary {
    var query = QueryDictionary()
    if Int.random(in: 0..<10, using: &random) > 0 {
      let names = ItemClass.allCases.map(\.rawValue) + ["apls"]
      let name = names.randomElement(using: &random) ?? "genp"
      query["class"] = .text(name)
    }
    for _ in 0..<Int.random(in: 0...5, using: &random) {
      let key = Self.keys.randomElement(using: &random) ?? ""
      query.entries.append(.init(key: key, value: value(using: &random)))
    }
    return query
  }

  private func value(using random: inout SeededGenerator) -> QueryValue {
    switch Int.random(in: 0..<14, using: &random) {
    case 0...3: return .text(Self.texts.randomElement(using: &random) ?? "")
    case 4:
      let count = [0, 1, 12, 20, 33].randomElement(using: &random) ?? 0
      return .data((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
    case 5: return .number([0, 1, 2, -1, .min, .max].randomElement(using: &random) ?? 0)
    case 6, 7: return .boolean(Bool.random(using: &random))
    case 8: return .date([0, .min, .max].randomElement(using: &random) ?? 0)
    case 9: return .identifier(ItemIdentifier(high: random.next(), low: random.next()))
    case 10: return .accessControl(AccessControl(.whenUnlocked))
    case 11: return .list([.data([1]), .null])
    case 12: return Bool.random(using: &random) ? .secret : .opaque
    default: return .null
    }
  }

  private func groups(using random: inout SeededGenerator) -> AccessGroups {
    let choices = [[], ["*"], ["com.apple.token"], ownGroups.names, ownGroups.names]
    return AccessGroups(choices.randomElement(using: &random) ?? [])
  }

  private func raw(_ value: AttributeValue) -> QueryValue {
    switch value {
    case .text(let text): .text(text)
    case .data(let bytes): .data(bytes)
    case .number(let number): .number(number)
    case .date(let milliseconds): .date(milliseconds)
    }
  }
}
