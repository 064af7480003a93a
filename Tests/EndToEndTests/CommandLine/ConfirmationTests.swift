import Glibc
import LocalAuthJSON
import LocalAuthUnix
import Testing

/// What is asked at a terminal before something is destroyed.
@Suite struct ConfirmationTests {
  private let scratch = Scratch()
  private let daemon: DaemonProcess
  private let client: WireClient
  private var words: [String] { ["--home", daemon.home, "--device", "sim"] }

  init() throws {
    daemon = try DaemonProcess(home: scratch.file("home"))
    client = try daemon.connect()
    try client.create("sim")
    for account in ["ann", "bob", "cleo"] {
      let run = try Authctl.run(
        words + ["keychain", "add", "--service", "mail", "--account", account, "--stdin"],
        input: "secret"
      )
      #expect(run.status == 0, "\(run.errors)")
    }
  }

  private func items() throws -> Int {
    let run = try Authctl.run(words + ["--json", "keychain", "list"])
    return try run.json["items"]?.elements.count ?? -1
  }

  private func delete() throws -> TerminalProgram {
    try TerminalProgram.authctl(words + ["keychain", "delete", "--service", "mail"])
  }

  @Test func deletionSaysHowManyItemsAndWaitsForYes() throws {
    let refused = try delete()
    try refused.wait(for: "3 items will be deleted.")
    #expect(try items() == 3)
    refused.type("n\r")
    #expect(try refused.waitForExit() == .status(3), "\(refused.screen)")
    #expect(try items() == 3)
    #expect(refused.isRestored)
    let wanted = try delete()
    try wanted.wait(for: "y or n")
    wanted.type("y\r")
    #expect(try wanted.waitForExit() == .status(0), "\(wanted.screen)")
    #expect(wanted.screen.contains("3 items were deleted."))
    #expect(try items() == 0)
  }

  @Test func exportAsksBeforeItReplacesAFile() throws {
    let file = scratch.file("items.json")
    try Files.write(Array("mine".utf8), to: file, mode: 0o600)
    let export = words + ["keychain", "export", "--out", file]
    let refused = try TerminalProgram.authctl(export)
    try refused.wait(for: "will be replaced.")
    refused.type("n\r")
    #expect(try refused.waitForExit() == .status(3), "\(refused.screen)")
    #expect(String(decoding: try Files.read(file), as: UTF8.self) == "mine")
    let run = try Authctl.run(export + ["--non-interactive"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(String(decoding: try Files.read(file), as: UTF8.self).contains("cleo"))
  }

  @Test func nobodyIsAskedWithYesOrWithoutATerminal() throws {
    let one = try TerminalProgram.authctl(
      words + ["keychain", "delete", "--account", "ann", "--yes"]
    )
    #expect(try one.waitForExit() == .status(0), "\(one.screen)")
    #expect(one.screen.contains("1 item was deleted."))
    let rest = try Authctl.run(words + ["keychain", "delete", "--service", "mail"])
    #expect(rest.status == 0 && rest.errors.contains("2 items were deleted."), "\(rest.errors)")
    #expect(try items() == 0)
  }

  @Test func nothingIsAskedAboutNothing() throws {
    let none = try TerminalProgram.authctl(words + ["keychain", "delete", "--account", "nobody"])
    #expect(try none.waitForExit() == .status(20), "\(none.screen)")
    #expect(!none.screen.contains("y or n"))
  }

  @Test(arguments: [["--device", "nosuch", "device", "erase"], ["device", "delete", "nosuch"]])
  func nobodyIsAskedAboutADeviceThatIsNotThere(_ verb: [String]) throws {
    let none = try TerminalProgram.authctl(["--home", daemon.home] + verb)
    #expect(try none.waitForExit() == .status(78), "\(none.screen)")
    #expect(!none.screen.contains("y or n"), "\(none.screen)")
  }

  @Test func everyValueGoesOnlyAfterYes() throws {
    let remove = words + ["kv", "remove", "--all"]
    let empty = try TerminalProgram.authctl(remove)
    #expect(try empty.waitForExit() == .status(0), "\(empty.screen)")
    #expect(!empty.screen.contains("y or n"), "\(empty.screen)")
    for key in ["theme", "volume"] { _ = try Authctl.run(words + ["kv", "set", key, "1"]) }
    func values() throws -> Int? {
      try Authctl.run(words + ["--json", "kv", "list"]).json["items"]?.elements.count
    }
    let refused = try TerminalProgram.authctl(remove)
    try refused.wait(for: "2 values will be removed")
    refused.type("n\r")
    #expect(try refused.waitForExit() == .status(3), "\(refused.screen)")
    #expect(try values() == 2)
    let wanted = try TerminalProgram.authctl(remove)
    try wanted.wait(for: "y or n")
    wanted.type("y\r")
    #expect(try wanted.waitForExit() == .status(0), "\(wanted.screen)")
    #expect(try values() == 0)
  }

  @Test(arguments: [["device", "erase"], ["device", "delete", "sim"]])
  func deviceIsLostOnlyAfterYes(_ verb: [String]) throws {
    let refused = try TerminalProgram.authctl(words + verb)
    try refused.wait(for: "y or n")
    refused.type("\u{1B}")
    #expect(try refused.waitForExit() == .status(3), "\(refused.screen)")
    #expect(refused.screen.contains("protected"), "\(refused.screen)")
    #expect(refused.screen.contains("--with-file-keys"), "\(refused.screen)")
    #expect(try items() == 3)
    let wanted = try TerminalProgram.authctl(words + verb)
    try wanted.wait(for: "y or n")
    wanted.type("yes\r")
    #expect(try wanted.waitForExit() == .status(0), "\(wanted.screen)")
    #expect(try client.has("sim") == (verb[1] == "erase"))
  }

  /// Counting is a question about what is there, and changes nothing: not even by a peer that asks
  /// for it and for the deletion in turn.
  @Test func countOfADeletionIsWhatItDeletes() throws {
    let delete = Interface.keychain + "Delete"
    let query: JSONValue = ["class": "genp", "svce": "mail"]
    for _ in 0..<2 {
      let counted = try client.stream(
        delete,
        ["device": "sim", "allowSimulated": true, "query": query, "countOnly": true]
      )
      #expect(counted.last?.parameters["answer"]?["count"]?.integer == 3)
      #expect(try items() == 3)
    }
    let deleted = try client.stream(
      delete,
      ["device": "sim", "allowSimulated": true, "query": query]
    )
    #expect(deleted.last?.parameters["answer"]?["count"]?.integer == 3)
    #expect(try items() == 0)
  }
}
