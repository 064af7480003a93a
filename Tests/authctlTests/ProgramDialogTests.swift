import Glibc
import LocalAuthTestSupport
import LocalAuthUnix
import Testing

@testable import authctl

/// The program on a terminal of its own, against a daemon that says what a test wants.
@Suite struct ProgramDialogTests {
  private static let evaluate = [
    "--device", "sim", "evaluate", "--policy", "p", "--reason", "deploy",
  ]

  private static func prompt(
    _ nonce: String,
    asking question: String? = "Passcode: ",
    fallback: Bool = false
  ) -> String {
    let asked = question.map { #""passcodePrompt":"\#($0)","# } ?? ""
    return """
      {"parameters":{"prompt":{"nonce":"\(nonce)","evaluation":"e","policy":"p","reason":"deploy",\
      "caller":"sh (process 7)","device":"sim","simulated":true,"biometry":true,\
      "passcode":\(question != nil),\(asked)"passcodeEchoes":false,"fallback":\(fallback),\
      "attemptsLeft":3,"secondsLeft":30}},"continues":true}
      """
  }

  private static func end(_ outcome: String, exit: Int) -> String {
    """
    {"parameters":{"result":{"outcome":"\(outcome)","exit":\(exit),"message":"So.","policy":"p",\
    "device":"sim","attempts":1,"evaluation":"0123","simulated":true,"scriptEventsLeft":0}}}
    """
  }

  /// Runs `evaluate` on a terminal where each awaited text is answered with keys.
  private func run(
    words: [String] = evaluate,
    _ steps: [(awaited: String, keys: String)],
    _ handler: @escaping FakeDaemon.Handler
  ) throws -> (exit: ChildProcess.Exit, screen: String, requests: [String], modes: Bool) {
    try withFakeDaemon(handler) { daemon in
      var terminal = try TerminalRun(["--socket", daemon.path] + words)
      let (exit, screen) = try terminal.answer(steps)
      return (exit, screen, daemon.requests.map(\.text), terminal.hasOldModes)
    }
  }

  /// Prompts once and ends with `outcome` when it is answered.
  private static func promptOnce(
    _ prompt: String,
    then outcome: String,
    exit: Int
  ) -> FakeDaemon.Handler {
    { daemon, request in
      if request.text.contains("Evaluate") {
        daemon.reply(prompt, to: request)
      } else {
        daemon.reply("{}", to: request)
        daemon.send(end(outcome, exit: exit), on: 0)
      }
    }
  }

  @Test func whatIsAskedIsShownAndTheAnswerIsSent() throws {
    let (exit, screen, requests, modes) = try run(
      [("Passcode: ", "2468\r")],
      Self.promptOnce(Self.prompt("n1"), then: "success", exit: 0)
    )
    #expect(exit == .status(0))
    #expect(requests.last?.contains(#"{"nonce":"n1","passcode":"2468"}"#) ?? false)
    #expect(!screen.contains("2468"))
    for text in ["deploy", "sh (process 7)", "SIMULATED", "3 tries left", "Type the passcode"] {
      #expect(screen.contains(text), "\(text)")
    }
    #expect(modes)
  }

  @Test(arguments: ["\u{1B}", "\u{04}"])
  func cancelIsAnsweredWithThePromptsNonce(_ key: String) throws {
    let (exit, _, requests, modes) = try run(
      [("Passcode: ", key)],
      Self.promptOnce(Self.prompt("n1"), then: "userCancel", exit: 3)
    )
    #expect(exit == .status(3))
    #expect(requests.last?.contains(#"{"nonce":"n1","action":"cancel"}"#) ?? false)
    #expect(modes)
  }

  @Test func letterCancelsWhereNothingIsTyped() throws {
    let (exit, _, requests, _) = try run(
      [("Touch the", "q")],
      Self.promptOnce(Self.prompt("n1", asking: nil), then: "userCancel", exit: 3)
    )
    #expect(exit == .status(3))
    #expect(requests.last?.contains(#""action":"cancel""#) ?? false)
  }

  @Test func fallbackIsAskedForWhereItIsOffered() throws {
    let (exit, _, requests, _) = try run(
      [("f or Tab", "f")],
      Self.promptOnce(
        Self.prompt("n1", asking: nil, fallback: true),
        then: "userFallback",
        exit: 4
      )
    )
    #expect(exit == .status(4))
    #expect(requests.last?.contains(#"{"nonce":"n1","action":"fallback"}"#) ?? false)
  }

  @Test func lateAnswerIsSentToThePromptThatAsksTheSame() throws {
    let (exit, _, requests, _) = try run([("Passcode: ", "2468\r")]) { daemon, request in
      if request.text.contains("Evaluate") {
        daemon.reply(Self.prompt("n1"), to: request)
      } else if request.text.contains(#""n1""#) {
        daemon.reply(#"{"error":"io.localauth.Authentication.PromptNotFound"}"#, to: request)
        daemon.send(Self.prompt("n2"), on: 0)
      } else {
        daemon.reply("{}", to: request)
        daemon.send(Self.end("success", exit: 0), on: 0)
      }
    }
    #expect(exit == .status(0))
    #expect(requests.last?.contains(#"{"nonce":"n2","passcode":"2468"}"#) ?? false)
  }

  @Test func lateAnswerIsNotSentToAnotherQuestion() throws {
    let (exit, _, requests, _) = try run([
      ("Passcode: ", "2468\r"), ("One-time code: ", "\u{1B}"),
    ]) { daemon, request in
      if request.text.contains("Evaluate") {
        daemon.reply(Self.prompt("n1"), to: request)
      } else if request.text.contains(#""n1""#) {
        daemon.reply(#"{"error":"io.localauth.Authentication.PromptNotFound"}"#, to: request)
        daemon.send(Self.prompt("n2", asking: "One-time code: "), on: 0)
      } else {
        daemon.reply("{}", to: request)
        daemon.send(Self.end("userCancel", exit: 3), on: 0)
      }
    }
    #expect(exit == .status(3))
    #expect(requests.last?.contains(#"{"nonce":"n2","action":"cancel"}"#) ?? false)
  }

  @Test func waitingBehindOthersCanBeCancelled() throws {
    let (exit, screen, requests, modes) = try run([("Esc or q", "q")]) {
      daemon,
      request in
      daemon.reply(#"{"parameters":{"queued":2},"continues":true}"#, to: request)
    }
    #expect(exit == .status(3))
    #expect(requests.count == 1)
    #expect(screen.contains("2 other requests are first"))
    #expect(modes)
  }

  @Test func interruptRestoresTheTerminalAndEndsTheProcess() throws {
    let (exit, _, requests, modes) = try run(
      [("Passcode: ", "\u{03}")],
      Self.promptOnce(Self.prompt("n1"), then: "success", exit: 0)
    )
    #expect(exit == .signal(SIGINT))
    #expect(requests.count == 1)
    #expect(modes)
  }

  @Test func interruptIsSaidInJSONToo() throws {
    let (exit, screen, _, _) = try run(
      words: ["--json"] + Self.evaluate,
      [("Passcode: ", "\u{03}")],
      Self.promptOnce(Self.prompt("n1"), then: "success", exit: 0)
    )
    #expect(exit == .signal(SIGINT))
    #expect(screen.contains(#""outcome":"appCancel","exit":7"#))
  }

  @Test func noticeIsShownWhileThePromptStays() throws {
    let (exit, screen, _, _) = try run([("does not match", "\u{1B}")]) { daemon, request in
      if request.text.contains("Evaluate") {
        daemon.reply(Self.prompt("n1"), to: request)
        let notice = #"{"kind":"miss","text":"That finger does not match."}"#
        daemon.reply(#"{"parameters":{"notice":\#(notice)},"continues":true}"#, to: request)
      } else {
        daemon.reply("{}", to: request)
        daemon.send(Self.end("userCancel", exit: 3), on: 0)
      }
    }
    #expect(exit == .status(3))
    #expect(screen.contains("does not match"))
  }

  @Test func scriptThatAnswersAtOnceShowsNoPrompt() throws {
    let (exit, screen, _, _) = try run(words: Self.evaluate + ["--script", "match"], []) {
      daemon,
      request in
      daemon.reply(Self.prompt("n1"), to: request)
      daemon.reply(Self.end("success", exit: 0), to: request)
    }
    #expect(exit == .status(0))
    #expect(!screen.contains("Passcode"))
  }

  @Test func scriptThatDoesNotAnswerLetsThePersonDoSo() throws {
    let (exit, _, _, _) = try run(
      words: Self.evaluate + ["--script", "passcode"],
      [("Passcode: ", "2468\r")],
      Self.promptOnce(Self.prompt("n1"), then: "success", exit: 0)
    )
    #expect(exit == .status(0))
  }

  @Test func passcodeIsAskedForWithoutEcho() throws {
    let (exit, screen, requests, modes) = try run(
      words: ["device", "delete", "sim"],
      [("y or n: ", "y\r"), ("Passcode of sim: ", "2468\r")]
    ) { daemon, request in
      let isGiven = request.text.contains("passcode")
      daemon.reply(
        isGiven ? "{}" : #"{"error":"io.localauth.Devices.PasscodeRequired"}"#,
        to: request
      )
    }
    #expect(exit == .status(0))
    #expect(requests.last?.contains(#""passcode":"2468""#) ?? false)
    #expect(!screen.contains("2468"))
    #expect(modes)
  }
}
