import Glibc
import LocalAuthWire
import Testing

/// What the worker does to its process, and how it is started.
@Suite struct WorkerProcessTests {
  private let stack: PAMStack

  init() throws {
    stack = try PAMStack()
  }

  @Test func environmentDoesNotReachModules() throws {
    let worker = try SpawnedWorker(environment: ["LA_PAM_TEST=1", "LANG=de_DE.UTF-8"])
    try stack.script(auth: "no-env=LA_PAM_TEST no-env=LANG return=7")
    #expect(try worker.judge(stack.request()).message == "Authentication failure")
  }

  @Test func socketMayHaveAnotherNumber() throws {
    let worker = try SpawnedWorker(number: 17)
    try stack.script(auth: "")
    #expect(try worker.judge(stack.request()).verdict == .success)
  }

  @Test func listeningSocketServesOneDaemonAfterTheOther() throws {
    let listener = try WorkerListener(in: stack.folder)
    try stack.script(auth: "return=10")
    for _ in 0..<3 {
      let connection = try listener.connect()
      #expect(try connection.next() == .ready)
      #expect(try connection.judge(stack.request()).verdict == .userUnknown)
    }
  }

  @Test(.enabled(if: getuid() == 0, "needs root: connects as another user"))
  func listeningSocketHangsUpOnOtherUsers() throws {
    let listener = try WorkerListener(in: stack.folder)
    try #require(unsafe chmod(stack.folder, 0o755) == 0)
    try #require(unsafe chmod(listener.path, 0o777) == 0)
    let stranger = try PAMStack.compile("stranger.c", [], in: stack.folder)
    #expect(Program.run(stranger, [listener.path]) == .status(0))
    #expect(try listener.connect().next() == .ready)
  }

  @Test(arguments: [["x"], ["2"], ["-1"], ["3", "4"], [""]])
  func refusesOtherArguments(arguments: [String]) throws {
    #expect(try Program.run(SpawnedWorker.path, arguments) == .status(EX_USAGE))
  }

  @Test func failsWithoutASocket() throws {
    #expect(try Program.run(SpawnedWorker.path, ["99"]) == .status(EX_IOERR))
  }

  @Test func memoryIsClosedToTheSameUser() throws {
    let worker = try SpawnedWorker()
    // The files of a process that may not be dumped belong to root.
    var facts = stat()
    try #require(unsafe stat("/proc/\(worker.process)/mem", &facts) == 0)
    #expect(facts.st_uid == 0)
    #expect(facts.st_mode & 0o077 == 0)
  }

  @Test(.enabled(if: getuid() == 0, "needs root: reads the memory of a process that forbids it"))
  func forgetsTheAnswer() throws {
    let worker = try SpawnedWorker()
    try stack.script(auth: "[ask=Password: ] expect-size=36 [ask=Second: ]")
    let answer = "unforgettable-\(UInt64.random(in: 1_000_000_000...9_999_999_999))-abcdefghijk"
    try #require(answer.utf8.count == 36)
    try worker.start(stack.request())
    #expect(try worker.next() != nil)
    worker.respond(answer)
    #expect(try worker.next() != nil)
    // The module still holds it, which shows that the search finds what is there.
    #expect(try ProcessMemory.occurrences(of: answer, in: worker.process) > 0)
    worker.respond("nothing")
    #expect(try worker.finish().verdict == .success)
    #expect(try ProcessMemory.occurrences(of: answer, in: worker.process) == 0)
  }
}
