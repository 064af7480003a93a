import LocalAuthCore
import LocalAuthPolicies
import Testing

@Suite struct PolicyErrorTests {
  private static let requirementRule =
    #""biometry", "passcode", "possession", {"kind": ...}, {"authenticator": ...}, "#
    + #"{"allOf": [...]} or {"anyOf": [...]}"#
  private static let freshnessRule = "a duration such as 30s, 5m or 48h from 1s to 8760h"
  private static let nameRule = "1 to 64 of a-z, 0-9 and '-', beginning with a letter or digit"

  private func expect(_ text: MarkedText, _ message: String) {
    let found = LocalAuthPoliciesTests.message { () throws(PolicyError) in
      _ = try PolicyFile.parse(text.bytes, file: "F.json")
    }
    #expect(found == text.error(message))
  }

  @Test(arguments: [
    ("@", "the text ends too early; complete the value"),
    ("{\n  \"name\" @\"p\"}", "a colon is needed after a key"),
    ("{}\n@{}", "something follows the value; remove it"),
    ("@[]", "\"policy\" must be an object"),
    ("@7", "\"policy\" must be an object"),
    ("{\"a\": 1,\n @\"a\": 2}", "this key occurs twice in its object; remove one"),
    ("{\"a\": \"\u{FFFD}\", @a}", "a quoted key is needed here"),
  ])
  func saysWhereATextIsNotAnObject(_ text: String, _ message: String) {
    expect(MarkedText(text), message)
  }

  @Test func refusesWhatIsNotUTF8() {
    let bytes = Array("{\"name\": \"".utf8) + [0xFF] + Array("\"}".utf8)
    let found = message { () throws(PolicyError) in
      _ = try PolicyFile.parse(bytes, file: "F.json")
    }
    #expect(found == "F.json:1:11: this is not UTF-8")
  }

  @Test func refusesALargerFile() {
    let padding = String(repeating: " ", count: PolicyFile.sizeLimit)
    expect(MarkedText(padding + "{}"), "the file is too large; at most 65536 bytes are read")
  }

  @Test func refusesDeepNesting() {
    let text = String(repeating: "[", count: 32) + "@" + String(repeating: "[", count: 100_000 / 2)
    expect(MarkedText(text), "nested too deeply; at most 32 levels")
    let lists = String(repeating: #"{"allOf": ["#, count: 8)
    let ends = String(repeating: "]}", count: 8)
    expect(
      .policy("\"requirement\": \(lists){\"anyOf\": @[\"biometry\"]}\(ends)"),
      "nested too deeply; at most 8 lists in one another"
    )
  }

  @Test func namesTheAllowedKeys() {
    expect(
      .policy(#""requirement": "biometry", @"extra": 1"#),
      "unknown key \"extra\"; allowed: $schema, name, summary, source, requirement, presentation, "
        + "fallback, fallbackTitle, timeLimit, passcodeTries, needsPasscodeSet, freshness, "
        + "minimumStrength, lockout, reuseLimit, grant and acr"
    )
    expect(
      .policy(#""requirement": "biometry", "grant": {"maxAge": "5m", @"maxUses": 1}"#),
      "unknown key \"maxUses\"; allowed: maxAge, idle and uses"
    )
    expect(
      .policy(#""requirement": "biometry", "freshness": {@"anyWithing": "1h"}"#),
      "unknown key \"anyWithing\"; allowed: anyWithin, passcodeWithin and unlessMatchedWithin"
    )
    expect(
      .policy(#""requirement": {@"oneOf": []}"#),
      "unknown key \"oneOf\"; allowed: allOf, anyOf, kind and authenticator"
    )
  }

  @Test(arguments: [
    (#"@{"summary": "s", "requirement": "biometry"}"#, "name"),
    (#"@{"name": "p", "requirement": "biometry"}"#, "summary"),
    (#"@{"name": "p", "summary": "s"}"#, "requirement"),
  ])
  func namesTheMissingKey(_ text: String, _ key: String) {
    expect(MarkedText(text), "the key \"\(key)\" is missing; it is required here")
  }

  @Test(arguments: [
    (#""presentation": @1"#, "presentation", "one of sequential and parallel"),
    (#""fallback": @true"#, "fallback", "one of allowed, forbidden and forced"),
    (#""minimumStrength": @[]"#, "minimumStrength", "one of convenience, weak and strong"),
    (#""needsPasscodeSet": @"yes""#, "needsPasscodeSet", "true or false"),
    (#""needsPasscodeSet": @1"#, "needsPasscodeSet", "true or false"),
    (#""passcodeTries": @"3""#, "passcodeTries", "a whole number from 1 to 100"),
    (#""passcodeTries": @null"#, "passcodeTries", "a whole number from 1 to 100"),
    (#""freshness": @"48h""#, "freshness", "an object"),
    (#""freshness": {"anyWithin": @48}"#, "anyWithin", freshnessRule),
    (#""lockout": @{}"#, "lockout", "a name: \(nameRule)"),
    (#""source": @7"#, "source", "text of 1 to 500 characters that can be shown on one line"),
  ])
  func namesTheRightType(_ member: String, _ key: String, _ allowed: String) {
    expect(
      .policy(#""requirement": {"anyOf": ["biometry", "passcode"]}, "# + member),
      "\"\(key)\" must be \(allowed)"
    )
  }

  @Test(arguments: [
    (#""presentation": @"both""#, "presentation", "both", "sequential and parallel"),
    (#""fallback": @"maybe""#, "fallback", "maybe", "allowed, forbidden and forced"),
    (#""minimumStrength": @"Strong""#, "minimumStrength", "Strong", "convenience, weak and strong"),
    (#""passcodeTries": @0"#, "passcodeTries", "0", "a whole number from 1 to 100"),
    (#""passcodeTries": @101"#, "passcodeTries", "101", "a whole number from 1 to 100"),
    (#""passcodeTries": @-1"#, "passcodeTries", "-1", "a whole number from 1 to 100"),
    (
      #""passcodeTries": @4294967297"#, "passcodeTries", "4294967297",
      "a whole number from 1 to 100"
    ),
    (#""passcodeTries": @2.5"#, "passcodeTries", "2.5", "a whole number from 1 to 100"),
    (
      #""timeLimit": @"2h""#, "timeLimit", "2h",
      "a duration such as 30s, 5m or 48h from 1s to 1h"
    ),
    (
      #""timeLimit": @"0s""#, "timeLimit", "0s",
      "a duration such as 30s, 5m or 48h from 1s to 1h"
    ),
    (
      #""reuseLimit": @"301s""#, "reuseLimit", "301s",
      "a duration such as 30s, 5m or 48h from 0s to 5m"
    ),
    (
      #""grant": {"maxAge": @"0s"}"#, "maxAge", "0s",
      "a duration such as 30s, 5m or 48h from 1s to 12h"
    ),
    (
      #""grant": {"maxAge": @"13h"}"#, "maxAge", "13h",
      "a duration such as 30s, 5m or 48h from 1s to 12h"
    ),
    (
      #""grant": {"maxAge": "5m", "idle": @"0"}"#, "idle", "0",
      "a duration such as 30s, 5m or 48h from 1s to 12h"
    ),
    (#""grant": {"maxAge": "5m", "uses": @0}"#, "uses", "0", "a whole number from 1 to 1000"),
    (#""grant": {"maxAge": "5m", "uses": @1001}"#, "uses", "1001", "a whole number from 1 to 1000"),
    (#""freshness": {"anyWithin": @"soon"}"#, "anyWithin", "soon", freshnessRule),
    (#""freshness": {"anyWithin": @"48 h"}"#, "anyWithin", "48 h", freshnessRule),
    (#""freshness": {"anyWithin": @"-1h"}"#, "anyWithin", "-1h", freshnessRule),
    (
      #""freshness": {"anyWithin": @"999999999999999999h"}"#, "anyWithin", "999999999999999999h",
      freshnessRule
    ),
    (#""lockout": @"../apple""#, "lockout", "../apple", nameRule),
    (#""lockout": @"user/mine""#, "lockout", "user/mine", nameRule),
    (
      #""acr": @"two words""#, "acr", "two words",
      "1 to 128 printable ASCII characters without space, quote and backslash"
    ),
    (
      #""fallbackTitle": @"""#, "fallbackTitle", "",
      "text of 1 to 64 characters that can be shown on one line"
    ),
    (
      #""fallbackTitle": @"a\nb""#, "fallbackTitle", "a\\u{a}b",
      "text of 1 to 64 characters that can be shown on one line"
    ),
    (
      #""fallbackTitle": @"\u202Eenod""#, "fallbackTitle", "\\u{202e}enod",
      "text of 1 to 64 characters that can be shown on one line"
    ),
  ])
  func namesTheAllowedValues(_ member: String, _ key: String, _ found: String, _ allowed: String) {
    expect(
      .policy(#""requirement": {"anyOf": ["biometry", "passcode"]}, "# + member),
      "\"\(key)\" cannot be \"\(found)\"; allowed: \(allowed)"
    )
  }

  @Test(arguments: [
    "", "-p", "P", "a b", "user/p", "p.json", "\u{e9}", String(repeating: "a", count: 65),
  ])
  func refusesABadName(_ name: String) {
    let shown = name.count > 60 ? String(name.prefix(60)) + "..." : name
    let remark = name.hasPrefix("user/") ? "; 'user/' is put before it by itself" : ""
    expect(
      MarkedText("{\"requirement\": \"passcode\", \"name\": @\"\(name)\", \"summary\": \"s\"}"),
      "\"name\" cannot be \"\(shown)\"; allowed: \(Self.nameRule)\(remark)"
    )
  }

  @Test(arguments: [
    (#"@"finger""#, "\"requirement\" cannot be \"finger\"; allowed: \(requirementRule)"),
    ("@7", "\"requirement\" must be \(requirementRule)"),
    (#"@["biometry"]"#, "\"requirement\" must be \(requirementRule)"),
    ("@{}", "\"requirement\" must be \(requirementRule)"),
    (
      #"@{"allOf": ["biometry"], "anyOf": ["passcode"]}"#,
      "\"requirement\" must be \(requirementRule)"
    ),
    (#"{"allOf": @[]}"#, "\"allOf\" is empty; at least one element is required"),
    (
      #"{"anyOf": ["passcode", {"anyOf": @[]}]}"#,
      "\"anyOf\" is empty; at least one element is required"
    ),
    (#"{"allOf": @"biometry"}"#, "\"allOf\" must be a list of requirements"),
    (
      #"{"anyOf": ["biometry", @"biometry"]}"#,
      "contradiction: \"anyOf\" has the same part twice; remove one"
    ),
    (
      #"{"allOf": ["biometry", @"companion"]}"#,
      "can never be met: no companion device can be paired here; allowed: \(requirementRule)"
    ),
    (
      #"@"applicationPassword""#,
      "can never be met: an application password belongs to a keychain item, not to a policy; "
        + "allowed: \(requirementRule)"
    ),
    (
      #"@"biometryCurrentSet""#,
      "can never be met: the current set of fingers is known to a keychain item, not to a policy; "
        + "allowed: \(requirementRule)"
    ),
  ])
  func saysWhatARequirementMayBe(_ requirement: String, _ message: String) {
    expect(.policy("\"requirement\": \(requirement)"), message)
  }

  @Test func refusesTooManyParts() {
    let parts = Array(repeating: "\"passcode\"", count: 17).joined(separator: ",")
    expect(
      .policy("\"requirement\": {\"anyOf\": @[\(parts)]}"),
      "\"anyOf\" is too long; at most 16"
    )
  }

  @Test(arguments: [
    (
      #""requirement": "biometry", "presentation": @"parallel""#,
      "\"parallel\" needs two factors and the requirement has one; allowed: sequential"
    ),
    (
      #""requirement": "biometry", "fallback": "forbidden", "fallbackTitle": @"Use PIN""#,
      "\"fallbackTitle\" names a button that \"fallback\": \"forbidden\" never shows; "
        + "allowed with: allowed"
    ),
    (
      #""requirement": {"anyOf": ["biometry", "passcode"]}, "fallback": "forced", "#
        + #""fallbackTitle": @"Use PIN""#,
      "\"fallbackTitle\" names a button that \"fallback\": \"forced\" never shows; "
        + "allowed with: allowed"
    ),
    (
      #""requirement": "biometry", "fallback": @"forced""#,
      "\"forced\" asks for the passcode alone, which does not meet the requirement; "
        + "allowed: allowed and forbidden"
    ),
    (
      #""requirement": {"allOf": ["biometry", "passcode"]}, "fallback": @"forced""#,
      "\"forced\" asks for the passcode alone, which does not meet the requirement; "
        + "allowed: allowed and forbidden"
    ),
    (
      #""requirement": {"anyOf": ["biometry", "passcode"]}, "presentation": "parallel", "#
        + #""fallback": @"forced""#,
      "\"forced\" leaves nothing to present in parallel; allowed: allowed and forbidden"
    ),
    (
      #""requirement": "biometry", "freshness": {"unlessMatchedWithin": @"4h"}"#,
      "\"unlessMatchedWithin\" excuses from \"passcodeWithin\", which is missing"
    ),
    (
      #""requirement": "biometry", "freshness": "#
        + #"{"passcodeWithin": "4h", "unlessMatchedWithin": @"240m"}"#,
      "\"unlessMatchedWithin\" must be shorter than \"passcodeWithin\""
    ),
    (
      #""requirement": "biometry", "passcodeTries": @3"#,
      "\"passcodeTries\" is about passcode, which the requirement does not have"
    ),
    (
      #""requirement": "passcode", "fallback": @"allowed""#,
      "\"fallback\" is about biometry, which the requirement does not have"
    ),
    (
      #""requirement": "passcode", "minimumStrength": @"strong""#,
      "\"minimumStrength\" is about biometry, which the requirement does not have"
    ),
    (
      #""requirement": "passcode", "lockout": @"apple""#,
      "\"lockout\" is about biometry, which the requirement does not have"
    ),
    (
      #""requirement": "passcode", "reuseLimit": @"0s""#,
      "\"reuseLimit\" is about biometry, which the requirement does not have"
    ),
    (
      #""requirement": "passcode", "grant": {"maxAge": "5m", "idle": @"5m"}"#,
      "\"idle\" must be shorter than \"maxAge\""
    ),
    (
      #""requirement": "passcode", "freshness": @{"anyWithin": "1h"}"#,
      "\"freshness\" is about biometry, which the requirement does not have"
    ),
  ])
  func refusesContradictions(_ members: String, _ message: String) {
    expect(.policy(members), "contradiction: \(message)")
  }

  @Test func isOneLineWhateverTheFileHolds() {
    let bytes = Array(#"{"a\u001b[2J\nb": 1}"#.utf8)
    let found = message { () throws(PolicyError) in
      _ = try PolicyFile.parse(bytes, file: "a\n\u{1b}b.json")
    }
    #expect(found?.hasPrefix(#"a\u{a}\u{1b}b.json:1:2: unknown key "a\u{1b}[2J\u{a}b"; "#) == true)
    #expect(found?.unicodeScalars.allSatisfy { $0.value >= 32 } == true)
  }
}
