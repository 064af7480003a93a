import LocalAuthUnix
import Testing

/// The profile for pam-auth-update, as Debian's own program reads it, on copies of what it changes.
@Suite(
  .enabled(
    if: PAMModule.canDriveSuAndSudo && Files.exists("/usr/sbin/pam-auth-update"),
    "needs root, unshare and pam-auth-update"
  )
)
struct PAMProfileTests {
  private let scratch = Scratch()

  /// The lines of each common file that name the module, once the profile is enabled.
  private func enabled() throws -> [String: [String]] {
    let program = #"""
      set -e
      cp -a /etc/pam.d "$0/pam.d"; cp -a /usr/share/pam-configs "$0/configs"
      cp -a /var/lib/pam "$0/state"; cp -a /var/cache/debconf "$0/debconf"
      cp "$1" "$0/configs/localauth"
      mount --bind "$0/pam.d" /etc/pam.d; mount --bind "$0/configs" /usr/share/pam-configs
      mount --bind "$0/state" /var/lib/pam; mount --bind "$0/debconf" /var/cache/debconf
      exec pam-auth-update --enable localauth
      """#
    let report = try RunningProgram.run(
      "/usr/bin/unshare",
      ["--mount", "/bin/sh", "-c", program, scratch.path]
        + [Repository.path + "/pam/pam-configs/localauth"],
      environment: ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND=noninteractive"]
    )
    try #require(report.status == 0, "\(report.output)\(report.errors)")
    var lines: [String: [String]] = [:]
    for name in try Files.names(in: scratch.file("pam.d")) where name.hasPrefix("common-") {
      lines[name] = try Files.text(scratch.file("pam.d/" + name)).split(separator: "\n")
        .filter { $0.contains("pam_localauth.so") }.map(String.init)
    }
    return lines
  }

  @Test func jobsOfCronsHaveNoPartOfIt() throws {
    let lines = try enabled()
    #expect(lines["common-session-noninteractive"] == [])
    #expect(lines["common-session"]?.count == 1)
    #expect(lines["common-password"]?.count == 1)
  }

  @Test func refusalsEndTheStack() throws {
    let auth = try #require(try enabled()["common-auth"]?.first)
    #expect(auth.contains("default=die]") && auth.contains("authinfo_unavail=ignore"), "\(auth)")
  }
}
