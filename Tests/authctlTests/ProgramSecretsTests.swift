import LocalAuthJSON
import LocalAuthTestSupport
import LocalAuthUnix
import Testing

@testable import authctl

/// What the program reads and hands on, and what it streams.
@Suite struct ProgramSecretsTests {
  // Secrets and scripts.

  @Test func scriptOfAFileOrStandardInputIsNoArgument() throws {
    let scratch = Scratch()
    let file = scratch.write("match\nmiss\n", to: "events")
    let reply = [Replies.evaluation("success", exit: 0)]
    let words = ["--device", "sim"] + Replies.evaluate + ["--script"]
    let fromFile = try ProgramRun.answered(words + ["@" + file], answering: reply).requests
    let fromInput = try ProgramRun.answered(words + ["-"], answering: reply, input: "match\nmiss\n")
      .requests
    #expect(fromFile == fromInput)
    #expect(
      fromFile.first?.contains(#""script":"match\nmiss\n","scriptIsArgument":false"#) ?? false
    )
  }

  @Test func scriptThatCannotBeReadIsAUsageError() throws {
    let scratch = Scratch()
    let long = scratch.write(String(repeating: "miss\n", count: 20_000), to: "long")
    for path in [scratch.path + "/absent", scratch.path, long] {
      let (run, requests) = try ProgramRun.answered(
        ["--json", "--device", "sim"] + Replies.evaluate + ["--script", "@" + path],
        answering: []
      )
      #expect(run.status == 2)
      #expect(requests.isEmpty)
    }
  }

  @Test(arguments: [
    Replies.evaluate + ["--passcode-fd", "0"], Replies.evaluate + ["--script", "-"],
    ["sensor", "enroll", "left-thumb", "--passcode-stdin"],
    ["keychain", "get", "--account", "ann", "--passcode-fd", "0"],
    ["keychain", "get", "--account", "ann", "--application-password-fd", "0"],
  ])
  func secretThatIsNoTextIsAUsageErrorBeforeAnythingIsAsked(_ words: [String]) throws {
    try withFakeDaemon { _, _ in
    } _: { daemon in
      let program = try #require(ThisProgram.directory) + "/authctl"
      let run = try ProgramRun(
        ["-c", #"printf '\377\376\n' | "$0" "$@""#, program, "--socket", daemon.path]
          + ["--device", "sim"] + words,
        executable: "/bin/sh"
      )
      #expect(run.status == 2)
      #expect(run.error.contains("no UTF-8 text") && run.error.count(where: \.isNewline) == 1)
      #expect(daemon.requests.isEmpty)
    }
  }

  @Test func givenPasscodeAnswersTheFirstQuestionOnce() throws {
    try withFakeDaemon { daemon, request in
      if request.text.contains("Evaluate") {
        daemon.reply(Replies.prompt, to: request)
      } else {
        daemon.reply("{}", to: request)
        daemon.send(Replies.evaluation("success", exit: 0), on: 0)
      }
    } _: { daemon in
      let run = try ProgramRun(
        ["--socket", daemon.path, "--device", "sim"] + Replies.evaluate + ["--passcode-fd", "3"],
        input: "24\"68\nanother line\n"
      )
      #expect(run.status == 0)
      #expect(daemon.requests[0].text.contains(#""interactive":true"#))
      // A wrong one ends it as what it is, instead of as a cancel of ours.
      #expect(daemon.requests[0].text.contains(#""passcodeTries":1"#))
      #expect(
        daemon.requests.dropFirst().map(\.text) == [
          #"{"method":"io.localauth.Authentication.Respond","#
            + #""parameters":{"nonce":"n1","passcode":"24\"68"}}"#
        ]
      )
    }
  }

  @Test func givenPasscodeIsNotShownToAQuestionThatShowsItsAnswer() throws {
    let visible = Replies.prompt.replacing(
      #""passcodeEchoes":false"#,
      with: #""passcodeEchoes":true"#
    )
    try withFakeDaemon { daemon, request in
      if request.text.contains("Evaluate") {
        daemon.reply(visible, to: request)
      } else {
        daemon.reply("{}", to: request)
        daemon.send(Replies.evaluation("userCancel", exit: 3), on: 0)
      }
    } _: { daemon in
      let run = try ProgramRun(
        ["--socket", daemon.path, "--device", "sim"] + Replies.evaluate + ["--passcode-fd", "3"],
        input: "2468\n"
      )
      #expect(run.status == 5)
      #expect(!daemon.requests.contains { $0.text.contains("2468") })
    }
  }

  @Test func wrongPasscodeThatNobodyCanMendEndsAtOnce() throws {
    try withFakeDaemon { daemon, request in
      if request.text.contains("Evaluate") {
        daemon.reply(Replies.prompt, to: request)
      } else if request.text.contains("2468") {
        daemon.reply("{}", to: request)
        let miss = #"{"notice":{"kind":"miss","factor":"passcode","text":"No."}}"#
        daemon.send(#"{"parameters":\#(miss),"continues":true}"#, on: 0)
        daemon.send(Replies.prompt.replacing(#""n1""#, with: #""n2""#), on: 0)
      } else {
        daemon.reply("{}", to: request)
        daemon.send(Replies.evaluation("userCancel", exit: 3), on: 0)
      }
    } _: { daemon in
      let run = try ProgramRun(
        ["--socket", daemon.path, "--json", "--device", "sim"] + Replies.evaluate
          + ["--passcode-fd", "3"],
        input: "2468\n"
      )
      #expect(run.status == 1)
      #expect(try run.object["outcome"]?.string == "authenticationFailed")
      #expect(daemon.requests.last?.text.contains(#""nonce":"n2","action":"cancel""#) ?? false)
    }
  }

  @Test func passcodeThatIsNeededAndNotGivenIsAskedFor() throws {
    let needed = #"{"error":"io.localauth.Devices.PasscodeRequired"}"#
    let (run, _) = try ProgramRun.answered(
      ["--json", "device", "delete", "sim"],
      answering: [needed]
    )
    #expect(run.status == 5)
    #expect(run.error.contains("--passcode-stdin"))
  }

  @Test func passcodeIsReadFromStandardInput() throws {
    let (run, requests) = try ProgramRun.answered(
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
    let (run, requests) = try ProgramRun.answered(
      ["device", "delete", "sim", "--passcode-stdin"],
      answering: [#"{"parameters":{}}"#]
    )
    #expect(run.status == 2)
    #expect(requests.isEmpty)
  }

  // Streams and lists.

  @Test func followedAuditIsOneObjectALine() throws {
    func line(_ evaluation: Int) -> String {
      """
      {"evaluation":"\(evaluation)","action":"evaluate","device":"sim","uid":1,"pid":2,\
      "program":"pay","programPath":"","terminal":"","policy":"p","reason":"r","shownAction":"",\
      "began":0,"outcome":"success","method":"fingerprint","attempts":1,"simulated":true,"detail":""}
      """
    }
    let (run, requests) = try ProgramRun.answered(
      ["--json", "audit", "--follow"],
      answering: [
        #"{"parameters":{"lines":[\#(line(0)),\#(line(1))],"omitted":0},"continues":true}"#,
        // A line stored at the moment of the call may come twice.
        #"{"parameters":{"lines":[\#(line(1))],"omitted":0},"continues":true}"#,
        #"{"parameters":{"lines":[\#(line(2))],"omitted":0},"continues":true}"#,
        #"{"error":"io.localauth.Devices.Internal","parameters":{"message":"no more"}}"#,
      ]
    )
    #expect(run.status == 70)
    let schema = try JSONSchema(packageFile("docs/authctl.schema.json"))
    let objects = try run.objects
    #expect(objects.count == 4)
    for object in objects.prefix(3) { #expect(schema.isValid(object, as: "auditStream")) }
    #expect(requests.first?.contains(#""follow":true"#) ?? false)
  }

  @Test func touchWithoutEffectIsNoSuccess() throws {
    for (effect, status) in [("match", 0), ("miss", 0), ("dropped", 13), ("occupied", 13)] {
      let (run, _) = try ProgramRun.answered(
        ["--device", "sim", "sensor", "touch", "right-index"],
        answering: [#"{"parameters":{"effect":"\#(effect)"}}"#]
      )
      #expect(run.status == Int32(status), "\(effect)")
    }
  }
}
