import Glibc
import LocalAuthJSON
import LocalAuthUnix
import Testing

/// From the simulated sensor to the secret, through the programs that people run: an item with access
/// control opens on proof, and on nothing else.
@Suite struct ProofChainTests {
  private let scratch = Scratch()
  private let daemon: DaemonProcess
  private let client: WireClient
  private let keychain: KeychainCommands

  init() throws {
    daemon = try DaemonProcess(home: scratch.file("home"))
    client = try daemon.connect()
    try client.create("sim", passcode: "1234")
    keychain = KeychainCommands(home: daemon.home)
    try expect(keychain.add("ann", "hunter2", ["--access-control", "biometryAny"]), exits: 0)
  }

  // MARK: The finger

  @Test func opensOnAMatch() throws {
    try expect(keychain.get("ann", ["--script", "match"]), exits: 0, "hunter2")
    try expect(keychain.get("ann", ["--script", "miss,match"]), exits: 0, "hunter2")
  }

  @Test func staysShutAfterThreeMissesAndThenOnAMatch() throws {
    try expect(keychain.get("ann", ["--script", "miss,miss,miss"]), exits: 10)
    // Nobody takes the match any more.
    try expect(keychain.get("ann", ["--script", "match"]), exits: 65)
  }

  @Test func staysShutWhereNobodyCanBeAsked() throws {
    try expect(keychain.get("ann", ["--non-interactive"]), exits: 5)
    try expect(keychain.get("ann"), exits: 5)
  }

  @Test(arguments: [("cancel", 3), ("error:timeout", 6), ("unplug", 13), ("cancel:system", 7)])
  func everyOtherEndGivesNothing(_ script: String, _ exit: Int32) throws {
    try expect(keychain.get("ann", ["--script", script]), exits: exit)
  }

  @Test func earlierMatchIsNoProofForTheNextProgram() throws {
    try expect(keychain.get("ann", ["--script", "match"]), exits: 0, "hunter2")
    try expect(keychain.get("ann", ["--non-interactive"]), exits: 5)
    #expect(try client.evaluate(on: "sim", script: "match").outcome == "success")
    try expect(keychain.get("ann", ["--non-interactive"]), exits: 5)
  }

  @Test func matchOfAnotherDeviceOpensNothingHere() throws {
    try client.create("other")
    var elsewhere = keychain
    elsewhere.device = "other"
    try expect(elsewhere.get("ann", ["--script", "match"]), exits: 20)
    try expect(elsewhere.add("ann", "else", ["--access-control", "biometryAny"]), exits: 0)
    try expect(elsewhere.get("ann", ["--script", "match"]), exits: 0, "else")
    try expect(keychain.get("ann", ["--non-interactive"]), exits: 5)
  }

  @Test func listsGiveNoSecretAndReferencesAreNoWayAround() throws {
    try expect(keychain.run(["keychain", "list", "--non-interactive"]), exits: 0)
    let listed = try keychain.run(["--json", "keychain", "list", "--script", "match"])
    #expect(listed.status == 0, "\(listed.errors)")
    #expect(!listed.output.contains("hunter2") && !listed.output.contains("aHVudGVyMg"))
    let reference = try #require(try listed.json["items"]?.elements.first?["reference"]?.string)
    let words = ["keychain", "get", "--reference", reference]
    try expect(keychain.run(words + ["--non-interactive"]), exits: 5)
    try expect(keychain.run(words + ["--script", "match"]), exits: 0, "hunter2")
  }

  @Test func itsAccessControlCannotBeTakenAwayWithoutProof() throws {
    let weaker = ["--set-accessible", "always", "--non-interactive"]
    try expect(keychain.run(["keychain", "update", "--account", "ann"] + weaker), exits: 5)
    let passcode = ["--set-access-control", "devicePasscode", "--non-interactive"]
    try expect(keychain.run(["keychain", "update", "--account", "ann"] + passcode), exits: 5)
    try expect(keychain.get("ann", ["--non-interactive"]), exits: 5)
  }

  // MARK: Several, and the application's own password

  @Test func scriptGoesOnWhereAnotherAccessControlAsks() throws {
    try expect(keychain.add("set", "s3cret", ["--access-control", "biometryCurrentSet"]), exits: 0)
    let words = ["keychain", "list", "--script", "match,match", "--timeout", "1s"]
    let run = try keychain.run(words)
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test func applicationPasswordAloneNeedsNobody() throws {
    let control = ["--access-control", "applicationPassword"]
    try expect(keychain.add("app", "4pp", control, password: "open sesame\n"), exits: 0)
    try expect(keychain.get("app", ["--non-interactive"]), exits: 5)
    let run = try keychain.get("app", ["--non-interactive"], password: "open sesame\n")
    #expect(run.status == 0 && run.output == "4pp", "\(run.errors)")
  }

  @Test func aPasswordThatNoItemWouldAskForAddsNone() throws {
    let update = ["--update"]
    for more in [[], update] {
      try expect(keychain.add("app", "4pp", more, password: "open sesame\n"), exits: 2)
      try expect(keychain.get("app", ["--non-interactive"]), exits: 20)
    }
    let control = ["--access-control", "applicationPassword"]
    try expect(keychain.add("app", "4pp", control, password: "open sesame\n"), exits: 0)
    try expect(keychain.add("app", "n3w", update, password: "open sesame\n"), exits: 0)
    try expect(keychain.get("app", password: "open sesame\n"), exits: 0, "n3w")
  }

  @Test(arguments: [["update", "--set-access-control"], ["add", "--update", "--access-control"]])
  func applicationPasswordThatNobodyGivesNeedsAPerson(_ words: [String]) throws {
    try expect(keychain.add("plain", "pl41n"), exits: 0)
    for account in words.first == "add" ? ["plain", "new"] : ["plain"] {
      let run = try keychain.run(
        ["keychain", words[0], "--account", account, "--stdin", "--non-interactive"]
          + words.dropFirst() + ["applicationPassword"],
        input: "x"
      )
      #expect(run.status == 5 && run.errors.contains("--application-password-fd"), "\(run.errors)")
    }
    try expect(keychain.get("plain", ["--non-interactive"]), exits: 0, "pl41n")
  }

  // MARK: The device

  @Test func staysShutOnALockedDevice() throws {
    try expect(Authctl.run(device + ["device", "lock"]), exits: 0, nil)
    try expect(Authctl.run(device + ["device", "clock", "advance", "11s"]), exits: 0, nil)
    try expect(keychain.get("ann", ["--script", "match"]), exits: 22)
    // A finger unlocks the device again, and that is still no proof for the item.
    try expect(Authctl.run(device + ["device", "unlock", "--script", "match"]), exits: 0, nil)
    try expect(keychain.get("ann", ["--non-interactive"]), exits: 5)
    try expect(keychain.get("ann", ["--script", "match"]), exits: 0, "hunter2")
  }

  @Test func staysShutBeforeTheFirstUnlock() throws {
    try expect(Authctl.run(device + ["device", "reboot"]), exits: 0, nil)
    try expect(keychain.get("ann", ["--script", "match"]), exits: 22)
    try client.administer("Unlock", "sim", ["passcode": "1234"])
    try expect(keychain.get("ann", ["--script", "match"]), exits: 0, "hunter2")
  }

  @Test func isGoneWithTheSetThatItWasBoundTo() throws {
    try expect(keychain.add("set", "s3cret", ["--access-control", "biometryCurrentSet"]), exits: 0)
    let either = ["--access-control", "biometryCurrentSet,or,devicePasscode"]
    try expect(keychain.add("either", "3ither", either), exits: 0)
    try expect(keychain.get("set", ["--script", "match"]), exits: 0, "s3cret")
    let enrolled = try Authctl.run(
      device + ["sensor", "enroll", "left-thumb", "--passcode-stdin"],
      input: "1234\n"
    )
    try expect(enrolled, exits: 0, nil)
    try expect(keychain.get("set", ["--script", "match"]), exits: 20)
    try expect(keychain.get("set", ["--script", "match:left-thumb"]), exits: 20)
    // Any finger may be new to an item that asks for any; the passcode alone is enough for the other.
    try expect(keychain.get("ann", ["--script", "match:left-thumb"]), exits: 0, "hunter2")
    let finger = ["--script", "match:left-thumb", "--timeout", "1s"]
    try expect(keychain.get("either", finger), exits: 65)
    try expect(keychain.get("either", ["--script", "passcode:1234"]), exits: 0, "3ither")
  }

  // MARK: Contexts

  @Test func proofCountsForItsContextAndItsConnectionOnly() throws {
    #expect(try client.copy("ann", context: 7, script: "match").secret == "aHVudGVyMg==")
    #expect(try client.copy("ann", context: 7).secret == "aHVudGVyMg==")
    #expect(try client.copy("ann", context: 8).outcome == "notInteractive")
    #expect(try client.copy("ann", context: nil).outcome == "notInteractive")
    let other = try daemon.connect()
    #expect(try other.copy("ann", context: 7).outcome == "notInteractive")
    // What another connection says of its own context changes nothing here.
    _ = try other.call(Interface.keychain + "InvalidateContext", ["context": 7]).get()
    #expect(try client.copy("ann", context: 7).secret == "aHVudGVyMg==")
    _ = try client.call(Interface.keychain + "InvalidateContext", ["context": 7]).get()
    #expect(try client.copy("ann", context: 7).outcome == "notInteractive")
  }

  @Test func proofForOneItemIsNoneForAnotherInTheSameContext() throws {
    try expect(keychain.add("bob", "b0b", ["--access-control", "biometryAny"]), exits: 0)
    #expect(try client.copy("ann", context: 7, script: "match").outcome == "success")
    #expect(try client.copy("bob", context: 7).outcome == "notInteractive")
    try expect(keychain.add("cid", "c1d", ["--access-control", "biometryAny"]), exits: 0)
    #expect(try client.copy("cid", context: 7).outcome == "notInteractive", "added meanwhile")
    #expect(try client.copy("bob", context: 7, script: "match").outcome == "success")
    #expect(try client.copy("ann", context: 7).outcome == "success")
  }

  @Test func proofOfOpeningIsNoneOfChanging() throws {
    #expect(try client.copy("ann", context: 7, script: "match").outcome == "success")
    let weaker: JSONValue = ["accessControl": ["protection": "ak", "flags": []]]
    let change: JSONValue = [
      "query": ["class": "genp", "acct": "ann"], "changes": ["accc": weaker], "device": "sim",
      "allowSimulated": true, "interactive": false, "context": 7,
    ]
    let replies = try client.stream(Interface.keychain + "Update", change)
    #expect(try replies.last?.get()["answer"]?["outcome"]?.string == "notInteractive")
    try expect(keychain.get("ann", ["--non-interactive"]), exits: 5)
  }

  @Test func promptNamesWhatIsOpenedAndHowMany() throws {
    for number in 1...6 {
      let words = ["--service", "mail \(number)", "--access-control", "biometryAny"]
      try expect(keychain.add("me", "s3cret", words), exits: 0)
    }
    let asking = try daemon.connect()
    try asking.send(Interface.keychain + "Copy", .copying("ann", context: 7), more: true)
    let prompt = try asking.receivePrompt()
    #expect(prompt["reason"]?.string == #"open "ann""#)
    let items = prompt["items"]
    #expect(items?["text"]?.string == #"open "ann""#)
    #expect(items?["operations"]?.elements.compactMap(\.string) == ["decrypt"])
    #expect(items?["count"]?.integer == 1)
    #expect(items?["named"]?.elements.first?["account"]?.string == "ann")
    asking.close()
    let listing = try daemon.connect()
    let query: JSONValue = ["class": "genp", "m_Limit": "m_LimitAll", "r_Attributes": true]
    try listing.send(
      Interface.keychain + "Copy",
      ["query": query, "device": "sim", "allowSimulated": true],
      more: true
    )
    let all = try listing.receivePrompt()["items"]
    #expect(all?["count"]?.integer == 7)
    #expect(all?["named"]?.elements.count == 4)
    #expect(all?["text"]?.string?.hasPrefix("open 7 items: ") == true)
    #expect(all?["text"]?.string?.hasSuffix(" and 3 more") == true)
  }

  @Test func proofForOneSignatureIsNoneForAnother() throws {
    let guarded: JSONValue = [
      "accessControl": ["protection": "ak", "flags": ["biometryAny", "privateKeyUsage"]]
    ]
    let key: JSONValue = ["labl": "signer", "accc": guarded]
    let made = try client.stream(
      Interface.keychain + "GenerateKey",
      ["query": key, "device": "sim", "allowSimulated": true]
    )
    #expect(try made.last?.get()["answer"]?["outcome"]?.string == "success")
    func sign(_ message: String, _ script: String?) throws -> JSONValue? {
      let call: JSONValue = [
        "query": ["class": "keys", "labl": "signer"], "message": .text(message),
        "algorithm": "algid:sign:ECDSA:message-X962:SHA256", "device": "sim", "context": 7,
        "allowSimulated": true, "interactive": .init(.bool(script != nil)),
      ]
      let asked = script.map { call.setting(["script": .text($0)]) } ?? call
      return try client.stream(Interface.keychain + "Sign", asked).last?.get()["answer"]
    }
    #expect(try sign("AQ==", "match")?["signature"]?.string != nil)
    for message in ["Ag==", "AQ=="] {
      let again = try sign(message, nil)
      #expect(again?["outcome"]?.string == "notInteractive")
      #expect(again?["signature"]?.string == nil)
    }
  }

  @Test func itemOfEachUseAsksAgainInTheSameContext() throws {
    let each = ["--access-control", "biometryAny", "--each-use"]
    try expect(keychain.add("eve", "3ve", each), exits: 0)
    for _ in 0..<2 {
      #expect(try client.copy("eve", context: 7, script: "match").outcome == "success")
      #expect(try client.copy("eve", context: 7).outcome == "notInteractive")
    }
    let words = ["--json", "keychain", "list", "--account", "eve", "--script", "match"]
    let listed = try keychain.run(words).json["items"]?.elements.first
    #expect(listed?["accessControl"]?.string == "biometryAny,eachUse")
    try expect(keychain.add("bad", "b4d", ["--each-use"]), exits: 2)
  }

  @Test func proofDoesNotOutliveItsConnection() throws {
    let first = try daemon.connect()
    #expect(try first.copy("ann", context: 1, script: "match").outcome == "success")
    first.close()
    for _ in 0..<3 {
      #expect(try daemon.connect().copy("ann", context: 1).outcome == "notInteractive")
    }
  }

  @Test(arguments: [-1, Int64.min]) func contextNumberThatNobodyMayHaveIsRefused(
    _ number: Int64
  ) throws {
    #expect(throws: Refusal.self) { try client.copy("ann", context: number, script: "match") }
  }

  @Test func proofForOneAccessControlIsNoneForAnother() throws {
    try expect(keychain.add("bob", "b0b", ["--access-control", "devicePasscode"]), exits: 0)
    #expect(try client.copy("ann", context: 7, script: "match").outcome == "success")
    #expect(try client.copy("bob", context: 7).outcome == "notInteractive")
    #expect(try client.copy("bob", context: 7, script: "passcode:1234").outcome == "success")
  }

  // MARK: Crashes

  @Test func crashWhileAskedOpensNothing() throws {
    let asking = try daemon.connect()
    try asking.send(Interface.keychain + "Copy", .copying("ann", context: 7), more: true)
    _ = try asking.receivePrompt()
    try daemon.crash()
    #expect(asking.isClosedByPeer())
    try expectShutAfterRestart()
  }

  @Test func crashAfterTheProofLosesIt() throws {
    #expect(try client.copy("ann", context: 7, script: "match").outcome == "success")
    #expect(try client.copy("ann", context: 7).outcome == "success")
    try daemon.crash()
    try expectShutAfterRestart()
  }

  private func expectShutAfterRestart() throws {
    let restarted = try DaemonProcess(home: daemon.home)
    let client = try restarted.connect()
    try expect(keychain.get("ann", ["--script", "match"]), exits: 22)
    try client.administer("Unlock", "sim", ["passcode": "1234"])
    #expect(try client.copy("ann", context: 7).outcome == "notInteractive")
    try expect(keychain.get("ann", ["--non-interactive"]), exits: 5)
    try expect(keychain.get("ann", ["--script", "match"]), exits: 0, "hunter2")
  }

  // MARK: Groups

  @Test(.enabled(if: Machine.isRoot, "needs root, to have programs that nobody else can write"))
  func anotherProgramsItemIsNotThere() throws {
    let programs = try RootOwnedPrograms()
    let home = scratch.file("other")
    _ = try scratch.makeDirectory("other")
    _ = try scratch.makeDirectory("other/none")
    _ = try scratch.makeDirectory("other/none/localauth")
    try scratch.write(programs.rules, to: "other/none/localauth/entitlements.json")
    let daemon = try DaemonProcess(home: home)
    try daemon.connect().create("sim", passcode: "1234")
    let mine = KeychainCommands(home: home, executable: programs.path("mine"))
    let theirs = KeychainCommands(home: home, executable: programs.path("theirs"))
    try expect(mine.add("ann", "hunter2", ["--access-control", "biometryAny"]), exits: 0)
    try expect(mine.get("ann", ["--script", "match"]), exits: 0, "hunter2")
    try expect(theirs.get("ann", ["--script", "match"]), exits: 20)
    try expect(theirs.get("ann", ["--access-group", "mine", "--script", "match"]), exits: 23)
    try expect(theirs.run(["keychain", "delete", "--account", "ann"]), exits: 20)
    #expect(try theirs.run(["keychain", "list"]).output == "")
    // One that no rule knows has no group at all.
    try expect(KeychainCommands(home: home).get("ann", ["--script", "match"]), exits: 23)
    try expect(mine.get("ann", ["--script", "match"]), exits: 0, "hunter2")
  }

  // MARK: Parts

  private var device: [String] { ["--home", daemon.home, "--device", "sim"] }

  /// What is expected on standard output is nothing, unless it says otherwise; nil is anything.
  private func expect(
    _ run: RunningProgram.Report,
    exits status: Int32,
    _ output: String? = "",
    at location: SourceLocation = #_sourceLocation
  ) throws {
    #expect(run.status == status, "\(run.errors)", sourceLocation: location)
    if let output { #expect(run.output == output, sourceLocation: location) }
  }
}

/// Two copies of `authctl` where only root can write, so that rules may name them.
private final class RootOwnedPrograms {
  private let directory: String

  init() throws {
    var template = Array("/run/localauth-test-XXXXXX".utf8CString)
    // SAFETY: the array is a C string that mkdtemp overwrites in place.
    guard unsafe mkdtemp(&template) != nil else { throw SystemError("mkdtemp", code: errno) }
    directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    for name in ["mine", "theirs"] {
      _ = try RunningProgram.run("/usr/bin/install", ["-m", "755", Machine.authctl, path(name)])
    }
  }

  deinit { _ = try? RunningProgram.run("/bin/rm", ["-rf", "--", directory]) }

  func path(_ name: String) -> String { "\(directory)/\(name)" }

  /// Rules that give each of them a group of its own, and nobody else any.
  var rules: String {
    let rules = ["mine", "theirs"].map {
      "{\"executable\": \"\(path($0))\", \"applicationIdentifier\": \"\($0)\", "
        + "\"groups\": [\"\($0)\"]}"
    }
    return "{\"rules\": [\(rules.joined(separator: ", "))]}"
  }
}

/// What a search over the wire gave.
private struct CopyAnswer {
  var outcome: String
  /// In base64, as it travels.
  var secret: String?
}

extension WireClient {
  /// Reads a secret in a context; without a script nobody can be asked.
  fileprivate func copy(
    _ account: String,
    context: Int64?,
    script: String? = nil
  ) throws -> CopyAnswer {
    let replies = try stream(
      Interface.keychain + "Copy",
      .copying(account, context: context, script: script, isInteractive: script != nil)
    )
    let answer = try replies.last?.get()["answer"]
    return CopyAnswer(
      outcome: answer?["outcome"]?.string ?? "nothing",
      secret: answer?["items"]?.elements.first?["data"]?.string
    )
  }
}

extension JSONValue {
  /// The parameters of a search for the secret of a password.
  fileprivate static func copying(
    _ account: String,
    context: Int64?,
    script: String? = nil,
    isInteractive: Bool = true
  ) -> JSONValue {
    var parameters: JSONValue = [
      "query": ["class": "genp", "acct": .text(account), "r_Data": true],
      "device": "sim", "allowSimulated": true, "interactive": .init(.bool(isInteractive)),
    ]
    if let context { parameters = parameters.setting(["context": .number(context)]) }
    if let script { parameters = parameters.setting(["script": .text(script)]) }
    return parameters
  }
}
