import Glibc
import LocalAuthUnix

/// A real account of this machine, which is removed with this value, also when a test fails.
final class LocalAccount: Sendable {
  let name: String
  let uid: UInt32

  init(password: String) throws {
    name = "la-test-\(getpid())-\(UInt16.random(in: 0 ... .max))"
    let environment = ["PATH=/usr/sbin:/usr/bin:/sbin:/bin"]
    let made = try RunningProgram.run(
      "/usr/sbin/useradd",
      ["--no-create-home", "--shell", "/usr/sbin/nologin", name],
      environment: environment
    )
    guard made.status == 0 else { throw Machine.Missing(what: "useradd: \(made.errors)") }
    let id = try RunningProgram.run("/usr/bin/id", ["-u", name])
    uid = UInt32(id.output.filter(\.isNumber)) ?? 0
    _ = try RunningProgram.run(
      "/usr/sbin/chpasswd",
      environment: environment,
      input: "\(name):\(password)\n"
    )
  }

  /// Runs a program that changes the account.
  func change(_ program: String, _ arguments: [String]) throws {
    let report = try RunningProgram.run(program, arguments + [name])
    guard report.status == 0 else { throw Machine.Missing(what: "\(program): \(report.errors)") }
  }

  deinit {
    _ = try? RunningProgram.run("/usr/sbin/userdel", ["--force", name])
  }

  /// Whether accounts can be made here.
  static let canBeMade =
    Machine.canRunAsOther
    && ["/usr/sbin/useradd", "/usr/sbin/userdel", "/usr/sbin/chpasswd"].allSatisfy(Files.exists)
}
