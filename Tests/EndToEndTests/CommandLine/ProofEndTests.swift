import Glibc
import LocalAuthJSON
import LocalAuthUnix
import Testing

/// Proofs that end otherwise than planned.
@Suite struct ProofEndTests {
  private let scratch = Scratch()

  @Test(arguments: [SIGINT, SIGTERM]) func whatWasExploredIsPrinted(_ signal: Int32) throws {
    let proof = try TerminalProgram.authctl(
      ["policy", "prove", "biometrics", "--states", "90000000"]
    )
    try proof.wait(for: "states/s")
    #expect(try proof.end(signal) == .status(3))
    _ = try proof.waitForExit()
    // How much was explored by then, and so whether a success was at risk, the machine's speed decides.
    #expect(proof.screen.contains(" success-is-proven: "), "\(proof.screen)")
    #expect(proof.screen.contains("Interrupted: more was not explored."))
    #expect(proof.screen.contains("0 of 1 were explored to the end"))
  }

  @Test func programsAreToldToo() throws {
    let output = try Captured()
    let proof = try RunningProgram(
      SpawnRequest(
        executable: Machine.authctl,
        arguments: ["--json", "policy", "prove", "biometrics", "--states", "90000000"],
        environment: Authctl.environment,
        descriptors: [.null, .duplicate(of: output.descriptor), .null]
      )
    )
    // Signals are watched before the threads are there.
    while try Files.names(in: "/proc/\(proof.processID)/task").count < 2 {}
    #expect(try proof.end(SIGINT) == .status(3))
    let object = try JSONValue(parsing: Array(output.text.utf8.dropLast()).span)
    #expect(object["complete"]?.boolean == false)
    #expect(object["outcome"]?.string == "userCancel" && object["exit"]?.integer == 3)
    #expect(object["states"]?.integer ?? 0 > 0)
  }

  @Test(arguments: [SIGINT, SIGTERM]) func whatWasComparedIsPrinted(_ signal: Int32) throws {
    let search = try TerminalProgram.authctl(
      ["policy", "diff", "biometrics", "biometrics", "--states", "9000000"]
    )
    try search.wait(for: "states/s")
    #expect(try search.end(signal) == .status(3))
    _ = try search.waitForExit()
    #expect(search.screen.contains("No run of events tells biometrics and biometrics apart in"))
    #expect(search.screen.contains("Interrupted: what is printed is what was found until then."))
  }

  /// What `policy diff` prints of two policies that it is interrupted with.
  private func interrupted(_ words: [String]) throws -> JSONValue {
    let output = try Captured()
    let search = try RunningProgram(
      SpawnRequest(
        executable: Machine.authctl,
        arguments: ["--json", "policy", "diff"] + words,
        environment: Authctl.environment,
        descriptors: [.null, .duplicate(of: output.descriptor), .null]
      )
    )
    // The signals are watched once they are blocked or caught.
    while !(try isWatching(search.processID)) {}
    #expect(try search.end(SIGINT) == .status(3))
    return try JSONValue(parsing: Array(output.text.utf8.dropLast()).span)
  }

  @Test func programsAreToldOfASearchThatWasInterrupted() throws {
    let object = try interrupted(["biometrics", "biometrics", "--states", "9000000"])
    #expect(object["complete"]?.boolean == false)
    #expect(object["outcome"]?.string == "userCancel" && object["exit"]?.integer == 3)
    #expect(object["states"]?.integer != nil && object["settings"] != nil)
  }

  /// All days of both policies would take minutes; the search is over at once.
  @Test func numbersThatAreBeingComputedEndToo() throws {
    let object = try interrupted([
      "device-owner", "biometrics", "--states", "1", "--days", "3650", "--logins", "40",
    ])
    #expect(object["complete"]?.boolean == false)
    #expect(object["quantities"]?.elements.isEmpty == true)
    #expect(object["settings"]?.elements.isEmpty == false)
  }

  @Test func whatIsSolvedEndsFromItsBeginning() throws {
    let output = try Captured()
    let solving = try RunningProgram(
      SpawnRequest(
        executable: Machine.authctl,
        arguments: ["policy", "solve", "device-owner", "--days", "3650"],
        environment: Authctl.environment,
        descriptors: [.null, .duplicate(of: output.descriptor), .null]
      )
    )
    while !(try isWatching(solving.processID)) {}
    #expect(try solving.end(SIGINT) == .status(3))
    let text = output.text
    // Before the first day there is nothing to print.
    #expect(!text.contains(", exact"), "\(text)")
    #expect(text.isEmpty || text.contains(", partial: of 3650 days"), "\(text)")
  }

  /// Attacks that take half a second each, behind two that take none.
  private static let attackers = [
    "known-pin", "insider", "fake+pin", "presentation", "zero-effort", "targeted", "pin",
    "shoulder",
  ]
  private static let attacked =
    ["device-owner", "--days", "1", "--profile", "faillock", "--attack-time", "24h"]
    + attackers.flatMap { ["--attacker", $0] }

  @Test(arguments: [SIGINT, SIGTERM]) func attacksThatWereSolvedAreKept(_ signal: Int32) throws {
    let solving = try TerminalProgram.authctl(["policy", "solve"] + Self.attacked)
    try solving.wait(for: "attacks/s")
    #expect(try solving.end(signal) == .status(3))
    _ = try solving.waitForExit()
    #expect(solving.screen.contains("success of known-pin within 24h"), "\(solving.screen)")
    #expect(!solving.screen.contains("success of shoulder"))
    #expect(solving.screen.contains("Interrupted: the results are partial."))
  }

  @Test(arguments: [SIGINT, SIGTERM]) func aReportKeepsAttacksThatWereSolved(
    _ signal: Int32
  ) throws {
    let page = "\(scratch.path)/page.html"
    let solving = try TerminalProgram.authctl(
      ["policy", "report"] + Self.attacked + ["--out", page]
    )
    try solving.wait(for: "attacks/s")
    #expect(try solving.end(signal) == .status(3))
    let text = try Files.text(page)
    #expect(text.contains("Interrupted: this report is partial. device-owner was computed for"))
    #expect(text.contains("A thief who knows the passcode gets in"))
    #expect(!text.contains("Somebody who watched the passcode"))
  }

  /// Signals are watched from the first person to the last attack, so none of them ends the program.
  @Test func attacksThatAreSimulatedEndToo() throws {
    let output = try Captured()
    let drawing = try RunningProgram(
      SpawnRequest(
        executable: Machine.authctl,
        arguments: ["--json", "policy", "simulate", "--population", "1", "--attacks", "1"]
          + Self.attacked,
        environment: Authctl.environment,
        descriptors: [.null, .duplicate(of: output.descriptor), .null]
      )
    )
    while !(try isWatching(drawing.processID)) {}
    #expect(try drawing.end(SIGTERM) == .status(3))
    let object = try JSONValue(parsing: Array(output.text.utf8.dropLast()).span)
    #expect(object["complete"]?.boolean == false && object["exit"]?.integer == 3)
  }

  /// Whether a process does not die of SIGINT any more.
  private func isWatching(_ process: pid_t) throws -> Bool {
    let status = try Files.text("/proc/\(process)/status")
    let masks = status.split(separator: "\n").filter {
      $0.hasPrefix("SigBlk:") || $0.hasPrefix("SigCgt:")
    }
    return masks.contains { line in
      let digits = line.split(separator: "\t").last ?? ""
      return (UInt64(digits, radix: 16) ?? 0) & (1 << UInt64(SIGINT - 1)) != 0
    }
  }

  @Test func aFileWithAMistakeDoesNotKeepTheOthersFromBeingProven() throws {
    let folder = try ["localauth", "localauth/policies", "localauth/policies/policy"].map {
      try scratch.makeDirectory($0)
    }
    #expect(folder.count == 3)
    try scratch.write(
      #"{"name": "bad", "requirement": {"#,
      to: "localauth/policies/policy/bad.json"
    )
    let few = ["--states", "20", "--profile", "apple", "--delays", "apple"]
    let environment = ["XDG_CONFIG_HOME=\(scratch.path)"]
    let run = try Authctl.run(["policy", "prove", "--all"] + few, environment: environment)
    #expect(run.status == 78, "\(run.output)\(run.errors)")
    #expect(run.output.contains("device-owner") && run.output.contains("holds"))
    #expect(run.output.contains("Not proven: ") && run.output.contains("bad.json:1:"))
    let json = try Authctl.run(
      ["--json", "policy", "prove", "--all"] + few,
      environment: environment
    ).json
    #expect(json["unusable"]?.elements.count == 1 && json["complete"]?.boolean == true)
    #expect(json["items"]?.elements.count ?? 0 > 3)
    let named = try Authctl.run(["policy", "prove", "user/bad"], environment: environment)
    #expect(named.status == 78 && named.output.isEmpty, "\(named.errors)")
    let none = try Authctl.run(["policy", "prove", "--all", "--profile", "none"])
    #expect(none.status == 78 && none.output.isEmpty, "\(none.errors)")
  }
}
