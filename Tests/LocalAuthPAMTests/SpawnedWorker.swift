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

  /// Starts a worker whose socket is descriptor `number`, and waits until it is ready.
  convenience init(number: Int32 = 3, environment: [String] = []) throws {
    try self.init(
      Self.path,
      number == 3 ? [] : ["\(number)"],
      number: number,
      environment: environment
    )
  }

  /// Starts a worker with the rights of an account, from a copy of the program in `folder`, which
  /// that account can reach.
  convenience init(account: String, folder: String) throws {
    let program = "\(folder)/localauth-pam-worker"
    try #require(try Program.run("/bin/cp", [Self.path, program]) == .status(0))
    try #require(unsafe chmod(folder, 0o755) == 0)
    let rights = ["--reuid", account, "--regid", "65534", "--clear-groups"]
    try self.init("/usr/bin/setpriv", rights + [program])
  }

  private init(
    _ program: String,
    _ arguments: [String],
    number: Int32 = 3,
    environment: [String] = []
  ) throws {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    try #require(unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0)
    defer { close(ends[1]) }
    process = try Program.start(
      program,
      arguments,
      descriptor: ends[1],
      as: number,
      environment: environment
    ).get()
    super.init(socket: ends[0])
    try #require(next() == .ready)
  }

  deinit {
    killGroup()
    if !isReaped { _ = Program.wait(process) }
  }

  func killGroup() {
    if !isReaped { kill(-process, SIGKILL) }
  }

  /// How the worker ended; one that does not end by itself is killed.
  func wait() -> Program.Exit {
    if !isAtEnd { killGroup() }
    isReaped = true
    return Program.wait(process)
  }
}
