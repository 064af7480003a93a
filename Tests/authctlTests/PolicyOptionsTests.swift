import LocalAuthJSON
import LocalAuthUnix
import Testing

@testable import authctl

/// What `policy` computes, and what it refuses to.
@Suite struct PolicyOptionsTests {
  private func run(_ line: String, environment: [String] = []) throws -> ProgramRun {
    try ProgramRun(line.split(separator: " ").map(String.init), environment: environment)
  }

  /// Whether the daemon is asked for it, or it is looked up here.
  @Test func aPolicyThatIsNotThereIsSaidInOneWay() throws {
    let missing =
      #"{"error":"io.localauth.Policies.PolicyNotFound","parameters":{"policy":"gone"}}"#
    let asked = try ProgramRun.answered(["policy", "show", "gone"], answering: [missing]).run
    for run in [asked, try ProgramRun(["policy", "solve", "gone"])] {
      #expect(run.status == 78, "\(run)")
      let words = "There is no policy 'gone'. Names of your own begin with user/. See: authctl"
      #expect(run.error.contains(words), "\(run)")
    }
  }

  @Test(arguments: [
    ("choose --with passcode --days 1 --name mine", "so they need --out FILE."),
    ("choose --with passcode --days 1 --replace", "so they need --out FILE."),
    (
      "choose --with passcode --days 1 --name device-owner --out /nowhere/a.json",
      "--name device-owner is a policy that ships: give a name of your own."
    ),
    ("solve passcode --days 1 --picture people", "so it needs --plot FILE."),
    ("simulate passcode --days 1 --picture people", "so it needs --plot FILE."),
    ("solve passcode --days 1 --user 0", "--user needs --system: "),
    ("choose --days 1 --user 0", "--user needs --system: "),
    ("prove passcode --states 1 --system --home /tmp", "leave it out with --system."),
    ("solve passcode --days 1 --d-prime 100.5", "it must be above 0 and at most 100."),
  ])
  func whatMeansNothingIsRefused(_ line: String, _ why: String) throws {
    let run = try run("policy \(line)")
    #expect(run.status == 2 && run.output.isEmpty, "\(run.output)")
    #expect(run.error.contains(why), "\(run.error)")
    #expect(run.error.split(separator: "\n").count == 1)
  }

  @Test func asLargeASeparationAsAFileMayHaveIsTaken() throws {
    let run = try run("policy solve passcode --days 1 --d-prime 100")
    #expect(run.status == 0, "\(run.error)")
  }

  @Test(arguments: [
    (["choose", "--with", "passcode", "--days", "1", "--out", ""], "to write is empty."),
    (["report", "passcode", "--days", "1", "--out", ""], "to write is empty."),
    (["check", ""], "to read is empty."),
  ])
  func anEmptyNameOfAFileIsSaidToBeEmpty(_ words: [String], _ why: String) throws {
    let run = try ProgramRun(["policy"] + words)
    #expect(run.status == 2 && run.output.isEmpty, "\(run.output)")
    #expect(run.error.hasSuffix("The name of the file \(why)\n"), "\(run.error)")
  }

  @Test func aRuleOfADraftSaysSoInTextAndOnThePage() throws {
    let source = "NIST SP 800-63B-4, initial public draft; "
    let text = try run("policy solve passcode --days 1").output
    #expect(text.contains(source), "\(text)")
    let page = try run("policy report passcode --days 1").output
    #expect(page.contains("nist (\(source)"))
    let rules = try run("--json policy solve passcode --days 1").object["rules"]?.elements ?? []
    #expect(rules.first?["source"]?.string?.hasPrefix(source) == true)
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
