import Glibc
import LocalAuthJSON
import LocalAuthUnix
import Testing

/// `Examples/deploy.sh`, which runs what was approved.
@Suite struct DeployScriptTests {
  private let scratch = Scratch()
  private let daemon: DaemonProcess
  private var root: String { scratch.file("production") }

  init() throws {
    daemon = try DaemonProcess(home: scratch.file("home"))
    try daemon.connect().create("sim", passcode: "1234")
    _ = try scratch.makeDirectory("production")
    _ = try scratch.makeDirectory("production/releases")
    for revision in ["r41", "r42"] {
      _ = try scratch.makeDirectory("production/releases/\(revision)")
    }
    try link("r42", at: "latest")
  }

  private func link(_ target: String, at name: String) throws {
    _ = try RunningProgram.run("/bin/ln", ["-sfn", target, root + "/releases/" + name])
  }

  private var current: String {
    get throws {
      try RunningProgram.run("/usr/bin/readlink", [root + "/current"]).output.filter { $0 != "\n" }
    }
  }

  private func environment(_ more: [String] = [], programs: String? = nil) -> [String] {
    [
      "PATH=\(programs.map { $0 + ":" } ?? "")\(Machine.programs):/usr/bin:/bin", "HOME=/dev/null",
      "TERM=xterm", "LOCALAUTH_HOME=\(daemon.home)", "LOCALAUTH_DEVICE=sim",
    ] + more
  }

  /// Deploys in a terminal, where the person does `events`.
  private func deploy(
    _ revision: String,
    _ events: String,
    environment: [String]? = nil
  ) throws -> (status: ChildProcess.Exit, screen: String) {
    let queued: JSONValue = ["device": "sim", "events": .text(events)]
    _ = try daemon.connect().call(Interface.sensor + "Script", queued).get()
    let words = environment ?? self.environment(["LOCALAUTH_ALLOW_SIMULATED=1"])
    let program = try TerminalProgram(
      ["/usr/bin/env", "-i"] + words
        + ["/bin/sh", Repository.example("deploy.sh"), root, revision]
    )
    return (try program.waitForExit(), program.screen)
  }

  private func prompts() throws -> Int {
    try daemon.connect().audit("sim").count { $0["action"]?.string == "evaluate" }
  }

  @Test func approvedRevisionGoesIntoProduction() throws {
    let (status, screen) = try deploy("r41", "miss,match")
    #expect(status == .status(0), "\(screen)")
    #expect(screen.contains("deploy r41 to production"))
    #expect(screen.contains("deployed r41"))
    #expect(try current == "releases/r41")
    #expect(try deploy("r42", "match").status == .status(0))
    #expect(try current == "releases/r42")
  }

  @Test(arguments: ["cancel", "fallback,cancel", "miss,miss,miss,cancel"])
  func refusedRevisionDoesNot(_ events: String) throws {
    let (status, screen) = try deploy("r41", events)
    #expect(status == .status(1), "\(screen)")
    #expect(screen.contains("not approved"))
    #expect(try current == "")
  }

  @Test func nameThatMovesWhileThePersonThinksIsTheOneThatWasApproved() throws {
    // In place of authctl: the link moves when everything has been shown, before the answer.
    _ = try scratch.makeDirectory("bin")
    try scratch.write(
      """
      #!/bin/sh
      ln -sfn r41 "\(root)/releases/latest"
      exec "\(Machine.authctl)" "$@"
      """,
      to: "bin/authctl",
      mode: 0o755
    )
    let words = environment(["LOCALAUTH_ALLOW_SIMULATED=1"], programs: scratch.file("bin"))
    let (status, screen) = try deploy("latest", "match", environment: words)
    #expect(status == .status(0), "\(screen)")
    #expect(screen.contains("deploy r42 to production"))
    #expect(try current == "releases/r42")
  }

  @Test func simulatedDeviceOfTheEnvironmentApprovesNothing() throws {
    let (status, screen) = try deploy("r41", "match", environment: environment())
    #expect(status == .status(77), "\(screen)")
    #expect(try current == "")
  }

  @Test func nobodyToAskIsNotANo() throws {
    let report = try RunningProgram.run(
      "/bin/sh",
      [Repository.example("deploy.sh"), root, "r41"],
      environment: environment(["LOCALAUTH_ALLOW_SIMULATED=1"])
    )
    #expect(report.status == 5, "\(report)")
    #expect(try current == "")
  }

  @Test func brokenIsNotANo() throws {
    _ = try scratch.makeDirectory("bin")
    for (text, status) in [("exit 69", 70), ("exit 70", 70), ("kill -9 $$", 70)] {
      try scratch.write("#!/bin/sh\n\(text)\n", to: "bin/authctl", mode: 0o755)
      let report = try RunningProgram.run(
        "/bin/sh",
        [Repository.example("deploy.sh"), root, "r41"],
        environment: environment(programs: scratch.file("bin"))
      )
      #expect(report.status == Int32(status), "\(text): \(report)")
    }
    #expect(try current == "")
  }

  @Test func nobodyIsAskedForWhatIsNoRevision() throws {
    _ = try scratch.makeDirectory("production/releases/a b")
    _ = try scratch.makeDirectory("elsewhere")
    try link("../../elsewhere", at: "out")
    for wrong in ["r43", "", ".", "..", "a b", "out", "../releases/r41/..", "r41\n", "-x"] {
      let (status, screen) = try deploy(wrong, "match")
      #expect(status == .status(2), "\(wrong): \(screen)")
    }
    #expect(try current == "" && prompts() == 0)
  }
}
