import LocalAuthJSON
import LocalAuthTestSupport
import LocalAuthUnix
import Testing

@testable import authctl

/// Keychain verbs as users run them, against a daemon that says what a test wants.
@Suite struct KeychainProgramTests {
  private static let reference = "Z2VucAAAAAAAAEAAgAAAAAAAAAE="

  private static func item(_ account: String = "me", data: String? = nil) -> String {
    let data = data.map { #","data":"\#($0)""# } ?? ""
    return """
      {"class":"genp","identifier":"00000000-0000-4000-8000-000000000001",\
      "persistentReference":"\(reference)","group":"local","created":0,"modified":1000,\
      "accessible":"ak","accessControl":{"protection":"ak","flags":["biometryAny"]},\
      "synchronizable":false,"attributes":{"acct":"\(account)","svce":"mail"}\(data)}
      """
  }

  private static let proof = """
    ,"evaluation":{"outcome":"success","exit":0,"laError":0,"message":"m","policy":"",\
    "device":"sim","method":"fingerprint","finger":"right-thumb","attempts":1,\
    "evaluation":"0123","simulated":true,"scriptEventsLeft":0}
    """

  private static func answer(
    _ outcome: String = "success",
    exit: Int = 0,
    status: Int = 0,
    items: [String] = [],
    more: String = ""
  ) -> String {
    """
    {"parameters":{"answer":{"status":\(status),"outcome":"\(outcome)","exit":\(exit),\
    "message":"It is so."\(more),"items":[\(items.joined(separator: ","))]}}}
    """
  }

  /// The status of a device whose passcode is `passcode`, with a keychain or without.
  private static func status(passcode: String, keychain: String) -> String {
    """
    {"parameters":{"device":{"name":"default","simulated":false,"sensor":"none","fingers":[],\
    "passcode":"\(passcode)","lockState":"beforeFirstUnlock","keychain":"\(keychain)",\
    "lockout":"three-strikes","passcodeDelays":"gatekeeper","biometry":"biometryNotAvailable",\
    "passcodeState":"usable","prompting":false,"waiting":0},"asked":[],\
    "daemon":{"version":"0.1.0","pid":7,\
    "uptimeSeconds":0,"connections":1,"memoryLocked":true,"storage":"/s"}}}
    """
  }

  private func schema() throws -> JSONSchema {
    try JSONSchema(packageFile("docs/authctl.schema.json"))
  }

  private func run(
    _ line: String,
    _ replies: [String],
    input: String = "",
    environment: [String] = []
  ) throws -> (run: ProgramRun, requests: [String]) {
    try ProgramRun.answered(
      line.split(separator: " ").map { String($0) },
      answering: replies,
      input: input,
      environment: environment
    )
  }

  // Secrets.

  @Test func getWritesTheBareSecretAndNothingElse() throws {
    let found = Self.answer(items: [Self.item(data: "aHVudGVyMg==")])
    let (run, requests) = try run("--device sim keychain get --account me", [found])
    #expect(run.status == 0)
    #expect(run.output == "hunter2")
    #expect(run.error == "")
    #expect(
      requests.first?.contains(#""query":{"class":"genp","acct":"me","sync":"syna","r_Data":true}"#)
        ?? false
    )
    #expect(requests.first?.contains(#""allowSimulated":true"#) ?? false)
    #expect(requests.first?.contains(#""interactive":true,"agent":true"#) ?? false)
  }

  @Test func getCarriesTheSecretInBase64() throws {
    let found = Self.answer(items: [Self.item(data: "AAr/")], more: Self.proof)
    let (run, _) = try run("--json --device sim keychain get --account me", [found])
    #expect(run.status == 0)
    let object = try run.object
    #expect(try schema().problems(of: object) == [])
    #expect(try schema().isValid(object, as: "gotItem"))
    #expect(object["item"]?["data"]?.string == "AAr/")
    #expect(object["item"]?["reference"]?.string == Self.reference)
    #expect(object["item"]?["accessControl"]?.string == "biometryAny")
    #expect(object["authentication"]?["method"]?.string == "fingerprint")
    #expect(object["status"]?.integer == 0)
  }

  @Test func largestItemComesThrough() throws {
    let data = String(repeating: "AAAA", count: 64 * 1024 / 3)
    let found = Self.answer(items: [Self.item(data: data)])
    let (run, _) = try run("--json keychain get --account me", [found])
    #expect(try run.object["item"]?["data"]?.string == data)
  }

  @Test func proofIsSaidOnStandardError() throws {
    let found = Self.answer(items: [Self.item(data: "AAAA")], more: Self.proof)
    let (run, _) = try run("--device sim keychain get --account me --script match", [found])
    #expect(run.status == 0)
    #expect(run.error.contains("success by fingerprint (right-thumb) (simulated)"))
    let quiet = try self.run("--quiet --device sim keychain get --account me", [found]).run
    #expect(quiet.error == "")
  }

  @Test func secretOfAnAddedItemComesFromStandardInput() throws {
    let added = Self.answer(items: [Self.item()])
    for (input, sent) in [("hunter2\n", "aHVudGVyMg=="), ("a\nb\n", "YQpiCg=="), ("\n", "")] {
      let (run, requests) = try run(
        "--json keychain add --account me --stdin",
        [added],
        input: input
      )
      #expect(run.status == 0)
      #expect(requests.first?.contains(#""data":"\#(sent)""#) ?? false, "\(requests)")
      #expect(try schema().isValid(run.object, as: "addedItem"))
      #expect(try run.object["reference"]?.string == Self.reference)
    }
  }

  @Test func inputThatIsNoSecretIsAUsageErrorBeforeAnythingIsSent() throws {
    let large = String(repeating: "x", count: 64 * 1024 + 1)
    for input in ["", large] {
      let (run, requests) = try run("keychain add --account me --stdin", [], input: input)
      #expect(run.status == 2)
      #expect(run.error.split(separator: "\n").count == 1)
      #expect(requests.isEmpty)
    }
    let both = try run("keychain add --account me --stdin --script -", [], input: "x").run
    #expect(both.status == 2)
  }

  @Test func secretThatCannotBeAskedForIsAskedForByOption() throws {
    let (run, requests) = try run("keychain add --account me", [])
    #expect(run.status == 5)
    #expect(run.error.contains("--stdin"))
    #expect(requests.isEmpty)
  }

  @Test func applicationPasswordComesFromItsDescriptor() throws {
    let (run, requests) = try run(
      "keychain get --account me --application-password-fd 3",
      [Self.answer(items: [Self.item(data: "AAAA")])],
      input: "open\"sesame\n"
    )
    #expect(run.status == 0)
    #expect(requests.first?.contains(#""applicationPassword":"open\"sesame""#) ?? false)
  }

  @Test(
    arguments: ["add --stdin", "generate", "add --stdin --access-control devicePasscode"],
    ["--application-password-fd 3", "--application-password"]
  )
  func aPasswordThatAnItemWouldNotAskForIsRefusedBeforeAnythingIsSent(
    _ verb: String,
    _ option: String
  ) throws {
    let (run, requests) = try run("keychain \(verb) --account me \(option)", [], input: "pw\n")
    #expect(run.status == 2)
    #expect(run.error.contains("open without the application password"), "\(run.error)")
    #expect(run.error.contains("--access-control applicationPassword"), "\(run.error)")
    #expect(requests.isEmpty)
  }

  @Test func updateSendsWhatChanges() throws {
    let (run, requests) = try run(
      "--json keychain update --account me --set-label new --stdin",
      [Self.answer()],
      input: "x\n"
    )
    #expect(run.status == 0)
    #expect(
      requests.first?.contains(
        #""query":{"class":"genp","acct":"me","sync":"syna"},"changes":{"labl":"new"},"data":"eA==""#
      ) ?? false
    )
    #expect(try schema().isValid(run.object, as: "keychainCall"))
    let nothing = try self.run("keychain update --account me", []).run
    #expect(nothing.status == 2)
  }

  // Failures.

  @Test(arguments: [
    ("itemNotFound", 20, -25_300), ("duplicateItem", 21, -25_299), ("itemLocked", 22, -25_308),
    ("accessGroupNotAllowed", 23, -34_018), ("keychainError", 24, -50),
    ("biometryLockout", 10, -25_293), ("notInteractive", 5, -25_308),
    ("authenticationFailed", 1, -25_293), ("simulatedNotAllowed", 77, -25_293),
  ]) func failureHasItsStatusAndItsObject(_ outcome: String, _ exit: Int, _ status: Int) throws {
    for verb in ["get --account me", "delete --account me", "update --all --set-label x"] {
      let (run, _) = try run(
        "--json --device sim keychain \(verb)",
        [Self.answer(outcome, exit: exit, status: status)]
      )
      #expect(run.status == Int32(exit))
      #expect(run.error.split(separator: "\n").count == 1)
      let object = try run.object
      #expect(object["outcome"]?.string == outcome)
      #expect(object["exit"]?.integer == Int64(exit))
      #expect(object["status"]?.integer == Int64(status))
      #expect(try schema().isValid(object, as: "keychainCall"))
      #expect(try schema().problems(of: object) == [])
    }
  }

  @Test func simulatedProofOfTheEnvironmentsDeviceIsWorthNothing() throws {
    let found = Self.answer(items: [Self.item(data: "aHVudGVyMg==")], more: Self.proof)
    let line = "keychain get --account me"
    let chosen = try run(line, [found], environment: ["LOCALAUTH_DEVICE=sim"])
    #expect(chosen.run.status == 77)
    #expect(chosen.run.output == "")
    #expect(chosen.requests.first?.contains(#""allowSimulated":false"#) ?? false)
    let allowed = try run(
      line,
      [found],
      environment: ["LOCALAUTH_DEVICE=sim", "LOCALAUTH_ALLOW_SIMULATED=1"]
    )
    #expect(allowed.run.status == 0)
    #expect(allowed.run.output == "hunter2")
  }

  @Test func scriptThatNobodyNeededExitsSo() throws {
    let found = Self.answer(items: [Self.item(data: "aHVudGVyMg==")])
    let (run, requests) = try run("--device sim keychain get --account me --script match", [found])
    #expect(run.status == 65)
    #expect(run.output == "hunter2")
    #expect(requests.first?.contains(#""script":"match","scriptIsArgument":true"#) ?? false)
    let missing = try self.run(
      "--device sim keychain get --account me --script match",
      [Self.answer("itemNotFound", exit: 20, status: -25_300)]
    ).run
    #expect(missing.status == 20)
  }

  @Test func oldDaemonIsToldFromAFailure() throws {
    let error = #"{"error":"org.varlink.service.InterfaceNotFound","parameters":{}}"#
    #expect(try run("keychain list", [error]).run.status == 70)
  }

  // Lists.

  @Test func listIsATableWithoutSecrets() throws {
    let (run, requests) = try run(
      "keychain list",
      [Self.answer(items: [Self.item("me"), Self.item("you\\u001b[2J")])]
    )
    #expect(run.status == 0)
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[0].hasPrefix("CLASS"))
    for word in ["generic-password", "me", "mail", "local", "whenUnlocked", "biometryAny"] {
      #expect(lines[1].contains(word), "\(word)")
    }
    #expect(!run.output.contains("\u{1B}"))
    #expect(requests.first?.contains("r_Data") == false)
    #expect(requests.first?.contains(#""m_Limit":"m_LimitAll""#) ?? false)
  }

  @Test func listOfNothingIsAList() throws {
    let none = Self.answer("itemNotFound", exit: 20, status: -25_300)
    let (run, _) = try run("--json keychain list", [none])
    #expect(run.status == 0)
    #expect(try run.object["items"]?.elements.isEmpty == true)
    #expect(try schema().isValid(run.object, as: "itemList"))
    #expect(try self.run("keychain list", [none]).run.output == "")
  }

  @Test func listGoesOnWhereItWasCutOff() throws {
    let cursor = String(repeating: "0a", count: 36)
    try withFakeDaemon { daemon, request in
      let isFirst = !request.text.contains("after")
      daemon.reply(
        isFirst
          ? Self.answer(items: [Self.item("a")], more: #","next":"\#(cursor)""#)
          : Self.answer(items: [Self.item("b")]),
        to: request
      )
    } _: { daemon in
      let run = try ProgramRun(["--socket", daemon.path, "--json", "keychain", "list"])
      #expect(run.status == 0)
      let accounts = try run.object["items"]?.elements.map { $0["attributes"]?["acct"]?.string }
      #expect(accounts == ["a", "b"])
      #expect(daemon.requests.map(\.connection) == [0, 0])
      #expect(daemon.requests.last?.text.contains(#""after":"\#(cursor)""#) ?? false)
      #expect(daemon.requests.allSatisfy { $0.text.contains(#""context":1"#) })
      #expect(try schema().isValid(run.object, as: "itemList"))
    }
  }

  // Dialogs.

  @Test func givenPasscodeAnswersAnItemsPrompt() throws {
    try withFakeDaemon { daemon, request in
      if request.text.contains("Keychain.Copy") {
        daemon.reply(Replies.prompt, to: request)
      } else {
        daemon.reply("{}", to: request)
        daemon.send(
          Self.answer(items: [Self.item(data: "aHVudGVyMg==")], more: Self.proof),
          on: 0
        )
      }
    } _: { daemon in
      let run = try ProgramRun(
        ["--socket", daemon.path, "--device", "sim", "keychain", "get", "--account", "me"]
          + ["--passcode-fd", "3"],
        input: "2468\n"
      )
      #expect(run.status == 0)
      #expect(run.output == "hunter2")
      #expect(daemon.requests.last?.text.contains(#""nonce":"n1","passcode":"2468""#) ?? false)
    }
  }

  @Test func wrongPasscodeThatNobodyCanMendEndsAtOnce() throws {
    try withFakeDaemon { daemon, request in
      if request.text.contains("Keychain.Copy") {
        daemon.reply(Replies.prompt, to: request)
      } else if request.text.contains("2468") {
        daemon.reply("{}", to: request)
        let miss = #"{"notice":{"kind":"miss","factor":"passcode","text":"No."}}"#
        daemon.send(#"{"parameters":\#(miss),"continues":true}"#, on: 0)
        daemon.send(Replies.prompt.replacing(#""n1""#, with: #""n2""#), on: 0)
      } else {
        daemon.reply("{}", to: request)
        daemon.send(Self.answer("userCancel", exit: 3, status: -128), on: 0)
      }
    } _: { daemon in
      let run = try ProgramRun(
        ["--socket", daemon.path, "--json", "--device", "sim", "keychain", "get"]
          + ["--account", "me", "--passcode-fd", "3"],
        input: "2468\n"
      )
      #expect(run.status == 1)
      #expect(try run.object["outcome"]?.string == "authenticationFailed")
      #expect(try run.object["status"]?.integer == -25_293)
    }
  }

  @Test func itemIsAskedForOnTheTerminalAndItsSecretGetsALine() throws {
    try withFakeDaemon { daemon, request in
      if request.text.contains("Keychain.Copy") {
        daemon.reply(
          Replies.prompt.replacing(
            #""policy":"passcode","reason":"r""#,
            with: #""policy":"","reason":"open \"mail\" (account me)","items":"#
              + #"{"operations":["decrypt"],"count":1,"named":[],"#
              + #""accessControl":{"protection":"ak","flags":["devicePasscode"]},"#
              + #""text":"open \"mail\" (account me)"}"#
          ),
          to: request
        )
      } else {
        daemon.reply("{}", to: request)
        daemon.send(
          Self.answer(items: [Self.item(data: "aHVudGVyMg==")], more: Self.proof),
          on: 0
        )
      }
    } _: { daemon in
      var terminal = try TerminalRun(
        ["--socket", daemon.path, "--device", "sim", "keychain", "get", "--account", "me"]
      )
      let (exit, screen) = try terminal.answer([("Passcode: ", "2468\r")])
      #expect(exit == .status(0))
      #expect(screen.contains("for a secret on sim"))
      #expect(screen.contains(#"open "mail" (account me)"#))
      #expect(screen.contains("hunter2\r\n"))
      #expect(!screen.contains("2468"))
      let hasOldModes = terminal.hasOldModes
      #expect(hasOldModes)
    }
  }

  @Test func newSecretIsTypedTwice() throws {
    try withFakeDaemon { daemon, request in
      let isStatus = request.text.contains("Devices.Status")
      let status = Self.status(passcode: "pam", keychain: "ready")
      daemon.reply(isStatus ? status : Self.answer(items: [Self.item()]), to: request)
    } _: { daemon in
      var terminal = try TerminalRun(
        ["--socket", daemon.path, "keychain", "add", "--account", "me"]
      )
      let (exit, screen) = try terminal.answer([
        ("Secret for account me: ", "hunter2\r"), ("The same again: ", "hunter2\r"),
      ])
      #expect(exit == .status(0))
      #expect(!screen.contains("hunter2"))
      #expect(daemon.requests.last?.text.contains(#""data":"aHVudGVyMg==""#) ?? false)
    }
  }

  @Test func nobodyTypesASecretThatCannotBeStored() throws {
    try withFakeDaemon { daemon, request in
      daemon.reply(Self.status(passcode: "pam", keychain: "none"), to: request)
    } _: { daemon in
      var terminal = try TerminalRun(
        ["--socket", daemon.path, "keychain", "add", "--account", "me"]
      )
      let (exit, screen) = try terminal.answer([])
      #expect(exit == .status(14))
      #expect(screen.contains("passcode set") && !screen.contains("Secret:"), "\(screen)")
    }
  }
}
