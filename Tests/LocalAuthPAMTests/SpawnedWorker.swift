import Glibc
import LocalAuthWire
import Testing

/// A worker process with the test in the daemon's place.
final class SpawnedWorker: WorkerConnection {
  let process: pid_t
  private var isReaped = false

  /// The built program, which SwiftPM puts beside the tests.
  static var path: String {
    get throws {
      var buffer = [CChar](repeating: 0, count: 4096)
      let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
      try #require(count > 0)
      let program = String(decoding: buffer[..<count].map(UInt8.init), as: UTF8.self)
      let folder = program.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
      return "\(folder)/localauth-pam-worker"
    }
  }

  /// Starts a worker of a service of the stack's, as the daemon does.
  convenience init(
    _ stack: PAMStack,
    service: String = "service",
    arguments: [String] = [],
    environment: [String] = []
  ) throws {
    try self.init(
      Self.path,
      stack.service(service).arguments + arguments,
      in: stack,
      environment: environment
    )
  }

  /// Starts a worker with the rights of an account, from a copy of the program in the stack's folder,
  /// which that account can reach.
  convenience init(_ stack: PAMStack, account: String) throws {
    let program = "\(stack.folder)/localauth-pam-worker"
    try #require(try Program.run("/bin/cp", [Self.path, program]) == .status(0))
    try #require(unsafe chmod(stack.folder, 0o755) == 0)
    let rights = ["--reuid", account, "--regid", "65534", "--clear-groups"]
    let words = rights + [program] + (try stack.service().arguments)
    try self.init("/usr/bin/setpriv", words, in: stack)
  }

  private init(
    _ program: String,
    _ arguments: [String],
    in stack: PAMStack,
    environment: [String] = []
  ) throws {
    let path = "\(stack.folder)/\(Self.freshName().prefix(8)).sock"
    let listener = try CallSocket(listeningAt: path)
    process = try Program.start(
      program,
      arguments,
      descriptor: listener.descriptor,
      environment: environment
    ).get()
    super.init(at: path)
  }

  deinit {
    killGroup()
    if !isReaped { _ = Program.wait(process) }
  }

  func killGroup() {
    if !isReaped { kill(-process, SIGKILL) }
  }

  /// How the worker ended, which it did or does by itself.
  func wait() -> Program.Exit {
    isReaped = true
    return Program.wait(process)
  }
}
