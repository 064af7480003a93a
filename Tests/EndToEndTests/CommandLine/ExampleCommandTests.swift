import LocalAuthJSON
import LocalAuthUnix
import Testing

/// No command that our texts show goes on when nobody approves, also in a shell that one types into.
@Suite(.enabled(if: Files.exists("/bin/bash"), "needs bash"))
struct ExampleCommandTests {
  private let scratch = Scratch()
  private let daemon: DaemonProcess
  private let client: WireClient

  init() throws {
    daemon = try DaemonProcess(home: scratch.file("home"))
    client = try daemon.connect()
    for name in ["sim", "demo"] { try client.create(name, passcode: "2468") }
  }

  private static let escape = "\u{1B}"

  /// Types `example` into an interactive shell, and `keys` when it asks; whether what follows it was
  /// started.
  private func goesOn(_ example: Example, answering keys: String = escape) throws -> Bool {
    let marker = scratch.file("marker")
    Files.remove(marker)
    try scratch.write("#!/bin/sh\n: > \(marker)\n", to: "next", mode: 0o700)
    try scratch.write("#!/bin/sh\nread -r line && : > \(marker)\n", to: "reader", mode: 0o700)
    let shell = try TerminalProgram(
      ["/bin/bash", "--norc", "--noprofile", "-i"],
      environment: [
        "PATH=\(Machine.programs):/usr/bin:/bin", "LOCALAUTH_HOME=\(daemon.home)",
        "LOCALAUTH_DEVICE=sim", "LOCALAUTH_ALLOW_SIMULATED=1",
      ]
    )
    shell.type("cd \(scratch.path)\n")
    let command = example.followed(by: "./next", readBy: "./reader")
    // The echo of what is typed does not look like what is printed.
    shell.type("\(command); printf 'en''ded\\n'\n")
    if try shell.wait(forOneOf: ["SIMULATED DEVICE", "ended"]) != "ended" {
      shell.type(keys)
      try shell.wait(for: "ended")
    }
    shell.type("exit\n")
    _ = try shell.waitForExit()
    return Files.exists(marker)
  }

  @Test(arguments: try Example.all()) func noExampleGoesOnWhenSomebodySaysNo(
    _ example: Example
  ) throws {
    #expect(try !goesOn(example), "\(example.file): \(example.command)")
  }

  @Test func anExampleGoesOnWhenSomebodyApproves() throws {
    let command = "authctl evaluate --policy passcode --reason deploy && ./deploy"
    #expect(try goesOn(Example(file: "a test", command: command), answering: "2468\r"))
  }

  @Test func aShellThatDoesNotWaitWouldGoOn() throws {
    let command = "setsid authctl evaluate --policy passcode --reason deploy && ./deploy"
    #expect(try goesOn(Example(file: "a test", command: command)), "else the tests above are blind")
  }

  @Test func theExamplesAreFoundWhereTheyAreShown() throws {
    let files = Set(try Example.all().map(\.file))
    for file in [
      "/README.md", "/docs/man/authctl.1", "/Sources/authctl/Verbs/AgentVerb.swift",
      "/Sources/authctl/Verbs/EvaluateVerb.swift", "/Examples/README.md",
    ] {
      #expect(files.contains { $0.hasSuffix(file) }, "\(file)")
    }
  }

  @Test func noTextLeavesOutThatSetsidMustWait() throws {
    for file in try Example.files() {
      let text = try Files.text(file)
      #expect(!text.contains(/setsid\s+(?!--wait|-w)[^\n]*authctl/), "\(file)")
    }
  }
}

/// A command of our texts in which something follows from how `authctl evaluate` ends.
struct Example: Sendable, CustomStringConvertible {
  let file: String
  let command: String

  var description: String { command }

  /// The texts that people read.
  static func files() throws -> [String] {
    let roots = ["README.md", "SECURITY.md", "docs", "policies/README.md", "Examples", "Sources"]
    let found = try RunningProgram.run(
      "/usr/bin/find",
      roots.map { "\(Repository.path)/\($0)" }
        + ["-name", ".build", "-prune", "-o", "-type", "f", "-regex"]
        + [#".*\(\.md\|\.sh\|\.py\|\.swift\|\.[158]\)"#, "-print"]
    )
    return found.output.split(separator: "\n").map(String.init).sorted()
  }

  /// Every example of them.
  static func all() throws -> [Example] {
    // Most files have none, and to take their lines apart takes long.
    let found = try RunningProgram.run("/bin/grep", ["-l", "-e", "evaluate", "--"] + files())
    return try found.output.split(separator: "\n").map(String.init).flatMap { file in
      try logicalLines(of: Files.text(file)).map(bare).filter(isExample).map { line in
        Example(file: file, command: line)
      }
    }
  }

  /// The command with harmless programs in the place of what comes after it.
  func followed(by next: String, readBy reader: String) -> String {
    // What is done after a no is left out.
    let command = command.replacing(/\s+\|\|\s.*$/, with: "")
      .replacing(/&&.*$/, with: "&& \(next)")
      .replacing(/\s\|\s.*$/, with: " | \(reader)")
    return command.hasSuffix(next) || command.hasSuffix(reader) ? command : "\(command) && \(next)"
  }

  /// Lines, each joined to the next where it ends with a backslash.
  private static func logicalLines(of text: String) -> [String] {
    text.replacing(/\\\n\s*/, with: "").split(separator: "\n").map(String.init)
  }

  /// A line without what a manual page, a shell's prompt or an indent adds to a command.
  private static func bare(_ line: String) -> String {
    line.replacing(#/^\s*(\.Dl |\$ |/// )?\s*/#, with: "").replacing("\\(dq", with: "\"")
  }

  private static func isExample(_ line: String) -> Bool {
    guard line.contains(/\bauthctl\b.*\bevaluate\b/) else { return false }
    guard line.contains(#/^(\w+="?\$\(|if |! |setsid .*)?authctl /#) else { return false }
    return line.contains("&&") || line.contains("|") || line.contains("$(")
      || line.hasPrefix("setsid ") || line.hasPrefix("if ")
  }
}
