import Glibc
import LocalAuthUnix

/// A `localauthd` of a test's own.
final class DaemonProcess: Sendable {
  /// What a start is given besides its home.
  struct Options: Sendable {
    var arguments: [String] = []
    var environment: [String] = []
    /// Arguments of setpriv(1) in front of the daemon's, or nil to run it as ourselves.
    var uid: UInt32?
    /// The socket, or nil for the one in the home.
    var socket: String?
    /// The program, or nil for the one beside the tests.
    var executable: String?
  }

  /// The daemon ended before it served.
  struct NotStarted: Error, CustomStringConvertible {
    var exit: ChildProcess.Exit
    var errors: String
    var description: String { "localauthd: \(exit): \(errors)" }
  }

  let home: String
  let socket: String
  let program: RunningProgram
  private let errors: Captured

  var processID: Int32 { program.processID }
  /// What it wrote to standard error.
  var log: String { errors.text }

  /// Starts the daemon and waits until it serves.
  init(home: String, _ options: Options = Options()) throws {
    self.home = home
    socket = options.socket ?? home + "/socket"
    errors = try Captured()
    let readiness = BytePipe()
    program = try Self.spawn(home, options, ready: readiness.writingEnd, errors)
    readiness.closeWriter()
    guard readiness.read(within: .seconds(60)) else {
      throw NotStarted(exit: try program.waitForExit(), errors: errors.text)
    }
  }

  /// Starts a daemon and kills it when `pause` returns, wherever its start has got to.
  static func crashing(home: String, after pause: () -> Void) throws {
    let program = try spawn(home, Options(), ready: -1, try Captured())
    pause()
    try program.end(SIGKILL)
  }

  /// A client of it, which keeps it running.
  func connect() throws -> WireClient { try WireClient(socket, of: self) }

  /// Kills it as a crash or the kernel does.
  func crash() throws { try program.end(SIGKILL) }

  /// Tells it to end and waits until it has.
  @discardableResult
  func stop() throws -> ChildProcess.Exit { try program.end(SIGTERM) }

  /// Kilobytes of memory that are the daemon's alone and no file's.
  var anonymousKilobytes: Int {
    let status = (try? Files.text("/proc/\(processID)/status")) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
  }

  private static func spawn(
    _ home: String,
    _ options: Options,
    ready: Int32,
    _ errors: Captured
  ) throws -> RunningProgram {
    let standard =
      options.uid == nil ? Machine.localauthd : Machine.sharedPrograms.file("localauthd")
    var command = [options.executable ?? standard, "--home", home, "--ready-fd", "3"]
    if let socket = options.socket { command += ["--socket", socket] }
    command += options.arguments
    if let uid = options.uid { command = ["/usr/bin/setpriv"] + Machine.asOther(command, uid: uid) }
    let descriptor = ready >= 0 ? SpawnRequest.Descriptor.duplicate(of: ready) : .null
    let environment =
      ["PATH=/usr/bin:/bin", "HOME=\(home)", "XDG_CONFIG_HOME=\(home)/none"]
      + options.environment
    return try RunningProgram(
      SpawnRequest(
        executable: command[0],
        arguments: Array(command.dropFirst()),
        environment: environment,
        descriptors: [.null, .null, .duplicate(of: errors.descriptor), descriptor]
      )
    )
  }
}
