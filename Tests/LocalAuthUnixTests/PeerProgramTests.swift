import Glibc
import LocalAuthTestSupport
import Testing

@testable import LocalAuthUnix

@Suite struct PeerProgramTests {
  /// A `cat` that has been started and answers: what it echoes shows that it runs.
  private struct Cat: ~Copyable {
    var child: ChildProcess
    let ours: FileDescriptor

    init(_ executable: String, _ arguments: [String] = []) throws {
      let pair = try SocketPair()
      let end = pair.theirs.rawValue
      child = try ChildProcess.spawn(
        SpawnRequest(
          executable: executable,
          arguments: arguments,
          environment: ["PATH=/usr/sbin:/usr/bin:/sbin:/bin"],
          descriptors: [.duplicate(of: end), .duplicate(of: end), .null]
        )
      )
      ours = pair.takeOurs()
    }

    /// Whether a byte comes back, which only `cat` sends.
    func answers() -> Bool {
      var byte: UInt8 = 65
      // SAFETY: one byte of a variable that outlives the calls.
      guard unsafe write(ours.rawValue, &byte, 1) == 1 else { return false }
      return unsafe read(ours.rawValue, &byte, 1) == 1 && byte == 65
    }

    func program(userID: UInt32 = geteuid()) throws -> PeerProgram {
      let process = try #require(ProcessReference(lookingUp: child.processID))
      return try PeerProgram(processID: child.processID, userID: userID, process: process)
    }

    mutating func end() throws {
      child.killGroup()
      _ = try child.waitForExit()
    }
  }

  private func file(_ path: String) throws -> ExecutableFile {
    var status = stat()
    // SAFETY: the string and the pointer are valid for the call.
    try #require(unsafe stat(path, &status) == 0)
    return ExecutableFile(status)
  }

  private func copy(_ from: String, to: String) throws {
    var child = try ChildProcess.spawn(SpawnRequest(executable: "/bin/cp", arguments: [from, to]))
    #expect(try child.waitForExit() == .status(0))
  }

  private func failure(_ body: () throws(PeerProgramError) -> Void) -> PeerProgramError? {
    do throws(PeerProgramError) {
      try body()
      return nil
    } catch { return error }
  }

  @Test func aProcessWithoutATerminalIsItsOwnPlace() throws {
    let started = try Cat("/bin/cat")
    let isRunning = started.answers()
    #expect(isRunning)
    let place = try started.program().place()
    #expect(place.terminal == 0)
    #expect(place.processID == started.child.processID)
    let another = try Cat("/bin/cat")
    let isAnotherRunning = another.answers()
    #expect(isAnotherRunning)
    #expect(try another.program().place() != place)
  }

  @Test func executableIsTheFileThatRuns() throws {
    let cat = try ExecutableFileTests.real("/bin/cat")
    let scratch = ScratchDirectory()
    try copy(cat, to: scratch.file("copy"))
    let started = try Cat(cat)
    let impostor = try Cat(scratch.file("copy"))
    let areRunning = (started.answers(), impostor.answers())
    #expect(areRunning.0 && areRunning.1)
    let (own, other) = (try started.program().executable(), try impostor.program().executable())
    #expect(own != other)
    #expect(try started.program().executable() == own)
  }

  @Test func aPeerIsWhatItsProcessIs() throws {
    let pair = try StreamPair()
    let program = try PeerProgram(of: PeerIdentity(of: pair.near.rawValue))
    let own = try #require(ScratchFile.read("/proc/self/cgroup"))
    #expect(try program.controlGroup() == ControlGroupFile.path(in: own))
    #expect(try program.runs(file("/proc/self/exe")))
  }

  @Test func aProcessRunsItsFileWhateverTheNameIs() throws {
    let scratch = ScratchDirectory()
    let cat = try ExecutableFileTests.real("/bin/cat")
    // SAFETY: the strings are C strings for the call.
    #expect(unsafe symlink(cat, scratch.file("link")) == 0)
    let started = try Cat(scratch.file("link"))
    let isRunning = started.answers()
    #expect(isRunning)
    let program = try started.program()
    #expect(try program.runs(#require(try ExecutableFile(trusted: cat))))
    #expect(try !program.runs(file("/bin/sleep")))
  }

  @Test func aFileThatTookTheNameIsAnother() throws {
    let scratch = ScratchDirectory()
    let path = scratch.file("program")
    try copy("/bin/cat", to: path)
    try copy("/bin/cat", to: scratch.file("next"))
    let started = try Cat(path)
    let isRunning = started.answers()
    #expect(isRunning)
    let program = try started.program()
    let before = try file(path)
    #expect(try program.runs(before))
    #expect(try !program.runs(file("/bin/cat")), "a copy is another file")
    // SAFETY: the strings are C strings for the calls.
    #expect(unsafe rename(scratch.file("next"), path) == 0)
    #expect(try !program.runs(file(path)))
    #expect(try program.runs(before), "it still runs the file that was removed")
  }

  /// In a mount namespace of its own a program can put its file where another one is.
  @Test(.enabled(if: canMount, "only root can mount a file"))
  func aFileMountedOverAnotherIsNotThatOne() throws {
    let scratch = ScratchDirectory()
    let cat = try ExecutableFileTests.real("/bin/cat")
    try copy(cat, to: scratch.file("impostor"))
    let script = "mount --bind \(scratch.file("impostor")) \(cat) && exec \(cat)"
    let started = try Cat("/usr/bin/unshare", ["-m", "/bin/sh", "-c", script])
    let isRunning = started.answers()
    #expect(isRunning)
    let program = try started.program()
    #expect(try !program.runs(#require(try ExecutableFile(trusted: cat))))
    #expect(try program.runs(file(scratch.file("impostor"))))
  }

  private static let canMount: Bool = {
    guard geteuid() == 0 else { return false }
    let request = SpawnRequest(
      executable: "/usr/bin/unshare",
      arguments: ["-m", "/bin/sh", "-c", "mount --bind /bin/true /bin/true"],
      environment: ["PATH=/usr/sbin:/usr/bin:/sbin:/bin"]
    )
    guard var child = try? ChildProcess.spawn(request) else { return false }
    return (try? child.waitForExit()) == .status(0)
  }()

  @Test(.enabled(if: TestControlGroup.isPossible, "needs a control group that we may write to"))
  func aProcessIsInTheGroupThatItWasPutInto() throws {
    let group = try #require(TestControlGroup())
    var started = try Cat("/bin/cat")
    let isRunning = started.answers()
    #expect(isRunning)
    let isAdded = group.add(started.child.processID)
    #expect(isAdded)
    let program = try started.program()
    #expect(try program.controlGroup() == group.path)
    try started.end()
  }

  @Test func whatHasEndedIsNothing() throws {
    var started = try Cat("/bin/cat")
    let isRunning = started.answers()
    #expect(isRunning)
    let program = try started.program()
    let cat = try file("/bin/cat")
    try started.end()
    #expect(failure { () throws(PeerProgramError) in _ = try program.controlGroup() } == .ended)
    #expect(failure { () throws(PeerProgramError) in _ = try program.runs(cat) } == .ended)
  }

  /// A zombie has a number, a control group and a user still.
  @Test func whatHasEndedAndWasNotReapedIsNothing() throws {
    let started = try Cat("/bin/cat")
    let isRunning = started.answers()
    #expect(isRunning)
    let program = try started.program()
    started.child.killGroup()
    #expect(isReadable(started.child.pidfd, timeout: -1))
    #expect(failure { () throws(PeerProgramError) in _ = try program.controlGroup() } == .ended)
  }

  @Test func aNumberThatWasUsedAgainLendsNothing() throws {
    var started = try Cat("/bin/cat")
    let isRunning = started.answers()
    #expect(isRunning)
    let held = try #require(ProcessReference(lookingUp: started.child.processID))
    try started.end()
    // As if the number of the process that ended were ours now.
    let reused = failure { () throws(PeerProgramError) in
      _ = try PeerProgram(processID: getpid(), userID: geteuid(), process: held)
    }
    #expect(reused == .ended)
    let identity = PeerIdentity(
      processID: getpid(),
      userID: geteuid(),
      groupID: getegid(),
      process: held
    )
    #expect(failure { () throws(PeerProgramError) in _ = try PeerProgram(of: identity) } == .ended)
  }

  @Test func aProcessThatWasLookedUpMustBeOfThePeersUser() throws {
    let started = try Cat("/bin/cat")
    let isRunning = started.answers()
    #expect(isRunning)
    #expect(throws: PeerProgramError.otherUser) {
      _ = try started.program(userID: geteuid() + 1)
    }
  }

  @Test func aProcessThatIsNotHeldIsNothing() throws {
    let pair = try StreamPair()
    let peer = try PeerIdentity(of: pair.near.rawValue).withoutProcess
    #expect(failure { () throws(PeerProgramError) in _ = try PeerProgram(of: peer) } == .unseen)
  }

  @Test func everyErrorIsOneLine() {
    let errors: [PeerProgramError] = [
      .unseen, .ended, .otherUser, .noControlGroup, .system(SystemError("open", code: EACCES)),
    ]
    for error in errors { #expect(!error.description.contains("\n")) }
  }
}

/// Whole small files.
enum ScratchFile {
  static func read(_ path: String) -> [UInt8]? {
    // SAFETY: the path is a C string for the call.
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    let descriptor = FileDescriptor(owning: file)
    return readToEnd(of: descriptor.rawValue)
  }
}

/// A control group of a test's own, in the hierarchy that systemd uses; nil where none can be made.
final class TestControlGroup {
  static let isPossible = TestControlGroup() != nil

  /// As `/proc/PID/cgroup` tells it.
  let path: String
  private let directory: String

  init?() {
    guard let own = ScratchFile.read("/proc/self/cgroup"),
      let parent = ControlGroupFile.path(in: own)
    else { return nil }
    let name = "localauth-test-\(getpid()).service"
    path = (parent == "/" ? "" : parent) + "/" + name
    for root in ["/sys/fs/cgroup/systemd", "/sys/fs/cgroup/unified", "/sys/fs/cgroup"] {
      let directory = root + path
      // SAFETY: the path is a C string for the calls.
      guard unsafe access(root + parent + "/cgroup.procs", W_OK) == 0,
        unsafe mkdir(directory, 0o755) == 0
      else { continue }
      self.directory = directory
      return
    }
    return nil
  }

  /// Moves a process into it.
  func add(_ processID: Int32) -> Bool {
    // SAFETY: the path is a C string for the call, and the bytes are the array's own.
    let file = unsafe open(directory + "/cgroup.procs", O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    let text = Array("\(processID)".utf8)
    return unsafe write(file, text, text.count) == text.count
  }

  deinit {
    // SAFETY: the path is a C string for the call.
    _ = unsafe rmdir(directory)
  }
}
