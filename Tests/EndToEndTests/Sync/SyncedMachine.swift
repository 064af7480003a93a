import Glibc
import LocalAuthUnix
import Testing

/// A daemon with one unlocked device, as its person types at it, and what is in its way to a hub.
final class SyncedMachine {
  let name: String
  let home: String
  /// The directory of its hub's socket.
  private let hub: String
  private let hasPasscode: Bool
  private(set) var daemon: DaemonProcess

  convenience init(
    _ name: String,
    in scratch: Scratch,
    _ server: PostgreSQLServer,
    fingers: [String] = [],
    hasPasscode: Bool = true
  ) throws {
    try self.init(
      name,
      in: scratch,
      hub: server.directory,
      fingers: fingers,
      hasPasscode: hasPasscode
    )
  }

  init(
    _ name: String,
    in scratch: Scratch,
    hub: String,
    fingers: [String] = [],
    hasPasscode: Bool = true
  ) throws {
    self.name = name
    self.hub = hub
    self.hasPasscode = hasPasscode
    home = try scratch.makeDirectory(name)
    daemon = try DaemonProcess(home: home)
    let passcode = hasPasscode ? ["--passcode-provider", "device", "--passcode-stdin"] : []
    try type(
      ["device", "create", "demo"] + fingers.flatMap { ["--finger", $0] } + passcode,
      "1234\n"
    )
    try unlock()
  }

  /// A machine with a copy of another one's home.
  init(_ name: String, in scratch: Scratch, hub: String, like home: String) throws {
    self.name = name
    self.hub = hub
    hasPasscode = true
    self.home = scratch.file(name)
    _ = try RunningProgram.run("/bin/cp", ["-a", home, self.home])
    daemon = try DaemonProcess(home: self.home)
    try unlock()
  }

  deinit { _ = try? daemon.stop() }

  /// What a command says; its status must be 0.
  @discardableResult
  func type(_ words: [String], _ input: String = "") throws -> String {
    let report = try run(words, input)
    try #require(report.status == 0, "\(name): \(words): \(report)")
    return report.output
  }

  func run(_ words: [String], _ input: String = "") throws -> RunningProgram.Report {
    try RunningProgram.run(
      Machine.authctl,
      ["--home", home, "--device", "demo"] + words,
      // A daemon that was killed stays so until the test starts another.
      environment: ["PATH=/usr/bin:/bin", "LOCALAUTH_DAEMON=/nonexistent"],
      input: input
    )
  }

  /// Runs a command that takes a code, and the passcode behind it if there is one.
  func run(_ words: [String], by code: String) throws -> RunningProgram.Report {
    let line = code.filter { $0 != "\n" } + "\n"
    guard hasPasscode else { return try run(words + ["--code-stdin"], line) }
    return try run(words + ["--code-stdin", "--passcode-stdin"], line + "1234\n")
  }

  func unlock() throws {
    guard hasPasscode else { return }
    try type(["device", "unlock", "--stdin"], "1234\n")
  }

  /// Kills the daemon as the kernel does, and starts another, with more in its environment.
  func crash(into environment: [String] = []) throws {
    try daemon.crash()
    daemon = try DaemonProcess(home: home, DaemonProcess.Options(environment: environment))
    try unlock()
  }

  // MARK: Between devices

  func found(_ code: String) throws {
    let said = try tryToFound(code)
    try #require(said.status == 0, "\(said)")
  }

  func tryToFound(_ code: String) throws -> RunningProgram.Report {
    try run(foundWords, by: code)
  }

  func letIn(_ other: SyncedMachine) throws {
    let words = try other.ask(try type(["sync", "invite", "--no-wait"]))
    try approve(words)
    try #require(try other.isInBeforeLong())
  }

  /// Asks to be let in by the device that showed this code; its words.
  func ask(_ code: String) throws -> String {
    let said = try join(code)
    try #require(said.status == 0, "\(said)")
    // Sooner than it asks by itself, if it was not heard.
    _ = try run(["sync", "now"])
    return said.output.filter { $0 != "\n" }
  }

  /// Waits until the device that was invited has asked.
  func awaitAnswer() throws {
    let isAsked = try eventually { try run(["sync", "approve", "--words", "none"]).status != 20 }
    try #require(isAsked)
  }

  /// Lets the device with these words in, once it has asked.
  func approve(_ words: String) throws {
    try awaitAnswer()
    try type(["sync", "approve", "--words", words, "--passcode-stdin"], "1234\n")
  }

  /// Whether it is a member before long.
  func isInBeforeLong() throws -> Bool {
    try eventually {
      // Sooner than it looks by itself.
      _ = try run(["sync", "now"])
      return try type(["sync", "status", "--json"]).contains(#""stage":"member""#)
    }
  }

  /// Joins the circle by its recovery key.
  func recover(_ key: String) throws -> RunningProgram.Report {
    try run(["sync", "recover", hub, "--database", "postgres", "--name", name], by: key)
  }

  /// What a person types to found a circle at this machine's hub.
  var foundWords: [String] {
    ["sync", "found", hub, "--database", "postgres", "--name", name]
  }

  /// What a person types to join a circle at this machine's hub.
  var joinWords: [String] {
    ["sync", "join", hub, "--database", "postgres", "--name", name]
  }

  /// Asks to be let in, once more as long as the hub is not reached.
  func join(_ code: String) throws -> RunningProgram.Report {
    let words = joinWords + ["--no-wait"]
    var said = try run(words, by: code)
    _ = try eventually {
      guard said.status == 69 else { return true }
      said = try run(words, by: code)
      return false
    }
    return said
  }

  /// Synchronizes, once more as long as the hub is not reached.
  func synchronizeAtLast() throws {
    let isDone = try eventually { try run(["sync", "now"]).status == 0 }
    try #require(isDone, "\(name) does not reach its hub")
  }

  func synchronize() throws { try type(["sync", "now"]) }

  /// Whether something is so before long; each look at it is a program that runs.
  func eventually(_ isSo: () throws -> Bool) throws -> Bool {
    let deadline = Deadline.after(.seconds(60))
    while !deadline.hasPassed {
      if try isSo() { return true }
    }
    return false
  }

  /// Whether the item has this secret before long; nil for no item.
  func has(_ account: String, _ secret: String?) throws -> Bool {
    try eventually {
      let report = try run(["keychain", "get", account])
      return secret.map { report.status == 0 && report.output == $0 } ?? (report.status == 20)
    }
  }

  func add(_ account: String, _ secret: String) throws {
    try type(["keychain", "add", account, "--synchronizable", "--stdin"], secret)
  }

  var status: String { get throws { try type(["sync", "status"]) } }
}
