import Glibc
import LocalAuthJSON
import LocalAuthUnix
import Testing

@testable import authctl

/// The program and the daemon that it starts, on a state directory of their own.
@Suite struct EndToEndTests {
  /// A state directory with its daemon, which ends with the value.
  private final class Home {
    let scratch = Scratch()
    let schema: JSONSchema
    var kinds: Set<String> = []
    /// The verbs that were run, by their words.
    var verbs: Set<String> = []

    init() throws { schema = try JSONSchema(packageFile("docs/authctl.schema.json")) }

    deinit {
      guard let run = try? ProgramRun(["--home", scratch.path, "--json", "status"]),
        let pid = try? run.object["daemon"]?["pid"]?.integer
      else { return }
      kill(Int32(pid), SIGTERM)
    }

    /// Runs a line without and with `--json`, and returns the JSON of one run of it.
    @discardableResult
    func run(
      _ line: String,
      input: String = "",
      exits status: Int32 = 0,
      as kind: String,
      sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> JSONValue {
      let words = ["--json", "--home", scratch.path] + line.split(separator: " ").map(String.init)
      let run = try ProgramRun(words, input: input)
      #expect(run.status == status, "\(line): \(run.error)", sourceLocation: sourceLocation)
      let object = try run.object
      #expect(schema.problems(of: object) == [], "\(line)", sourceLocation: sourceLocation)
      #expect(schema.isValid(object, as: kind), "\(line)", sourceLocation: sourceLocation)
      #expect(object["exit"]?.integer == Int64(status), sourceLocation: sourceLocation)
      kinds.insert(kind)
      verbs.insert(Self.verb(in: line))
      return object
    }

    /// The words of the verb that `line` runs.
    private static func verb(in line: String) -> String {
      let words = line.split(separator: " ").map(String.init)
      return EndToEndTests.verbs.filter { " \(words.joined(separator: " ")) ".contains(" \($0) ") }
        .max { $0.count < $1.count } ?? ""
    }
  }

  /// Every verb, by its words.
  fileprivate static let verbs = CommandTable.tree.allCommands.filter { $1.subcommands.isEmpty }
    .map { path, _ in path.dropFirst().joined(separator: " ") }

  @Test func everyVerbKeepsItsContract() throws {
    let home = try Home()
    let reason = "--reason test"
    try home.run("status", as: "status")
    let create = "device create sim --finger right-index --passcode-stdin"
    try home.run(create, input: "2468\n", as: "createdDevice")
    try home.run(create, input: "2468\n", exits: 78, as: "failure")
    #expect(try home.run("device list", as: "deviceList")["items"]?.elements.count == 2)

    let biometrics = "--device sim evaluate --policy biometrics \(reason)"
    let success = try home.run("\(biometrics) --script miss,match:right-index", as: "evaluation")
    #expect(success["outcome"]?.string == "success")
    #expect(success["attempts"]?.integer == 2)
    #expect(success["finger"]?.string == "right-index-finger")
    try home.run("\(biometrics) --script miss,miss,miss", exits: 10, as: "evaluation")
    try home.run("--device sim can-evaluate --policy biometrics", exits: 10, as: "canEvaluation")
    let passcode = "--device sim evaluate --policy passcode \(reason)"
    try home.run("\(passcode) --script passcode:2468", as: "evaluation")
    try home.run("--device sim can-evaluate --policy biometrics", as: "canEvaluation")
    try home.run("\(passcode) --passcode-fd 3", input: "2468\n", as: "evaluation")
    try home.run(biometrics, exits: 5, as: "evaluation")
    try home.run("\(biometrics) --script match,miss", exits: 65, as: "evaluation")
    try home.run("evaluate --policy nothing \(reason)", exits: 78, as: "failure")

    try home.run("\(biometrics) --script match --max-age 5m --max-uses 2", as: "evaluation")
    try home.run("grant list", as: "grantList")
    try home.run("grant revoke --all", as: "revokedGrants")
    try home.run("grant revoke 0", exits: 20, as: "failure")

    try home.run("--device sim sensor touch right-index", exits: 13, as: "failure")
    try home.run("--device sim sensor present unplug", as: "effect")
    try home.run("--device sim sensor present plug", as: "effect")
    try home.run("--device sim sensor script match --times 2", as: "queuedScript")
    try home.run("--device sim sensor set latency=1ms", as: "changedSetting")
    try home.run("--device sim sensor dump", as: "sensorDump")
    try home.run("--device sim sensor reset", as: "changedDevice")
    let enroll = "--device sim sensor enroll left-thumb --passcode-stdin"
    try home.run(enroll, input: "2468\n", as: "enrolledFinger")
    try home.run("--device sim sensor list", as: "fingerList")
    let remove = "--device sim sensor remove left-thumb --passcode-stdin"
    try home.run(remove, input: "1111\n", exits: 1, as: "failure")
    try home.run(remove, input: "2468\n", as: "removedFinger")

    try home.run("--device sim device lock", as: "changedDevice")
    try home.run("--device sim device unlock --script match", as: "evaluation")
    try home.run("--device sim device reboot", as: "changedDevice")
    try home.run("--device sim device unlock --stdin", input: "2468\n", as: "changedDevice")
    try home.run("--device sim device clock advance 5m", as: "changedDevice")
    let change = "--device sim passcode change --stdin"
    try home.run(change, input: "2468\n1357\n", as: "changedDevice")
    try home.run("--device sim passcode remove --stdin", input: "1357\n", as: "changedDevice")
    try home.run("--device sim passcode set --stdin", input: "97531\n", as: "changedDevice")
    let key = "otpauth://totp/x?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ\n"
    try home.run("--device sim keychain add mail --code --stdin", input: key, as: "addedItem")
    try home.run("--device sim keychain code mail", as: "oneTimeCode")
    let table = home.scratch.write("name,url,username,password,note\nweb,,me,x,\n", to: "items.csv")
    try home.run("--device sim keychain import \(table)", as: "importedItems")
    try home.run("--device sim device erase", as: "changedDevice")
    try home.run("device delete sim", as: "changedDevice")

    try home.run("policy list", as: "policyList")
    let shown = try home.run("policy show device-owner", as: "policy")
    let file = home.scratch.write(shown["source"]?.string ?? "", to: "policy.json")
    try home.run("policy check \(file)", as: "policyCheck")
    let explained = try home.run("policy explain passcode", as: "policyExplanation")
    // What PAM's service file says is this machine's affair, and so is whether there is one.
    #expect(["success", "badConfiguration"].contains(explained["now"]?.string))
    try home.run("policy explain nothing", exits: 78, as: "failure")
    try home.run("policy prove biometrics --states 200", as: "policyProof")
    try home.run("policy diff biometrics device-owner --days 2", as: "policyDifference")
    let bad = home.scratch.write(#"{"name": "bad", "requirement": {"allOf": []}}"#, to: "bad.json")
    try home.run("policy check \(bad)", exits: 78, as: "failure")
    for (folder, text) in [
      (
        "sensor",
        #"{"name": "a", "summary": "s", "source": "s", "calibration": {"dPrime": 6, "falseMatch": 0.1}}"#
      ), ("lockout", #"{"name": "a", "summary": "s", "locksAt": 4}"#),
    ] {
      // SAFETY: the string is a C string for the length of the call.
      #expect(unsafe mkdir(home.scratch.path + "/" + folder, 0o700) == 0)
      let good = home.scratch.write(text, to: "\(folder)/a.json")
      try home.run("policy check \(good)", as: "policyCheck")
      let bad = home.scratch.write(text.replacing("a", with: "A"), to: "\(folder)/a.json")
      try home.run("policy check \(bad)", exits: 78, as: "failure")
    }
    let few = "--population 3 --days 2 --attacks 100"
    try home.run("policy simulate passcode --seed 1 --attacker pin \(few)", as: "policySimulation")
    try home.run("policy solve passcode --days 2 --attacker pin", as: "policySolution")
    try home.run("policy solve passcode --days 1 --sensitivity", as: "policySolution")
    // The home is the daemon's state, in which nothing is put and nothing is protected.
    let files = Scratch()
    let page = files.path + "/page.html"
    let report = "policy report passcode biometrics --compare --days 1 --out"
    try home.run("\(report) \(page)", as: "policyReport")
    try home.run("\(report) /dev/null/page", exits: 2, as: "failure")
    let chain = "--prism \(files.path)/a.prism"
    try home.run("policy solve passcode --days 1 \(chain)", as: "policySolution")
    let bounds = "policy choose --with passcode --days 2 --max-attack pin=0.01 --max-lockouts 1"
    try home.run("\(bounds) --out \(files.path)/chosen.json", as: "policyChoice")
    try home.run("policy check \(files.path)/chosen.json", as: "policyCheck")
    try home.run("\(bounds) --rule stig", exits: 1, as: "policyChoice")
    try home.run("\(bounds) --out \(files.path)/chosen.json", exits: 2, as: "failure")
    let out = "\(files.path)/out"
    try home.run("inject --out \(out)", input: "no reference", as: "writtenFile")
    try home.run(
      "rncrypt encrypt --in \(out) --out \(out).rnc --password-stdin",
      input: "a\n",
      as: "writtenFile"
    )
    try home.run("device create files --passcode-stdin", input: "2468\n", as: "createdDevice")
    try home.run("--device files file protect \(out)", as: "protectedFile")
    try home.run("--device files file status \(out)", as: "fileStatus")
    try home.run("--device files file verify \(out)", as: "verifiedFile")
    try home.run("--device files file reclass --class unless-open \(out)", as: "protectedFile")
    try home.run("--device files file export \(out) \(out).copy", as: "writtenFile")
    try home.run(
      "--device files file export --skip-damaged \(out) \(out).copy",
      as: "writtenFile"
    )
    try home.run("file default \(home.scratch.path)", as: "fileDefault")
    try home.run("--device files file unprotect \(out)", as: "writtenFile")
    try home.run("--device files file unprotect \(out)", exits: 2, as: "failure")
    try home.run("--device files file status \(out)", as: "fileStatus")
    try home.run("--device files backup create \(out).lab --device-only", as: "backupDescription")
    try home.run("backup list \(out).lab", as: "backupDescription")
    try home.run("--device files backup verify \(out).lab", as: "verifiedBackup")
    try home.run("--device files backup verify \(out).lab --quick", as: "verifiedBackup")
    try home.run("--device files backup restore \(out).lab --dry-run", as: "restoredBackup")
    try home.run("--device files backup restore \(out).lab", as: "restoredBackup")
    try home.run("--device files kv set theme dark", as: "setKeyValue")
    try home.run("--device files kv set window [1,{}] --type json", as: "setKeyValue")
    try home.run("--device files kv set odd nan --type real", as: "setKeyValue")
    for key in ["theme", "window", "odd"] {
      try home.run("--device files kv get \(key)", as: "keyValue")
    }
    try home.run("--device files kv list", as: "keyValueList")
    try home.run("--device files kv remove theme window", as: "removedKeyValues")
    try home.run("--device files kv get theme", exits: 20, as: "failure")
    try home.run("--device files doc put notes/a \(out)", as: "writtenDocument")
    try home.run("--device files doc put notes/a \(out)", as: "writtenDocument")
    try home.run("--device files doc get notes/a \(out).doc", as: "copiedDocument")
    try home.run("--device files doc list", as: "documentList")
    try home.run("--device files doc versions notes/a", as: "documentVersions")
    try home.run("--device files doc settle notes/a", as: "settledDocument")
    try home.run("--device files doc get notes/a", exits: 2, as: "failure")
    try home.run("--device files doc remove notes/a", as: "removedDocuments")
    try home.run("--device files doc get notes/a \(out).doc", exits: 20, as: "failure")
    let milk = "notes milk title=Milk count:int=2 price:real=1.5 old:null= more:data=AAE="
    try home.run("--device files table set \(milk)", as: "writtenRows")
    try home.run("--device files table set \(milk)", as: "writtenRows")
    try home.run("--device files table get notes milk", as: "tableRow")
    try home.run("--device files table list", as: "tableList")
    for wrong in ["title", "count:int=x", "count:date=1", "old:null=1", ""] {
      try home.run("--device files table set notes milk \(wrong)", exits: 2, as: "failure")
    }
    try home.run("--device files table remove notes milk bread", as: "writtenRows")
    try home.run("--device files table get notes milk", exits: 20, as: "failure")
    try home.run("backup list \(out)", exits: 2, as: "failure")
    try home.run("inject --in \(out)", exits: 2, as: "failure")
    try home.run("run -- /dev/null/x", exits: 127, as: "failure")
    try home.run("exec -- /etc/passwd", exits: 126, as: "failure")

    try home.run("jwks", as: "keySet")
    try home.run("jwks --simulated rotate", as: "keySet")
    try home.run("audit", as: "auditList")
    try home.run("audit --summary", as: "auditSummary")
    try home.run("completion fish", as: "text")

    try home.run("daemon status", as: "daemonStatus")
    try home.run("daemon reload", as: "reloadedDaemon")
    let manifest = home.scratch.write(Self.manifest, to: "codes.json")
    try home.run("authenticator check \(manifest)", exits: 1, as: "authenticatorCheck")
    try home.run("authenticator list", as: "authenticatorList")
    try home.run("authenticator show none", exits: 20, as: "failure")
    try home.run("daemon stop", as: "stoppedDaemon")
    try home.run("daemon status", exits: 69, as: "failure")

    // What only a stream prints has a test of its own, and so have items.
    let elsewhere = [
      "auditStream", "agentEvent", "keychainCall", "gotItem", "itemList",
      "fileSummary", "lockState", "mountedFiles", "hubReport", "syncStatus", "syncWords",
      "syncPeer", "syncRemoval", "syncConflicts", "syncConflict", "exposedSecrets",
      "keyValueChange", "documentChange", "rowChange", "authenticatorShown",
    ]
    #expect(home.kinds.union(elsewhere) == Set(home.schema.kinds))
    #expect(Set(Self.verbs).subtracting(home.verbs) == Self.verbsElsewhere)
  }

  /// The verbs whose objects other tests hold against the schema.
  ///
  /// They need a person, a stream, a mount or a hub. Of a verb that is in no list the schema may know nothing.
  private static let verbsElsewhere: Set<String> = [
    "agent", "panel", "device watch", "keychain generate", "keychain get", "keychain update",
    "keychain delete", "keychain list", "keychain find", "keychain edit", "keychain export",
    "file cat", "file run", "file edit", "file mount", "file unmount", "kv watch", "doc watch",
    "table watch", "sync found", "sync join", "sync invite", "sync approve", "sync status",
    "sync now", "sync conflicts", "sync resolve", "sync remove", "sync exposed", "sync roll",
    "sync recovery-key", "sync recover", "sync repair", "sync head", "sync move", "sync leave",
    "hub install",
    "hub upgrade", "hub status", "hub verify", "hub found", "hub remove-circle",
    "rncrypt decrypt",
  ]
  private static let manifest = """
    {"name": "codes", "summary": "Texts.", "program": "/usr/bin/true", "kind": "code",
     "asks": "text", "amr": "otp", "simulated": true}
    """

  @Test func anAuthenticatorIsAsTheSchemaSays() throws {
    let schema = try JSONSchema(packageFile("docs/authctl.schema.json"))
    let line = """
      "name":"codes","summary":"Texts.","kind":"code","evidence":"possession","asks":"text",\
      "simulated":true,"program":"/usr/bin/true","file":"/etc/codes.json","state":"ready"
      """
    let more = #","amr":"otp","message":"It waits.","enrolled":1,"directory":"/var/lib/codes""#
    for line in [line, line + more] {
      let reply = #"{"parameters":{"authenticators":[{\#(line)}],"problems":[]}}"#
      for (verb, kind) in [("show codes", "authenticatorShown"), ("list", "authenticatorList")] {
        let words = "--json authenticator \(verb)".split(separator: " ").map(String.init)
        let run = try ProgramRun.answered(words, answering: [reply]).run
        #expect(try schema.problems(of: run.object) == [], "\(run.output)")
        #expect(try schema.isValid(run.object, as: kind), "\(run.output)")
      }
    }
  }

  @Test func programAndDaemonAreOfOneVersion() throws {
    let home = try Home()
    let status = try home.run("status", as: "status")
    #expect(status["daemon"]?["version"]?.string == Program.version)
  }
}
