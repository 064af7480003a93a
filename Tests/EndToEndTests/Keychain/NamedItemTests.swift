import LocalAuthJSON
import LocalAuthUnix
import Testing

/// Items by the names that people give them.
@Suite struct NamedItemTests {
  private let scratch = Scratch()
  private let daemon: DaemonProcess
  private let commands: KeychainCommands

  init() throws {
    daemon = try DaemonProcess(home: scratch.file("home"))
    commands = KeychainCommands(home: daemon.home)
    let client = try daemon.connect()
    try client.create("sim", passcode: "1234")
    try client.unlockSim()
  }

  private func keychain(
    _ words: String...,
    input: String = ""
  ) throws -> RunningProgram.Report {
    try commands.run(["keychain"] + words, input: input)
  }

  private func add(_ words: String..., secret: String) throws {
    let run = try commands.run(["keychain", "add", "--stdin"] + words, input: secret)
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test func threeSpellingsAreOneItem() throws {
    try add("mail/me", secret: "s1")
    for words in [
      ["mail"], ["mail/me"], ["mail", "me"], ["--service", "mail", "--account", "me"],
    ] {
      let got = try commands.run(["keychain", "get"] + words)
      #expect(got.status == 0 && got.output == "s1", "\(words) \(got.errors)")
    }
    #expect(try keychain("add", "--stdin", "mail", "me", input: "s2").status == 21)
    #expect(try keychain("get", "mail/you").status == 20)
    #expect(try keychain("get", "Mail").status == 20)
  }

  @Test func itemsThatAskForNothingLeaveNoLineInTheAudit() throws {
    try add("mail/me", secret: "s1")
    let before = try commands.run(["audit"]).output
    #expect(try keychain("get", "mail").output == "s1")
    #expect(try commands.run(["audit"]).output == before)
  }

  /// Nobody types a secret in vain.
  @Test func itemThatIsThereIsSaidBeforeItsSecretIsAskedFor() throws {
    try add("mail/me", secret: "s1")
    let run = try TerminalProgram.authctl([
      "--home", daemon.home, "--device", "sim", "keychain", "add", "mail/me",
    ])
    #expect(try run.waitForExit() == .status(21), "\(run.screen)")
    #expect(run.screen.contains("--update") && !run.screen.contains("Secret for"), "\(run.screen)")
    let code = try keychain("code", "mail/me")
    #expect(code.status == 20 && code.errors.contains("--code"), "\(code.errors)")
  }

  @Test(arguments: ["Straße/Jürgen", "銀行/田中さん", "بريد/محمد", "🔑/👩‍💻", "a b/c  d", "-x/-y"])
  func namesOfAllScriptsAreKept(_ name: String) throws {
    #expect(try keychain("add", "--stdin", "--", name, input: "kept").status == 0)
    #expect(try keychain("get", "--", name).output == "kept")
    let listed = try keychain("--json", "list").json["items"]?.elements.first?["attributes"]
    let parts = name.split(separator: "/").map(String.init)
    #expect(listed?["svce"]?.string == parts[0] && listed?["acct"]?.string == parts[1])
  }

  /// None of these guesses which of several items is meant.
  @Test(arguments: ["get", "update", "delete"])
  func nameOfSeveralItemsIsAnError(_ verb: String) throws {
    try add("mail/me", secret: "s1")
    try add("mail/you", secret: "s2")
    let more = verb == "update" ? ["--set-label", "x"] : []
    let run = try commands.run(["keychain", verb, "mail"] + more)
    #expect(run.status == 2 && run.output.isEmpty)
    #expect(run.errors.contains("2 items have this name. Say whose: mail/ACCOUNT."))
    #expect(try keychain("get", "mail/me").output == "s1")
    #expect(try keychain("get", "mail/you").output == "s2")
    let all = try keychain("delete", "--service", "mail")
    #expect(all.errors.contains("2 items were deleted."))
  }

  @Test func serviceAloneIsItsItemWithoutAnAccount() throws {
    try add("web/me", secret: "mine")
    #expect(try keychain("get", "web").output == "mine")
    try add("web", secret: "shared")
    #expect(try keychain("get", "web").output == "shared")
    #expect(try keychain("delete", "web").errors.contains("1 item was deleted."))
    #expect(try keychain("get", "web").output == "mine")
  }

  @Test func updateAddsOrChanges() throws {
    for (secret, done) in [("s1", "added"), ("s2", "changed")] {
      let run = try keychain(
        "add",
        "mail/me",
        "--update",
        "--label",
        "L\(secret)",
        "--stdin",
        input: secret
      )
      #expect(run.status == 0 && run.errors.contains("The item was \(done)."), "\(run.errors)")
      #expect(try keychain("get", "mail/me").output == secret)
    }
    let listed = try keychain("--json", "list", "mail").json["items"]?.elements
    #expect(listed?.count == 1 && listed?.first?["attributes"]?["labl"]?.string == "Ls2")
  }

  /// A name without an account is one item, not all items of its service.
  @Test func updateChangesNoOtherItem() throws {
    try add("web/me", secret: "mine")
    try add("web", secret: "shared")
    try add("--class", "inet", "host/me", "--port", "443", secret: "secure")
    try add("--class", "inet", "host/me", secret: "plain")
    try add("web", "--update", secret: "new")
    try add("--class", "inet", "host/me", "--update", secret: "newer")
    #expect(try keychain("get", "web/me").output == "mine")
    #expect(try keychain("get", "web").output == "new")
    #expect(try keychain("get", "--class", "inet", "host/me", "--port", "443").output == "secure")
    #expect(
      try keychain("get", "--class", "inet", "--server", "host", "--port", "0").output == "newer"
    )
  }

  @Test func updateOfAGuardedItemNeedsItsProof() throws {
    let commands = self.commands
    _ = try commands.run(
      ["sensor", "enroll", "right-thumb", "--passcode-fd", "3"],
      password: "1234"
    )
    try add("safe/me", "--access-control", "biometryAny", secret: "s1")
    let refused = try keychain(
      "add",
      "safe/me",
      "--update",
      "--stdin",
      "--non-interactive",
      input: "s2"
    )
    #expect(refused.status == 5, "\(refused.errors)")
    let proven = try keychain(
      "add",
      "safe/me",
      "--update",
      "--stdin",
      "--script",
      "match",
      input: "s3"
    )
    #expect(proven.status == 0, "\(proven.errors)")
    #expect(try keychain("get", "safe/me", "--script", "match").output == "s3")
  }

  @Test func generatedSecretIsStoredAndShownOnlyWhenAsked() throws {
    let made = try keychain("generate", "mail/me")
    #expect(made.status == 0 && made.output.isEmpty, "\(made.errors)")
    let secret = try keychain("get", "mail/me").output
    #expect(secret.count == 24 && !made.errors.contains(secret))
    #expect(try keychain("generate", "mail/me", "--show").status == 21)
    #expect(try keychain("get", "mail/me").output == secret)
    let shown = try keychain(
      "generate",
      "mail/me",
      "--update",
      "--show",
      "--length",
      "6",
      "--characters",
      "digits"
    )
    #expect(shown.status == 0 && shown.output.count == 6, "\(shown.errors)")
    #expect(try keychain("get", "mail/me").output == shown.output)
    for wrong in [
      [], ["x", "--length", "3"], ["x", "--length", "0"], ["x", "--characters", "runes"],
    ] {
      #expect(try commands.run(["keychain", "generate"] + wrong).status == 2, "\(wrong)")
    }
  }

  @Test func findLooksAtNamesOfAllClassesAndNotAtSecrets() throws {
    try add("mail/me", "--comment", "Die Hauptstraße", secret: "needle")
    try add("--class", "inet", "STRASSE.example/me", secret: "needle")
    try add("--class", "key", "Straßenschlüssel", "--application-tag", "t", secret: "needle")
    try add("web/needless", secret: "x")
    let found = try keychain("--json", "find", "strasse").json["items"]?.elements
    #expect(
      found?.compactMap { $0["class"]?.string }.sorted() == [
        "generic-password", "internet-password", "key",
      ]
    )
    #expect(try keychain("--json", "find", "needle").json["items"]?.elements.count == 1)
    #expect(try keychain("--json", "find", "nowhere").json["items"]?.elements.isEmpty == true)
    let one = try keychain("--json", "find", "strasse", "--class", "inet")
    #expect(try one.json["items"]?.elements.count == 1)
  }

  @Test func datesAreDaysAndTimesInJSON() throws {
    try add("mail/me", secret: "x")
    let item = try keychain("--json", "list", "mail").json["items"]?.elements.first
    let created = try #require(item?["created"]?.string)
    #expect(created.hasSuffix("Z") && item?["modified"]?.string != nil)
    let table = try keychain("list", "mail", "--dates").output
    #expect(table.hasPrefix("ACCOUNT  SERVICE  CREATED     MODIFIED\n"))
    #expect(table.contains("me       mail     \(created.prefix(10))"))
  }

  @Test func questionNamesTheItemHoweverItIsDescribed() throws {
    let words = ["--home", daemon.home, "--device", "sim", "keychain", "add"]
    for item in [["mail/me"], ["--service", "mail", "--account", "me"]] {
      let terminal = try TerminalProgram.authctl(words + item)
      try terminal.wait(for: "Secret for mail, account me")
      terminal.type("\u{1b}")
      #expect(try terminal.waitForExit() == .status(3), "\(terminal.screen)")
    }
  }

  @Test func editAsksTwiceAndChangesOneItem() throws {
    try add("mail/me", secret: "old")
    let words = ["--home", daemon.home, "--device", "sim", "keychain", "edit", "mail/me"]
    let terminal = try TerminalProgram.authctl(words, environment: ["EDITOR=/bin/false"])
    try terminal.wait(for: "Secret for mail, account me")
    terminal.type("new\r")
    try terminal.wait(for: "The same again")
    terminal.type("new\r")
    #expect(try terminal.waitForExit() == .status(0), "\(terminal.screen)")
    #expect(try keychain("get", "mail/me").output == "new")
    #expect(try keychain("edit", "mail/me").status == 5)
  }
}
