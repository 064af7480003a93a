import LocalAuthJSON
import LocalAuthUnix
import Testing

/// A line that is begun, completed with the tabulator and run, in each shell, on a terminal.
@Suite struct ShellCompletionTests {
  enum Shell: String, CaseIterable, Sendable {
    case bash = "/bin/bash"
    case zsh = "/usr/bin/zsh"
    case fish = "/usr/bin/fish"

    static var installed: [Shell] { allCases.filter { Files.exists($0.rawValue) } }

    var command: [String] {
      switch self {
      case .bash: [rawValue, "--norc", "--noprofile", "-i"]
      case .zsh: [rawValue, "-f", "-i"]
      case .fish: [rawValue, "--no-config", "-i"]
      }
    }

    var start: String {
      switch self {
      case .bash: "source <(authctl completion bash)"
      case .zsh: "autoload -U compinit && compinit -D -u && source <(authctl completion zsh)"
      case .fish: "authctl completion fish | source"
      }
    }
  }

  private let scratch = Scratch()
  private let daemon: DaemonProcess

  init() throws {
    daemon = try DaemonProcess(home: scratch.file("home"))
    let client = try daemon.connect()
    for name in ["phone", "tablet"] { try client.create(name, passcode: "2468") }
    try scratch.write(
      #"{"name": "mine", "summary": "Mine.", "requirement": "passcode"}"#,
      to: "policy file.json"
    )
  }

  /// Types `line`, in which `\t` completes, and waits for `shown`.
  private func type(_ line: String, in shell: Shell, until shown: String) throws -> String {
    let terminal = try TerminalProgram(
      [
        "/usr/bin/env", "HOME=\(scratch.path)", "PATH=\(Machine.programs):/usr/bin:/bin",
        "LOCALAUTH_HOME=\(daemon.home)", "LC_ALL=C.UTF-8",
      ] + shell.command
    )
    terminal.type("cd \(scratch.path)\n\(shell.start)\nprintf 'rea''dy\\n'\n")
    try terminal.wait(for: "ready")
    terminal.type(line + "\n")
    try terminal.wait(for: shown)
    terminal.type("exit\n")
    _ = try terminal.waitForExit()
    return terminal.screen
  }

  @Test(arguments: Shell.installed) func devicesOfTheRunningDaemonAreCompleted(
    shell: Shell
  ) throws {
    _ = try type("authctl --device ph\tdevice lock", in: shell, until: "phone is locked.")
  }

  @Test(arguments: Shell.installed) func aValueBehindAnEqualsSignIsCompleted(shell: Shell) throws {
    _ = try type("authctl --device=tab\tdevice lock", in: shell, until: "tablet is locked.")
  }

  @Test(arguments: Shell.installed) func policiesAreCompleted(shell: Shell) throws {
    _ = try type("authctl policy show biometrics-a\t", in: shell, until: "(shipped")
  }

  @Test(arguments: Shell.installed) func documentsKeysAndTablesAreCompleted(shell: Shell) throws {
    for words in [
      ["doc", "put", "notes/today.txt"], ["kv", "set", "theme", "dark"],
      ["table", "set", "tasks", "a", "title=Milk"],
    ] {
      let run = try Authctl.run(["--home", daemon.home, "--device", "phone"] + words)
      try #require(run.status == 0, "\(run)")
    }
    let start = "authctl --device phone "
    _ = try type(start + "doc remove no\t", in: shell, until: "notes/today.txt was removed")
    _ = try type(start + "kv get th\t", in: shell, until: "dark")
    _ = try type(start + "table list ta\t", in: shell, until: "title=Milk")
  }

  @Test(arguments: Shell.installed) func itemsWithBlanksAreCompletedHoweverTheyAreQuoted(
    shell: Shell
  ) throws {
    let start = ["--home", daemon.home, "--device", "phone"]
    let unlocked = try Authctl.run(start + ["device", "unlock", "--stdin"], input: "2468\n")
    try #require(unlocked.status == 0, "\(unlocked)")
    for (name, secret) in [
      ("mein Haus", "of the house"), ("mein Büro/jörg müller", "of the office"),
      (#"dein $x "q""#, "of the sign"),
    ] {
      let run = try Authctl.run(start + ["keychain", "add", name, "--stdin"], input: secret)
      try #require(run.status == 0, "\(run)")
    }
    let get = "authctl --device phone keychain get "
    for typed in ["mein\\ H\t", "\"mein H\t", "'mein H\t", "mein\\ Haus\t"] {
      _ = try type(get + typed, in: shell, until: "of the house")
    }
    for typed in ["mein\\ B\t", "\"mein B\t", "'mein B\t"] {
      _ = try type(get + typed, in: shell, until: "of the office")
    }
    for typed in ["de\t", "'de\t"] {
      _ = try type(get + typed, in: shell, until: "of the sign")
    }
  }

  @Test func bashCompletesBehindAQuoteWithinAWordAndAnEqualsSign() throws {
    let start = ["--home", daemon.home, "--device", "tablet"]
    _ = try Authctl.run(start + ["device", "unlock", "--stdin"], input: "2468\n")
    let run = try Authctl.run(start + ["keychain", "add", "mein Haus", "--stdin"], input: "of it")
    try #require(run.status == 0, "\(run)")
    let line = "authctl --device=tab\tkeychain get mein\" H\t"
    _ = try type(line, in: .bash, until: "of it")
  }

  @Test(arguments: Shell.installed) func verbsAndOptionsAreCompleted(shell: Shell) throws {
    _ = try type("authctl poli\tlis\t--js\t", in: shell, until: #""items":"#)
  }

  @Test(arguments: Shell.installed) func filesAreCompletedWithBlanksInTheirNames(
    shell: Shell
  ) throws {
    _ = try type("authctl policy check pol\t", in: shell, until: "is valid.")
  }
}

/// What `authctl completion SHELL -- WORDS` prints, which the shells read.
@Suite struct CompletionOfferTests {
  private let scratch = Scratch()

  private func offered(_ words: [String], home: String) throws -> [Substring] {
    let run = try Authctl.run(
      ["completion", "bash", "--"] + words,
      environment: ["LOCALAUTH_HOME=\(home)"]
    )
    #expect(run.status == 0, "\(run.errors)")
    return run.output.split(separator: "\n")
  }

  @Test func noDaemonIsStartedForIt() throws {
    let home = scratch.file("home")
    #expect(try offered(["--device", ""], home: home) == [])
    #expect(!Files.exists(home))
  }

  @Test func namesCarryAnExplanation() throws {
    let daemon = try DaemonProcess(home: scratch.file("home"))
    try daemon.connect().create("phone")
    #expect(try offered(["device", "delete", "p"], home: daemon.home) == ["phone\tsimulated"])
    let words = ["--home", daemon.home, "device", "delete", ""]
    #expect(try offered(words, home: "/nowhere").contains("phone\tsimulated"))
  }

  @Test func itemsAreOfferedByTheirNamesAndNobodyIsAsked() throws {
    let daemon = try DaemonProcess(home: scratch.file("home"))
    let client = try daemon.connect()
    try client.create("sim", passcode: "1234")
    try client.unlockSim()
    let words = ["--home", daemon.home, "--device", "sim", "keychain"]
    for more in [
      ["mail/me"], ["mail/you"], ["web"], ["map/me", "--access-control", "biometryAny"],
    ] {
      let added = try Authctl.run(words + ["add"] + more + ["--stdin"], input: "x")
      #expect(added.status == 0, "\(added.errors)")
    }
    #expect(
      try offered(words + ["get", "ma"], home: "/nowhere").sorted() == ["mail/me", "mail/you"]
    )
    #expect(try offered(words + ["delete", "w"], home: "/nowhere") == ["web"])
  }

  @Test func nothingIsOfferedBehindAVerbThatIsNotThere() throws {
    #expect(try offered(["nonsense", ""], home: "/nowhere") == [])
  }

  @Test func policiesAndProfilesAreFoundWithoutADaemon() throws {
    let policies = try offered(["evaluate", "--policy", "device-owner"], home: "/nowhere")
    #expect(policies.contains("device-owner\tshipped"))
    let profiles = try offered(["device", "create", "x", "--lockout", "app"], home: "/nowhere")
    #expect(profiles == ["apple\tshipped"])
  }

  @Test(arguments: [
    ["--user", ":users"], ["--home", ":directories"], ["policy", "check", ":files"],
  ]) func shellsListFilesAndAccountsThemselves(words: [String]) throws {
    let asked = Array(words.dropLast()) + ["x"]
    #expect(try offered(asked, home: "/nowhere") == [Substring(words[words.count - 1])])
  }
}
