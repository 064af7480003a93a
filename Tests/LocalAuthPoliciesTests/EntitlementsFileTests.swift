import LocalAuthCore
import LocalAuthJSON
import LocalAuthTestSupport
import Testing

@testable import LocalAuthPolicies

@Suite struct EntitlementsFileTests {
  private static let nameRule =
    "1 to 128 printable ASCII characters without space, quote, backslash and '*'"
  private static let groupRule = "\"*\" for every group, or " + nameRule
  private static let userRule = "a user's number from 0 to 4294967294"
  private static let pathRule =
    "an absolute path without //, . or .. and without a slash at its end, of at most 4095 bytes"
  private static let unitRule =
    "the full name of a unit that processes are in, such as cron.service; it ends in .service, "
    + ".scope, .socket, .mount or .swap"

  private func expect(
    _ text: MarkedText,
    _ expected: String,
    _ place: SourceLocation = #_sourceLocation
  ) {
    let found = message { () throws(PolicyError) in
      _ = try EntitlementsFile.parse(text.bytes, file: "F.json")
    }
    #expect(found == text.error(expected), sourceLocation: place)
  }

  /// A file with one rule.
  private func rule(_ members: String) -> MarkedText {
    MarkedText(
      "{\"rules\": [{\"applicationIdentifier\": \"a\", \"groups\": [\"g\"],\n  \(members)\n}]}"
    )
  }

  private func parse(_ text: String) throws -> [Entitlements.Rule] {
    try EntitlementsFile.parse(Array(text.utf8), file: "F.json").rules
  }

  @Test func readsEveryKey() throws {
    let rules = try parse(
      """
      {"$schema": "s", "summary": "Ours.", "rules": [
        {"summary": "The web.", "uid": [0, 4294967294], "unit": "web@1.service",
         "cgroup": "/system.slice/system-web.slice/web@1.service/x", "executable": "/usr/bin/web",
         "applicationIdentifier": "org.example.web", "groups": ["shared", "*"],
         "applicationGroups": ["group.web"]},
        {"uid": 7, "applicationIdentifier": "a", "groups": ["a"]},
        {"cgroup": "/", "applicationIdentifier": "b", "groups": ["b"]},
        {"applicationIdentifier": "rest", "groups": ["rest"]}
      ]}
      """
    )
    try #require(rules.count == 4)
    #expect(rules[0].users == [0, 4_294_967_294])
    #expect(rules[0].unit == "web@1.service")
    #expect(rules[0].controlGroup?.text == "/system.slice/system-web.slice/web@1.service/x")
    #expect(rules[0].executable == "/usr/bin/web")
    #expect(
      rules[0].entitlement.accessGroups == ["shared", "*", "org.example.web", "group.web"]
    )
    #expect(rules[1].users == [7])
    #expect(rules[2].controlGroup?.text == "/")
    #expect(rules[3] == .init(Entitlement(applicationIdentifier: "rest", groups: ["rest"])))
  }

  @Test(arguments: [
    ("@[]", "\"entitlements\" must be an object"),
    ("@{}", "the key \"rules\" is missing; it is required here"),
    ("{\"rules\": @{}}", "\"rules\" must be a list"),
    ("{\"rules\": @[]}", "\"rules\" is empty; at least one element is required"),
    ("{\"rules\": [@1]}", "\"rules\" must be an object"),
    ("{\"rules\": []@", "the text ends too early; complete the value"),
    ("{@\"rule\": []}", "unknown key \"rule\"; allowed: $schema, summary and rules"),
    (
      "{\"rules\": [{@\"user\": 1}]}",
      "unknown key \"user\"; allowed: summary, uid, unit, cgroup, executable, "
        + "applicationIdentifier, groups and applicationGroups"
    ),
    (
      "{\"rules\": [@{\"groups\": [\"g\"]}]}",
      "the key \"applicationIdentifier\" is missing; it is required here"
    ),
    (
      "{\"rules\": [\n@{\"applicationIdentifier\": \"a\"}]}",
      "the key \"groups\" is missing; it is required here"
    ),
    (
      "{\"rules\": [{\"uid\": 1, @\"uid\": 2}]}", "this key occurs twice in its object; remove one"
    ),
  ])
  func refusesWhatIsNoListOfRules(_ text: String, _ message: String) {
    expect(MarkedText(text), message)
  }

  @Test(arguments: ["\"\"", "\"a b\"", "\"\\u00e9\"", "\"*\"", "\"a.*\"", "\"\\\"\"", "\"a\\n\""])
  func refusesAnIdentifierThatIsNoName(_ text: String) throws {
    let name = text == "\"a\\n\"" ? "a\\u{a}" : try unquoted(text)
    let quoted = "\"applicationIdentifier\" cannot be \"\(name)\"; allowed: \(Self.nameRule)"
    expect(
      MarkedText("{\"rules\": [{\"groups\": [\"g\"], \"applicationIdentifier\": @\(text)}]}"),
      quoted
    )
    expect(
      rule("\"applicationGroups\": [\"x\", @\(text)]"),
      "\"applicationGroups\" cannot be \"\(name)\"; allowed: \(Self.nameRule)"
    )
  }

  private func unquoted(_ text: String) throws -> String {
    guard case .string(let name) = try JSONValue(parsing: Array(text.utf8).span).content else {
      return ""
    }
    return name
  }

  @Test(arguments: [
    ("@\"g\"", "\"groups\" must be a list"),
    ("@[]", "\"groups\" is empty; at least one element is required"),
    ("[@1]", "\"groups\" must be \(groupRule)"),
    ("[\"a\", @\"\"]", "\"groups\" cannot be \"\"; allowed: \(groupRule)"),
    ("[@\"org.*\"]", "\"groups\" cannot be \"org.*\"; allowed: \(groupRule)"),
    ("[\"a\", @\"a\"]", "contradiction: \"a\" is listed twice; remove one"),
  ])
  func refusesWhatIsNoListOfGroups(_ text: String, _ message: String) {
    expect(
      MarkedText("{\"rules\": [{\"applicationIdentifier\": \"a\", \"groups\": \(text)}]}"),
      message
    )
  }

  @Test func refusesAGroupThatIsOfBothKinds() {
    expect(
      rule("\"applicationGroups\": @[\"x\", \"g\"]"),
      "contradiction: \"g\" is in \"groups\" too; allowed: in one of both"
    )
  }

  @Test(arguments: [
    ("@-1", "\"uid\" cannot be \"-1\"; allowed: \(userRule)"),
    ("@4294967295", "\"uid\" cannot be \"4294967295\"; allowed: \(userRule)"),
    ("@\"www\"", "\"uid\" must be \(userRule), or a list of such"),
    ("@null", "\"uid\" must be \(userRule), or a list of such"),
    ("@1.5", "\"uid\" must be \(userRule), or a list of such"),
    ("@[]", "\"uid\" is empty; at least one element is required"),
    ("[1, @2.5]", "\"uid\" must be \(userRule), or a list of such"),
    ("[1, @[2]]", "\"uid\" must be \(userRule), or a list of such"),
    ("[1, @1]", "contradiction: \"1\" is listed twice; remove one"),
  ])
  func refusesWhatIsNoUser(_ text: String, _ message: String) {
    expect(rule("\"uid\": \(text)"), message)
  }

  @Test(arguments: ["", "cron", "cron.slice", "cron.timer", "@.service", "a b.service"])
  func refusesWhatIsNoUnit(_ name: String) {
    expect(
      rule("\"unit\": @\"\(name)\""),
      "\"unit\" cannot be \"\(name)\"; allowed: \(Self.unitRule)"
    )
    expect(rule("\"unit\": @true"), "\"unit\" must be \(Self.unitRule)")
  }

  @Test(arguments: ["", "usr/bin/web", "/usr//bin", "/usr/bin/", "/usr/../bin", "/./a"])
  func refusesWhatIsNoPath(_ path: String) {
    for key in ["cgroup", "executable"] {
      expect(
        rule("\"\(key)\": @\"\(path)\""),
        "\"\(key)\" cannot be \"\(path)\"; allowed: \(Self.pathRule)"
      )
      expect(rule("\"\(key)\": @[]"), "\"\(key)\" must be \(Self.pathRule)")
    }
    expect(
      rule("\"executable\": @\"/\""),
      "\"executable\" cannot be \"/\"; allowed: \(Self.pathRule)"
    )
  }

  @Test(arguments: [
    ("/system.slice/cron.service", "in cron.service"), ("/system.slice", "in no unit"),
    ("/user.slice/user@1.service/b.service", "in b.service"),
  ])
  func refusesAUnitThatIsNotTheGroups(_ group: String, _ found: String) {
    expect(
      rule("\"unit\": \"web.service\", \"cgroup\": @\"\(group)\""),
      "contradiction: this group is \(found); allowed: one of both keys"
    )
  }

  @Test func refusesARuleThatIsNeverReached() {
    func file(_ first: String, _ second: String) -> MarkedText {
      let rest = "\"applicationIdentifier\": \"a\", \"groups\": [\"g\"]"
      return MarkedText("{\"rules\": [{\(first)\(rest)},\n@{\(second)\(rest)}]}")
    }
    let last =
      "without effect: rule 1 has no condition and matches first; allowed: only as the last rule"
    let covered =
      "without effect: rule 1 matches whatever this one does, and first; allowed: before it"
    expect(file("", ""), last)
    expect(file("", "\"uid\": 1, "), last)
    expect(file("\"uid\": 1, ", "\"uid\": 1, "), covered)
    expect(file("\"uid\": [1, 2], ", "\"uid\": 2, \"unit\": \"a.service\", "), covered)
    expect(
      file("\"executable\": \"/a\", ", "\"cgroup\": \"/b\", \"executable\": \"/a\", "),
      covered
    )
    for (first, second) in [
      ("\"uid\": 1, ", ""), ("\"uid\": 1, ", "\"uid\": [1, 2], "),
      ("\"unit\": \"a.service\", ", "\"unit\": \"b.service\", "),
      ("\"unit\": \"a.service\", \"uid\": 1, ", "\"unit\": \"a.service\", "),
      ("\"cgroup\": \"/a\", ", "\"executable\": \"/a\", "),
    ] {
      let text = file(first, second)
      let found = message { () throws(PolicyError) in
        _ = try EntitlementsFile.parse(text.bytes, file: "F.json")
      }
      #expect(found == nil)
    }
  }

  @Test func refusesMoreThanItsLimits() throws {
    func list(_ count: Int, _ element: (Int) -> String) -> String {
      "[" + (0..<count).map(element).joined(separator: ", ") + "]"
    }
    expect(
      rule("\"uid\": @" + list(65) { "\($0)" }),
      "\"uid\" is too long; at most 64"
    )
    expect(
      rule("\"applicationGroups\": @" + list(65) { "\"x\($0)\"" }),
      "\"applicationGroups\" is too long; at most 64"
    )
    let rules = list(257) {
      "{\"uid\": \($0), \"applicationIdentifier\": \"a\", \"groups\": [\"g\"]}"
    }
    expect(MarkedText("{\"rules\": @\(rules)}"), "\"rules\" is too long; at most 256")
    let padding = String(repeating: " ", count: EntitlementsFile.sizeLimit)
    expect(MarkedText(padding + " "), "the file is too large; at most 65536 bytes are read")
  }

  // MARK: The schema and the manual

  private static func schema() throws -> JSONSchema {
    let bytes = RepositoryFiles.bytes("policies/schema/entitlements.schema.json")
    return JSONSchema(try JSONValue(parsing: bytes.span))
  }

  private func keys(_ value: JSONValue?) -> Set<String> {
    guard case .object(let members)? = value?.content else { return [] }
    return Set(members.map(\.key))
  }

  @Test func theSchemaNamesTheKeysAndLimits() throws {
    let root = try Self.schema().root
    let rule = root["$defs"]?["rule"]
    #expect(keys(root["properties"]) == Set(EntitlementsFile.keys))
    #expect(keys(rule?["properties"]) == Set(EntitlementsFile.ruleKeys))
    #expect(
      root["properties"]?["rules"]?["maxItems"]
        == JSONValue(.integer(Int64(EntitlementsFile.rulesLimit)))
    )
    for key in ["groups", "applicationGroups"] {
      #expect(
        rule?["properties"]?[key]?["maxItems"]
          == JSONValue(.integer(Int64(EntitlementsFile.elementsLimit)))
      )
    }
    #expect(
      root["$defs"]?["uid"]?["maximum"]
        == JSONValue(.integer(Int64(EntitlementsFile.users.upperBound)))
    )
  }

  /// Rules with random members: what loads is valid, and all that is not is refused.
  @Test func theSchemaAcceptsWhateverTheLoaderAccepts() throws {
    let schema = try Self.schema()
    let values: [JSONValue] = [
      nil, true, 0, 7, -1, 4_294_967_295, 1.5, "", "*", "g", "a b", "/", "/usr/bin/web", "/a/",
      "web.service", "web.slice", "/system.slice/web.service", [], ["g"], ["g", "g"], ["*", "h"],
      [1, 2], [1, 1], ["x"], "\u{7}",
    ]
    var generator = SeededGenerator.ofThisRun
    var loaded = 0
    for round in 0..<4000 {
      var members: [JSONValue.Member] = [
        .init(key: "applicationIdentifier", value: "a"), .init(key: "groups", value: ["g"]),
      ]
      for key in EntitlementsFile.ruleKeys.shuffled(using: &generator).prefix(2) {
        members.removeAll { $0.key == key }
        members.append(
          .init(key: key, value: values.randomElement(using: &generator) ?? nil)
        )
      }
      let rule = JSONValue(.object(members))
      let file = JSONValue(.object([.init(key: "rules", value: JSONValue(.array([rule])))]))
      var bytes: [UInt8] = []
      try file.write(into: &bytes)
      let isLoaded = (try? EntitlementsFile.parse(bytes, file: "F.json")) != nil
      loaded += isLoaded ? 1 : 0
      #expect(
        !isLoaded || schema.accepts(file),
        "SEED=\(generator.seed) round \(round): \(String(decoding: bytes, as: UTF8.self))"
      )
    }
    #expect(loaded > 50)
  }

  @Test func theManualNamesEveryKeyAndItsExampleWorks() throws {
    let manual = String(
      decoding: RepositoryFiles.bytes("docs/man/localauth-entitlements.5"),
      as: UTF8.self
    )
    for key in EntitlementsFile.keys + EntitlementsFile.ruleKeys {
      #expect(manual.contains(".It Cm \(key)"), "\(key)")
    }
    let example =
      manual.split(separator: "\n")
      .drop { !$0.hasPrefix(".Bd") }.dropFirst().prefix { $0 != ".Ed" }
      .joined(separator: "\n")
    let rules = try parse(example)
    #expect(rules.count == 3)
    let json = try JSONValue(parsing: Array(example.utf8).span)
    #expect(try Self.schema().accepts(json))
  }
}
