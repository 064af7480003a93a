import Glibc
import LocalAuthJSON
import LocalAuthUnix
import Testing

/// `localauthd --system` that root starts without a service manager.
@Suite(
  .enabled(if: SystemService.canRun, "needs root, setpriv, a C compiler and a reachable build")
)
struct SystemByHandTests {
  private static let ann: UInt32 = 54_401
  private let scratch = Scratch()
  private var home: String { scratch.file("state") }
  private var socket: String { scratch.file("run/socket") }

  init() { Files.setMode(0o755, of: scratch.path) }

  private func start(
    _ more: [String] = [],
    account: String = "\(SystemService.uid)",
    uid: UInt32? = nil
  ) throws -> DaemonProcess {
    try DaemonProcess(
      home: home,
      .init(
        arguments: [
          "--system", "--journal-socket", scratch.file("no-journal"), "--account", account,
        ]
          + more,
        uid: uid,
        socket: socket
      )
    )
  }

  /// What a daemon that does not start says.
  private func refusal(account: String = "\(SystemService.uid)", uid: UInt32? = nil) -> String {
    do {
      try start(account: account, uid: uid).stop()
      return "it started"
    } catch let error as DaemonProcess.NotStarted {
      return error.exit == .status(69) ? error.errors : "\(error)"
    } catch {
      return "\(error)"
    }
  }

  /// Owner, group and mode as stat(1) tells them.
  private func facts(_ path: String) throws -> String {
    try RunningProgram.run("/usr/bin/stat", ["--format=%u %g %a %F", path]).output
  }

  @Test func rootMakesTheSocketAndNothingOfRootIsLeft() throws {
    let daemon = try start()
    let (uid, status) = (SystemService.uid, try Files.text("/proc/\(daemon.processID)/status"))
    func field(_ name: String) -> [Substring] {
      status.split(separator: "\n").first { $0.hasPrefix(name + ":") }?
        .split { $0 == "\t" || $0 == " " }.dropFirst().map { $0 } ?? []
    }
    #expect(field("Uid") == Array(repeating: "\(uid)", count: 4))
    #expect(field("Gid") == Array(repeating: "\(uid)", count: 4))
    #expect(field("Groups").isEmpty)
    for set in ["CapInh", "CapPrm", "CapEff", "CapAmb"] {
      #expect(field(set) == ["0000000000000000"], "\(set)")
    }
    #expect(field("NoNewPrivs") == ["1"])
    #expect(try facts(scratch.file("run")) == "0 0 755 directory\n")
    #expect(try facts(socket) == "0 0 666 socket\n")
    #expect(try facts(home) == "\(uid) \(uid) 700 directory\n")
    for file in try Files.names(in: home) {
      #expect(try facts("\(home)/\(file)").hasPrefix("\(uid) \(uid) 600 "), "\(file)")
    }
  }

  @Test func theDaemonHasNothingOfWhoStartedIt() throws {
    try scratch.write("a secret of root's", to: "roots")
    let terminal = try TerminalProgram([
      "/bin/sh", "-c", #"cd /root; exec 9<"$0"; exec "$@""#, scratch.file("roots"),
      Machine.sharedPrograms.file("localauthd"), "--system", "--journal-socket",
      scratch.file("no-journal"), "--account", "\(SystemService.uid)", "--home", home, "--socket",
      socket,
    ])
    let process = "/proc/\(terminal.programID)"
    // Whoever is served is served by a daemon that has dropped everything.
    let deadline = Deadline.after(.seconds(60))
    while (try? OtherUser(Self.ann, connectedTo: socket).client.create("sim")) == nil {
      try #require(!deadline.hasPassed, "it never served: \(terminal.screen)")
    }
    func link(_ name: String) throws -> String {
      try RunningProgram.run("/usr/bin/readlink", ["\(process)/\(name)"]).output
    }
    let (directory, input) = (try link("cwd"), try link("fd/0"))
    #expect(directory == "/\n")
    #expect(input == "/dev/null\n")
    for descriptor in try Files.names(in: "\(process)/fd") {
      #expect(try !link("fd/\(descriptor)").contains("roots"), "\(descriptor)")
    }
    let facts = try Files.text("\(process)/stat")
    let number = facts.drop { $0 != ")" }.split(separator: " ")[5]
    #expect(number == "0", "it still has a controlling terminal")
    for descriptor in 1...2 {
      let flags = try Files.text("\(process)/fdinfo/\(descriptor)").split(separator: "\n")
      let mode = flags.first { $0.hasPrefix("flags:") }?.last
      #expect(mode == "1", "descriptor \(descriptor) can be read")
    }
    #expect(try terminal.end(SIGTERM) == .status(0))
  }

  @Test func directoryThatRootKeepsClosedIsNotOpened() throws {
    let run = try scratch.makeDirectory("run", mode: 0o700)
    #expect(refusal().contains("\(run) is closed to other users"))
    #expect(try facts(run) == "0 0 700 directory\n")
    #expect(refusal(account: "no-such-account").contains("useradd --system"))
    #expect(try facts(run) == "0 0 700 directory\n")
  }

  @Test func missingDirectoriesAboveTheSocketAreOpenToAll() throws {
    let deep = scratch.file("new/deep/socket")
    let daemon = try DaemonProcess(
      home: home,
      .init(
        arguments: [
          "--system", "--journal-socket", scratch.file("no-journal"), "--account",
          "\(SystemService.uid)",
        ],
        uid: nil,
        socket: deep
      )
    )
    for name in ["new", "new/deep"] {
      #expect(try facts(scratch.file(name)) == "0 0 755 directory\n")
    }
    try OtherUser(Self.ann, connectedTo: deep).client.create("sim")
    #expect(daemon.program.isRunning)
  }

  @Test func othersConnectAndTheirDevicesOutliveTheDaemon() throws {
    let first = try start()
    let ann = try OtherUser(Self.ann, connectedTo: socket)
    try ann.client.create("sim")
    #expect(try ann.client.evaluate(on: "sim", script: "miss,cancel").misses == 1)
    #expect(try first.stop() == .status(0), "\(first.log)")
    // The daemon could not remove root's socket; root's next one replaces it.
    #expect(Files.exists(socket))
    let second = try start()
    #expect(try OtherUser(Self.ann, connectedTo: socket).client.status("sim").attemptsLeft == 2)
    try second.crash()
    let third = try start()
    #expect(try OtherUser(Self.ann, connectedTo: socket).client.status("sim").attemptsLeft == 2)
    // A second one leaves the first alone.
    #expect(refusal().contains("in use"))
    #expect(try OtherUser(Self.ann, connectedTo: socket).client.status("sim").attemptsLeft == 2)
    #expect(third.program.isRunning)
  }

  @Test(arguments: ["no-such-account", "root", "0", "-1", "", "4294967295"])
  func accountThatIsNoneOrRootIsRefused(_ account: String) {
    #expect(refusal(account: account).contains("useradd --system"))
    #expect(!Files.exists(home))
  }

  @Test func directoryThatOthersCanWriteIsNotUsed() throws {
    let run = try scratch.makeDirectory("run", mode: 0o777)
    #expect(refusal().contains("run chmod 755 \(run)"))
    Files.setMode(0o755, of: run)
    _ = try RunningProgram.run("/bin/chown", ["\(Self.ann)", run])
    #expect(refusal().contains("run chown root \(run)"))
  }

  @Test func otherUserIsToldThatRootHasToStartIt() throws {
    _ = try scratch.makeDirectory("run", mode: 0o755)
    let said = refusal(uid: SystemService.uid)
    #expect(said.contains("start localauthd --system as root"))
    #expect(!said.contains("correct its owner"))
    #expect(try facts(scratch.file("run")) == "0 0 755 directory\n")
  }

  @Test func stateOfAnotherUserIsNotTaken() throws {
    _ = try scratch.makeDirectory("state")
    #expect(refusal().contains("run chown -R \(SystemService.uid): \(home)"))
    #expect(try facts(home) == "0 0 700 directory\n")
    #expect(try Files.names(in: home).isEmpty)
    // Nor through a link that somebody put there.
    _ = try RunningProgram.run("/bin/rm", ["-r", home])
    _ = try scratch.makeDirectory("roots")
    _ = try RunningProgram.run("/bin/ln", ["-s", scratch.file("roots"), home])
    #expect(refusal().contains("is not a directory"))
    #expect(try facts(scratch.file("roots")) == "0 0 700 directory\n")
  }

  @Test func workersMakeTheirOwnSocketForTheDaemonAlone() throws {
    let module = try TestModule()
    let path = scratch.file("pam/socket")
    let words = [
      "--listen", "--socket", path, "--daemon", "\(SystemService.uid)", "--service", "permit",
      "--confdir", module.directory,
    ]
    func listen() throws -> RunningProgram {
      try RunningProgram(
        SpawnRequest(
          executable: Machine.sharedPrograms.file("localauth-pam-worker"),
          arguments: words,
          environment: ["PATH=/usr/bin:/bin"],
          descriptors: [.null, .null, .null]
        )
      )
    }
    func evaluate() throws -> String {
      let daemon = try start([
        "--pam-socket", path, "--pam-service", "permit", "--pam-confdir", module.directory,
      ])
      let root = try daemon.connect()
      let evaluated = Evaluated(
        replies: try root.stream(
          Interface.authentication + "Evaluate",
          ["policy": "passcode", "reason": "x", "script": "passcode:x", "scriptIsArgument": false]
        )
      )
      try daemon.stop()
      return evaluated.outcome
    }
    let first = try listen()
    let deadline = Deadline.after(.seconds(60))
    // The socket is there a moment before it is the daemon's.
    let socket = "\(SystemService.uid) 0 600 socket\n"
    while try facts(path) != socket, first.isRunning, !deadline.hasPassed {}
    #expect(try facts(scratch.file("pam")) == "0 0 755 directory\n")
    #expect(try facts(path) == socket)
    #expect(try evaluate() == "success")
    // A second one does not take the place of the first; after its end one does.
    #expect(try listen().waitForExit() == .status(74))
    try first.end(SIGKILL)
    let next = try listen()
    while next.isRunning, (try? evaluate()) != "success", !deadline.hasPassed {}
    #expect(next.isRunning)
  }
}
