import LocalAuthUnix

/// Logins of a test's own: audit numbers each, for real, and a directory has systemd-logind's records of them.
final class TestLogins: Sendable {
  /// What is noted about somebody at a seat of this machine.
  static let seat = "STATE=active\nREMOTE=0\nSEAT=seat0\nTTY=tty2"
  /// What is noted about somebody who came through ssh.
  static let remote = "STATE=active\nREMOTE=1\nREMOTE_HOST=192.0.2.9\nTTY=pts/0\nSERVICE=sshd"

  private let scratch = Scratch()
  /// Where the records are.
  let directory: String

  init() throws {
    Files.setMode(0o755, of: scratch.path)
    directory = try scratch.makeDirectory("sessions", mode: 0o755)
  }

  /// The words before a command that run it in a new login of user `uid`, which is at a seat unless
  /// `record` says otherwise; nil for a login of which nothing is noted.
  func login(_ uid: UInt32, _ record: String? = seat) -> [String] {
    ["/bin/sh", "-c", Self.program, "login", "\(uid)", directory, record ?? ""]
  }

  private static let program = #"""
    echo "$1" > /proc/self/loginuid || exit 98
    read -r session < /proc/self/sessionid
    [ -z "$3" ] || printf 'UID=%s\n%s\nAUDIT=%s\n' "$1" "$3" "$session" > "$2/c$session"
    shift 3
    exec "$@"
    """#

  /// Whether the kernel gives logins numbers here.
  static let arePossible: Bool = {
    let words = [
      "-c", "echo 0 > /proc/self/loginuid && read -r id < /proc/self/sessionid; echo $id",
    ]
    guard let report = try? RunningProgram.run("/bin/sh", words) else { return false }
    return report.status == 0 && UInt32(report.output.filter(\.isNumber)).map { $0 != .max } == true
  }()
}
