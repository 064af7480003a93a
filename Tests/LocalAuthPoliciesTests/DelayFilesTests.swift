import LocalAuthCore
import LocalAuthPolicies
import Testing

@Suite struct DelayFilesTests {
  private static let durationRule = "a duration such as 30s, 5m or 48h from 1s to 8760h"
  private static let countRule = "a whole number from 1 to 10000"

  private func profile(_ text: MarkedText) -> (profile: LockoutProfile?, message: String?) {
    do throws(PolicyError) {
      return (try LockoutProfileFile.parse(text.bytes, file: "F.json"), nil)
    } catch { return (nil, error.description) }
  }

  private func table(_ text: MarkedText) -> (table: PasscodeDelays?, message: String?) {
    do throws(PolicyError) {
      return (try PasscodeDelaysFile.parse(text.bytes, file: "F.json"), nil)
    } catch { return (nil, error.description) }
  }

  @Test func readsEveryKeyOfAProfile() {
    let found = profile(
      .policy(
        #"""
        "$schema": "x", "source": "y", "locksAt": 20, "missesPerEvaluation": 20,
        "fallbackAfterMisses": 19, "needsPasscode": true,
        "delays": [{"from": 5, "through": 6, "delay": "30s"},
          {"from": 7, "through": null, "delay": "1m", "doublesEvery": 2}]
        """#
      )
    ).profile
    #expect(
      found
        == LockoutProfile(
          name: "p",
          delays: DelayTable(
            rows: [
              .init(from: 5, through: 6, delay: .seconds(30)),
              .init(from: 7, through: nil, delay: .seconds(60), doublesEvery: 2),
            ],
            locksAt: 20
          ),
          missesPerEvaluation: 20,
          fallbackAfterMisses: 19,
          needsPasscode: true
        )
    )
  }

  @Test func readsATableThatNeverLocks() {
    let found = table(
      .policy(#""delays": [{"from": 1, "through": null, "delay": "8760h"}]"#)
    ).table
    #expect(found?.delays.locksAt == nil)
    #expect(found?.delays.refusal(after: 1) == .wait(.seconds(8760 * 3600)))
  }

  @Test(arguments: [
    (#""delays": @[]"#, "\"delays\" is empty; at least one element is required"),
    (#""delays": @7"#, "\"delays\" must be a list of rows"),
    (#""delays": [@7]"#, "\"delays\" must be an object"),
    (#""locksAt": @0"#, "\"locksAt\" cannot be \"0\"; allowed: \(countRule)"),
    (#""locksAt": @"3""#, "\"locksAt\" must be \(countRule)"),
    (
      #""delays": [@{"through": 1, "delay": "1s"}]"#,
      "the key \"from\" is missing; it is required here"
    ),
    (
      #""delays": [@{"from": 1, "delay": "1s"}]"#,
      "the key \"through\" is missing; it is required here"
    ),
    (
      #""delays": [@{"from": 1, "through": 1}]"#,
      "the key \"delay\" is missing; it is required here"
    ),
    (
      #""delays": [{"from": 1, "through": 1, "delay": @"0s"}]"#,
      "\"delay\" cannot be \"0s\"; allowed: \(durationRule)"
    ),
    (#""delays": [{"from": 1, "through": 1, "delay": @30}]"#, "\"delay\" must be \(durationRule)"),
    (
      #""delays": [{"from": 1, "through": 1, "delay": "1s", @"until": 3}]"#,
      "unknown key \"until\"; allowed: from, through, delay and doublesEvery"
    ),
    (
      #""delays": [{"from": 5, "through": @4, "delay": "1s"}]"#,
      "contradiction: \"through\" comes before \"from\"; allowed: 5 or more, or null"
    ),
    (
      #""delays": [{"from": 5, "through": 7, "delay": "1s"}, "#
        + #"{"from": @7, "through": 9, "delay": "1s"}]"#,
      "a row from 7 overlaps; allowed: rows in ascending order, the next from 8"
    ),
    (
      #""delays": [{"from": 5, "through": 7, "delay": "1s"}, "#
        + #"{"from": @1, "through": 2, "delay": "1s"}]"#,
      "a row from 1 overlaps; allowed: rows in ascending order, the next from 8"
    ),
    (
      #""delays": [{"from": 5, "through": null, "delay": "1s"}, "#
        + #"@{"from": 9, "through": 9, "delay": "1s"}]"#,
      "a row from 9 overlaps; allowed: no row after one whose \"through\" is null"
    ),
    (
      #""locksAt": 5, "delays": [{"from": @5, "through": 5, "delay": "1s"}]"#,
      "without effect: the lock at 5 comes first; allowed: up to 4"
    ),
    (
      #""locksAt": 5, "delays": [{"from": 4, "through": @5, "delay": "1s"}]"#,
      "without effect: the lock at 5 comes first; allowed: up to 4"
    ),
    (
      #""delays": [{"from": 1, "through": 5, "delay": "1s", "doublesEvery": @5}]"#,
      "without effect: the row ends before its delay doubles; remove \"doublesEvery\""
    ),
  ])
  func saysWhatRowsMayBe(_ members: String, _ message: String) {
    let text = MarkedText.policy(members)
    #expect(profile(text).message == text.error(message))
    #expect(table(text).message == text.error(message))
  }

  @Test(arguments: [
    (#"{"all": "15m"}"#, Forgetting.all(after: .seconds(900), withRefusal: false)),
    (
      #"{"all": "15m", "afterRefusal": false}"#, .all(after: .seconds(900), withRefusal: false)
    ),
    (#"{"afterRefusal": true, "all": "1s"}"#, .all(after: .seconds(1), withRefusal: true)),
    (#"{"oneEvery": "8760h"}"#, .one(every: .seconds(8760 * 3600))),
  ])
  func readsWhatIsForgotten(_ value: String, _ forgets: Forgetting) {
    let row = #""delays": [{"from": 1, "through": 1, "delay": "1s"}]"#
    let text = MarkedText.policy(#"\#(row), "forgets": \#(value)"#)
    #expect(profile(text).profile?.delays.forgets == forgets)
    #expect(table(text).table?.delays.forgets == forgets)
  }

  @Test(arguments: [
    ("@3", "\"forgets\" must be an object"),
    (#"@"15m""#, "\"forgets\" must be an object"),
    ("@null", "\"forgets\" must be an object"),
    ("@{}", "the key \"all\" is missing; it is required here"),
    (#"@{"afterRefusal": true}"#, "the key \"all\" is missing; it is required here"),
    (
      #"{@"every": "1m"}"#, "unknown key \"every\"; allowed: all, afterRefusal and oneEvery"
    ),
    (#"{"all": @"0s"}"#, "\"all\" cannot be \"0s\"; allowed: \(durationRule)"),
    (#"{"all": @"-1s"}"#, "\"all\" cannot be \"-1s\"; allowed: \(durationRule)"),
    (#"{"all": @"8761h"}"#, "\"all\" cannot be \"8761h\"; allowed: \(durationRule)"),
    (#"{"all": @900}"#, "\"all\" must be \(durationRule)"),
    (#"{"oneEvery": @"0s"}"#, "\"oneEvery\" cannot be \"0s\"; allowed: \(durationRule)"),
    (#"{"oneEvery": @true}"#, "\"oneEvery\" must be \(durationRule)"),
    (#"{"all": "1m", "afterRefusal": @1}"#, "\"afterRefusal\" must be true or false"),
    (
      #"{"all": "1m", "oneEvery": @"1m"}"#,
      "contradiction: failures go one by one or all at once; allowed: \"oneEvery\" alone or \"all\""
    ),
    (
      #"{"oneEvery": @"1m", "afterRefusal": false}"#,
      "contradiction: failures go one by one or all at once; allowed: \"oneEvery\" alone or \"all\""
    ),
    (#"{"all": "1m", @"all": "2m"}"#, "this key occurs twice in its object; remove one"),
  ])
  func saysHowFailuresMayBeForgotten(_ value: String, _ message: String) {
    let row = #""delays": [{"from": 1, "through": 1, "delay": "1s"}]"#
    let text = MarkedText.policy(#"\#(row), "forgets": \#(value)"#)
    #expect(profile(text).message == text.error(message))
    #expect(table(text).message == text.error(message))
  }

  @Test func whatLocksForgetsNothing() {
    let text = MarkedText.policy(#""locksAt": 3, "forgets": @{"all": "1m"}"#)
    let message = "contradiction: only the passcode ends a lock; remove one of both"
    #expect(profile(text).message == text.error(message))
  }

  @Test func whatNeverRefusesHasNothingToForget() {
    let text = MarkedText(#"@{"name": "p", "summary": "s", "forgets": {"all": "1m"}}"#)
    let message = text.error("the key \"delays\" is missing; it is required here")
    #expect(profile(text).message == message)
    #expect(table(text).message == message)
  }

  @Test func refusesAProfileThatNeverRefuses() {
    let text = MarkedText(#"@{"name": "p", "summary": "s"}"#)
    let message = text.error(
      "neither \"locksAt\" nor \"delays\" is there; one is required here"
    )
    #expect(profile(text).message == message)
    #expect(table(text).message == message)
  }

  @Test func refusesTooManyRows() {
    let rows = (1...65).map { #"{"from": \#($0), "through": \#($0), "delay": "1s"}"# }
    let text = MarkedText.policy("\"delays\": @[\(rows.joined(separator: ","))]")
    #expect(table(text).message == text.error("\"delays\" is too long; at most 64"))
  }

  @Test(arguments: [
    (
      #""locksAt": 3, "missesPerEvaluation": @4"#,
      "contradiction: \"missesPerEvaluation\" is never reached; "
        + "allowed: at most 3, the lock's count"
    ),
    (
      #""locksAt": 3, "fallbackAfterMisses": @3"#,
      "contradiction: the button never shows; allowed: less than 3, the miss that ends it"
    ),
    (
      #""locksAt": 5, "missesPerEvaluation": 2, "fallbackAfterMisses": @2"#,
      "contradiction: the button never shows; allowed: less than 2, the miss that ends it"
    ),
    (
      #""locksAt": 5, "missesPerEvaluation": @0"#,
      "\"missesPerEvaluation\" cannot be \"0\"; allowed: a whole number from 1 to 100"
    ),
    (
      #""locksAt": 5, "fallbackAfterMisses": @-1"#,
      "\"fallbackAfterMisses\" cannot be \"-1\"; allowed: a whole number from 0 to 100"
    ),
    (#""locksAt": 5, "needsPasscode": @0"#, "\"needsPasscode\" must be true or false"),
    (
      #""locksAt": 5, @"requirement": "biometry""#,
      "unknown key \"requirement\"; allowed: $schema, name, summary, source, delays, locksAt, "
        + "forgets, missesPerEvaluation, fallbackAfterMisses and needsPasscode"
    ),
  ])
  func refusesContradictoryProfiles(_ members: String, _ message: String) {
    let text = MarkedText.policy(members)
    #expect(profile(text).message == text.error(message))
  }

  @Test func aTableHasNoKeysOfAProfile() {
    let text = MarkedText.policy(#""locksAt": 3, @"needsPasscode": true"#)
    #expect(
      table(text).message
        == text.error(
          "unknown key \"needsPasscode\"; allowed: $schema, name, summary, source, delays, locksAt "
            + "and forgets"
        )
    )
  }
}
