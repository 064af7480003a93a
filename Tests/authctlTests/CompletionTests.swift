import Glibc
import Testing

@testable import authctl

@Suite struct CompletionTests {
  @Test(
    .enabled(if: Shell.isInstalled("bash")),
    arguments: [
      ("", "evaluate device check replay completion"),
      ("ev", "evaluate"),
      ("device ", "create list"),
      ("--device phone device cr", "create"),
      ("--device=phone device cr", "create"),
      ("device create --se", "--sensor"),
      ("device create --sensor ", "simulated none"),
      ("device create --sensor=s", "simulated"),
      ("device create name --sensor n", "none"),
      ("completion ", "bash zsh fish"),
      ("completion bash ", ""),
      ("evaluate --policy device ", ""),
      ("evaluate --no", "--non-interactive"),
      ("evaluate --ver", "--version"),
      ("check /etc/os-rel", "/etc/os-release"),
      ("--home /usr/sb", "/usr/sbin"),
    ]
  )
  func bashOffersWhatTheTableSays(typed: String, expected: String) {
    let script = CompletionShell.bash.script(for: Sample.line)
    // Readline parts words at `=` too, which is what the script must live with.
    let driver = """
      compopt() { :; }
      line=\(ShellQuote.single("authctl " + typed))
      read -r -a COMP_WORDS <<< "${line//=/ = }"
      [[ $line == *" " || $line == *"=" ]] && COMP_WORDS+=("")
      COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
      _authctl
      echo "${COMPREPLY[*]}"
      """
    #expect(Shell.run("bash", script + driver) == expected + "\n")
  }

  @Test(arguments: CompletionShell.allCases.filter { Shell.isInstalled($0.rawValue) })
  func shellAcceptsItsScript(shell: CompletionShell) {
    let output = Shell.run(
      shell.rawValue,
      shell.script(for: Sample.line),
      options: "-n",
      then: "echo accepted"
    )
    #expect(output == "accepted\n")
  }

  @Test(
    .enabled(if: Shell.isInstalled("fish")),
    arguments: [
      ("device ", ["create", "list"]),
      ("--device phone device cr", ["create"]),
      ("device create --sensor ", ["none", "simulated"]),
      ("device create --sensor=s", ["--sensor=simulated"]),
      ("completion ", ["bash", "fish", "zsh"]),
      ("completion bash ", []),
      ("evaluate --no", ["--non-interactive"]),
    ]
  )
  func fishOffersWhatTheTableSays(typed: String, expected: [String]) {
    let script = CompletionShell.fish.script(for: Sample.line)
    let driver = "\ncomplete -C \(ShellQuote.single("authctl " + typed))\n"
    let offered = Shell.run("fish", script + driver).split(separator: "\n")
      .map { $0.split(separator: "\t").first.map { String($0) } ?? "" }
    #expect(offered.sorted() == expected)
  }

  @Test(arguments: CompletionShell.allCases)
  func namesEveryVerbAndOption(shell: CompletionShell) {
    let script = shell.script(for: Sample.line)
    for (_, command) in Sample.line.allCommands {
      #expect(script.contains(command.name))
      for option in command.options { #expect(script.contains(option.name)) }
    }
  }

  @Test func quotesWhatShellsWouldRead() {
    #expect(ShellQuote.single("a `b` $(c) d") == "'a `b` $(c) d'")
    #expect(ShellQuote.single("don't") == "'don\u{2019}t'")
    #expect(ShellQuote.escape("a[b]:c", "[]:") == "a\\[b\\]\\:c")
  }
}

/// Runs scripts with the shells that are installed.
private enum Shell {
  static func isInstalled(_ name: String) -> Bool {
    // SAFETY: the string lives for the call.
    unsafe system("command -v \(name) >/dev/null 2>&1") == 0
  }

  /// Standard output of `name` reading `script` from a temporary file.
  static func run(
    _ name: String,
    _ script: String,
    options: String = "",
    then next: String = "true"
  ) -> String {
    var path = Array("/tmp/authctl-completion-XXXXXX".utf8CString)
    // SAFETY: the template is a writable, terminated string.
    let descriptor = unsafe mkstemp(&path)
    let file = String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { _ = unsafe unlink(file) }
    var bytes = Array(script.utf8)
    // SAFETY: the buffer holds `bytes.count` bytes.
    _ = unsafe write(descriptor, &bytes, bytes.count)
    close(descriptor)
    guard let stream = unsafe popen("\(name) \(options) \(file) && \(next)", "r") else { return "" }
    var output: [UInt8] = []
    while true {
      let character = unsafe fgetc(stream)
      guard character != EOF else { break }
      output.append(UInt8(truncatingIfNeeded: character))
    }
    unsafe pclose(stream)
    return String(decoding: output, as: UTF8.self)
  }
}
