import LocalAuthJSON
import Testing

/// The run of events that `policy diff` prints is one that can be typed, and ends as it says.
@Suite(.timeLimit(.minutes(25))) struct PolicyTraceTests {
  private let scratch = Scratch()
  private let daemon: DaemonProcess

  init() throws { daemon = try DaemonProcess(home: scratch.file("home")) }

  @Test(arguments: [
    ["biometrics", "device-owner"], ["three-strikes", "apple", "--policy", "biometrics"],
    ["faillock", "fido", "--policy", "biometrics"],
  ])
  func aShortestDifferenceEndsAsItSays(_ words: [String]) throws {
    let found = try Authctl.run(["--json", "policy", "diff", "--days", "2"] + words).json
    #expect(found["outcomeA"]?.string != found["outcomeB"]?.string)
    let exits = [found["exitA"]?.integer, found["exitB"]?.integer]
    let scripts = found["scripts"]?.elements.compactMap(\.string) ?? []
    #expect(scripts.count == 2)
    let rows = found["quantities"]?.elements ?? []
    #expect(rows.count == 13)
    #expect(rows.contains { $0["a"] != $0["b"] })
    for (script, exit) in zip(scripts, exits) {
      #expect(try last(of: script) == "exit \(try #require(exit))", "\(script)")
    }
  }

  @Test func aProofNeedsNoDaemon() throws {
    let run = try Authctl.run(
      ["--json", "policy", "prove", "biometrics", "--states", "200"],
      environment: ["LOCALAUTH_HOME=/nonexistent"]
    )
    #expect(run.status == 0, "\(run.errors)")
    let item = try run.json["items"]?.elements.first
    #expect(item?["holds"]?.boolean == true)
    #expect(item?["states"]?.integer == 200)
  }

  @Test(
    arguments: [
      (["biometrics", "--states", "0"], 2), (["biometrics", "--threads", "0"], 2),
      (["biometrics", "--all"], 2), ([], 2), (["nothing"], 78),
      (["biometrics", "--profile", "nothing"], 78), (["biometrics", "--delays", "nothing"], 78),
    ]
  )
  func whatCannotBeProvedIsOneLine(_ words: [String], _ status: Int) throws {
    let run = try Authctl.run(["policy", "prove"] + words)
    #expect(run.status == Int32(status))
    #expect(run.output.isEmpty)
    #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
  }

  /// The last line that a script prints.
  private func last(of script: String) throws -> String? {
    let folder = Machine.authctl.split(separator: "/").dropLast().joined(separator: "/")
    let run = try RunningProgram.run(
      "/bin/sh",
      ["-c", script],
      environment: [
        "PATH=/\(folder):/usr/bin:/bin", "HOME=/dev/null", "LOCALAUTH_HOME=\(daemon.home)",
      ]
    )
    return run.output.split(separator: "\n").last.map(String.init)
  }
}
