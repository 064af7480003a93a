import LocalAuthJSON
import LocalAuthUnix
import Testing

@testable import authctl

/// What `policy` computes, and what it refuses to.
@Suite struct PolicyOptionsTests {
  private func run(_ line: String, environment: [String] = []) throws -> ProgramRun {
    try ProgramRun(line.split(separator: " ").map(String.init), environment: environment)
  }

  @Test func aPolicyThatAsksForNoFingerDeniesNone() throws {
    let run = try run("policy solve passcode --days 1 --attacker malicious-toucher --csv")
    #expect(run.output.contains("\nmalicious-toucher.lockouts,0.0,,\n"), "\(run.output)")
    #expect(run.output.contains("\nmalicious-toucher.refused,0.0,,\n"), "\(run.output)")
    #expect(!run.output.contains("malicious-toucher.touches"))
  }

  /// All of their logins would be given up, in 0 seconds each.
  @Test func whatPeopleCannotMeetIsNotComputed() throws {
    let scratch = Scratch()
    let policy = #"{"name": "key", "summary": "Mine.", "requirement": {"kind": "key"}}"#
    let environment = try ["XDG_CONFIG_HOME=\(scratch.configured(policy, as: "policy/key.json"))"]
    for name in ["second-factor", "user/key"] {
      for verb in ["solve", "simulate", "report passcode"] {
        let run = try run("policy \(verb) \(name)", environment: environment)
        #expect(run.status == 2 && run.output.isEmpty, "\(verb): \(run.error)")
        #expect(
          run.error.hasSuffix(
            "\(name) cannot be computed: people would need something to have.\n"
          ),
          "\(run.error)"
        )
      }
    }
    #expect(try run("policy solve work-laptop --days 1").status == 0)
  }

  @Test func whatPeopleCannotMeetIsComparedWithoutNumbers() throws {
    let line = "policy diff passcode second-factor --states 200"
    let text = try run(line)
    #expect(text.status == 0, "\(text.error)")
    #expect(
      text.output.hasSuffix(
        "No numbers are compared: people would need something to have for second-factor.\n"
      ),
      "\(text.output)"
    )
    let object = try run("--json \(line)").object
    #expect(object["complete"] == true)
    #expect(object["quantities"]?.elements.isEmpty == true)
  }
}

extension Scratch {
  /// Writes a file of the user's own policies, and returns the directory that `XDG_CONFIG_HOME` names then.
  func configured(_ text: String, as name: String) throws -> String {
    let folder = "\(path)/localauth/policies/\(name.split(separator: "/")[0])"
    var made = try ChildProcess.spawn(
      SpawnRequest(executable: "/bin/mkdir", arguments: ["-p", folder])
    )
    _ = try made.waitForExit()
    _ = write(text, to: "localauth/policies/\(name)")
    return path
  }
}
