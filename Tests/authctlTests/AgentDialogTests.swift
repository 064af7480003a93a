import Glibc
import LocalAuthJSON
import LocalAuthTestSupport
import LocalAuthUnix
import Testing

@testable import authctl

/// `authctl agent` on a terminal of its own, against a daemon that says what a test wants.
@Suite struct AgentDialogTests {
  private static let registered = #"{"parameters":{"registered":true},"continues":true}"#

  private static func prompt(
    _ nonce: String,
    of evaluation: String = "e1",
    reason: String = "deploy",
    asking question: String? = "Passcode: ",
    fallback: Bool = false
  ) -> String {
    let asked = question.map { #""passcodePrompt":"\#($0)","# } ?? ""
    return """
      {"parameters":{"prompt":{"nonce":"\(nonce)","evaluation":"\(evaluation)","policy":"p",\
      "reason":"\(reason)","action":"deploy build 7","audience":"https://a",\
      "caller":"sh (process 7, user 8)","device":"sim","simulated":true,"biometry":true,\
      "passcode":\(question != nil),\(asked)"passcodeEchoes":false,"fallback":\(fallback),\
      "attemptsLeft":3,"secondsLeft":30}},"continues":true}
      """
  }

  private static func dismissed(_ outcome: String, _ evaluation: String = "e1") -> String {
    """
    {"parameters":{"dismissed":{"evaluation":"\(evaluation)","outcome":"\(outcome)",\
    "message":"So."}},"continues":true}
    """
  }

  /// Runs `agent` on a terminal where each awaited text is answered with keys.
  private func run(
    words: [String] = ["agent", "--once"],
    _ steps: [(awaited: String, keys: String)],
    _ handler: @escaping FakeDaemon.Handler
  ) throws -> (exit: ChildProcess.Exit, screen: String, requests: [String], modes: Bool) {
    try withFakeDaemon(handler) { daemon in
      var terminal = try TerminalRun(["--socket", daemon.path] + words)
      let (exit, screen) = try terminal.answer(steps)
      return (exit, screen, daemon.requests.map(\.text), terminal.hasOldModes)
    }
  }

  /// Prompts once and dismisses it when it is answered.
  private static func promptOnce(_ prompt: String, then outcome: String) -> FakeDaemon.Handler {
    { daemon, request in
      if request.text.contains("Register") {
        daemon.reply(registered, to: request)
        daemon.reply(prompt, to: request)
      } else {
        daemon.reply("{}", to: request)
        daemon.send(dismissed(outcome), on: 0)
      }
    }
  }

  @Test func whatIsAskedIsShownAndTheAnswerIsSent() throws {
    let (exit, screen, requests, modes) = try run(
      [("Passcode: ", "2468\r")],
      Self.promptOnce(Self.prompt("n1"), then: "success")
    )
    #expect(exit == .status(0))
    #expect(requests.last?.contains(#"{"nonce":"n1","passcode":"2468"}"#) ?? false)
    for text in [
      "deploy", "deploy build 7", "https://a", "sh (process 7, user 8)", "policy p on sim",
      "SIMULATED", "3 tries left", "Type the passcode", "success: deploy, for sh (process 7",
    ] {
      #expect(screen.contains(text), "\(text)")
    }
    #expect(!screen.contains("2468") && modes)
  }

  @Test(arguments: ["\u{1B}", "\u{04}"]) func noIsAnsweredWithThePromptsNonce(_ key: String) throws
  {
    let (exit, screen, requests, modes) = try run(
      [("Passcode: ", key)],
      Self.promptOnce(Self.prompt("n1"), then: "userCancel")
    )
    #expect(exit == .status(0) && modes)
    #expect(requests.last?.contains(#"{"nonce":"n1","action":"cancel"}"#) ?? false)
    #expect(screen.contains("userCancel: deploy"))
  }

  @Test func noIsSaidAtOnceAlsoWhereNoPasscodeIsTakenYet() throws {
    let (_, screen, requests, _) = try run(
      [("Touch the", "q")],
      Self.promptOnce(Self.prompt("n1"), then: "userCancel")
    )
    #expect(requests.last?.contains(#""action":"cancel""#) ?? false)
    #expect(!screen.contains("Passcode: "))
  }

  @Test func fallbackIsAskedForWhereItIsOffered() throws {
    let (_, _, requests, _) = try run([("Passcode: ", "\t")]) { daemon, request in
      if request.text.contains("Register") {
        daemon.reply(Self.registered, to: request)
        daemon.reply(Self.prompt("n1", fallback: true), to: request)
      } else {
        daemon.reply("{}", to: request)
        daemon.send(Self.dismissed("userFallback"), on: 0)
      }
    }
    #expect(requests.last?.contains(#"{"nonce":"n1","action":"fallback"}"#) ?? false)
  }

  @Test func lateAnswerIsSentToThePromptOfTheSameEvaluationThatAsksTheSame() throws {
    let (exit, _, requests, _) = try run([("Passcode: ", "2468\r")]) { daemon, request in
      if request.text.contains("Register") {
        daemon.reply(Self.registered, to: request)
        daemon.reply(Self.prompt("n1"), to: request)
      } else if request.text.contains(#""n1""#) {
        daemon.reply(#"{"error":"io.localauth.Authentication.PromptNotFound"}"#, to: request)
        daemon.send(Self.prompt("n2"), on: 0)
      } else {
        daemon.reply("{}", to: request)
        daemon.send(Self.dismissed("success"), on: 0)
      }
    }
    #expect(exit == .status(0))
    #expect(requests.last?.contains(#"{"nonce":"n2","passcode":"2468"}"#) ?? false)
  }

  @Test func whatWasTypedForOnePromptNeverAnswersTheNext() throws {
    // The answer comes too late for the first evaluation, and another one asks the same question.
    let (_, _, requests, _) = try run(
      words: ["agent"],
      [("Passcode: ", "2468\r"), ("backup", ""), ("Passcode: ", "\u{1B}"), ("Waiting", "q")]
    ) { daemon, request in
      if request.text.contains("Register") {
        daemon.reply(Self.registered, to: request)
        daemon.reply(Self.prompt("n1"), to: request)
      } else if request.text.contains(#""n1""#) {
        daemon.reply(#"{"error":"io.localauth.Authentication.PromptNotFound"}"#, to: request)
        daemon.send(Self.dismissed("timeout"), on: 0)
        daemon.send(Self.prompt("n2", of: "e2", reason: "backup"), on: 0)
      } else {
        daemon.reply("{}", to: request)
        daemon.send(Self.dismissed("userCancel", "e2"), on: 0)
      }
    }
    #expect(requests.count == 3)
    #expect(requests.last?.contains(#"{"nonce":"n2","action":"cancel"}"#) ?? false)
  }

  @Test func passcodeThatIsTypedBeforeItsQuestionIsDropped() throws {
    let (_, _, requests, _) = try run(
      [("Touch the", "2468\r"), ("Passcode: ", "1357\r")],
      Self.promptOnce(Self.prompt("n1"), then: "success")
    )
    #expect(requests.count == 2)
    #expect(requests.last?.contains(#""passcode":"1357""#) ?? false)
  }

  @Test func promptThatIsDismissedUnansweredIsTakenAway() throws {
    let (exit, screen, requests, _) = try run(words: ["agent"], [("timeout: deploy", "q")]) {
      daemon,
      request in
      daemon.reply(Self.registered, to: request)
      daemon.reply(Self.prompt("n1"), to: request)
      daemon.reply(Self.dismissed("systemCancel", "another"), to: request)
      daemon.reply(Self.dismissed("timeout"), to: request)
    }
    #expect(exit == .status(0) && requests.count == 1)
    #expect(screen.contains("The agent ended.") && !screen.contains("systemCancel"))
  }

  @Test func refusedRegistrationExitsWithTheStatusOfBusy() throws {
    let (exit, screen, _, modes) = try run([]) { daemon, request in
      daemon.reply(
        #"{"error":"io.localauth.Agents.LimitReached","parameters":{"message":"One is there."}}"#,
        to: request
      )
    }
    #expect(exit == .status(8) && modes)
    #expect(screen.contains("One is there."))
  }

  @Test func daemonThatEndsIsSaid() throws {
    let (exit, _, _, modes) = try run([]) { daemon, request in
      daemon.reply(Self.registered, to: request)
      daemon.close(request.connection)
    }
    #expect(exit == .status(69) && modes)
  }

  @Test(arguments: [
    #"{"parameters":{"registered":true}}"#,
    #"{"parameters":{},"continues":true}"#,
    #"{"parameters":{"registered":false},"continues":true}"#,
    #"{"parameters":{"registered":true,"notice":{"kind":"info","text":"x"}},"continues":true}"#,
  ])
  func replyThatTellsNoneOrSeveralThingsIsAnError(_ reply: String) throws {
    let (exit, _, _, modes) = try run([]) { daemon, request in daemon.reply(reply, to: request) }
    #expect(exit == .status(70) && modes)
  }

  @Test func interruptEndsTheAgentAndSaysSo() throws {
    let (exit, screen, requests, modes) = try run(words: ["agent"], [("Waiting", "\u{03}")]) {
      daemon,
      request in
      daemon.reply(Self.registered, to: request)
    }
    #expect(exit == .signal(SIGINT) && modes && requests.count == 1)
    #expect(screen.contains("The agent ended."))
  }

  @Test func eventsAreOneObjectEachAndAsTheSchemaSays() throws {
    let (exit, screen, _, _) = try run(
      words: ["--json", "agent", "--once"],
      [("Passcode: ", "2468\r")]
    ) { daemon, request in
      if request.text.contains("Register") {
        daemon.reply(Self.registered, to: request)
        daemon.reply(Self.prompt("n1"), to: request)
        let notice = #"{"kind":"miss","factor":"biometry","text":"That finger does not match."}"#
        daemon.reply(#"{"parameters":{"notice":\#(notice)},"continues":true}"#, to: request)
      } else {
        daemon.reply("{}", to: request)
        daemon.send(Self.dismissed("success"), on: 0)
      }
    }
    #expect(exit == .status(0))
    let objects = try screen.split(whereSeparator: \.isNewline).compactMap { line in
      try line.firstRange(of: #"{"version""#).map {
        let text = line[$0.lowerBound...]
        let end = text.lastIndex(of: "}") ?? text.startIndex
        return try JSONValue.parsed(String(text[...end]))
      }
    }
    #expect(
      objects.map { $0["event"]?.string } == [
        "registered", "prompt", "notice", "dismissed", "ended",
      ],
      "\(screen)"
    )
    let schema = try JSONSchema(packageFile("docs/authctl.schema.json"))
    for object in objects { #expect(schema.isValid(object, as: "agentEvent"), "\(object)") }
    #expect(!screen.contains("nonce"))
  }
}
