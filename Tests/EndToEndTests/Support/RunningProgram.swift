import CLocalAuthLinux
import Glibc
import LocalAuthUnix
import Synchronization

/// A program that a test runs. It is killed with its process group when the test lets go of it, and
/// when the test process itself dies.
final class RunningProgram: Sendable {
  /// How a program ended and what it said.
  struct Report: Sendable {
    var exit: ChildProcess.Exit
    var output: String
    var errors: String
    /// The exit status, or nil after a signal.
    var status: Int32? {
      if case .status(let status) = exit { return status }
      return nil
    }
  }

  /// The program still ran when the time was over.
  struct StillRunning: Error {
    let executable: String
  }

  let processID: Int32
  private let executable: String
  private let child: Mutex<ChildProcess>
  private let pidfd: Int32
  private let ended = Mutex<ChildProcess.Exit?>(nil)

  init(_ request: SpawnRequest) throws {
    let child = try ProgramStarter.shared.start(request)
    processID = child.processID
    pidfd = child.pidfd
    executable = request.executable
    self.child = Mutex(consume child)
  }

  /// Waits for the end of the program.
  func waitForExit(within limit: Duration = .seconds(60)) throws -> ChildProcess.Exit {
    if let exit = ended.withLock({ $0 }) { return exit }
    guard try Poll.wait(for: pidfd, until: .after(limit)) else {
      throw StillRunning(executable: executable)
    }
    let exit = try child.withLock { child in try child.reap() } ?? .unknown
    ended.withLock { $0 = exit }
    return exit
  }

  /// Whether it still runs.
  var isRunning: Bool { (try? Poll.wait(for: pidfd, until: .after(.zero))) == false }

  /// Sends a signal to the program alone.
  func signal(_ number: Int32) { if ended.withLock({ $0 }) == nil { kill(processID, number) } }

  /// Sends a signal to it and waits for its end.
  @discardableResult
  func end(_ number: Int32 = SIGKILL) throws -> ChildProcess.Exit {
    signal(number)
    return try waitForExit()
  }

  /// Runs a program to its end.
  static func run(
    _ executable: String,
    _ arguments: [String] = [],
    environment: [String] = ["PATH=/usr/sbin:/usr/bin:/sbin:/bin"],
    input: String = "",
    within limit: Duration = .seconds(60)
  ) throws -> Report {
    let (output, errors) = (try Captured(), try Captured())
    let source = try Captured(input)
    let program = try RunningProgram(
      SpawnRequest(
        executable: executable,
        arguments: arguments,
        environment: environment,
        descriptors: [
          .duplicate(of: source.descriptor), .duplicate(of: output.descriptor),
          .duplicate(of: errors.descriptor),
        ]
      )
    )
    let exit = try program.waitForExit(within: limit)
    return Report(exit: exit, output: output.text, errors: errors.text)
  }
}

/// An unnamed file that a program writes to: unlike a pipe it never fills up.
final class Captured: Sendable {
  private let file: FileDescriptor

  init(_ text: String = "") throws {
    var template = Array("/tmp/la-captured-XXXXXX".utf8CString)
    // SAFETY: the array is a C string that mkstemp overwrites in place.
    let number = unsafe mkstemp(&template)
    guard number >= 0 else { throw SystemError("mkstemp", code: errno) }
    // SAFETY: the array is a C string for the length of the call.
    _ = unsafe unlink(template)
    file = FileDescriptor(owning: number)
    var bytes = Array(text.utf8)
    // SAFETY: the array's storage is valid for the call and `count` bytes long.
    _ = unsafe pwrite(number, &bytes, bytes.count, 0)
  }

  var descriptor: Int32 { file.rawValue }

  /// What was written so far.
  var text: String {
    var status = stat()
    // SAFETY: the pointer is valid for the call.
    _ = unsafe fstat(file.rawValue, &status)
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    // SAFETY: the array's storage is valid for the call and `count` bytes long.
    let count = unsafe pread(file.rawValue, &bytes, bytes.count, 0)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }
}

/// The one thread that starts programs: they are killed when it ends, which is when we end.
final class ProgramStarter: Sendable {
  static let shared = ProgramStarter()

  private struct State: ~Copyable {
    var request: SpawnRequest?
    var result: ChildProcess?
    var failure: SystemError?
  }

  private let turn = Mutex<Void>(())
  private let state = Mutex(State())
  private let wakeUp = Signal()
  private let done = Signal()

  private init() {
    do {
      _ = try SystemThread(name: "starter") { [self] in
        while true {
          wakeUp.wait()
          serve()
          done.raise()
        }
      }
    } catch {
      fatalError("\(error)")
    }
  }

  func start(_ request: SpawnRequest) throws -> ChildProcess {
    var request = request
    request.diesWithParent = true
    return try turn.withLock { _ in
      state.withLock { state in state.request = request }
      wakeUp.raise()
      done.wait()
      return try state.withLock { state in
        guard let child = state.result.take() else {
          throw state.failure ?? SystemError("spawn", code: EINVAL)
        }
        return child
      }
    }
  }

  private func serve() {
    state.withLock { state in
      guard let request = state.request.take() else { return }
      state.failure = nil
      do throws(SystemError) {
        state.result = try ChildProcess.spawn(request)
      } catch {
        state.failure = error
      }
    }
  }
}

/// Wakes one waiting thread for each time it was raised.
final class Signal: Sendable {
  private let pipe = BytePipe()

  func raise() { pipe.write() }

  func wait() {
    while !pipe.read() {}
  }
}

/// A pipe through which single bytes go.
final class BytePipe: Sendable {
  private let reader: FileDescriptor
  private let writer: Mutex<FileDescriptor?>
  /// The end that a program is given.
  let writingEnd: Int32

  init() {
    var ends: (reader: Int32, writer: Int32) = (-1, -1)
    // SAFETY: both pointers are valid for the call.
    guard unsafe la_pipe(&ends.reader, &ends.writer) == 0 else { fatalError("pipe: \(errno)") }
    reader = FileDescriptor(owning: ends.reader)
    writer = Mutex(FileDescriptor(owning: ends.writer))
    writingEnd = ends.writer
  }

  func write() {
    var byte: UInt8 = 1
    // SAFETY: one byte is read from a variable that outlives the call.
    _ = unsafe Glibc.write(writingEnd, &byte, 1)
  }

  /// Gives up our writing end, so that only a program holds one.
  func closeWriter() { writer.withLock { $0 = nil } }

  /// Waits for a byte; false at the end, and when the time is over.
  func read(within limit: Duration = .seconds(3600)) -> Bool {
    var byte: UInt8 = 0
    guard (try? Poll.wait(for: reader.rawValue, until: .after(limit))) == true else { return false }
    // SAFETY: one byte is written to a variable that outlives the call.
    return unsafe Glibc.read(reader.rawValue, &byte, 1) == 1
  }
}

/// Waits on descriptors; a signal does not cut a wait short.
enum Poll {
  /// Whether `descriptor` became readable, or reached its end, before the time was over.
  static func wait(
    for descriptor: Int32, _ events: Int32 = POLLIN, until deadline: Deadline
  ) throws -> Bool {
    while true {
      var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
      let (seconds, attoseconds) = deadline.remaining.components
      let milliseconds = seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
      // SAFETY: one entry, which lives for the call.
      let ready = unsafe poll(&entry, 1, Int32(clamping: milliseconds))
      if ready > 0 { return true }
      if ready == 0, deadline.hasPassed { return false }
      if ready < 0, errno != EINTR { throw SystemError("poll", code: errno) }
    }
  }
}
