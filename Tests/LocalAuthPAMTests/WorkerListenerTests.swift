import CLocalAuthLinux
import Glibc
import LocalAuthCore
import LocalAuthWire
import Testing

/// Workers that a listener of root's starts for the daemon of all users.
@Suite struct WorkerListenerTests {
  private let stack: PAMStack

  init() throws {
    stack = try PAMStack()
  }

  @Test func eachConnectionHasAWorkerOfItsOwn() throws {
    let listener = try ListeningWorker(in: stack.folder)
    try stack.script(auth: "[ask=Password: ] return=10")
    let workers = try (0..<3).map { _ in try listener.connect() }
    // All of them have an attempt at the same time.
    for worker in workers { try worker.start() }
    for worker in workers {
      #expect(try worker.next() == .asks(text: "Password: ", echoes: false))
      try worker.respond("x")
      #expect(try worker.finish() == .miss)
    }
  }

  @Test func aWorkerIsCalledByItsName() throws {
    let listener = try ListeningWorker(in: stack.folder)
    let worker = try listener.connect()
    #expect(try worker.describes() != nil)
    let child = try #require(try listener.children.first)
    let words = try ProcessMemory.read("/proc/\(child)/cmdline").split(separator: 0).map {
      String(decoding: $0, as: UTF8.self)
    }
    // The service and the account are on its command line, as root named them.
    #expect(
      words == [
        "localauth-pam-worker", "--service", "service", "--confdir", stack.folder, "--daemon",
        "\(getuid())",
      ]
    )
  }

  @Test(.enabled(if: getuid() == 0, "needs root: connects as another user"))
  func hangsUpOnOtherUsers() throws {
    let listener = try ListeningWorker(in: stack.folder)
    try #require(unsafe chmod(stack.folder, 0o755) == 0)
    try #require(unsafe chmod(listener.path, 0o777) == 0)
    let stranger = try PAMStack.compile("stranger.c", [], in: stack.folder)
    #expect(Program.run(stranger, [listener.path]) == .status(0))
    // Nor does its worker serve another user, whoever made the socket.
    let worker = try listener.connect()
    #expect(try worker.describes() != nil)
    try #require(unsafe chmod(worker.path, 0o777) == 0)
    #expect(Program.run(stranger, [worker.path]) == .status(0))
  }

  @Test func rootIsNotTheDaemonEither() throws {
    let listener = try ListeningWorker(in: stack.folder, for: 54_321)
    #expect(try listener.connect().lifeline.isAtEnd)
  }

  @Test func daemonChoosesNeitherServiceNorFolder() throws {
    let listener = try ListeningWorker(in: stack.folder)
    try stack.script(auth: "")
    try stack.script(auth: "return=7", named: "other-service")
    let worker = try listener.connect()
    // A call that names one is none.
    let socket = try CallSocket(connectedTo: worker.path)
    socket.send(
      Array(
        """
        {"method":"io.localauth.Authenticator.Arm","more":true,"parameters":{"attempt":\
        "\(WorkerConnection.freshName())","user":"somebody","milliseconds":1,\
        "service":"other-service"}}
        """.utf8
      ) + [0]
    )
    #expect(
      try socket.reply(AuthenticatorMessages.ArmReply.self)?.error == "InvalidParameter"
    )
    #expect(try worker.judge() == .match)
  }

  @Test func aConnectionTooManyWaitsAndEndsNoOther() throws {
    let listener = try ListeningWorker(in: stack.folder)
    try stack.script(auth: "[ask=Password: ] return=10")
    let first = try listener.connect()
    try first.start()
    _ = try first.next()
    try listener.limitDescriptors(to: listener.descriptorCount)
    let second = try listener.connect()
    // The end of the first one would give room for the connection, and none for its socket and its worker.
    try listener.limitDescriptors(to: 1024)
    try first.respond("x")
    #expect(try first.finish() == .miss)
    #expect(try second.describes() != nil)
  }

  @Test func workerThatHangsEndsWithItsConnection() throws {
    let listener = try ListeningWorker(in: stack.folder)
    try stack.script(auth: "[ask=Password: ] hang")
    let first = try listener.connect()
    try first.start()
    #expect(try first.next() != nil)
    try first.respond("x")
    #expect(try !listener.children.isEmpty)
    first.lifeline.hangUp()
    while try !listener.children.isEmpty { sched_yield() }
    #expect(try first.next() == nil)
  }

  @Test func crashOfAModuleEndsItsConnectionAlone() throws {
    let listener = try ListeningWorker(in: stack.folder)
    try stack.script(auth: "crash")
    let first = try listener.connect()
    let second = try listener.connect()
    try first.start()
    #expect(try first.next() == nil)
    #expect(first.lifeline.isAtEnd)
    try stack.script(auth: "")
    #expect(try second.judge() == .match)
  }

  // MARK: What is passed

  /// Connects, passes what `pass` does, and expects that the listener hangs up and starts nothing.
  private func expectRefused(
    _ listener: ListeningWorker,
    _ pass: (CallSocket) throws -> Void
  ) throws {
    let connection = try CallSocket(connectedTo: listener.path)
    try pass(connection)
    #expect(connection.isAtEnd)
    #expect(try listener.children.isEmpty)
  }

  @Test func takesNothingButOneListeningSocket() throws {
    let listener = try ListeningWorker(in: stack.folder)
    let file = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { close(file) }
    let idle = CallSocket(owning: try CallSocket.socket())
    let connected = try CallSocket(connectedTo: listener.path)
    let datagrams = CallSocket(
      owning: socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    )
    for wrong in [file, idle.descriptor, connected.descriptor, datagrams.descriptor] {
      try expectRefused(listener) { #expect(la_send_descriptor($0.descriptor, wrong) == 0) }
    }
    // A byte without a descriptor, and a hang-up without a byte.
    try expectRefused(listener) { $0.send([0]) }
    try expectRefused(listener) { shutdown($0.descriptor, Int32(SHUT_WR)) }
  }

  @Test func takesNoSecondSocket() throws {
    let listener = try ListeningWorker(in: stack.folder)
    let place = "\(stack.folder)/place.sock"
    let socket = try CallSocket(listeningAt: place)
    for count in [2, 3, 5, 100] {
      try expectRefused(listener) { connection in
        #expect(
          DescriptorMessage.send(
            Array(repeating: socket.descriptor, count: count),
            over: connection.descriptor
          )
        )
      }
    }
    // None of them is kept: the connections are the last that it holds.
    let count = listener.descriptorCount
    for _ in 0..<20 {
      try expectRefused(listener) { connection in
        #expect(
          DescriptorMessage.send(
            [socket.descriptor, socket.descriptor],
            over: connection.descriptor
          )
        )
      }
    }
    #expect(listener.descriptorCount == count)
  }

  @Test func silenceIsNotWaitedForAndHoldsUpNobody() throws {
    let listener = try ListeningWorker(in: stack.folder)
    try stack.script(auth: "")
    let silent = try (0..<3).map { _ in try CallSocket(connectedTo: listener.path) }
    #expect(try listener.connect().judge() == .match)
    for connection in silent { #expect(connection.isAtEnd) }
  }

  @Test func oneConnectionMoreThanTheLimitIsClosed() throws {
    let listener = try ListeningWorker(in: stack.folder)
    var connections: [CallSocket] = []
    // More than the queue of the socket, which the listener empties.
    for _ in 0..<70 { connections.append(try CallSocket(connectedTo: listener.path)) }
    #expect(try #require(connections.last).isAtEnd)
    connections = []
    try stack.script(auth: "")
    while true {
      let worker = try listener.connect()
      if (try? worker.judge()) == .match { break }
    }
  }

  // MARK: Starting

  @Test func refusesASocketThatDoesNotListen() throws {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    try #require(unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0)
    defer { for end in ends { close(end) } }
    for arguments in [["--listen", "--daemon", "0"], []] {
      let started = Program.start(try SpawnedWorker.path, arguments, descriptor: ends[0])
      #expect(try Program.wait(started.get()) == .status(EX_IOERR))
    }
  }

  @Test func refusesAnAccountThatIsNotThere() throws {
    #expect(
      try Program.run(SpawnedWorker.path, ["--listen", "--daemon", "la-nobody-has-this"])
        == .status(EX_NOUSER)
    )
  }
}
