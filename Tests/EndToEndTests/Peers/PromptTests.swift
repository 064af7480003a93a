import LocalAuthJSON
import LocalAuthUnix
import Testing

/// Who may answer a prompt, and how often.
@Suite struct PromptTests {
  private let scratch = Scratch()
  private let daemon: DaemonProcess
  private let asked: WireClient
  private let answering: WireClient

  init() throws {
    daemon = try DaemonProcess(home: scratch.file("home"))
    asked = try daemon.connect()
    answering = try daemon.connect()
    try asked.create("sim", passcode: "1234")
  }

  private func nonce(_ prompt: JSONValue) throws -> String {
    try #require(prompt["nonce"]?.string)
  }

  @Test func promptIsAnsweredOverAnotherConnection() throws {
    let prompt = try asked.beginEvaluation("passcode", on: "sim")
    #expect(prompt["passcode"]?.boolean == true)
    #expect(try answering.respond(nonce(prompt), ["passcode": "1234"]).error == nil)
    let result = try asked.receiveResult()
    #expect(result.outcome == "success" && result.attempts == 1)
  }

  @Test func guessedNonceIsRefusedAndThePromptSurvives() throws {
    let prompt = try asked.beginEvaluation("passcode", on: "sim")
    let right = try nonce(prompt)
    var guesses = [String(repeating: "0", count: 32), String(repeating: "f", count: 32)]
    // Right but for one digit, at either end.
    guesses.append((right.first == "0" ? "1" : "0") + right.dropFirst())
    guesses.append(right.dropLast() + (right.last == "0" ? "1" : "0"))
    for guess in guesses {
      #expect(try answering.respond(guess, ["passcode": "1234"]).errorName == "PromptNotFound")
      #expect(try answering.respond(guess, ["action": "cancel"]).errorName == "PromptNotFound")
    }
    #expect(try answering.status("sim").passcodeAttemptsLeft == 10)
    #expect(try answering.respond(right, ["passcode": "1234"]).error == nil)
    #expect(try asked.receiveResult().outcome == "success")
  }

  @Test func eachNonceAnswersOnce() throws {
    let prompt = try asked.beginEvaluation("passcode", on: "sim")
    let first = try nonce(prompt)
    #expect(try answering.respond(first, ["passcode": "0000"]).error == nil)
    // While the answer is judged the prompt asks for none.
    let next = try asked.receivePrompt { $0["passcodePrompt"] != nil }
    #expect(
      try answering.respond(first, ["passcode": "1234"]).errorName == "PromptNotFound"
    )
    #expect(try answering.respond(nonce(next), ["action": "cancel"]).error == nil)
    let result = try asked.receiveResult()
    #expect(result.outcome == "userCancel" && result.attempts == 1)
    #expect(
      try answering.respond(nonce(next), ["passcode": "1234"]).errorName == "PromptNotFound"
    )
  }

  @Test func twoAnswersToOnePromptCountOnce() throws {
    let prompt = try asked.beginEvaluation("passcode", on: "sim")
    let nonce = try nonce(prompt)
    let start = StartingLine(8)
    let replies = try concurrently(8) { [daemon] _ in
      let client = try daemon.connect()
      start.wait()
      return try client.respond(nonce, ["passcode": "0000"])
    }
    #expect(replies.count { $0.error == nil } == 1)
    #expect(replies.count { $0.errorName == "PromptNotFound" } == 7)
    _ = try asked.receivePrompt()
    #expect(try answering.status("sim").passcodeAttemptsLeft == 9)
  }

  @Test(.enabled(if: Machine.compiler != nil, "needs a C compiler"))
  func anotherProcessOfTheSameUserCannotAnswer() throws {
    let prompt = try asked.beginEvaluation("passcode", on: "sim")
    let nonce = try nonce(prompt)
    let frame =
      "{\"method\":\"io.localauth.Authentication.Respond\",\"parameters\":"
      + "{\"nonce\":\"\(nonce)\",\"passcode\":\"1234\"}}"
    let reply = try OtherProcess.say(frame, to: daemon.socket)
    #expect(reply.contains("io.localauth.Authentication.PromptNotFound"), "\(reply)")
    #expect(try answering.respond(nonce, ["passcode": "1234"]).error == nil)
    #expect(try asked.receiveResult().outcome == "success")
  }

  @Test(
    .enabled(
      if: Machine.isRoot && Machine.compiler != nil,
      "needs root, to choose a process's number, and a C compiler"
    )
  )
  func anotherProcessWithTheSameNumberCannotAnswer() throws {
    let played = try ReusedNumber.play(
      evaluate: "{\"method\":\"io.localauth.Authentication.Evaluate\",\"parameters\":"
        + "{\"policy\":\"passcode\",\"reason\":\"a test\",\"device\":\"sim\","
        + "\"allowSimulated\":true},\"more\":true}",
      answer: "{\"method\":\"io.localauth.Authentication.Respond\",\"parameters\":"
        + "{\"nonce\":\"NONCE\",\"passcode\":\"1234\"}}",
      to: daemon.socket
    )
    guard let answer = played else { try Test.cancel("the kernel lets nobody choose a number") }
    #expect(answer.isSameNumber)
    #expect(answer.reply.contains("PromptNotFound"), "\(answer.reply)")
    #expect(!answer.stream.contains("result"), "\(answer.stream)")
    #expect(try answering.status("sim").passcodeAttemptsLeft == 10)
  }

  @Test func emptyPasscodeProvesNothingAndCounts() throws {
    let prompt = try asked.beginEvaluation("passcode", on: "sim")
    #expect(try answering.respond(nonce(prompt), ["passcode": ""]).error == nil)
    let next = try asked.receivePrompt { $0["passcodePrompt"] != nil }
    #expect(try answering.status("sim").passcodeAttemptsLeft == 9)
    #expect(try answering.respond(nonce(next), ["passcode": "1234"]).error == nil)
    let result = try asked.receiveResult()
    #expect(result.outcome == "success" && result.attempts == 2)
  }

  @Test func answerWithoutAPasscodeAndWithoutAnActionIsNone() throws {
    let prompt = try asked.beginEvaluation("passcode", on: "sim")
    let nonce = try nonce(prompt)
    for answer: [String: JSONValue] in [
      [:], ["passcode": nil], ["passcode": "", "action": "cancel"],
    ] {
      #expect(try answering.respond(nonce, answer).errorName == "InvalidParameter")
    }
    #expect(try answering.respond(nonce, ["passcode": "1234"]).error == nil)
    #expect(try asked.receiveResult().outcome == "success")
  }

  @Test(
    .enabled(
      if: Machine.canRunAsOther && Machine.compiler != nil,
      "needs root, to be another user, and a C compiler"
    )
  )
  func anotherUserIsTurnedAway() throws {
    let frame = "{\"method\":\"org.varlink.service.GetInfo\"}"
    Files.setMode(0o755, of: scratch.path)
    #expect(
      try OtherProcess.say(frame, to: daemon.socket, as: Machine.otherUID)
        == "connect: Permission denied"
    )
    // Where somebody opened the way, the daemon itself refuses.
    Files.setMode(0o755, of: scratch.file("home"))
    Files.setMode(0o666, of: daemon.socket)
    let reply = try OtherProcess.say(frame, to: daemon.socket, as: Machine.otherUID)
    #expect(reply.contains("io.localauth.Authentication.NotPermitted"), "\(reply)")
    #expect(!reply.contains("vendor"))
    #expect(try answering.call(Interface.service + "GetInfo").error == nil)
  }

  @Test func stopOfTheDaemonCancelsThePrompt() throws {
    _ = try asked.beginEvaluation(on: "sim")
    daemon.program.signal(15)
    let replies = try? asked.receiveRest()
    #expect(replies?.last?.result?["outcome"]?.string ?? "systemCancel" == "systemCancel")
    #expect(try daemon.program.waitForExit() == .status(0))
    let next = try DaemonProcess(home: scratch.file("home"))
    let lines = try next.connect().audit("sim")
    #expect(lines.last?["outcome"]?.string == "systemCancel")
  }
}
