import LocalAuthJSON
import Testing

/// Several searches in one call of `Copy`, as a program that uses the socket makes them.
@Suite struct SearchesAtOnceTests {
  private let device: SecretDevice

  init() throws { device = try SecretDevice() }

  private static func query(_ service: String, _ account: String? = nil) -> JSONValue {
    let query: JSONValue = ["class": "genp", "svce": .text(service), "r_Data": true]
    return account.map { query.setting(["acct": .text($0)]) } ?? query
  }

  /// All replies to a call about these searches.
  private func copy(
    _ searches: [JSONValue],
    _ more: [String: JSONValue] = [:]
  ) throws -> [WireClient.Reply] {
    let parameters: JSONValue = [
      "query": searches[0], "also": JSONValue(.array(Array(searches.dropFirst()))),
      "device": "sim", "allowSimulated": true,
    ]
    return try device.client.stream(Interface.keychain + "Copy", parameters.setting(more))
  }

  private func answer(
    _ searches: [JSONValue],
    _ more: [String: JSONValue] = [:]
  ) throws -> JSONValue? {
    try copy(searches, more).last?.parameters["answer"]
  }

  @Test func itemsAreAnsweredInTheOrderOfTheSearchesAfterOnePrompt() throws {
    let replies = try copy(
      [Self.query("db"), Self.query("free"), Self.query("mail", "bob"), Self.query("mail", "ann")],
      ["script": "match"]
    )
    let answer = try #require(replies.last?.parameters["answer"])
    #expect(answer["outcome"]?.string == "success")
    let data = answer["items"]?.elements.map { $0["data"]?.string }
    // "second secret", "third secret", "another" and "first secret" in base64.
    #expect(
      data == ["c2Vjb25kIHNlY3JldA==", "dGhpcmQgc2VjcmV0", "YW5vdGhlcg==", "Zmlyc3Qgc2VjcmV0"]
    )
    let prompts = replies.compactMap { $0.parameters["prompt"]?["items"] }
    #expect(Set(prompts.compactMap { $0["count"]?.integer }) == [3])
    #expect(prompts.allSatisfy { $0["named"]?.elements.count == 3 })
  }

  @Test func oneItemMayBeFoundByTwoSearches() throws {
    let found = try answer([Self.query("db"), Self.query("db", "app/main")], ["script": "match"])
    #expect(found?["items"]?.elements.count == 2)
    try device.add("each", "x", "sixth secret", "biometryAny,eachUse")
    let each = try answer([Self.query("each"), Self.query("each", "x")], ["script": "match"])
    #expect(each?["items"]?.elements.count == 2, "one call is one use")
  }

  @Test(arguments: [
    ("nope", "itemNotFound", 20), ("mail", "duplicateItem", 21),
  ]) func aSearchThatFindsNotOneItemEndsTheCallBeforeAnybodyIsAsked(
    _ service: String,
    _ outcome: String,
    _ exit: Int
  ) throws {
    for place in 0..<3 {
      var searches = [Self.query("db"), Self.query("free")]
      searches.insert(Self.query(service), at: place)
      let replies = try copy(searches)
      let answer = replies.last?.parameters["answer"]
      #expect(replies.count == 1, "nobody is asked")
      #expect(answer?["outcome"]?.string == outcome && answer?["exit"]?.integer == exit)
      #expect(answer?["failedItem"]?.integer == place)
      #expect(answer?["items"]?.elements.isEmpty == true)
    }
  }

  @Test func anEmptyListMakesTheOneSearchExact() throws {
    #expect(try answer([Self.query("free")])?["items"]?.elements.count == 1)
    #expect(try answer([Self.query("mail")])?["outcome"]?.string == "duplicateItem")
  }

  @Test func aRefusalNamesNoSearchAndAnswersNoItem() throws {
    let refused = try answer([Self.query("free"), Self.query("db")], ["script": "cancel"])
    #expect(refused?["outcome"]?.string == "userCancel")
    #expect(refused?["failedItem"] == nil && refused?["items"]?.elements.isEmpty == true)
    let silent = try answer([Self.query("free"), Self.query("db")], ["interactive": false])
    #expect(silent?["outcome"]?.string == "notInteractive")
    #expect(silent?["failedItem"]?.integer == 1)
  }

  @Test func callsHaveTheirLimits() throws {
    let many = (0..<33).map { Self.query("free", "\($0)") }
    let refused = try copy(many)
    #expect(refused.last?.error?.hasSuffix("InvalidParameter") == true)
    #expect(try answer(Array(many.dropLast()))?["outcome"]?.string == "itemNotFound")
    let continued = try copy(
      [Self.query("free")],
      ["after": .text(String(repeating: "0", count: 32))]
    )
    #expect(continued.last?.error?.hasSuffix("InvalidParameter") == true)
    for number in 0..<6 {
      try device.add("big", "\(number)", String(repeating: "x", count: 60_000))
    }
    let five = (0..<5).map { Self.query("big", "\($0)") }
    #expect(try answer(five)?["items"]?.elements.count == 5)
    let six = try answer((0..<6).map { Self.query("big", "\($0)") })
    #expect(six?["outcome"]?.string == "keychainError")
    #expect(six?["items"]?.elements.isEmpty == true)
  }
}
