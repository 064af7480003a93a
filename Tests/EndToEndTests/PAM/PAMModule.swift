import Glibc
import LocalAuthUnix

/// `pam_localauth.so` built to ask a socket of a test's own, and the service files in /etc/pam.d that
/// name it; they are removed with this value, also when a test fails.
final class PAMModule: Sendable {
  private let scratch = Scratch()
  /// What every service of this value begins with; it is no service of LocalAuth's own.
  let prefix = "la-test-\(getpid())-\(UInt16.random(in: 0 ... .max))"

  /// Whether the programs are there that these tests drive.
  static let canRun =
    SystemService.canRun && LocalAccount.canBeMade && TestLogins.arePossible
    && ["/usr/bin/pamtester", "/usr/bin/make"].allSatisfy(Files.exists)

  /// Whether `su` and `sudo` are there, and mount namespaces for stacks of their own.
  static let canDriveSuAndSudo: Bool =
    canRun
    && ["/usr/bin/unshare", "/usr/bin/su", "/usr/bin/sudo"].allSatisfy(Files.exists)
    && (try? RunningProgram.run("/usr/bin/unshare", ["--mount", "/bin/true"]))?.status == 0

  var path: String { scratch.file("pam_localauth.so") }

  /// What every module has in common, compiled once.
  private static let objects: Result<Scratch, any Error> = Result {
    let scratch = Scratch.ofWholeRun()
    try make(["objects", "OBJECTS=\(scratch.path)"])
    return scratch
  }

  /// Builds the module to ask `socket`, and to find the records of `logins`, or none.
  init(asking socket: String, logins: TestLogins? = nil) throws {
    Files.setMode(0o755, of: scratch.path)
    try Self.make([
      "OUT=\(scratch.path)", "OBJECTS=\(Self.objects.get().path)", "SOCKET=\(socket)",
      "SESSIONS=\(logins?.directory ?? scratch.file("none"))",
    ])
  }

  private static func make(_ words: [String]) throws {
    let report = try RunningProgram.run(
      "/usr/bin/make",
      ["-s", "-C", Repository.path + "/pam"] + words,
      within: .seconds(120)
    )
    guard report.status == 0 else { throw Machine.Missing(what: "the module: \(report.errors)") }
  }

  deinit {
    let names = (try? Files.names(in: "/etc/pam.d")) ?? []
    for name in names where name.hasPrefix(prefix) { Files.remove("/etc/pam.d/\(name)") }
  }

  /// Writes a service file; `MODULE` in the stack stands for the module's path.
  func service(_ suffix: String, _ stack: String) throws -> String {
    let name = prefix + suffix
    let text = stack.split(separator: "MODULE", omittingEmptySubsequences: false)
      .joined(separator: path)
    try Files.write(Array((text + "\n").utf8), to: "/etc/pam.d/\(name)", mode: 0o644)
    return name
  }

  /// A service whose every kind is this module with these arguments.
  func service(with arguments: String) throws -> String {
    try service("", Self.stack(with: arguments))
  }

  /// A stack whose every kind is this module with these arguments.
  static func stack(with arguments: String) -> String {
    """
    auth required MODULE \(arguments)
    account required pam_permit.so
    session required MODULE \(arguments)
    password required MODULE \(arguments)
    """
  }
}

/// Where the sources are that this test was built of.
enum Repository {
  static let path = #filePath.split(separator: "/").dropLast(4).reduce(into: "") {
    $0 += "/\($1)"
  }
}
