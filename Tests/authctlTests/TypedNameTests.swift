import LocalAuthCore
import LocalAuthKeychain
import Testing

@testable import authctl

/// How an item is named on the command line.
@Suite struct TypedNameTests {
  private struct NotARun: Error {}

  private func query(_ words: String...) throws -> QueryDictionary {
    guard case .run(_, let arguments) = try CommandTable.tree.parse(["keychain"] + words) else {
      throw NotARun()
    }
    return try ItemArguments(arguments).query(isAll: true)
  }

  private func refusal(_ words: String...) throws -> Failure? {
    guard case .run(_, let arguments) = try CommandTable.tree.parse(["keychain"] + words) else {
      throw NotARun()
    }
    do throws(Failure) {
      _ = try ItemArguments(arguments).query(isAll: true)
      return nil
    } catch {
      return error
    }
  }

  @Test(
    arguments: [
      (["mail"], "mail", nil), (["mail", "me"], "mail", "me"), (["mail/me"], "mail", "me"),
      (["a/b/c"], "a", "b/c"), (["a/b", "c"], "a/b", "c"),
      (["https://x/y", "me"], "https://x/y", "me"),
      (["Straße/Jürgen"], "Straße", "Jürgen"), (["メール/私"], "メール", "私"),
      (["بريد/أنا"], "بريد", "أنا"), (["a b/c d"], "a b", "c d"),
    ] as [([String], String, String?)]
  )
  func nameIsServiceAndAccount(_ words: [String], _ service: String, _ account: String?) throws {
    guard case .run(_, let arguments) = try CommandTable.tree.parse(["keychain", "get"] + words)
    else { throw NotARun() }
    let query = try ItemArguments(arguments).query(isAll: false)
    #expect(query["svce"] == .text(service))
    #expect(query["acct"] == account.map { .text($0) })
    #expect(query["sync"] == .text("syna"))
    #expect(query.entries.count == (account == nil ? 3 : 4))
  }

  @Test func nameIsTheServerOrLabelOfOtherClasses() throws {
    let internet = try query("get", "--class", "inet", "example.org/me")
    #expect(internet["srvr"] == .text("example.org") && internet["acct"] == .text("me"))
    for name in ["certificate", "key"] {
      let labelled = try query("list", "--class", name, "CA/intermediate")
      #expect(labelled["labl"] == .text("CA/intermediate"))
      #expect(labelled.entries.count == 3)
      #expect(try refusal("list", "--class", name, "a", "b")?.outcome == .usage)
    }
  }

  @Test func partsThatAreEmptyAreRefused() throws {
    for words in [["mail/"], ["/me"], ["/"], [""], ["mail", ""], ["", "me"]] {
      guard case .run(_, let arguments) = try CommandTable.tree.parse(["keychain", "get"] + words)
      else { throw NotARun() }
      #expect(throws: Failure.self, "\(words)") {
        try ItemArguments(arguments).query(isAll: false)
      }
    }
  }

  @Test func whatIsSaidTwiceIsRefused() throws {
    for words in [
      ["mail", "--service", "mail"], ["mail/me", "--account", "me"],
      ["mail", "me", "--account", "x"],
      ["mail", "--reference", "Z2VucAAAAAAAAEAAgAAAAAAAAAE="],
    ] {
      guard case .run(_, let arguments) = try CommandTable.tree.parse(["keychain", "get"] + words)
      else { throw NotARun() }
      #expect(throws: Failure.self, "\(words)") {
        try ItemArguments(arguments).query(isAll: false)
      }
    }
    #expect(try query("get", "mail", "--account", "me")["acct"] == .text("me"))
  }

  /// A word too many may be a secret, so it is not repeated.
  @Test func thirdWordIsRefusedAndNotRepeated() throws {
    #expect {
      try CommandTable.tree.parse(["keychain", "add", "mail", "me", "hunter2"])
    } throws: {
      !"\($0)".contains("hunter2")
    }
  }
}
