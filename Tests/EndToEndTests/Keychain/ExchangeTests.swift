import Glibc
import LocalAuthJSON
import LocalAuthUnix
import Testing

/// Items that come from files and go to files.
@Suite struct ExchangeTests {
  private let scratch = Scratch()
  private let daemon: DaemonProcess
  private let commands: KeychainCommands

  init() throws {
    daemon = try DaemonProcess(home: scratch.file("home"))
    commands = KeychainCommands(home: daemon.home)
    let client = try daemon.connect()
    try client.create("sim", passcode: "1234")
    try client.create("other")
    try client.unlockSim()
  }

  private func keychain(
    _ words: String...,
    input: String = "",
    device: String = "sim"
  ) throws -> RunningProgram.Report {
    var commands = self.commands
    commands.device = device
    return try commands.run(["keychain"] + words, input: input)
  }

  private func load(_ text: String, _ more: String...) throws -> RunningProgram.Report {
    try scratch.write(text, to: "items")
    return try commands.run(["keychain", "import", scratch.file("items")] + more)
  }

  @Test(arguments: [
    (
      "folder,favorite,type,name,notes,fields,reprompt,login_uri,login_username,login_password,"
        + "login_totp\n,,login,web,\"n,\"\"o\"\"\nte\",,0,https://w.example/,me,geheim,"
        + "GEZDGNBVGY3TQOJQ\n", true
    ),
    (
      "Title,Url,Username,Password,OTPAuth,Favorite,Archived,Tags,Notes\r\nweb,https://w.example/,me,"
        + "geheim,otpauth://totp/x?secret=GEZDGNBVGY3TQOJQ,false,false,,\"n,\"\"o\"\"\nte\"\r\n",
      true
    ),
    (
      "\"Group\",\"Title\",\"Username\",\"Password\",\"URL\",\"Notes\",\"TOTP\",\"Icon\","
        + "\"Last Modified\",\"Created\"\n\"Root\",\"web\",\"me\",\"geheim\",\"https://w.example/\","
        + "\"n,\"\"o\"\"\nte\",\"GEZDGNBVGY3TQOJQ\",\"0\",\"x\",\"x\"\n", true
    ),
    (
      "\u{FEFF}name,url,username,password,note\nweb,https://w.example/,me,geheim,\"n,\"\"o\"\"\nte\"",
      false
    ),
  ])
  func tablesOfOthersAreRead(_ table: String, _ hasCode: Bool) throws {
    let loaded = try load(table)
    #expect(loaded.status == 0, "\(loaded.errors)")
    #expect(try keychain("get", "web/me").output == "geheim")
    #expect(try keychain("get", "note:web/me").output == "n,\"o\"\nte")
    #expect(try keychain("code", "web/me").status == (hasCode ? 0 : 20))
    #expect(try keychain("find", "w.example").output.contains("web"))
  }

  @Test func cardsAndFieldsOfOthersAreLeftOutAndNamed() throws {
    let loaded = try load(
      "folder,type,name,fields,login_username,login_password,nickname\n"
        + "home,card,visa,\"pin: 1\",,,x\nhome,login,web,,me,geheim,\n"
    )
    #expect(loaded.status == 0 && loaded.errors.contains("1 item was added"), "\(loaded.errors)")
    #expect(loaded.errors.contains("line 2: There is no secret, so the record is left out."))
    let columns = "line 1: These columns have no place in an item: fields, folder, 1 other."
    #expect(loaded.errors.contains(columns), "\(loaded.errors)")
    #expect(try keychain("get", "web/me").output == "geheim")
    #expect(try keychain("get", "visa").status == 20)
  }

  @Test func codeAloneIsALoginToOtherPrograms() throws {
    _ = try keychain("add", "web/me", "--code", "--stdin", input: "GEZDGNBVGY3TQOJQ")
    _ = try keychain("add", "note:x/me", "--stdin", input: "n")
    let run = try keychain("export", "--non-interactive", "--format", "bitwarden")
    #expect(run.output.contains(#""login","web","#), "\(run.errors) \(run.output)")
    #expect(run.output.contains(#""note","x","n","#), "\(run.output)")
  }

  @Test func personReadsThatAllItemsAreExported() throws {
    _ = try keychain("add", "mail/me", "--stdin", "--access-control", "userPresence", input: "x")
    let file = scratch.file("out")
    let asked = try TerminalProgram.authctl(
      ["--home", daemon.home, "--device", "sim", "keychain", "export", "--out", file]
    )
    try asked.wait(for: "export all items with their secrets")
    asked.type("\u{1B}")
    #expect(try asked.waitForExit() != .status(0))
    #expect(!Files.exists(file))
  }

  @Test func itemsForOtherDevicesAreExportedAndComeBackAsSuch() throws {
    _ = try keychain("add", "mail/me", "--stdin", "--synchronizable", input: "x")
    _ = try keychain("add", "mail/me", "--stdin", input: "y")
    let out = try keychain("export", "--non-interactive").output
    #expect(out.contains(#""synchronizable":true"#) && out.contains(#""synchronizable":false"#))
    try scratch.write(out, to: "items")
    let loaded = try keychain("import", scratch.file("items"), device: "other")
    #expect(loaded.status == 0, "\(loaded)")
    let twin = try keychain("get", "mail/me", "--synchronizable", device: "other")
    #expect(twin.output == "x")
  }

  @Test func firefoxHasAddressesForNames() throws {
    let loaded = try load(
      "\"url\",\"username\",\"password\",\"httpRealm\",\"formActionOrigin\",\"guid\",\"timeCreated\","
        + "\"timeLastUsed\",\"timePasswordChanged\"\n\"https://w.example/x\",\"me\",\"geheim\",,,,,,\n"
    )
    #expect(loaded.status == 0, "\(loaded.errors)")
    #expect(try keychain("get", "w.example/me").output == "geheim")
  }

  private static let broken =
    "name,url,username,password,note\ngood,,me,p1,\nhunter2,,\"x\"y,hunter2,\nshort,hunter2\n,,,,\n"
    + "last,,me,p2,\n"

  @Test func fileWithAWrongLineAddsNothingAndAPipeTheRest() throws {
    let file = try load(Self.broken)
    #expect(file.status == 2 && file.errors.contains("nothing was added"), "\(file.errors)")
    for line in [3, 4, 5] { #expect(file.errors.contains("line \(line): "), "\(line)") }
    #expect(!file.errors.contains("hunter2"))
    #expect(try keychain("get", "good").status == 20)
    let pipe = try RunningProgram.run(
      "/bin/sh",
      ["-c", #"cat "$1" | "$0" --home "$2" --device sim keychain import -"#, Machine.authctl]
        + [scratch.file("items"), daemon.home],
      environment: Authctl.environment,
      input: ""
    )
    #expect(pipe.status == 2 && pipe.errors.contains("2 items were added"), "\(pipe.errors)")
    #expect(try keychain("get", "last/me").output == "p2")
  }

  @Test(arguments: [
    "", "\n", "a,b\n1,2\n", "{}\n", "{\"localauth\":\"keychain\",\"version\":2}\n", "\0\u{1}",
    "name,password\n\"open,x\n", "name,password\nx,\(String(repeating: "p", count: 65_537))\n",
  ]) func whatIsNoSuchFileIsRefused(_ text: String) throws {
    let loaded = try load(text)
    #expect(loaded.status == 2 && loaded.output.isEmpty, "\(loaded.errors)")
    #expect(try keychain("--json", "list").json["items"]?.elements.isEmpty == true)
  }

  @Test func whatIsThereStaysUnlessItIsUpdated() throws {
    let table = "name,username,password\nweb,me,new\nmail,me,p\n"
    _ = try keychain("add", "web/me", "--stdin", input: "old")
    let dry = try load(table, "--dry-run")
    #expect(
      dry.errors.contains("1 item would be added, 1 record is there already"),
      "\(dry.errors)"
    )
    #expect(try keychain("get", "mail/me").status == 20)
    #expect(try load(table).errors.contains("1 item was added, 1 record was there already."))
    #expect(try keychain("get", "web/me").output == "old")
    #expect(try load(table, "--update").errors.contains("2 were changed"))
    #expect(try keychain("get", "web/me").output == "new")
  }

  @Test func anUpdateOfAnotherClassChangesTheItemOfItsNameAlone() throws {
    for server in ["a.example", "b.example"] {
      let added = try keychain(
        "add",
        "--class",
        "internet-password",
        "--server",
        server,
        "--account",
        "me",
        "--stdin",
        input: "old"
      )
      #expect(added.status == 0, "\(added.errors)")
    }
    let lines = try keychain("export", "--non-interactive").output.split(separator: "\n")
    let kept = lines.filter { !$0.contains("b.example") }.joined(separator: "\n") + "\n"
    let loaded = try load(kept.replacing("b2xk", with: "bmV3"), "--update")
    #expect(loaded.status == 0 && loaded.errors.contains("1 was changed"), "\(loaded.errors)")
    for (server, secret) in [("a.example", "new"), ("b.example", "old")] {
      let got = try keychain("get", server, "--class", "internet-password")
      #expect(got.output == secret, "\(got.errors)")
    }
  }

  @Test func everyByteComesBackThroughOurJSON() throws {
    let bytes = (0...255).map { String(UnicodeScalar(UInt8($0))) }.joined()
    for (name, secret) in [("Straße/Jürgen", bytes), ("銀行/私", "\n\n"), ("بريد", "\"\\\0,")] {
      #expect(try keychain("add", name, "--stdin", "--comment", "c,\"", input: secret).status == 0)
    }
    let out = try keychain("export", "--non-interactive")
    #expect(out.status == 0, "\(out.errors)")
    let back = try keychain("import", "-", input: out.output, device: "other")
    #expect(back.status == 0 && back.errors.contains("3 items were added."), "\(back.errors)")
    #expect(try keychain("get", "Straße/Jürgen", device: "other").output == bytes)
    #expect(try keychain("get", "銀行/私", device: "other").output == "\n\n")
    let table = try keychain("export", "--non-interactive", "--format", "chrome")
    #expect(table.status == 24 && table.output.isEmpty && table.errors.contains("no text"))
  }

  @Test(arguments: ["bitwarden", "1password", "keepassxc", "chrome"])
  func tableComesBack(_ format: String) throws {
    _ = try keychain("add", "a,b/\"me\"", "--stdin", input: "p,\"\n1")
    _ = try keychain("add", "note:a,b/\"me\"", "--stdin", input: "n")
    let out = try keychain("export", "--non-interactive", "--format", format)
    #expect(out.status == 0, "\(out.errors)")
    let back = try keychain("import", "-", input: out.output, device: "other")
    #expect(back.errors.contains("2 items were added."), "\(back.errors) \(out.output)")
    #expect(try keychain("get", "a,b/\"me\"", device: "other").output == "p,\"\n1")
  }

  /// A restored file gets the rules of whoever restores it, where they state them.
  @Test func rulesOfTheCommandLineCountBeforeThoseOfTheFile() throws {
    _ = try keychain("add", "open/me", "--stdin", input: "a")
    _ = try keychain(
      "add",
      "finger/me",
      "--stdin",
      "--access-control",
      "biometryAny",
      input: "b"
    )
    let out = try keychain("export", "--script", "match").output
    #expect(out.contains("finger"))
    let client = try daemon.connect()
    try client.create("third", passcode: "1234")
    let back = try keychain(
      "import",
      "-",
      "--access-control",
      "devicePasscode",
      "--accessible",
      "whenUnlocked",
      input: out,
      device: "third"
    )
    #expect(back.errors.contains("2 items were added."), "\(back.errors)")
    for name in ["open/me", "finger/me"] {
      let item = try keychain("get", name, "--non-interactive", device: "third")
      #expect(item.status == 5 && item.output.isEmpty, "\(name): \(item.errors)")
      let shown = try keychain("get", name, "--script", "passcode:1234", device: "third")
      #expect(shown.status == 0, "\(shown.errors)")
    }
  }

  /// A password that was dropped without a word left items open that were said to be added.
  @Test func applicationPasswordIsThatOfEachItemOrRefused() throws {
    try scratch.write("name,username,password\na,me,x\nb,me,y\n", to: "items")
    func load(_ more: String...) throws -> RunningProgram.Report {
      try commands.run(
        ["keychain", "import", scratch.file("items"), "--application-password-fd", "3"] + more,
        password: "pepper"
      )
    }
    let refused = try load()
    #expect(refused.status == 2, "\(refused.errors)")
    #expect(refused.errors.contains("line 2: The item would be open without"), "\(refused.errors)")
    #expect(refused.errors.contains("nothing was added"), "\(refused.errors)")
    let added = try load("--access-control", "applicationPassword")
    #expect(added.status == 0, "\(added.errors)")
    #expect(try commands.run(["keychain", "get", "a/me"]).status == 5)
    for (name, secret) in [("a/me", "x"), ("b/me", "y")] {
      let words = ["keychain", "get", name, "--application-password-fd", "3"]
      #expect(try commands.run(words, password: "pepper").output == secret)
    }
  }

  @Test func fileOnStandardInputLeavesNoRoomForAPassword() throws {
    let both = try keychain("import", "-", "--application-password-fd", "0", input: "password\nx\n")
    #expect(
      both.status == 2 && both.errors.contains("Standard input is the file"),
      "\(both.errors)"
    )
  }

  @Test func lockedDeviceEndsAnImportWithOneLine() throws {
    _ = try daemon.connect().call(Interface.devices + "Lock", ["device": "sim"])
    _ = try daemon.connect().call(
      Interface.devices + "AdvanceClock",
      ["device": "sim", "milliseconds": 11_000]
    )
    let run = try load("name,username,password\na,me,x\nb,me,y\n")
    #expect(run.status == 22, "\(run.errors)")
    #expect(run.errors.hasPrefix("authctl keychain import: Nothing was added. The device's"))
    #expect(run.errors.hasSuffix(" device unlock\n"), "\(run.errors)")
    #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
  }

  @Test func recordThatTheKeychainRefusesIsNamedAndTheRestIsAdded() throws {
    for name in ["a/me", "b/me"] { _ = try keychain("add", name, "--stdin", input: name) }
    let out = try keychain("export", "--non-interactive").output
    let group = try #require(out.firstRange(of: #""group":"local""#))
    let foreign = out[..<group.lowerBound] + #""group":"others.own""# + out[group.upperBound...]
    let run = try keychain("import", "-", input: String(foreign), device: "other")
    #expect(run.status == 2 && run.errors.contains("1 item was added."), "\(run.errors)")
    #expect(run.errors.contains("line 2: "), "\(run.errors)")
    #expect(try keychain("get", "a/me", device: "other").status == 20)
    #expect(try keychain("get", "b/me", device: "other").output == "b/me")
  }

  @Test(arguments: ["password\n", "{\"localauth\":\"keychain\",\"version\":1}\n", ""])
  func whatNeverEndsIsNotReadForEver(_ head: String) throws {
    let words = [Machine.authctl, "--home", daemon.home, "--device", "sim", "keychain", "import"]
    let run = try RunningProgram.run(
      "/bin/sh",
      ["-c", #"head=$1; shift; (printf %s "$head"; cat /dev/zero) | "$@" -"#, "sh", head] + words,
      environment: Authctl.environment,
      input: ""
    )
    #expect(run.status == 2, "\(run.errors)")
  }

  @Test func exportRefusesATerminalAndFilesOfOthers() throws {
    _ = try keychain("add", "mail/me", "--stdin", input: "hunter2")
    let words = ["--home", daemon.home, "--device", "sim", "keychain", "export"]
    let shown = try TerminalProgram.authctl(words + ["--non-interactive"])
    #expect(try shown.waitForExit() == .status(2), "\(shown.screen)")
    #expect(!shown.screen.contains("hunter2") && !shown.screen.contains("aHVudGVyMg"))
    for (mask, status) in [("0", Int32(2)), ("022", 2), ("077", 0)] {
      let file = scratch.file("out\(mask)")
      let run = try RunningProgram.run(
        "/bin/sh",
        ["-c", #"umask $0; f=$1; shift; exec "$@" > "$f""#, mask, file, Machine.authctl] + words
          + ["--non-interactive"],
        environment: Authctl.environment,
        input: ""
      )
      #expect(run.status == status, "\(run.errors)")
      #expect(try Files.text(file).isEmpty == (status != 0))
    }
  }

  @Test func namesThatDifferInBytesAloneStayTwoRecords() throws {
    let names = ["caf\u{E9}/me", "cafe\u{301}/me"]
    for name in names {
      _ = try keychain("add", name, "--stdin", input: "a")
      _ = try keychain("add", name, "--code", "--stdin", input: "GEZDGNBVGY3TQOJQ")
    }
    let out = try keychain("export", "--non-interactive", "--format", "bitwarden")
    let lines = out.output.split(separator: "\r\n").filter { $0.contains("GEZDGNBVGY3TQOJQ") }
    #expect(lines.count == 2, "\(out.output)")
  }

  @Test(arguments: ["export", "inject"])
  func othersReadNoSecretOfAFIFOOrAFile(_ verb: String) throws {
    _ = try keychain("add", "mail/me", "--stdin", input: "hunter2")
    try scratch.write("{{ localauth://mail/me }}", to: "template")
    let words = ["--home", daemon.home, "--device", "sim"]
    let command = verb == "export" ? ["keychain", verb] : [verb, "--in", scratch.file("template")]
    for (make, mask, status) in [
      (":", "022", Int32(2)), (":", "077", 0), ("mkfifo", "022", 2), ("mkfifo", "077", 2),
    ] {
      let place = scratch.file("\(make.count)\(mask)")
      let script = #"umask $0; $1 "$2"; cat "$2" & f=$2; shift 2; "$@" > "$f"; s=$?; wait; exit $s"#
      let run = try RunningProgram.run(
        "/bin/sh",
        ["-c", script, mask, make, place, Machine.authctl] + words + command
          + ["--non-interactive"],
        environment: Authctl.environment,
        input: ""
      )
      #expect(run.status == status, "\(run.errors)")
      #expect(status == 0 || !run.output.contains("hunter2"))
      if status != 0 { #expect(run.errors.contains("give --out FILE"), "\(run.errors)") }
    }
  }

  @Test(arguments: ["export", "inject"])
  func closedOutputIsAnError(_ verb: String) throws {
    _ = try keychain("add", "mail/me", "--stdin", input: "hunter2")
    try scratch.write("{{ localauth://mail/me }}", to: "template")
    let command =
      verb == "export"
      ? ["keychain", verb, "--non-interactive"] : [verb, "--in", scratch.file("template")]
    let run = try RunningProgram.run(
      "/bin/sh",
      ["-c", #""$0" "$@" >&-"#, Machine.authctl, "--home", daemon.home, "--device", "sim"]
        + command,
      environment: Authctl.environment,
      input: ""
    )
    #expect(run.status == 70, "\(verb): \(run.status) \(run.errors)")
  }

  @Test func restOfAFileIsCheckedToo() throws {
    let text = "header\n" + Self.broken
    try scratch.write(text, to: "items")
    let script =
      #"exec < "$1"; dd bs=1 count=7 of=/dev/null 2>&1; "$0" --home "$2" --device sim keychain import -"#
    let run = try RunningProgram.run(
      "/bin/sh",
      ["-c", script, Machine.authctl, scratch.file("items"), daemon.home],
      environment: Authctl.environment,
      input: ""
    )
    #expect(run.status == 2 && run.errors.contains("nothing was added"), "\(run.errors)")
  }

  @Test func whoHasTheOldFileOpenReadsNothingOfTheNew() throws {
    _ = try keychain("add", "mail/me", "--stdin", input: "hunter2")
    try scratch.write("old", to: "out", mode: 0o644)
    let file = scratch.file("out")
    // SAFETY: here and below, the string and the structure live for the call.
    let old = unsafe open(file, O_RDONLY | O_CLOEXEC)
    defer { close(old) }
    let run = try keychain("export", "--non-interactive", "--out", file)
    #expect(run.status == 0, "\(run.errors)")
    var status = stat()
    #expect(unsafe stat(file, &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(try Files.text(file).contains("aHVudGVyMg=="))
    var bytes = [UInt8](repeating: 0, count: 64)
    #expect(unsafe pread(old, &bytes, bytes.count, 0) == 3)
  }

  @Test func whereNoFileCanBeMadeNobodyIsAsked() throws {
    for place in ["/dev/null", scratch.path, "/dev/null/x"] {
      let run = try keychain("export", "--out", place)
      #expect(run.status == 2 && run.errors.contains("cannot be written"), "\(run.errors)")
      #expect(run.errors.contains("Nothing was exported."))
    }
  }

  @Test func exportAsksForAProofAndWritesNothingWithoutIt() throws {
    _ = try keychain("add", "mail/me", "--stdin", input: "hunter2")
    let refused = try keychain("export", "--script", "cancel")
    #expect(refused.status != 0 && refused.output.isEmpty, "\(refused.errors)")
    let unasked = try keychain("export")
    #expect(unasked.status != 0 && unasked.output.isEmpty, "\(unasked.errors)")
    _ = try keychain("add", "mail/me", "--stdin", input: "hunter2", device: "other")
    #expect(try keychain("export", device: "other").output.contains("aHVudGVyMg=="))
  }
}
