import LocalAuthUnix
import Testing

/// The units of the system's service.
@Suite(
  .enabled(
    if: Machine.find("systemd-analyze") != nil || ProcessEnvironment.current["CI"] != nil,
    "needs systemd-analyze (package systemd)"
  )
)
struct SystemUnitsTests {
  private static let root =
    #filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 }
  private static let services = ["localauthd.service", "localauth-pam-worker.service"]
  private static let sockets = ["localauthd.socket", "localauth-pam-worker.socket"]
  private let scratch = Scratch()

  /// The units with programs that exist, in a directory of the test's.
  init() throws {
    for name in Self.services + Self.sockets {
      let text = try Files.text("\(Self.root)/systemd/\(name)")
      try scratch.write(
        text.replacing("@LIBEXECDIR@", with: Machine.programs),
        to: name,
        mode: 0o644
      )
    }
  }

  private func analyze(_ words: [String]) throws -> RunningProgram.Report {
    try RunningProgram.run(
      try #require(Machine.find("systemd-analyze")),
      words,
      environment: ["PATH=/usr/bin:/bin", "SYSTEMD_UNIT_PATH=\(scratch.path):"]
    )
  }

  @Test(arguments: services) func exposureIsAtMostTwo(_ service: String) throws {
    let report = try analyze([
      "security", "--offline=true", "--no-pager", "--threshold=20", scratch.file(service),
    ])
    #expect(report.status == 0, "\(report.output) \(report.errors)")
    let line = report.output.split(separator: "\n").first { $0.contains("Overall exposure") }
    let figure = line?.split(separator: " ").compactMap { Double($0) }.first
    #expect(try #require(figure) <= 2.0, "\(line ?? "")")
  }

  @Test func aDaemonThatIsTakenOverHasNoRights() throws {
    let unit = try Files.text(scratch.file("localauthd.service")).split(separator: "\n")
    for line in [
      "User=localauth", "NoNewPrivileges=yes", "CapabilityBoundingSet=", "AmbientCapabilities=",
      "PrivateNetwork=yes", "RestrictAddressFamilies=AF_UNIX", "ProtectHome=yes",
      "ProtectSystem=strict", "PrivateTmp=yes", "StateDirectory=localauth",
    ] {
      #expect(unit.contains(Substring(line)), "\(line)")
    }
    // Nothing is given back by a second line of the same key.
    for key in ["CapabilityBoundingSet=", "ReadWritePaths=", "BindPaths=", "ProtectSystem="] {
      #expect(unit.count { $0.hasPrefix(key) && $0 != "\(key)strict" && $0 != key } == 0, "\(key)")
    }
  }

  @Test func unitsAreUnderstood() throws {
    let report = try analyze(
      ["verify", "--man=no"] + (Self.services + Self.sockets).map(scratch.file)
    )
    let complaints = report.errors.split(separator: "\n").filter { $0.contains("localauth") }
    #expect(report.status == 0 && complaints.isEmpty, "\(report.errors)")
  }

  @Test func unitsNameThePathsAndTheAccountThatAreCompiledIn() throws {
    let daemon = try Files.text(scratch.file("localauthd.service"))
    let account = SystemAccount.service
    #expect(RuntimePaths.system.home == "/var/lib/localauth")
    #expect(daemon.contains("\nStateDirectory=localauth\n"))
    #expect(daemon.contains("\nUser=\(account)\n"))
    #expect(
      try Files.text(scratch.file("localauthd.socket"))
        .contains("\nListenStream=\(RuntimePaths.system.socket)\n")
    )
    #expect(
      try Files.text(scratch.file("localauth-pam-worker.socket"))
        .contains("\nListenStream=\(RuntimePaths.systemPAMSocket)\n")
    )
    #expect(
      try Files.text(scratch.file("localauth-pam-worker.service")).contains("--daemon \(account) ")
    )
    // It would show the daemon all users as one.
    #expect(!daemon.contains("\nPrivateUsers="))
  }

  @Test(
    .enabled(
      if: Machine.isRoot && Machine.find("systemd-sysusers") != nil
        && Machine.find("systemd-tmpfiles") != nil,
      "needs root and systemd-sysusers"
    )
  )
  func accountAndDirectoriesAreMade() throws {
    _ = try scratch.makeDirectory("etc", mode: 0o755)
    for (tool, file) in [
      ("systemd-sysusers", "localauth.sysusers"), ("systemd-tmpfiles", "localauth.tmpfiles"),
    ] {
      let path = try #require(Machine.find(tool))
      let words = tool == "systemd-tmpfiles" ? ["--create"] : []
      // Below a root of its own, so that this machine stays as it is.
      let report = try RunningProgram.run(
        path,
        words + ["--root=\(scratch.path)", "\(Self.root)/systemd/\(file)"]
      )
      #expect(report.status == 0, "\(tool): \(report.errors)")
    }
    #expect(try Files.text(scratch.file("etc/passwd")).contains("localauth:"))
    #expect(Files.exists(scratch.file("run/localauth")))
    #expect(Files.exists(scratch.file("run/localauth-pam")))
    let state = try RunningProgram.run(
      "/usr/bin/stat",
      ["--format=%a", scratch.file("var/lib/localauth")]
    )
    #expect(state.output == "700\n")
  }
}
