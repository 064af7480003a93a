import LocalAuthJSON
import LocalAuthUnix
import Testing

/// What `make install` leaves behind.
@Suite(
  .enabled(if: Machine.find("make") != nil, "needs make")
)
struct InstallTests {
  private static let root =
    #filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 }
  private let scratch = Scratch()

  /// Runs a target of the Makefile with what was installed below `directory`.
  private func run(
    _ target: String,
    _ built: String,
    _ directory: String
  ) throws -> RunningProgram.Report {
    try RunningProgram.run(
      "/bin/sh",
      [
        "-c",
        #"umask 022; exec make -C "$0" "$3" RELEASE="$1" DESTDIR="$2" PREFIX=/usr"#,
        Self.root, built, directory, target,
      ]
    )
  }

  private func make(_ target: String, _ built: String, _ directory: String) throws {
    let report = try run(target, built, directory)
    #expect(report.status == 0, "\(report.output) \(report.errors)")
  }

  @Test func nothingIsBuiltByInstallingIt() throws {
    let built = try scratch.makeDirectory("nothing")
    let report = try run("install", built, scratch.file("installed"))
    #expect(report.status == 2)
    #expect(report.errors.contains("run 'make programs module' first"), "\(report.errors)")
    #expect(!Files.exists(scratch.file("installed")))
    #expect(try Files.names(in: built).isEmpty)
  }

  /// Installs the programs under test below a directory of the test's own.
  private func install() throws -> String {
    let built = try scratch.makeDirectory("built")
    let programs = try scratch.makeDirectory("built/bin")
    for name in [
      "authctl", "localauthd", "localauth-pam-worker", "localauth-bus", "localauth-fuse",
      "localauth-sync",
    ] {
      let copied = try RunningProgram.run("/bin/cp", ["\(Machine.programs)/\(name)", programs])
      #expect(copied.status == 0, "\(copied.errors)")
    }
    // `make programs` links SQLite's extension; beside the debug programs there is none.
    let library = try scratch.makeDirectory("built/lib") + "/mod_localauth.so"
    let linked = "\(Machine.programs)/../lib/mod_localauth.so"
    try Files.write(Files.exists(linked) ? try Files.read(linked) : [], to: library)
    try make("module", built, scratch.file("installed"))
    try make("install", built, scratch.file("installed"))
    return scratch.file("installed")
  }

  /// The paths below `directory` for which find(1) has this to say.
  private func find(_ directory: String, _ words: [String]) throws -> [String] {
    let report = try RunningProgram.run("/usr/bin/find", [directory] + words)
    #expect(report.status == 0, "\(report.errors)")
    return report.output.split(separator: "\n").map { String($0.dropFirst(directory.count)) }
  }

  @Test func nothingIsSetuidOrWritableByOthers() throws {
    let installed = try install()
    let programs = try find(installed, ["-type", "f", "-perm", "/111"]).sorted()
    #expect(
      programs == [
        "/usr/bin/authctl", "/usr/libexec/localauth/localauth-bus",
        "/usr/libexec/localauth/localauth-fuse",
        "/usr/libexec/localauth/localauth-pam-worker", "/usr/libexec/localauth/localauth-sync",
        "/usr/libexec/localauth/localauthd",
      ]
    )
    #expect(try find(installed, ["-perm", "/7000"]) == [])
    #expect(try find(installed, ["-perm", "/022", "!", "-type", "l"]) == [])
  }

  @Test func unitsStartWhatWasInstalled() throws {
    let installed = try install()
    let units = installed + "/usr/lib/systemd/system"
    #expect(
      try Files.names(in: units) == [
        "localauth-bus.service", "localauth-bus.socket", "localauth-pam-worker.service",
        "localauth-pam-worker.socket", "localauth-sync.socket", "localauth-sync@.service",
        "localauthd.service", "localauthd.socket",
      ]
    )
    for name in ["localauthd", "localauth-pam-worker", "localauth-bus", "localauth-sync@"] {
      let unit = try Files.text("\(units)/\(name).service")
      #expect(
        unit.contains("\nExecStart=/usr/libexec/localauth/\(name.filter { $0 != "@" })"),
        "\(unit)"
      )
      #expect(!unit.contains("@LIBEXECDIR"), "something is left to be filled in")
    }
    #expect(Files.exists(installed + "/usr/lib/sysusers.d/localauth.conf"))
    #expect(Files.exists(installed + "/usr/lib/tmpfiles.d/localauth.conf"))
  }

  @Test func moduleIsInstalledAndItsProfileIsNotEnabled() throws {
    let installed = try install()
    let modules = try find(installed, ["-name", "pam_localauth.so"])
    #expect(modules.count == 1 && modules[0].hasSuffix("/security/pam_localauth.so"))
    let profile = try Files.text(installed + "/usr/share/pam-configs/localauth")
    #expect(profile.contains("\nDefault: no\n"))
    #expect(Files.exists(installed + "/usr/share/man/man8/pam_localauth.8"))
  }

  @Test func uninstallLeavesThePAMServiceFileAlone() throws {
    let installed = try install()
    try make("uninstall", scratch.file("built"), installed)
    #expect(try find(installed, ["-type", "f"]) == ["/etc/pam.d/localauth"])
  }

  @Test func installationSaysWhereTheDaemonIs() throws {
    let installed = try install()
    let said = try Files.text(installed + "/etc/localauth/daemon")
    #expect(said == "/usr/libexec/localauth/localauthd\n")
    #expect(Files.exists(installed + said.dropLast()))
  }

  @Test func clientFromElsewhereStartsTheDaemonThatItsVariableNames() throws {
    let elsewhere = try scratch.makeDirectory("elsewhere", mode: 0o755)
    let copied = try RunningProgram.run("/bin/cp", [Machine.authctl, elsewhere])
    #expect(copied.status == 0, "\(copied.errors)")
    let home = scratch.file("home")
    func status(_ variables: [String]) throws -> RunningProgram.Report {
      try RunningProgram.run(
        elsewhere + "/authctl",
        ["--home", home, "--json", "status"],
        environment: Authctl.environment + variables
      )
    }
    let missing = scratch.file("none")
    let lost = try status(["LOCALAUTH_DAEMON=\(missing)"])
    #expect(lost.status == 69 && lost.errors.contains("none of \(missing)"), "\(lost.errors)")
    let run = try status(["LOCALAUTH_DAEMON=\(Machine.localauthd)"])
    #expect(run.status == 0, "\(run.errors)")
    try StrayDaemon(Int32(try run.json["daemon"]?["pid"]?.integer ?? 0)).end()
  }

  @Test func installedClientStartsTheInstalledDaemon() throws {
    let installed = try install()
    let home = scratch.file("home")
    let run = try RunningProgram.run(
      installed + "/usr/bin/authctl",
      ["--home", home, "--json", "status"],
      environment: Authctl.environment
    )
    #expect(run.status == 0, "\(run.errors)")
    let daemon = StrayDaemon(Int32(try run.json["daemon"]?["pid"]?.integer ?? 0))
    let program = try RunningProgram.run("/bin/readlink", ["/proc/\(daemon.processID)/exe"])
    #expect(
      !Machine.isRoot || program.output == installed + "/usr/libexec/localauth/localauthd\n"
    )
    try daemon.end()
  }
}
