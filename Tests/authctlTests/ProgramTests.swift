import LocalAuthJSON
import LocalAuthTestSupport
import LocalAuthUnix
import Testing

@testable import authctl

/// The program as users run it, against a daemon that says what a test wants.
@Suite struct ProgramTests {
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

  @Test func aWordThatIsNoTextIsNamed() throws {
    let program = try #require(ThisProgram.directory) + "/authctl"
    let script = #"exec "$0" file status good "$(printf 'caf\351.txt')" other"#
    let run = try ProgramRun(["-c", script, program], executable: "/bin/sh")
    #expect(run.status == 2)
    #expect(
      run.error.contains(#"The word $'caf\xe9.txt' of the command line is no UTF-8."#),
      "\(run.error)"
    )
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
    let program = try #require(ThisProgram.directory) + "/authctl"
    for words in ["completion bash", "--json --version", "--help"] {
      var child = try ChildProcess.spawn(
        SpawnRequest(
          executable: "/bin/sh",
          arguments: ["-c", #""$0" \#(words) > /dev/full"#, program]
        )
      )
      #expect(try child.waitForExit() == .status(70), "\(words)")
    }
  }

  // Evaluations.

  @Test func successIsSilentOnStandardOutput() throws {
    let (run, requests) = try ProgramRun.answered(
      ["--device", "sim"] + Replies.evaluate + ["--script", "match"],
      answering: [Replies.evaluation("success", exit: 0)]
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
    let (run, _) = try ProgramRun.answered(
      ["--quiet", "--device", "sim"] + Replies.evaluate,
      answering: [Replies.evaluation("success", exit: 0)]
    )
    #expect(run.status == 0)
    #expect(run.output + run.error == "")
  }

  @Test func jsonIsOneObjectWithTheStatus() throws {
    let (run, _) = try ProgramRun.answered(
      ["--json", "--device", "sim"] + Replies.evaluate,
      answering: [Replies.evaluation("biometryLockout", exit: 10)]
    )
    #expect(run.status == 10)
    #expect(try run.object["outcome"]?.string == "biometryLockout")
    #expect(try run.object["exit"]?.integer == 10)
    #expect(try run.object["version"]?.integer == 1)
  }

  @Test func withNobodyToAskTheDaemonIsToldSo() throws {
    let (run, requests) = try ProgramRun.answered(
      Replies.evaluate + ["--non-interactive"],
      answering: [Replies.evaluation("notInteractive", exit: 5)]
    )
    #expect(run.status == 5)
    #expect(requests.first?.contains(#""interactive":false"#) ?? false)
    #expect(requests.first?.contains(#""agent""#) == false)
    #expect(run.error.contains("--script"))
  }

  @Test func withoutATerminalAnAgentIsToAsk() throws {
    for words in [[], ["--agent"]] {
      let (run, requests) = try ProgramRun.answered(
        Replies.evaluate + words,
        answering: [Replies.evaluation("notInteractive", exit: 5)]
      )
      #expect(run.status == 5)
      #expect(requests.first?.contains(#""interactive":true,"agent":true"#) ?? false)
      #expect(run.error.contains("authctl agent"))
    }
  }

  @Test func whereAScriptAnswersNoAgentIsToAsk() throws {
    let (_, requests) = try ProgramRun.answered(
      ["--device", "sim"] + Replies.evaluate + ["--script", "match"],
      answering: [Replies.evaluation("success", exit: 0)]
    )
    #expect(requests.first?.contains(#""agent""#) == false)
  }

  @Test func leftOverEventsExitOtherwise() throws {
    let (run, _) = try ProgramRun.answered(
      ["--json", "--device", "sim"] + Replies.evaluate + ["--script", "match,miss"],
      answering: [Replies.evaluation("success", exit: 0, left: 1)]
    )
    #expect(run.status == 65)
    #expect(try run.object["outcome"]?.string == "success")
  }

  // What must never pass for a success.

  @Test(arguments: [
    ["LOCALAUTH_DEVICE=sim"], ["LOCALAUTH_DEVICE=sim", "LOCALAUTH_ALLOW_SIMULATED=0"], [],
  ])
  func simulatedDeviceOfTheEnvironmentNeverExitsZero(_ environment: [String]) throws {
    let (run, requests) = try ProgramRun.answered(
      ["--json"] + Replies.evaluate,
      answering: [Replies.evaluation("success", exit: 0)],
      environment: environment
    )
    #expect(run.status == 77)
    #expect(try run.object["outcome"]?.string == "simulatedNotAllowed")
    #expect(requests.first?.contains(#""allowSimulated":false"#) ?? false)
  }

  @Test func simulatedDeviceOfTheEnvironmentCountsWhereItSaysSo() throws {
    let (run, _) = try ProgramRun.answered(
      Replies.evaluate,
      answering: [Replies.evaluation("success", exit: 0)],
      environment: ["LOCALAUTH_DEVICE=sim", "LOCALAUTH_ALLOW_SIMULATED=1"]
    )
    #expect(run.status == 0)
  }

  @Test(arguments: [
    "x", "{}", #"{"parameters":{}}"#, #"{"parameters":{"queued":1}}"#,
    Replies.evaluation("success", exit: 10), Replies.evaluation("approved", exit: 0),
    Replies.evaluation("authenticationFailed", exit: 0),
  ])
  func answerThatIsNotUnderstoodIsNoSuccess(_ reply: String) throws {
    let (run, _) = try ProgramRun.answered(
      ["--json", "--device", "sim"] + Replies.evaluate,
      answering: [reply]
    )
    #expect(run.status == 70)
    #expect(try run.object["exit"]?.integer == 70)
  }

  @Test func daemonThatGoesAwayIsNoSuccess() throws {
    try withFakeDaemon { daemon, request in
      daemon.close(request.connection)
    } _: { daemon in
      let run = try ProgramRun(["--socket", daemon.path, "--json"] + Replies.evaluate)
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
    let (run, _) = try ProgramRun.answered(
      ["--json", "--device", "sim"] + Replies.evaluate,
      answering: [error]
    )
    #expect(run.status == status)
    #expect(try run.object["exit"]?.integer == Int64(status))
    #expect(run.error.split(separator: "\n").count == 1)
  }
}
