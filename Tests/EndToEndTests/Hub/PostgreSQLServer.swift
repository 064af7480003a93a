import Glibc
import LocalAuthHub
import LocalAuthSecret
import LocalAuthSync
import LocalAuthUnix

/// A PostgreSQL server of a test's own, as its package's account, on a socket; it ends with this value.
final class PostgreSQLServer: Sendable {
  private static let programs = "/usr/lib/postgresql/15/bin"
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
        "\(programs)/initdb", "--no-sync", "--auth", "scram-sha-256", "--username", account,
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
  private let program: RunningProgram
  private let errors: Captured

  init() throws {
    let template = try Self.template.get()
    Files.setMode(0o755, of: scratch.path)
    let data = scratch.file("data")
    _ = try RunningProgram.run("/bin/cp", ["-a", template.file("cluster"), data])
    let socket = try scratch.makeDirectory("socket")
    _ = try RunningProgram.run("/bin/chown", [Self.account, socket])
    errors = try Captured()
    program = try RunningProgram(
      SpawnRequest(
        executable: "/usr/bin/setpriv",
        arguments: Self.asAccount([
          "\(Self.programs)/postgres", "-D", data, "-k", socket, "-c", "listen_addresses=",
          "-c", "fsync=off", "-c", "log_min_messages=fatal",
        ]),
        environment: ["PATH=/usr/bin:/bin", "LC_ALL=C"],
        descriptors: [.null, .null, .duplicate(of: errors.descriptor)]
      )
    )
    let deadline = Deadline.after(.seconds(60))
    while (try? administrator()) == nil {
      guard !deadline.hasPassed, program.isRunning else { throw NotStarted(errors: errors.text) }
      sched_yield()
    }
  }

  /// Immediately: what is not on the disk is of no use to anybody.
  deinit { _ = try? program.end(SIGQUIT) }

  private static func asAccount(_ command: [String]) -> [String] {
    ["--reuid", account, "--regid", account, "--init-groups", "--"] + command
  }

  /// The directory of its socket.
  var directory: String { scratch.file("socket") }

  /// A connection of a device's.
  func connect(_ role: HubRole, _ password: borrowing Secret) throws -> HubConnection {
    guard let address = HubAddress(host: directory, database: "postgres", role: role) else {
      preconditionFailure("a socket's directory is an address")
    }
    return try HubConnection(to: address, password: password, patience: HubPatience())
  }

  /// A connection of a user to a database.
  func connect(_ user: String, _ password: String) throws -> HubConnection {
    try HubConnection(
      [("host", directory), ("user", user), ("dbname", "postgres")],
      password: Secret(copying: password.utf8)
    )
  }

  /// A connection of the superuser's.
  func administrator() throws -> HubConnection { try connect(Self.account, Self.password) }
}
