import Glibc
import LocalAuthClient
import LocalAuthTestSupport
import LocalAuthUnix
import Testing

@Suite struct DaemonAddressTests {
  private func address(
    _ socket: String,
    home: String = "/nonexistent/localauth",
    starts: Bool
  ) throws -> DaemonAddress {
    let environment = ProcessEnvironment(variables: [:])
    return DaemonAddress(
      paths: try RuntimePaths(
        home: home,
        socket: socket,
        environment: environment
      ),
      startsDaemon: starts,
      environment: environment,
      candidates: []
    )
  }

  @Test func absentDaemonIsUnreachable() throws {
    let address = try address("/nonexistent/socket", starts: false)
    #expect(kind(failure { try address.connect() }) == "unreachable")
    #expect(kind(failure { try address.connectToRunning() }) == "unreachable")
  }

  @Test func daemonThatIsNotInstalledIsUnreachable() throws {
    let daemon = FakeDaemon { _, _ in }
    defer { daemon.end() }
    let home = daemon.directory + "/home"
    let address = try address(daemon.directory + "/other", home: home, starts: true)
    let error = failure { try address.connect() }
    #expect(kind(error) == "unreachable")
    #expect(error?.description.contains("not installed") ?? false)
    unsafe unlink(home + "/start.lock")
    unsafe rmdir(home)
  }

  @Test func runningDaemonIsReachedWithoutStartingOne() throws {
    let daemon = FakeDaemon { _, _ in }
    defer { daemon.end() }
    #expect(kind(failure { try address(daemon.path, starts: true).connect() }) == "none")
  }

  private static let perl = "/usr/bin/perl"
  private static let foreignServer = """
    use Socket; socket(S, AF_UNIX, SOCK_STREAM, 0); bind(S, pack_sockaddr_un($ARGV[0])) or exit 9;
    chmod 0666, $ARGV[0]; $) = "65534 65534"; $( = 65534; ($<, $>) = (65534, 65534);
    listen(S, 2); syswrite STDOUT, "x"; $n = 0;
    for (1, 2) { accept(C, S); $n += sysread(C, $b, 99); close C; } exit $n;
    """

  @Test(
    .enabled(
      if: geteuid() == 0 && (unsafe access(Self.perl, X_OK)) == 0,
      "needs root and perl, to run a server as another user"
    )
  )
  func foreignServerGetsNotOneByte() throws {
    let daemon = FakeDaemon { _, _ in }
    defer { daemon.end() }
    unsafe chmod(daemon.directory, 0o711)
    let path = daemon.directory + "/foreign"
    defer { unsafe unlink(path) }
    var ready: [Int32] = [-1, -1]
    try #require(unsafe pipe(&ready) == 0)
    defer { for descriptor in ready { close(descriptor) } }
    var server = try ChildProcess.spawn(
      SpawnRequest(
        executable: Self.perl,
        arguments: ["-e", Self.foreignServer, path],
        descriptors: [.null, .duplicate(of: ready[1]), .null]
      )
    )
    var byte: UInt8 = 0
    // SAFETY: room for the one byte asked for.
    #expect(unsafe read(ready[0], &byte, 1) == 1)
    for starts in [true, false] {
      let error = failure {
        try DaemonAddress.foreign(at: path, starts: starts).connect()
      }
      guard case .foreignServer(65_534, _) = error else {
        Issue.record("another user's server was trusted: \(kind(error))")
        continue
      }
    }
    #expect(try server.waitForExit() == .status(0))
  }
}

extension DaemonAddress {
  fileprivate static func foreign(
    at path: String,
    starts: Bool
  ) throws(ClientError) -> DaemonAddress {
    let environment = ProcessEnvironment(variables: [:])
    guard let paths = try? RuntimePaths(home: "/tmp", socket: path, environment: environment) else {
      throw .protocolError("no path")
    }
    return DaemonAddress(paths: paths, startsDaemon: starts, environment: environment)
  }
}
