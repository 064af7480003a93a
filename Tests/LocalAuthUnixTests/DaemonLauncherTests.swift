import Glibc
import LocalAuthTestSupport
import LocalAuthUnix
import Testing

@Suite struct DaemonLauncherTests {
  private let scratch = ScratchDirectory()

  private var socket: String { scratch.file("run/socket") }

  /// A launcher of the fixture, which behaves as `behaviour` says.
  private func launcher(
    _ behaviour: String,
    candidates: [String]? = nil,
    socket: String? = nil,
    environment: ProcessEnvironment = ProcessEnvironment(variables: [:]),
    timeout: Duration = .seconds(30)
  ) throws -> DaemonLauncher {
    scratch.makeDirectory("state")
    scratch.write(behaviour, to: "state/behaviour")
    let paths = try RuntimePaths(
      home: scratch.file("state"),
      socket: socket ?? self.socket,
      environment: ProcessEnvironment(variables: [:])
    )
    return DaemonLauncher(
      paths: paths,
      environment: environment,
      candidates: candidates ?? [FixtureProgram.path],
      timeout: timeout
    )
  }

  private func failure(_ launcher: DaemonLauncher) -> LaunchError? {
    do throws(LaunchError) {
      _ = try launcher.connect()
      return nil
    } catch {
      return error
    }
  }

  private func quit(_ launcher: DaemonLauncher) throws {
    var client = try launcher.connect()
    try client.send("quit")
    // The end of the connection is the end of the daemon.
    #expect(throws: ClientSocketError.self) { try client.receiveText() }
  }

  private var starts: Int { scratch.read("state/starts")?.count ?? 0 }

  @Test func startsTheDaemonAndTalksToIt() throws {
    let launcher = try launcher("serve")
    var client = try launcher.connect()
    try client.send("hello")
    #expect(try client.receiveText() == "hello")
    #expect(starts == 1)
    #expect(scratch.mode(of: "run") == 0o700)
    #expect(scratch.mode(of: "state/daemon.log") == 0o600)
    try quit(launcher)
  }

  @Test func tenClientsAtOnceStartOneDaemon() throws {
    let launcher = try launcher("serve")
    let answered = Counter()
    onThreads(10) { index in
      guard var client = try? launcher.connect() else { return }
      guard (try? client.send("client \(index)")) != nil else { return }
      if (try? client.receiveText()) == "client \(index)" { answered.increment() }
    }
    #expect(answered.value == 10)
    #expect(starts == 1)
    try quit(launcher)
  }

  @Test func daemonThatEndedIsStartedAgain() throws {
    let launcher = try launcher("serve")
    try quit(launcher)
    try quit(launcher)
    #expect(starts == 2)
  }

  @Test func runningDaemonNeedsNoProgram() throws {
    let first = try launcher("serve")
    _ = try first.connect()
    let second = try launcher("serve", candidates: [])
    try quit(second)
    #expect(starts == 1)
  }

  @Test func daemonGetsACleanProcess() throws {
    let variables = [
      "LANG": "de_DE.UTF-8", "HOME": "/home/u", "XDG_RUNTIME_DIR": "/run/user/7",
      "XDG_STATE_HOME": "relative", "XDG_CONFIG_HOME": "/config", "LD_PRELOAD": "/evil.so",
      "LOCALAUTH_DEVICE": "evil", "PATH": "/evil", "NOTIFY_SOCKET": "/evil",
    ]
    let launcher = try launcher(
      "serve",
      environment: ProcessEnvironment(variables: variables)
    )
    // One that a careless library left open across exec.
    // SAFETY: the string is a C string for the length of the call.
    let careless = FileDescriptor(owning: unsafe open("/dev/null", O_RDONLY))
    try quit(launcher)
    _ = consume careless
    let report = String(decoding: try #require(scratch.read("state/report")), as: UTF8.self)
    #expect(
      report == """
        env PATH=/usr/bin:/bin
        env LANG=de_DE.UTF-8
        env HOME=/home/u
        env XDG_RUNTIME_DIR=/run/user/7
        env XDG_CONFIG_HOME=/config
        fd 0
        fd 1
        fd 2
        fd 3
        cwd /
        leader 1

        """
    )
  }

  @Test func daemonThatEndsEarlyIsReportedWithItsLastLine() throws {
    scratch.makeDirectory("state")
    scratch.write("a line of the day before\n", to: "state/daemon.log")
    guard case .daemonFailed(let line, let log) = failure(try launcher("die")) else {
      Issue.record("no failure was noticed")
      return
    }
    // Without the escape that would colour the terminal.
    #expect(line == "the [31mlast line")
    #expect(log == scratch.file("state/daemon.log"))
    #expect(
      scratch.read("state/daemon.log").map { String(decoding: $0, as: UTF8.self) }
        == "a line of the day before\nfirst line\nthe \u{1b}[31mlast line\n"
    )
  }

  @Test func daemonThatSaysNothingIsReportedWithoutYesterdaysLine() throws {
    scratch.makeDirectory("state")
    scratch.write("a line of the day before\n", to: "state/daemon.log")
    let launcher = try launcher("", candidates: [FixtureProgram.path])
    guard case .daemonFailed(nil, _) = failure(launcher) else {
      Issue.record("no failure was noticed")
      return
    }
  }

  @Test func daemonThatOnlyClaimsToListenIsAFailure() throws {
    guard case .daemonFailed("not listening at all", _) = failure(try launcher("lie")) else {
      Issue.record("no failure was noticed")
      return
    }
  }

  @Test func daemonThatNeverGetsReadyIsGivenUp() throws {
    let launcher = try launcher("hang", timeout: .milliseconds(200))
    guard case .notReady(.milliseconds(200), _) = failure(launcher) else {
      Issue.record("no time-out")
      return
    }
    #expect(starts == 1)
  }

  @Test func starterThatNeverLetsGoIsGivenUp() throws {
    let launcher = try launcher("serve", timeout: .milliseconds(50))
    let directory = try PrivateDirectory(opening: scratch.file("state"))
    let lock = try FileLock(acquiring: "start.lock", in: directory)
    guard case .notReady = failure(launcher) else {
      Issue.record("two starters")
      return
    }
    #expect(starts == 0)
    _ = consume lock
  }

  @Test func overlongLogIsPutAside() throws {
    scratch.makeDirectory("state")
    let old = [UInt8](repeating: 0x61, count: (1 << 20) + 1)
    scratch.write(old, to: "state/daemon.log")
    guard case .daemonFailed = failure(try launcher("die")) else {
      Issue.record("no failure was noticed")
      return
    }
    #expect(scratch.read("state/daemon.log.1") == old)
    #expect(scratch.read("state/daemon.log")?.count ?? 0 < 100)
  }

  @Test func privilegedProgramStartsNothing() throws {
    let privileged = ProcessEnvironment(variables: [:], isPrivileged: true, userHome: "/home/u")
    guard case .privilegedProgram = failure(try launcher("serve", environment: privileged)) else {
      Issue.record("a daemon was started")
      return
    }
    #expect(starts == 0)
  }

  @Test func socketInASharedDirectoryIsRefused() throws {
    scratch.makeDirectory("shared", mode: 0o1777)
    let launcher = try launcher("serve", socket: scratch.file("shared/socket"))
    guard case .directory(.writableByOthers) = failure(launcher) else {
      Issue.record("a daemon was started")
      return
    }
    #expect(starts == 0)
  }

  @Test func logThatIsALinkIsRefused() throws {
    let launcher = try launcher("serve")
    scratch.link("state/daemon.log", to: scratch.file("elsewhere"))
    guard case .log(.notRegular) = failure(launcher) else {
      Issue.record("the link was followed")
      return
    }
    #expect(scratch.read("elsewhere") == nil)
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, to run a server as another user"))
  func foreignServerIsNeitherTrustedNorReplaced() throws {
    scratch.setMode(0o711)
    scratch.makeDirectory("run", mode: 0o711)
    let pair = try SocketPair()
    let server = try ChildProcess.spawn(
      SpawnRequest(
        executable: FixtureProgram.path,
        arguments: ["foreign", socket, "65534"],
        descriptors: [.null, .null, .null, .duplicate(of: pair.theirs.rawValue)]
      )
    )
    let ours = pair.takeOurs()
    #expect(isReadable(ours.rawValue, timeout: 30_000))
    guard case .connect(.foreignServer(65534)) = failure(try launcher("serve")) else {
      Issue.record("another user's server was trusted")
      return
    }
    #expect(starts == 0)
    _ = consume server
  }
}
