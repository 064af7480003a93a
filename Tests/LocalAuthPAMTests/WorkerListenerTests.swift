import Glibc
import LocalAuthWire
import Testing

/// Workers that a listener of root's starts for the daemon of all users.
@Suite struct WorkerListenerTests {
  private let stack: PAMStack

  init() throws {
    stack = try PAMStack()
  }

  private func connect(_ listener: ListeningWorker) throws -> WorkerConnection {
    let connection = try listener.connect()
    try #require(try connection.next() == .ready)
    return connection
  }

  @Test func eachConnectionHasAWorkerOfItsOwn() throws {
    let listener = try ListeningWorker(in: stack.folder)
    try stack.script(auth: "[ask=Password: ] return=10")
    let connections = try (0..<3).map { _ in try connect(listener) }
    // All of them have a conversation at the same time.
    for connection in connections { try connection.start(stack.request()) }
    for connection in connections {
      #expect(try connection.next() == .prompt(conversation: 1, echo: false, text: "Password: "))
      connection.respond("x")
      #expect(try connection.finish().verdict == .userUnknown)
    }
  }

  @Test func aWorkerIsCalledByItsName() throws {
    let listener = try ListeningWorker(in: stack.folder)
    let connection = try connect(listener)
    let children = "/proc/\(listener.process)/task/\(listener.process)/children"
    let child = String(decoding: try ProcessMemory.read(children), as: UTF8.self)
    let line = try ProcessMemory.read("/proc/\(child.filter(\.isNumber))/cmdline")
    #expect(String(decoding: line.prefix { $0 != 0 }, as: UTF8.self) == "localauth-pam-worker")
    _ = connection
  }

  @Test(.enabled(if: getuid() == 0, "needs root: connects as another user"))
  func hangsUpOnOtherUsers() throws {
    let listener = try ListeningWorker(in: stack.folder)
    try #require(unsafe chmod(stack.folder, 0o755) == 0)
    try #require(unsafe chmod(listener.path, 0o777) == 0)
    let stranger = try PAMStack.compile("stranger.c", [], in: stack.folder)
    #expect(Program.run(stranger, [listener.path]) == .status(0))
    _ = try connect(listener)
  }

  @Test func rootIsNotTheDaemonEither() throws {
    let listener = try ListeningWorker(in: stack.folder, for: 54_321)
    #expect(try listener.connect().next() == nil)
  }

  @Test func daemonChoosesNeitherServiceNorFolder() throws {
    let listener = try ListeningWorker(in: stack.folder)
    try stack.script(auth: "")
    try stack.script(auth: "", named: "other-service")
    let connection = try connect(listener)
    let other = try stack.request(service: "other-service")
    #expect(try connection.judge(other).verdict == .authInfoUnavailable)
    let systems = try PAMRequest(service: "service", user: "somebody")
    #expect(try connection.judge(systems).verdict == .authInfoUnavailable)
    let another = try PAMRequest(
      service: "service",
      user: "somebody",
      configurationDirectory: stack.folder + "/"
    )
    #expect(try connection.judge(another).verdict == .authInfoUnavailable)
    #expect(try connection.judge(stack.request()).verdict == .success)
  }

  @Test func aConnectionTooManyWaitsAndEndsNoOther() throws {
    let listener = try ListeningWorker(in: stack.folder)
    try stack.script(auth: "[ask=Password: ] return=10")
    let first = try connect(listener)
    try first.start(stack.request())
    _ = try first.next()
    try listener.limitDescriptors(to: listener.descriptorCount)
    let second = try listener.connect()
    first.respond("x")
    #expect(try first.finish().verdict == .userUnknown)
    try listener.limitDescriptors(to: 1024)
    #expect(try second.next() == .ready)
  }

  @Test func workerThatHangsEndsWithItsConnection() throws {
    let listener = try ListeningWorker(in: stack.folder)
    try stack.script(auth: "[ask=Password: ] hang")
    var first: WorkerConnection? = try connect(listener)
    try first?.start(stack.request())
    #expect(try first?.next() != nil)
    first?.respond("x")
    let children = "/proc/\(listener.process)/task/\(listener.process)/children"
    #expect(try !ProcessMemory.read(children).isEmpty)
    first = nil
    while try !ProcessMemory.read(children).isEmpty { sched_yield() }
  }

  @Test func crashOfAModuleEndsItsConnectionAlone() throws {
    let listener = try ListeningWorker(in: stack.folder)
    try stack.script(auth: "crash")
    let first = try connect(listener)
    let second = try connect(listener)
    try first.start(stack.request())
    #expect(first.isAtEnd)
    try stack.script(auth: "")
    #expect(try second.judge(stack.request()).verdict == .success)
  }

  @Test func refusesASocketThatDoesNotListen() throws {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    try #require(unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0)
    defer { for end in ends { close(end) } }
    let started = Program.start(
      try SpawnedWorker.path,
      ["--listen", "--daemon", "0"],
      descriptor: ends[0]
    )
    #expect(try Program.wait(started.get()) == .status(EX_IOERR))
  }

  @Test func refusesAnAccountThatIsNotThere() throws {
    #expect(
      try Program.run(SpawnedWorker.path, ["--listen", "--daemon", "la-nobody-has-this"])
        == .status(EX_NOUSER)
    )
  }
}
