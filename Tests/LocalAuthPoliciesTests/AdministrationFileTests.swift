import LocalAuthCore
import LocalAuthJSON
import LocalAuthTestSupport
import Testing

@testable import LocalAuthPolicies

/// The rules that say who may administer devices.
@Suite struct AdministrationFileTests {
  private func parse(_ text: String) throws(PolicyError) -> AdministrationRules {
    try AdministrationFile.parse(Array(text.utf8), file: "A.json")
  }

  @Test func withoutRulesOwnersMayDoEverything() throws {
    let rules = try parse("{}")
    #expect(rules == .builtIn)
    for action in AdministrativeAction.allCases {
      #expect(rules.allows(action, isRoot: false) && rules.allows(action, isRoot: true))
    }
  }

  @Test func rulesTakeAwayWhatTheyName() throws {
    let rules = try parse(
      #"{"summary": "x", "create": "root", "administer": "nobody", "drive": "owner"}"#
    )
    #expect(!rules.allows(.create, isRoot: false) && rules.allows(.create, isRoot: true))
    #expect(!rules.allows(.administer, isRoot: false) && !rules.allows(.administer, isRoot: true))
    #expect(rules.allows(.drive, isRoot: false))
  }

  @Test func whereTheRulesAreNotKnownNobodyMayDoAnything() {
    for action in AdministrativeAction.allCases {
      #expect(!AdministrationRules.nobody.allows(action, isRoot: true))
    }
  }

  @Test(arguments: [
    ("[]", "\"administration\" must be an object"),
    ("{\"drive\": 1}", "\"drive\" must be one of owner, root and nobody"),
    ("{\"drive\": [\"root\"]}", "\"drive\" must be one of owner, root and nobody"),
    ("{\"drive\": null}", "\"drive\" must be one of owner, root and nobody"),
    ("{\"drive\": \"wheel\"}", "owner, root and nobody"),
    ("{\"drive\": \"Owner\"}", "owner, root and nobody"),
    ("{\"Drive\": \"root\"}", "unknown key \"Drive\""),
    ("{\"drive\": \"root\", \"drive\": \"owner\"}", ""),
    ("{\"drive\": \"root\",}", ""),
    ("", ""),
  ])
  func refusesWhatItDoesNotUnderstand(_ text: String, _ words: String) {
    let error = #expect(throws: PolicyError.self) { try parse(text) }
    let description = error?.description ?? ""
    #expect(description.hasPrefix("A.json:1:"), "\(description)")
    #expect(words.isEmpty || description.contains(words), "\(description)")
  }

  @Test func refusesALongFile() {
    let padding = String(repeating: " ", count: AdministrationFile.sizeLimit)
    #expect(throws: PolicyError.self) { try parse(padding + "{}") }
  }

  @Test func theExampleOfTheManualWorks() throws {
    let manual = String(decoding: RepositoryFiles.bytes("docs/man/localauthd.8"), as: UTF8.self)
    for action in AdministrativeAction.allCases {
      #expect(manual.contains(".It Ql \(action.rawValue)\n"), "\(action)")
    }
    let example =
      manual.split(separator: "\n")
      .drop { !$0.hasPrefix(".Bd") }.dropFirst().prefix { $0 != ".Ed" }
      .joined(separator: "\n")
    let rules = try parse(example)
    #expect(rules.who(may: .create) == .root && rules.who(may: .administer) == .owner)
  }

  @Test func theSchemaAcceptsWhateverTheLoaderAccepts() throws {
    let bytes = RepositoryFiles.bytes("policies/schema/administration.schema.json")
    let schema = JSONSchema(try JSONValue(parsing: bytes.span))
    guard case .object(let properties)? = schema.root["properties"]?.content else {
      Issue.record("the schema has no properties")
      return
    }
    #expect(Set(properties.map(\.key)) == Set(AdministrationFile.keys))
    let values: [JSONValue] = ["owner", "root", "nobody", "wheel", "", nil, true, 1, ["root"]]
    var generator = SeededGenerator.ofThisRun
    var loaded = 0
    for round in 0..<1000 {
      let members = AdministrationFile.keys.shuffled(using: &generator).prefix(2).map { key in
        JSONValue.Member(key: key, value: values.randomElement(using: &generator) ?? nil)
      }
      let file = JSONValue(.object(Array(members)))
      var text: [UInt8] = []
      try file.write(into: &text)
      let isLoaded = (try? AdministrationFile.parse(text, file: "A.json")) != nil
      loaded += isLoaded ? 1 : 0
      #expect(
        isLoaded == schema.accepts(file),
        "SEED=\(generator.seed) round \(round): \(String(decoding: text, as: UTF8.self))"
      )
    }
    #expect(loaded > 20)
  }
}
