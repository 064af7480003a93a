import Foundation
import Glibc
import LocalAuthHub
import LocalAuthSecret
import LocalAuthSync
import LocalAuthUnix
import Synchronization

/// A PostgreSQL server of a test's own, as its package's account, on a socket; it ends with this value.
final class PostgreSQLServer: Sendable {
  /// Where its programs are: `LOCALAUTH_POSTGRESQL` says so, or else those of the newest version that is installed.
  static let programs: String = {
    if let named = ProcessInfo.processInfo.environment["LOCALAUTH_POSTGRESQL"] { return named }
    let versions = try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")
    return "/usr/lib/postgresql/\(versions?.compactMap { Int($0) }.max() ?? 0)/bin"
  }()
  private static let account = "postgres"
  private static let password = "an administrator's"

  /// Whether a test can start one.
  static let isPossible: Bool =
    // SAFETY: the string is a C string for the call, and the answer is not kept.
    unsafe geteuid() == 0 && Files.exists(programs + "/initdb")
    && Files.exists("/usr/bin/setpriv") && getpwnam(account) != nil

  /// A cluster that nobody started yet, which each server copies: to make one takes seconds.
  private static let template: Result<Scratch, any Error> = Result {
    let scratch = Scratch.ofWholeRun()
    Files.setMode(0o755, of: scratch.path)
    try scratch.write(password, to: "password", mode: 0o644)
    let cluster = try scratch.makeDirectory("cluster")
    _ = try RunningProgram.run("/bin/chown", [account, cluster])
    let made = try RunningProgram.run(
      "/usr/bin/setpriv",
      asAccount([
        "\(programs)/initdb", "--no-sync", "--wal-segsize", "1", "--auth", "scram-sha-256",
        "--username", account,
        "--pwfile", scratch.file("password"), "--pgdata", cluster,
      ])
    )
    guard made.status == 0 else { throw NotStarted(errors: made.errors) }
    return scratch
  }

  struct NotStarted: Error {
    let errors: String
  }

  private let scratch = Scratch()
  private let settings: [String]
  private let port: UInt16
  private let program = Mutex<RunningProgram?>(nil)
  private let errors: Captured

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - settings: More settings, as `name=value`.
  ///   - port: The port of its sockets.
  ///   - files: More files in its directory, which only its account can read.
  ///   - access: Lines of `pg_hba.conf`, instead of those that ask for SCRAM everywhere.
  /// - Throws: ``NotStarted``, with what it said.
  init(
    _ settings: [String] = [],
    port: UInt16 = 5432,
    files: [String: [UInt8]] = [:],
    access: String? = nil
  ) throws {
    let template = try Self.template.get()
    Files.setMode(0o755, of: scratch.path)
    let data = scratch.file("data")
    _ = try RunningProgram.run("/bin/cp", ["-a", template.file("cluster"), data])
    if let access { try Files.write(Array(access.utf8), to: data + "/pg_hba.conf") }
    for (name, bytes) in files { try Files.write(bytes, to: "\(data)/\(name)") }
    let socket = try scratch.makeDirectory("socket")
    _ = try RunningProgram.run("/bin/chown", ["-R", Self.account, socket, data])
    self.settings = settings + ["port=\(port)"]
    self.port = port
    errors = try Captured()
    try start()
  }

  deinit { kill() }

  /// Starts it once more, on what the one before left.
  func start() throws {
    let words = ["listen_addresses=", "fsync=off", "log_min_messages=fatal"] + settings
    let program = try RunningProgram(
      SpawnRequest(
        executable: "/usr/bin/setpriv",
        arguments: Self.asAccount(
          ["\(Self.programs)/postgres", "-D", scratch.file("data"), "-k", directory]
            + words.flatMap { ["-c", $0] }
        ),
        environment: ["PATH=/usr/bin:/bin", "LC_ALL=C"],
        descriptors: [.null, .null, .duplicate(of: errors.descriptor)]
      )
    )
    let deadline = Deadline.after(.seconds(60))
    while (try? administrator()) == nil {
      guard !deadline.hasPassed, program.isRunning else { throw NotStarted(errors: errors.text) }
      sched_yield()
    }
    self.program.withLock { $0 = program }
  }

  /// Ends it at once: what is not on the disk is of no use to anybody.
  func kill() {
    let program = self.program.withLock { $0.take() }
    _ = try? program?.end(SIGQUIT)
  }

  /// Stops it and all its processes, which then answer nothing, until ``resume()``.
  func stop() { signalAll(SIGSTOP) }

  /// Lets it go on.
  func resume() { signalAll(SIGCONT) }

  private func signalAll(_ number: Int32) {
    // The server leads the group of its children.
    program.withLock { program in
      guard let program else { return }
      for child in Processes.children(of: program.processID) { Glibc.kill(child, number) }
      program.signal(number)
    }
  }

  /// What it has logged.
  var log: String { errors.text }

  private static func asAccount(_ command: [String]) -> [String] {
    ["--reuid", account, "--regid", account, "--init-groups", "--"] + command
  }

  /// Where it keeps everything.
  var data: String { scratch.file("data") }

  /// The directory of its socket.
  var directory: String { scratch.file("socket") }

  /// A connection of a device's.
  func connect(_ role: HubRole, _ password: borrowing Secret) throws -> HubConnection {
    guard let address = HubAddress(host: directory, port: port, database: "postgres", role: role)
    else {
      preconditionFailure("a socket's directory is an address")
    }
    return try HubConnection(to: address, password: password, patience: HubPatience())
  }

  /// A connection of a user to a database.
  func connect(_ user: String, _ password: String) throws -> HubConnection {
    try HubConnection(
      [("host", directory), ("port", "\(port)"), ("user", user), ("dbname", "postgres")],
      password: Secret(copying: password.utf8)
    )
  }

  /// What the superuser logs in with.
  static var administratorsPassword: Secret { Secret(copying: password.utf8) }

  /// A connection of the superuser's.
  func administrator() throws -> HubConnection { try connect(Self.account, Self.password) }

  /// A file that has the passwords of administrators, as libpq reads it.
  func passwords(in scratch: Scratch) throws -> String {
    try scratch.write("*:*:*:*:\(Self.password)\n", to: "passwords")
    return scratch.file("passwords")
  }
}
