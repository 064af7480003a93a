import CLocalAuthLinux
import Glibc
import LocalAuthTestSupport
import LocalAuthUnix
import Synchronization
import Testing

@Suite struct ChildProcessTests {
  /// Runs `script` with its standard output in a pipe, and says what it printed and how it ended.
  private func run(
    _ script: String,
    environment: [String] = ["PATH=/usr/bin:/bin"],
    more: [SpawnRequest.Descriptor] = []
  ) throws -> (output: String, exit: ChildProcess.Exit) {
    let pair = try SocketPair()
    var child = try ChildProcess.spawn(
      SpawnRequest(
        executable: "/bin/sh",
        arguments: ["-c", script],
        environment: environment,
        descriptors: [.null, .duplicate(of: pair.theirs.rawValue), .null] + more
      )
    )
    let ours = pair.takeOurs()
    let output = text(of: ours.rawValue)
    return (output, try child.waitForExit())
  }

  private func failure(_ request: SpawnRequest) -> SystemError? {
    do throws(SystemError) {
      _ = try ChildProcess.spawn(request)
      return nil
    } catch {
      return error
    }
  }

  @Test func argumentsArriveAsTheyAre() throws {
    let pair = try SocketPair()
    let words = ["%s|", "a b", "", "$HOME", "*", "ü"]
    var child = try ChildProcess.spawn(
      SpawnRequest(
        executable: "/usr/bin/printf",
        arguments: words,
        descriptors: [.null, .duplicate(of: pair.theirs.rawValue), .null]
      )
    )
    let ours = pair.takeOurs()
    #expect(text(of: ours.rawValue) == "a b||$HOME|*|ü|")
    #expect(try child.waitForExit() == .status(0))
  }

  @Test func environmentIsExactlyWhatIsGiven() throws {
    let pair = try SocketPair()
    var child = try ChildProcess.spawn(
      SpawnRequest(
        executable: "/usr/bin/env",
        environment: ["A=1", "B=x y"],
        descriptors: [.null, .duplicate(of: pair.theirs.rawValue), .null]
      )
    )
    let ours = pair.takeOurs()
    #expect(text(of: ours.rawValue) == "A=1\nB=x y\n")
    #expect(try child.waitForExit() == .status(0))
  }

  @Test func nothingIsInheritedButTheNamedDescriptors() throws {
    // One that a careless library left open across exec.
    // SAFETY: the string is a C string for the length of the call.
    let careless = FileDescriptor(owning: unsafe open("/dev/null", O_RDONLY))
    #expect(fcntl(careless.rawValue, F_GETFD) == 0)
    let result = try run("exec ls /proc/self/fd", more: [.duplicate(of: careless.rawValue)])
    // The last is the directory that ls reads.
    #expect(result.output == "0\n1\n2\n3\n4\n")
  }

  @Test func descriptorsMayBeSwapped() throws {
    let input = try SocketPair()
    let output = try SocketPair()
    // The request names sources whose numbers may be targets of others.
    var child = try ChildProcess.spawn(
      SpawnRequest(
        executable: "/bin/sh",
        arguments: ["-c", "read word <&5; echo got $word >&4"],
        descriptors: [
          .null, .null, .null, .null, .duplicate(of: output.theirs.rawValue),
          .duplicate(of: input.theirs.rawValue),
        ]
      )
    )
    let writer = input.takeOurs()
    let reader = output.takeOurs()
    let word = Array("ping\n".utf8)
    // SAFETY: the array is valid for the call.
    #expect(unsafe write(writer.rawValue, word, word.count) == word.count)
    #expect(text(of: reader.rawValue) == "got ping\n")
    #expect(try child.waitForExit() == .status(0))
  }

  @Test func sourcesBelowTheTargetsSurviveTheMapping() throws {
    // Descriptors 0, 1 and 2 of this process, in reverse, all below the three targets.
    let result = try run(
      "for n in 3 4 5; do [ -e /proc/self/fd/$n ] && echo $n; done",
      more: [.duplicate(of: 2), .duplicate(of: 1), .duplicate(of: 0)]
    )
    #expect(result.output == "3\n4\n5\n")
  }

  @Test func signalsAreUnblockedAndAtTheirDefaults() throws {
    #expect(la_ignore_broken_pipes() == 0)
    var blocked = sigset_t()
    var before = sigset_t()
    // SAFETY: the sets are valid for the calls; the mask of this thread is put back below.
    unsafe sigemptyset(&blocked)
    unsafe sigaddset(&blocked, SIGUSR1)
    unsafe pthread_sigmask(SIG_BLOCK, &blocked, &before)
    defer { _ = unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    let result = try run("exec cat /proc/self/status")
    for set in ["SigBlk", "SigIgn", "SigCgt"] {
      #expect(result.output.contains("\n\(set):\t0000000000000000\n"))
    }
    // Ours are as they were.
    var after = sigset_t()
    unsafe pthread_sigmask(SIG_BLOCK, nil, &after)
    #expect(unsafe sigismember(&after, SIGUSR1) == 1)
  }

  @Test func leadsASessionOfItsOwnInTheRootDirectory() throws {
    let result = try run("echo $$ $(cut -d' ' -f5,6 /proc/$$/stat); pwd")
    let words = result.output.split { $0 == " " || $0 == "\n" }
    #expect(words.count == 4)
    #expect(words.prefix(3).allSatisfy { $0 == words[0] })
    #expect(words.last == "/")
  }

  @Test func statusAndSignalAreToldApart() throws {
    #expect(try run("exit 7").exit == .status(7))
    #expect(try run("kill -TERM $$").exit == .signal(SIGTERM))
    #expect(try run("exit 143").exit == .status(143))
  }

  @Test func handleBecomesReadableWhenTheProgramEnds() throws {
    let pair = try SocketPair()
    var child = try ChildProcess.spawn(
      SpawnRequest(
        executable: "/bin/cat",
        descriptors: [.duplicate(of: pair.theirs.rawValue), .null, .null]
      )
    )
    let ours = pair.takeOurs()
    #expect(!isReadable(child.pidfd, timeout: 0))
    #expect(try child.reap() == nil)
    _ = consume ours
    #expect(isReadable(child.pidfd, timeout: -1))
    #expect(try child.reap() == .status(0))
  }

  @Test func isReapedOnce() throws {
    var child = try ChildProcess.spawn(SpawnRequest(executable: "/bin/true"))
    #expect(try child.waitForExit() == .status(0))
    #expect(throws: SystemError.self) { try child.reap() }
    #expect(throws: SystemError.self) { try child.waitForExit() }
    child.killGroup()
  }

  @Test func killingReachesWhatTheProgramStarted() throws {
    let held = try SocketPair()
    let pair = try SocketPair()
    var child = try ChildProcess.spawn(
      SpawnRequest(
        executable: "/bin/sh",
        arguments: ["-c", "cat <&3 & echo started; wait"],
        environment: ["PATH=/usr/bin:/bin"],
        descriptors: [
          .null, .duplicate(of: pair.theirs.rawValue), .null,
          .duplicate(of: held.theirs.rawValue),
        ]
      )
    )
    let ours = pair.takeOurs()
    var line = [UInt8](repeating: 0, count: 8)
    // SAFETY: the array's storage is valid for the call.
    #expect(unsafe read(ours.rawValue, &line, line.count) == 8)
    child.killGroup()
    #expect(try child.waitForExit() == .signal(SIGKILL))
    // The end of the file says that the grandchild, which holds it too, is gone.
    #expect(readToEnd(of: ours.rawValue) == [])
    _ = consume held
  }

  @Test func reapingKillsWhatTheProgramLeftBehind() throws {
    let held = try SocketPair()
    let result = try runLeaving(held)
    #expect(result == .status(0))
  }

  private func runLeaving(_ held: borrowing SocketPair) throws -> ChildProcess.Exit {
    let pair = try SocketPair()
    var child = try ChildProcess.spawn(
      SpawnRequest(
        executable: "/bin/sh",
        arguments: ["-c", "cat <&3 & exit 0"],
        environment: ["PATH=/usr/bin:/bin"],
        descriptors: [
          .null, .duplicate(of: pair.theirs.rawValue), .null,
          .duplicate(of: held.theirs.rawValue),
        ]
      )
    )
    let ours = pair.takeOurs()
    let exit = try child.waitForExit()
    #expect(readToEnd(of: ours.rawValue) == [])
    return exit
  }

  @Test func droppingTheHandleKillsTheProgram() throws {
    let pair = try SocketPair()
    do {
      let child = try ChildProcess.spawn(
        SpawnRequest(
          executable: "/bin/cat",
          descriptors: [.duplicate(of: pair.theirs.rawValue), .null, .null]
        )
      )
      #expect(kill(child.processID, 0) == 0)
    }
    let ours = pair.takeOurs()
    #expect(readToEnd(of: ours.rawValue) == [])
  }

  @Test func programDiesWithTheThreadThatStartedIt() throws {
    let pair = try SocketPair()
    var request = SpawnRequest(
      executable: "/bin/cat",
      descriptors: [.duplicate(of: pair.theirs.rawValue), .null, .null]
    )
    request.diesWithParent = true
    let box = ChildBox()
    onThreads(1) { [request] _ in box.child.withLock { $0 = try? ChildProcess.spawn(request) } }
    let exit = try box.child.withLock { try $0?.waitForExit() }
    #expect(exit == .signal(SIGKILL))
    _ = consume pair
  }

  @Test func otherProgramsOutliveTheThreadThatStartedThem() throws {
    let pair = try SocketPair()
    let request = SpawnRequest(
      executable: "/bin/cat",
      descriptors: [.duplicate(of: pair.theirs.rawValue), .null, .null]
    )
    let box = ChildBox()
    onThreads(1) { _ in box.child.withLock { $0 = try? ChildProcess.spawn(request) } }
    let ours = pair.takeOurs()
    _ = consume ours
    #expect(try box.child.withLock { try $0?.waitForExit() } == .status(0))
  }

  @Test func detachedProgramHasAnotherParent() throws {
    let pair = try SocketPair()
    let processID = try ChildProcess.spawnDetached(
      SpawnRequest(
        executable: "/bin/sh",
        arguments: ["-c", "echo $$ $(cut -d' ' -f4 /proc/$$/stat)"],
        environment: ["PATH=/usr/bin:/bin"],
        descriptors: [.null, .duplicate(of: pair.theirs.rawValue), .null]
      )
    )
    let ours = pair.takeOurs()
    let words = text(of: ours.rawValue).split { $0 == " " || $0 == "\n" }.map(String.init)
    #expect(words.first == String(processID))
    #expect(words.count == 2)
    #expect(words.last != String(getpid()))
  }

  @Test func programThatCannotBeExecutedIsAnErrorHere() {
    let scratch = ScratchDirectory()
    scratch.write("#!/bin/sh\n", to: "plain")
    let cases: [(SpawnRequest, Int32)] = [
      (SpawnRequest(executable: "/nonexistent/program"), ENOENT),
      (SpawnRequest(executable: scratch.file("plain")), EACCES),
      (SpawnRequest(executable: scratch.path), EACCES),
    ]
    for (request, code) in cases {
      let error = failure(request)
      #expect(error?.call == "execve")
      #expect(error?.code == code)
      #expect(error?.subject == request.executable)
    }
  }

  @Test func detachedProgramThatCannotBeExecutedIsAnErrorHere() {
    #expect(throws: SystemError("execve", code: ENOENT, subject: "/nonexistent")) {
      try ChildProcess.spawnDetached(SpawnRequest(executable: "/nonexistent"))
    }
  }

  @Test func unusableRequestsAreRefused() {
    let many = [SpawnRequest.Descriptor](repeating: .null, count: 17)
    var lost = SpawnRequest(executable: "/bin/true")
    lost.workingDirectory = "/nonexistent"
    let cases: [(SpawnRequest, Int32)] = [
      (SpawnRequest(executable: "true"), EINVAL),
      (SpawnRequest(executable: ""), EINVAL),
      (SpawnRequest(executable: "/bin/true\0x"), EINVAL),
      (SpawnRequest(executable: "/bin/true", arguments: ["a\0b"]), EINVAL),
      (SpawnRequest(executable: "/bin/true", environment: ["A=\0"]), EINVAL),
      (SpawnRequest(executable: "/bin/true", descriptors: many), EINVAL),
      (SpawnRequest(executable: "/bin/true", descriptors: [.duplicate(of: 9_999_999)]), EBADF),
      (lost, ENOENT),
    ]
    for (request, code) in cases { #expect(failure(request)?.code == code) }
  }

  @Test func manyThreadsSpawnAtOnce() {
    let successes = Counter()
    onThreads(4) { _ in
      for _ in 0..<10 {
        guard var child = try? ChildProcess.spawn(SpawnRequest(executable: "/bin/true")) else {
          continue
        }
        if (try? child.waitForExit()) == .status(0) { successes.increment() }
      }
    }
    #expect(successes.value == 40)
  }
}

private final class ChildBox: Sendable {
  let child = Mutex<ChildProcess?>(nil)
}

/// Whether a descriptor has something to read within `timeout` milliseconds; -1 waits for it.
func isReadable(_ descriptor: Int32, timeout: Int32) -> Bool {
  var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  // SAFETY: one entry, valid for the call.
  return unsafe poll(&entry, 1, timeout) == 1
}
