import LocalAuthCore
import LocalAuthJSON
import LocalAuthTestSupport
import Testing

@testable import LocalAuthPolicies

@Suite struct AuthenticatorFileTests {
  private static let least: [(String, String)] = [
    ("name", "\"totp\""), ("summary", "\"Codes.\""), ("program", "\"/usr/lib/codes\""),
    ("kind", "\"code\""), ("asks", "\"text\""),
  ]

  private func text(
    _ changes: [(String, String?)] = [],
    _ more: [(String, String)] = []
  ) -> String {
    var members = Self.least + more
    for (key, value) in changes {
      members = members.compactMap { member in
        member.0 == key ? value.map { (key, $0) } : member
      }
    }
    return "{\(members.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", "))}"
  }

  private func parse(
    _ text: String,
    file: String = "/etc/localauth/authenticators/totp.json"
  ) throws(PolicyError) -> AuthenticatorManifest {
    try AuthenticatorFile.parse(Array(text.utf8), file: file)
  }

  @Test func theLeastManifestIsWhatItSaysAndClaimsNothingMore() throws {
    let manifest = try parse(text())
    #expect(manifest.name == "totp")
    #expect(manifest.program == "/usr/lib/codes")
    #expect(manifest.arguments.isEmpty)
    #expect(manifest.kind == .code)
    #expect(manifest.asking == .text)
    #expect(manifest.reference == nil)
    #expect(!manifest.isSimulated)
    #expect(!manifest.reportsPresence)
    #expect(manifest.description(reportsPresence: false).instruction == "Codes.")
  }

  @Test func everyKeyIsRead() throws {
    let manifest = try parse(
      text(
        [],
        [
          ("$schema", "\"s\""), ("source", "\"here\""), ("arguments", "[\"--a\", \"b c\"]"),
          ("instruction", "\"Type it\""), ("amr", "\"otp\""), ("simulated", "true"),
          ("presence", "true"),
        ]
      )
    )
    #expect(manifest.arguments == ["--a", "b c"])
    #expect(manifest.reference == "otp")
    #expect(manifest.isSimulated && manifest.reportsPresence)
    #expect(manifest.description(reportsPresence: true).instruction == "Type it")
  }

  @Test func aProgramReportsPresenceOnlyWhereItsManifestAllowsIt() throws {
    var manifest = try parse(text([("asks", "\"touch\"")]))
    #expect(!manifest.description(reportsPresence: true).reportsPresence)
    manifest.reportsPresence = true
    #expect(manifest.description(reportsPresence: true).reportsPresence)
    #expect(!manifest.description(reportsPresence: false).reportsPresence)
  }

  @Test func aProgramMaySayLessThanItsManifestAndNeverMore() throws {
    let manifest = try parse(text([("asks", "\"touch\"")], [("presence", "true")]))
    func says(_ kind: String, _ asks: String, _ presence: Bool, _ simulated: Bool) -> Bool {
      manifest.contradiction(
        kind: kind,
        asks: asks,
        reportsPresence: presence,
        isSimulated: simulated,
        isExclusive: false
      ) == nil
    }
    #expect(says("code", "touch", true, false))
    #expect(says("code", "touch", false, false))
    #expect(!says("key", "touch", false, false))
    #expect(!says("code", "text", false, false))
    #expect(!says("code", "touch", false, true))
    var modest = manifest
    modest.reportsPresence = false
    #expect(
      modest.contradiction(
        kind: "code",
        asks: "touch",
        reportsPresence: true,
        isSimulated: false,
        isExclusive: false
      ) != nil
    )
  }

  @Test func aReaderSaysHowStrongItIsAndWhetherItIsOursAlone() throws {
    let kind = ("kind", Optional("\"fingerprint\""))
    let plain = try parse(text([kind, ("asks", "\"touch\"")]))
    #expect(plain.strength == .weak && !plain.isExclusive)
    let own = try parse(
      text([kind, ("asks", "\"touch\"")], [("strength", "\"strong\""), ("exclusive", "true")])
    )
    #expect(own.strength == .strong && own.isExclusive)
    func says(_ manifest: AuthenticatorManifest, exclusive: Bool) -> Bool {
      manifest.contradiction(
        kind: "fingerprint",
        asks: "touch",
        reportsPresence: false,
        isSimulated: false,
        isExclusive: exclusive
      ) == nil
    }
    #expect(says(own, exclusive: true) && says(own, exclusive: false))
    #expect(!says(plain, exclusive: true))
  }

  private static let mistakes: [(key: String, value: String?, words: String)] = [
    ("name", nil, "\"name\""), ("summary", nil, "\"summary\""), ("program", nil, "\"program\""),
    ("kind", nil, "\"kind\""), ("asks", nil, "\"asks\""), ("name", "\"other\"", "without .json"),
    ("name", "\"../x\"", "name"), ("program", "\"codes\"", "absolute"),
    ("program", "\"/usr/../codes\"", "absolute"), ("program", "7", "absolute"),
    ("kind", "\"face\"", "key, code and fingerprint"),
    ("kind", "\"passcode\"", "key, code and fingerprint"),
    ("kind", "\"password\"", "key, code and fingerprint"),
    ("asks", "\"anything\"", "nothing, text and touch"), ("summary", "\"\"", "summary"),
  ]

  @Test(arguments: mistakes)
  func aMistakeIsNamedWithItsPlace(_ key: String, _ value: String?, _ words: String) {
    let error = #expect(throws: PolicyError.self) { try parse(text([(key, value)])) }
    let description = error?.description ?? ""
    #expect(description.hasPrefix("/etc/localauth/authenticators/totp.json:1:"))
    #expect(description.contains(words), "\(description)")
  }

  @Test(arguments: [
    ("strength", "\"strong\""), ("exclusive", "true"), ("arguments", "\"--a\""),
    ("arguments", "[7]"),
    ("arguments", "[\"\"]"), ("arguments", "[\"\\u0000\"]"), ("amr", "\"OTP\""),
    ("simulated", "\"no\""), ("presence", "1"), ("instruction", "\"a\\nb\""),
    ("arguments", "[\(Array(repeating: "\"a\"", count: 17).joined(separator: ","))]"),
  ])
  func whatItDoesNotUnderstandIsRefused(_ key: String, _ value: String) {
    #expect(throws: PolicyError.self) { try parse(text([], [(key, value)])) }
  }

  // MARK: The schema

  private static func schema() throws -> JSONSchema {
    let bytes = RepositoryFiles.bytes("policies/schema/authenticator.schema.json")
    return JSONSchema(try JSONValue(parsing: bytes.span))
  }

  @Test func theSchemaHasTheKeysThatAreRead() throws {
    let schema = try Self.schema()
    guard case .object(let properties)? = schema.root["properties"]?.content else {
      Issue.record("the schema has no properties")
      return
    }
    #expect(Set(properties.map(\.key)) == Set(AuthenticatorFile.keys))
  }

  @Test func theSchemaAcceptsWhatIsAcceptedAndNoMistake() throws {
    let schema = try Self.schema()
    func accepts(_ text: String) throws -> Bool {
      schema.accepts(try JSONValue(parsing: Array(text.utf8).span))
    }
    #expect(try accepts(text()))
    for (key, value, _) in Self.mistakes where key != "name" && value != "\"/usr/../codes\"" {
      #expect(try !accepts(text([(key, value)])), "\(key) \(value ?? "")")
    }
  }
}
