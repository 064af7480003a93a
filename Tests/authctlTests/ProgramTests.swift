import LocalAuthJSON
import LocalAuthTestSupport
import Testing

@testable import authctl

/// The program as users run it, against a daemon that says what a test wants.
@Suite(.timeLimit(.minutes(15))) struct ProgramTests {
  private static func evaluation(
    _ outcome: String,
    exit: Int,
    simulated: Bool = true,
    left: Int = 0
  ) -> String {
    """
    {"parameters":{"result":{"outcome":"\(outcome)","exit":\(exit),"laError":0,"message":"It is so.",\
    "policy":"biometrics","device":"sim","method":"fingerprint","finger":"right-thumb","attempts":1,\
    "remainingAttempts":3,"evaluation":"0123","simulated":\(simulated),"scriptEventsLeft":\(left)}}}
    """
  }

  private static let prompt = """
    {"parameters":{"prompt":{"nonce":"n1","evaluation":"e","policy":"passcode","reason":"r",\
    "caller":"c","device":"sim","simulated":true,"biometry":false,"passcode":true,\
    "passcodePrompt":"Passcode:","passcodeEchoes":false,"fallback":false}},"continues":true}
    """

  private static let evaluate = ["evaluate", "--policy", "biometrics", "--reason", "r"]

  /// Runs the program against a daemon that answers every request with `replies`.
  private func run(
    _ words: [String],
    answering replies: [String],
    input: String = "",
    environment: [String] = []
  ) throws -> (run: ProgramRun, requests: [String]) {
    try withFakeDaemon { daemon, request in
      for reply in replies { daemon.reply(reply, to: request) }
    } _: { daemon in
      let run = try ProgramRun(
        ["--socket", daemon.path] + words,
        input: input,
        environment: environment
      )
      return (run, daemon.requests.map(\.text))
    }
  }

  // Usage.

  @Test func usageErrorIsOneLineAndOneObject() throws {
    let plain = try ProgramRun(["evaluate", "--policy", "p"])
    #expect(plain.status == 2)
    #expect(plain.output == "")
    #expect(plain.error.split(separator: "\n").count == 1)
    #expect(plain.error.hasPrefix("authctl evaluate: "))

    let json = try ProgramRun(["evaluate", "--json", "--policy", "p", "--no-such"])
    #expect(json.status == 2)
    #expect(try json.object["outcome"]?.string == "usage")
    #expect(try json.object["exit"]?.integer == 2)
    #expect(try json.object["laError"]?.content == .null)
  }

  @Test func helpAndVersionExitZero() throws {
    let help = try ProgramRun(["evaluate", "--help"])
    #expect(help.status == 0)
    #expect(help.output.contains("--reason TEXT"))
    #expect(try ProgramRun(["--version"]).output == "authctl \(Program.version)\n")
    let json = try ProgramRun(["--version", "--json"])
    #expect(try json.object["text"]?.string == "authctl \(Program.version)\n")
    #expect(json.error == "")
  }

  @Test func outputThatCannotBeWrittenIsNoSuccess() throws {
    let run = try ProgramRun(["completion", "bash"])
    #expect(run.status == 0)
    #expect(run.output.hasPrefix("# bash completion"))
  }

  // Evaluations.

  @Test func successIsSilentOnStandardOutput() throws {
    let (run, requests) = try run(
      ["--device", "sim"] + Self.evaluate + ["--script", "match"],
      answering: [Self.evaluation("success", exit: 0)]
    )
    #expect(run.status == 0)
    #expect(run.output == "")
    #expect(run.error == "authctl evaluate: success by fingerprint (right-thumb) (simulated)\n")
    #expect(
      requests == [
        #"{"method":"io.localauth.Authentication.Evaluate","parameters":{"policy":"biometrics","#
          + #""reason":"r","device":"sim","interactive":true,"timeoutMilliseconds":30000,"#
          + #""script":"match","scriptIsArgument":true,"allowSimulated":true},"more":true}"#
      ]
    )
  }

  @Test func quietSuccessSaysNothingAtAll() throws {
    let (run, _) = try run(
      ["--quiet", "--device", "sim"] + Self.evaluate,
      answering: [Self.evaluation("success", exit: 0)]
    )
    #expect(run.status == 0)
    #expect(run.output + run.error == "")
  }

  @Test func jsonIsOneObjectWithTheStatus() throws {
    let (run, _) = try run(
      ["--json", "--device", "sim"] + Self.evaluate,
      answering: [Self.evaluation("biometryLockout", exit: 10)]
    )
    #expect(run.status == 10)
    #expect(try run.object["outcome"]?.string == "biometryLockout")
    #expect(try run.object["exit"]?.integer == 10)
    #expect(try run.object["version"]?.integer == 1)
  }

  @Test func withNobodyToAskTheDaemonIsToldSo() throws {
    for words in [[], ["--non-interactive"]] {
      let (run, requests) = try run(
        Self.evaluate + words,
        answering: [Self.evaluation("notInteractive", exit: 5)]
      )
      #expect(run.status == 5)
      #expect(requests.first?.contains(#""interactive":false"#) ?? false)
      #expect(run.error.contains("--script"))
    }
  }

  @Test func leftOverEventsExitOtherwise() throws {
    let (run, _) = try run(
      ["--json", "--device", "sim"] + Self.evaluate + ["--script", "match,miss"],
      answering: [Self.evaluation("success", exit: 0, left: 1)]
    )
    #expect(run.status == 65)
    #expect(try run.object["outcome"]?.string == "success")
  }

  // What must never pass for a success.

  @Test(arguments: [
    ["LOCALAUTH_DEVICE=sim"], ["LOCALAUTH_DEVICE=sim", "LOCALAUTH_ALLOW_SIMULATED=0"], [],
  ])
  func simulatedDeviceOfTheEnvironmentNeverExitsZero(_ environment: [String]) throws {
    let (run, requests) = try run(
      ["--json"] + Self.evaluate,
      answering: [Self.evaluation("success", exit: 0)],
      environment: environment
    )
    #expect(run.status == 77)
    #expect(try run.object["outcome"]?.string == "simulatedNotAllowed")
    #expect(requests.first?.contains(#""allowSimulated":false"#) ?? false)
  }

  @Test func simulatedDeviceOfTheEnvironmentCountsWhereItSaysSo() throws {
    let (run, _) = try run(
      Self.evaluate,
      answering: [Self.evaluation("success", exit: 0)],
      environment: ["LOCALAUTH_DEVICE=sim", "LOCALAUTH_ALLOW_SIMULATED=1"]
    )
    #expect(run.status == 0)
  }

  @Test(arguments: [
    "x", "{}", #"{"parameters":{}}"#, #"{"parameters":{"queued":1}}"#,
    evaluation("success", exit: 10), evaluation("approved", exit: 0),
    evaluation("authenticationFailed", exit: 0),
  ])
  func answerThatIsNotUnderstoodIsNoSuccess(_ reply: String) throws {
    let (run, _) = try run(["--json", "--device", "sim"] + Self.evaluate, answering: [reply])
    #expect(run.status == 70)
    #expect(try run.object["exit"]?.integer == 70)
  }

  @Test func daemonThatGoesAwayIsNoSuccess() throws {
    try withFakeDaemon { daemon, request in
      daemon.close(request.connection)
    } _: { daemon in
      let run = try ProgramRun(["--socket", daemon.path, "--json"] + Self.evaluate)
      #expect(run.status == 69)
      #expect(try run.object["outcome"]?.string == "unreachable")
    }
  }

  @Test func socketThatCannotBeIsSaidSo() throws {
    let scratch = Scratch()
    let run = try ProgramRun(["--home", "", "--json", "status"])
    #expect(run.status == 2)
    let long = try ProgramRun([
      "--socket", scratch.path + String(repeating: "/x", count: 90), "status",
    ])
    #expect(long.status == 78)
    let relative = try ProgramRun(["status"], environment: ["LOCALAUTH_HOME=relative"])
    #expect(relative.status == 78)
  }

  @Test(arguments: [
    ("DeviceNotFound", #"{"device":"sim"}"#, 78), ("PolicyNotFound", #"{"policy":"p"}"#, 78),
    ("ScriptInvalid", #"{"message":"m"}"#, 2), ("NotPermitted", #"{"message":"m"}"#, 77),
    ("LimitReached", #"{"message":"m"}"#, 8), ("Internal", #"{"message":"m"}"#, 70),
  ])
  func errorOfTheDaemonHasItsStatus(_ name: String, _ parameters: String, _ status: Int32) throws {
    let error = #"{"error":"io.localauth.Authentication.\#(name)","parameters":\#(parameters)}"#
    let (run, _) = try run(["--json", "--device", "sim"] + Self.evaluate, answering: [error])
    #expect(run.status == status)
    #expect(try run.object["exit"]?.integer == Int64(status))
    #expect(run.error.split(separator: "\n").count == 1)
  }

  // Secrets and scripts.

  @Test func scriptOfAFileOrStandardInputIsNoArgument() throws {
    let scratch = Scratch()
    let file = scratch.write("match\nmiss\n", to: "events")
    let reply = [Self.evaluation("success", exit: 0)]
    let words = ["--device", "sim"] + Self.evaluate + ["--script"]
    let fromFile = try run(words + ["@" + file], answering: reply).requests
    let fromInput = try run(words + ["-"], answering: reply, input: "match\nmiss\n").requests
    #expect(fromFile == fromInput)
    #expect(
      fromFile.first?.contains(#""script":"match\nmiss\n","scriptIsArgument":false"#) ?? false
    )
  }

  @Test func scriptThatCannotBeReadIsAUsageError() throws {
    let scratch = Scratch()
    let long = scratch.write(String(repeating: "miss\n", count: 20_000), to: "long")
    for path in [scratch.path + "/absent", scratch.path, long] {
      let (run, requests) = try run(
        ["--json", "--device", "sim"] + Self.evaluate + ["--script", "@" + path],
        answering: []
      )
      #expect(run.status == 2)
      #expect(requests.isEmpty)
    }
  }

  @Test func givenPasscodeAnswersTheFirstQuestionOnce() throws {
    try withFakeDaemon { daemon, request in
      if request.text.contains("Evaluate") {
        daemon.reply(Self.prompt, to: request)
      } else {
        daemon.reply("{}", to: request)
        daemon.send(Self.evaluation("success", exit: 0), on: 0)
      }
    } _: { daemon in
      let run = try ProgramRun(
        ["--socket", daemon.path, "--device", "sim"] + Self.evaluate + ["--passcode-fd", "3"],
        input: "24\"68\nanother line\n"
      )
      #expect(run.status == 0)
      #expect(daemon.requests[0].text.contains(#""interactive":true"#))
      #expect(
        daemon.requests.dropFirst().map(\.text) == [
          #"{"method":"io.localauth.Authentication.Respond","#
            + #""parameters":{"nonce":"n1","passcode":"24\"68"}}"#
        ]
      )
    }
  }

  @Test func givenPasscodeIsNotShownToAQuestionThatShowsItsAnswer() throws {
    let visible = Self.prompt.replacing(#""passcodeEchoes":false"#, with: #""passcodeEchoes":true"#)
    let (run, requests) = try run(
      ["--device", "sim"] + Self.evaluate + ["--passcode-fd", "3"],
      answering: [visible, Self.evaluation("timeout", exit: 6)],
      input: "2468\n"
    )
    #expect(run.status == 6)
    #expect(requests.count == 1)
  }

  @Test func passcodeThatIsNeededAndNotGivenIsAskedFor() throws {
    let needed = #"{"error":"io.localauth.Devices.PasscodeRequired"}"#
    let (run, _) = try run(["--json", "device", "delete", "sim"], answering: [needed])
    #expect(run.status == 5)
    #expect(run.error.contains("--passcode-stdin"))
  }

  @Test func passcodeIsReadFromStandardInput() throws {
    let (run, requests) = try run(
      ["device", "delete", "sim", "--passcode-stdin"],
      answering: [#"{"parameters":{}}"#],
      input: "2468\n"
    )
    #expect(run.status == 0)
    #expect(
      requests == [
        #"{"method":"io.localauth.Devices.Delete","parameters":{"device":"sim","passcode":"2468"}}"#
      ]
    )
  }

  @Test func emptyInputIsNoPasscode() throws {
    let (run, requests) = try run(
      ["device", "delete", "sim", "--passcode-stdin"],
      answering: [#"{"parameters":{}}"#]
    )
    #expect(run.status == 2)
    #expect(requests.isEmpty)
  }

  // Streams and lists.

  @Test func followedAuditIsOneObjectALine() throws {
    let line = """
      {"evaluation":"0","action":"evaluate","device":"sim","uid":1,"pid":2,"policy":"p","reason":"r",\
      "began":0,"outcome":"success","method":"fingerprint","attempts":1,"simulated":true,"detail":""}
      """
    let (run, requests) = try run(
      ["--json", "audit", "--follow"],
      answering: [
        #"{"parameters":{"lines":[\#(line),\#(line)]},"continues":true}"#,
        #"{"parameters":{"lines":[\#(line)]}}"#,
      ]
    )
    let schema = try JSONSchema(packageFile("docs/authctl.schema.json"))
    let objects = try run.objects
    #expect(objects.count == 4)
    for object in objects.prefix(3) { #expect(schema.isValid(object, as: "auditStream")) }
    #expect(requests.first?.contains(#""follow":true"#) ?? false)
  }

  @Test func touchWithoutEffectIsNoSuccess() throws {
    for (effect, status) in [("match", 0), ("miss", 0), ("dropped", 13), ("occupied", 13)] {
      let (run, _) = try run(
        ["--device", "sim", "sensor", "touch", "right-index"],
        answering: [#"{"parameters":{"effect":"\#(effect)"}}"#]
      )
      #expect(run.status == Int32(status), "\(effect)")
    }
  }
}
