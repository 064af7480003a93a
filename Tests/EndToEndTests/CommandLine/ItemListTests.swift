import LocalAuthJSON
import LocalAuthUnix
import Testing

/// `authctl keychain list` as a person sees it.
@Suite struct ItemListTests {
  private let scratch = Scratch()
  private let daemon: DaemonProcess
  private var words: [String] { ["--home", daemon.home, "--device", "sim"] }

  init() throws {
    daemon = try DaemonProcess(home: scratch.file("home"))
    let client = try daemon.connect()
    try client.create("sim", passcode: "1234")
    try client.unlockSim()
  }

  private func add(_ service: String, _ account: String, _ more: [String] = []) throws {
    let run = try Authctl.run(
      words + ["keychain", "add", "--service", service, "--account", account, "--stdin"] + more,
      input: "secret"
    )
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test func itemsAreSortedByServiceAndAccount() throws {
    for (service, account) in [
      ("web", "bob"), ("Mail", "zoe"), ("mail", "ann"), ("web", "Ann"), ("Straße", "jürgen"),
    ] { try add(service, account) }
    let run = try Authctl.run(words + ["--json", "keychain", "list"])
    let names = try run.json["items"]?.elements.map { item in
      let attributes = item["attributes"]
      return "\(attributes?["svce"]?.string ?? "") \(attributes?["acct"]?.string ?? "")"
    }
    #expect(names == ["mail ann", "Mail zoe", "Straße jürgen", "web Ann", "web bob"])
  }

  @Test func whoCancelsThePromptSeesWhatNeedsNoProof() throws {
    try add("open", "ann")
    try add("closed", "bob", ["--access-control", "biometryAny"])
    let terminal = try TerminalProgram.authctl(words + ["keychain", "list"])
    try terminal.wait(for: "bob")
    terminal.type("q")
    #expect(try terminal.waitForExit() == .status(0), "\(terminal.screen)")
    #expect(terminal.screen.contains("ann"))
    #expect(terminal.screen.contains("Those that ask for a proof are left out."))
  }

  @Test func longNamesFitTheTerminalAndAreWholeInAFile() throws {
    let long = String(repeating: "long", count: 40)
    try add("mail", long)
    for columns in [40, 80, 132] {
      let terminal = try TerminalProgram(
        ["/bin/sh", "-c", #"stty cols "$0"; exec "$@""#, "\(columns)", Machine.authctl] + words
          + ["keychain", "list"]
      )
      #expect(try terminal.waitForExit() == .status(0))
      #expect(terminal.screen.contains("long") && terminal.screen.contains("…"))
      #expect(!terminal.screen.contains(long))
    }
    let run = try Authctl.run(words + ["keychain", "list"])
    #expect(run.output.contains(long))
  }
}
