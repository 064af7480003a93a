import Glibc
import LocalAuthCore
import Testing

/// What the worker does to its process, and how it is started.
@Suite struct WorkerProcessTests {
  private let stack: PAMStack

  init() throws {
    stack = try PAMStack()
  }

  @Test func environmentDoesNotReachModules() throws {
    let worker = try SpawnedWorker(stack, environment: ["LA_PAM_TEST=1", "LANG=de_DE.UTF-8"])
    // The module says that it is broken if it finds one of them.
    try stack.script(auth: "no-env=LA_PAM_TEST no-env=LANG return=7")
    #expect(try worker.judge() == .miss)
  }

  @Test(
    arguments: [
      ["x"], ["3"], [""], ["--listen", "4"], ["--listen", "--daemon"],
      ["--listen", "--service", "a", "--service", "b"], ["--daemon", "root"], ["--daemon", "-1"],
      ["--listen", "--confdir", ""], ["--confdir", "here"], ["--service", "../other"],
      ["--service", "Upper"], ["--service", ".hidden"], ["--socket", "/tmp/socket"],
    ]
  )
  func refusesOtherArguments(arguments: [String]) throws {
    #expect(try Program.run(SpawnedWorker.path, arguments) == .status(EX_USAGE))
  }

  @Test func saysWhoStartsItWhenThereIsNoSocket() throws {
    var ends: [Int32] = [-1, -1]
    try #require(unsafe pipe(&ends) == 0)
    defer { close(ends[0]) }
    for arguments in [[], ["--service", "x"], ["--listen", "--daemon", "0"]] {
      let started = Program.start(
        try SpawnedWorker.path,
        arguments,
        descriptor: ends[1],
        as: STDERR_FILENO
      )
      #expect(try Program.wait(started.get()) == .status(EX_USAGE), "\(arguments)")
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = unsafe read(ends[0], &bytes, bytes.count)
      let line = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
      #expect(line.hasPrefix("localauth-pam-worker: descriptor "), "\(line)")
      #expect(line.contains("localauthd") && line.count { $0 == "\n" } == 1, "\(line)")
    }
    close(ends[1])
  }

  @Test func noCoreFileIsLeft() throws {
    let worker = try SpawnedWorker(stack)
    try stack.script(auth: "")
    #expect(try worker.judge() == .match)
    let limits = try ProcessMemory.read("/proc/\(worker.process)/limits")
    let lines = String(decoding: limits, as: UTF8.self).split(separator: "\n")
    let core = try #require(lines.first { $0.hasPrefix("Max core file size") })
    #expect(core.split(separator: " ")[4...5] == ["0", "0"], "\(core)")
  }

  @Test func memoryIsClosedToTheSameUser() throws {
    let worker = try SpawnedWorker(stack)
    #expect(try worker.describes() != nil)
    // The files of a process that may not be dumped belong to root.
    var facts = stat()
    try #require(unsafe stat("/proc/\(worker.process)/mem", &facts) == 0)
    #expect(facts.st_uid == 0)
    #expect(facts.st_mode & 0o077 == 0)
  }

  @Test(.enabled(if: getuid() == 0, "needs root: reads the memory of a process that forbids it"))
  func forgetsTheAnswer() throws {
    let worker = try SpawnedWorker(stack)
    try stack.script(auth: "[ask=Password: ] expect-size=36 [ask=Second: ]")
    let answer = "unforgettable-\(UInt64.random(in: 1_000_000_000...9_999_999_999))-abcdefghijk"
    try #require(answer.utf8.count == 36)
    try worker.start()
    #expect(try worker.next() != nil)
    try worker.respond(answer)
    #expect(try worker.next() != nil)
    // The module still holds it, which shows that the search finds what is there.
    #expect(try ProcessMemory.occurrences(of: answer, in: worker.process) > 0)
    try worker.respond("nothing")
    #expect(try worker.finish() == .match)
    #expect(try ProcessMemory.occurrences(of: answer, in: worker.process) == 0)
  }
}
