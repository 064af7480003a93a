import LocalAuthCore
import LocalAuthJSON
import LocalAuthPolicies
import LocalAuthUnix
import Testing

/// The run of events that `policy diff` prints is one that can be typed, and ends as it says.
@Suite struct PolicyTraceTests {
  /// Policies of a user's own, each like a shipped one but for one clause.
  private static let own = [
    "young": """
    {"name": "young", "summary": "Mine.", "requirement": "biometry", "freshness": {"anyWithin": "24h",
    "passcodeWithin": "156h", "unlessMatchedWithin": "4h"}, "grant": {"maxAge": "5m"}}
    """,
    "lasting": """
    {"name": "lasting", "summary": "Mine.", "requirement": "biometry", "freshness": {"anyWithin": "48h",
    "passcodeWithin": "160h", "unlessMatchedWithin": "4h"}, "grant": {"maxAge": "5m"}}
    """,
    "guarded": """
    {"name": "guarded", "summary": "Mine.", "requirement": "biometry", "needsPasscodeSet": true, "freshness":
    {"anyWithin": "48h", "passcodeWithin": "156h", "unlessMatchedWithin": "4h"},
    "grant": {"maxAge": "5m"}}
    """,
    "forgetful": """
    {"name": "forgetful", "summary": "Mine.", "requirement": "passcode", "needsPasscodeSet": true}
    """,
    "at-once": """
    {"name": "at-once", "summary": "Mine.", "requirement": {"allOf": ["biometry", "passcode"]},
    "presentation": "parallel", "fallback": "forbidden", "needsPasscodeSet": true}
    """,
  ]
  /// All but those that ask for what a person has, which is not explored.
  private static let policies = pairs(
    of: PolicyCatalog().names.filter { name in
      let policy = try? PolicyCatalog().policy(named: name).get()
      return policy?.requirement.factors.contains(.possession) == false
    }
  )
  private static let profiles = pairs(of: PolicyCatalog().lockoutProfileNames)

  private static func pairs(of names: [String]) -> [[String]] {
    names.flatMap { left in names.filter { left < $0 }.map { [left, $0] } }
  }

  private let scratch = Scratch()
  private let daemon: DaemonProcess
  private let environment: [String]

  init() throws {
    var directory = "home"
    _ = try scratch.makeDirectory(directory)
    for part in ["none", "localauth", "policies", "policy"] {
      directory += "/" + part
      _ = try scratch.makeDirectory(directory)
    }
    for (name, text) in Self.own { try scratch.write(text, to: "\(directory)/\(name).json") }
    // Where the daemon looks for a user's own.
    environment = ["XDG_CONFIG_HOME=" + scratch.file("home/none")]
    daemon = try DaemonProcess(home: scratch.file("home"))
  }

  @Test(arguments: policies) func whatTellsTwoPoliciesApartIsSeen(_ names: [String]) throws {
    try isSeen(names)
  }

  @Test(arguments: profiles) func whatTellsTwoProfilesApartIsSeen(_ names: [String]) throws {
    try isSeen(names)
  }

  @Test(arguments: [["three-strikes", "apple"], ["faillock", "fido"], ["tpm", "android"]])
  func whatTellsTwoProfilesApartUnderAnotherPolicyIsSeen(_ names: [String]) throws {
    try isSeen(names + ["--policy", "biometrics"])
  }

  @Test(
    arguments: [
      ["user/young", "biometrics"], ["user/lasting", "biometrics"], ["user/guarded", "biometrics"],
      ["user/forgetful", "passcode"], ["user/at-once", "biometrics-and-passcode"],
    ]
  )
  func whatTellsPoliciesOfOnesOwnApartIsSeen(_ names: [String]) throws {
    // Enough for a week with a passcode, and no more before a device without one is tried.
    try isSeen(names + ["--states", "45000"])
  }

  @Test func whatIsAskedForIsSaidToPeopleAndPrograms() throws {
    let words = ["policy", "diff", "device-owner", "device-owner-parallel", "--days", "2"]
    let text = try Authctl.run(words).output
    #expect(
      text.hasPrefix(
        """
        After 1 event device-owner asks for the finger and offers the fallback, \
        device-owner-parallel asks for the finger and the passcode at once.

          1. a program asks

        """
      )
    )
    #expect(
      text.contains("3. a finger that is enrolled is laid on (device-owner: nobody asks for it)")
    )
    let found = try Authctl.run(["--json"] + words).json
    #expect(found["differsAfter"]?.integer == 1)
    #expect(found["askedA"]?.elements.map(\.string) == ["biometry", "fallback"])
    #expect(found["askedB"]?.elements.map(\.string) == ["biometry", "passcode"])
  }

  @Test func whatAPersonHasIsSaidNotToBeConnected() throws {
    let names = ["passcode", "second-factor"]
    let run = try Authctl.run(["policy", "diff"] + names + ["--days", "2", "--states", "2000"])
    #expect(
      !run.output.contains("No run of events") || run.output.contains("No key and no code"),
      "\(run.output)"
    )
  }

  @Test func nothingTellsAPolicyFromItself() throws {
    let words = ["policy", "diff", "biometrics", "biometrics", "--days", "2", "--states", "6000"]
    let found = try Authctl.run(["--json"] + words).json
    #expect(found["steps"] == nil)
    #expect(found["states"]?.integer ?? 0 > 1000)
  }

  /// Plays both scripts; the last evaluation of each ends as was said, and not like the other's.
  private func isSeen(_ words: [String]) throws {
    let found = try Authctl.run(
      ["--json", "policy", "diff", "--days", "2"] + words,
      environment: environment
    ).json
    let exits = try [found["exitA"], found["exitB"]].map { try #require($0?.integer) }
    #expect(exits[0] != exits[1])
    let outcomes = try [found["outcomeA"], found["outcomeB"]].map { try #require($0?.string) }
    let scripts = found["scripts"]?.elements.compactMap(\.string) ?? []
    try #require(scripts.count == 2)
    let rows = Set(found["quantities"]?.elements.compactMap { $0["name"]?.string } ?? [])
    #expect(
      rows.isSuperset(of: ["lockouts", "lockouts.p99", "denied", "time.p99", "success.insider"])
    )
    for (index, device) in ["a", "b"].enumerated() {
      #expect(try last(of: scripts[index]) == "exit \(exits[index])", "\(scripts[index])")
      #expect(try lastOutcome(on: device) == outcomes[index], "\(scripts[index])")
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

  @Test func allIsEveryPolicyWithEveryProfileAndTable() throws {
    let words = ["policy", "prove", "--all", "--states", "2"]
    let run = try Authctl.run(["--json"] + words)
    #expect(run.status == 0, "\(run.errors)")
    let items = try run.json["items"]?.elements ?? []
    let seen = items.map { item in ["policy", "lockout", "delays"].map { item[$0]?.string ?? "" } }
    let catalog = PolicyCatalog()
    let every = catalog.names.flatMap { policy in
      catalog.lockoutProfileNames.flatMap { profile in
        catalog.passcodeDelayNames.map { [policy, profile, $0] }
      }
    }
    #expect(seen == every)
    #expect(items.allSatisfy { $0["holds"]?.boolean == true })
  }

  @Test func whatIsNamedBesidesAllIsAllThatIsExplored() throws {
    let words = ["policy", "prove", "--all", "--profile", "apple", "--states", "2"]
    let text = try Authctl.run(words).output.split(separator: "\n")
    for name in PolicyCatalog().names {
      #expect(text.contains { $0.hasPrefix(name + " ") && $0.contains("  apple  ") }, "\(name)")
    }
    #expect(text.last?.hasPrefix("No property is broken in ") == true)
    let one = try Authctl.run(words + ["--delays", "gatekeeper", "--json"]).json
    #expect(one["items"]?.elements.count == PolicyCatalog().names.count)
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

  /// The last status that a script prints, in a terminal as people have it.
  private func last(of script: String) throws -> String? {
    let folder = Machine.authctl.split(separator: "/").dropLast().joined(separator: "/")
    let terminal = try TerminalProgram(
      ["/bin/sh", "-c", "PATH=/\(folder):$PATH; export PATH\n\(script)"],
      environment: environment + ["LOCALAUTH_HOME=\(daemon.home)"]
    )
    #expect(try terminal.waitForExit() == .status(0))
    let lines = terminal.screen.split(whereSeparator: \.isNewline)
    return lines.last { $0.hasPrefix("exit ") }.map(String.init)
  }

  /// How the last evaluation on `device` ended, by the audit.
  private func lastOutcome(on device: String) throws -> String? {
    let run = try Authctl.run(
      ["--json", "--device", device, "audit"],
      environment: environment + ["LOCALAUTH_HOME=\(daemon.home)"]
    )
    let lines = try run.json["items"]?.elements ?? []
    return lines.last { $0["policy"] != nil }?["outcome"]?.string
  }
}
