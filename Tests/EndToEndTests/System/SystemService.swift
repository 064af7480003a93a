import Glibc
import LocalAuthUnix

/// A `localauthd --system` of a test's own, as an account that is not root, with root's PAM workers.
///
/// The test opens the sockets, as a service manager does; so both are root's.
final class SystemService: Sendable {
  /// The uid that the daemon runs as; no account has it.
  static let uid: UInt32 = 54_400
  /// Whether there are other users here to serve.
  static let canRun = Machine.canRunAsOther && Machine.compiler != nil

  let scratch = Scratch()
  let daemon: RunningProgram
  let workers: RunningProgram
  private let errors: Captured

  /// Where everybody connects.
  var socket: String { scratch.file("run/socket") }
  /// Where the daemon finds its workers.
  var pamSocket: String { scratch.file("pam/socket") }
  /// The state directory.
  var home: String { scratch.file("state") }
  var log: String { errors.text }

  /// Starts both.
  ///
  /// - Parameters:
  ///   - arguments: further arguments of the daemon.
  ///   - module: describes the services that PAM has here.
  ///   - service: the PAM service that daemon and workers use.
  ///   - administration: the rules of administration, or nil for none.
  ///   - workerUser: the uid that the workers admit; nil for the daemon's.
  /// - Throws: what kept them from starting.
  init(
    _ arguments: [String] = [],
    module: TestModule,
    service: String = "permit",
    administration: String? = nil,
    workerUser: UInt32? = nil
  ) throws {
    Files.setMode(0o755, of: scratch.path)
    _ = try scratch.makeDirectory("run", mode: 0o755)
    _ = try scratch.makeDirectory("pam", mode: 0o755)
    let home = try scratch.makeDirectory("state")
    _ = try RunningProgram.run("/bin/chown", ["\(Self.uid)", home])
    if let administration {
      try scratch.write(administration, to: "administration.json", mode: 0o644)
    }
    errors = try Captured()
    workers = try Self.startWorkers(
      at: scratch.file("pam/socket"),
      for: workerUser ?? Self.uid,
      service: service,
      in: module.directory
    )
    let listener = try LocalSocket(scratch.file("run/socket"), SOCK_STREAM)
    Files.setMode(0o666, of: scratch.file("run/socket"))
    listener.listen()
    let command =
      ["/usr/bin/setpriv"]
      + Machine.asOther(
        [
          Machine.sharedPrograms.file("localauthd"), "--system", "--home", home,
          "--pam-socket", scratch.file("pam/socket"), "--pam-service", service,
          "--pam-confdir", module.directory,
          "--administration", scratch.file("administration.json"),
        ] + arguments,
        uid: Self.uid
      )
    daemon = try RunningProgram(
      SpawnRequest(
        executable: "/bin/sh",
        arguments: ["-c", #"LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" "$@""#] + command,
        environment: ["PATH=/usr/bin:/bin"],
        descriptors: [
          .null, .null, .duplicate(of: errors.descriptor), .duplicate(of: listener.descriptor),
        ]
      )
    )
  }

  /// Root's workers at `path`, for the daemon of user `uid`.
  static func startWorkers(
    at path: String,
    for uid: UInt32,
    service: String,
    in directory: String
  ) throws -> RunningProgram {
    let listener = try LocalSocket(path, SOCK_STREAM)
    Files.setMode(0o666, of: path)
    listener.listen()
    return try RunningProgram(
      SpawnRequest(
        executable: Machine.sharedPrograms.file("localauth-pam-worker"),
        arguments: [
          "--listen", "--daemon", "\(uid)", "--service", service, "--confdir", directory,
        ],
        environment: ["PATH=/usr/bin:/bin"],
        descriptors: [.null, .null, .null, .duplicate(of: listener.descriptor)]
      )
    )
  }

  /// A client that is root.
  func connect() throws -> WireClient { try WireClient(socket, of: self) }

  /// A process of user `uid` with connections.
  func user(_ uid: UInt32, connections: Int = 1) throws -> OtherUser {
    try OtherUser(uid, connectedTo: socket, connections: connections)
  }

  /// Runs `authctl` as user `uid`.
  func authctl(
    as uid: UInt32,
    _ words: [String],
    environment: [String] = [],
    input: String = ""
  ) throws -> RunningProgram.Report {
    let command = [Machine.sharedPrograms.file("authctl"), "--system", "--socket", socket] + words
    return try RunningProgram.run(
      "/usr/bin/setpriv",
      Machine.asOther(command, uid: uid),
      environment: Authctl.environment + environment,
      input: input
    )
  }
}
