import Glibc
import LocalAuthUnix
import Synchronization

/// A program that a test runs.
///
/// It is killed with its process group when the test lets go of it, and when the test process itself
/// dies.
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
