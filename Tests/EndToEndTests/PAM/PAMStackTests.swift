import Glibc
import LocalAuthJSON
import LocalAuthUnix
import Testing

/// PAM stacks of our own, which needs neither root nor /etc.
@Suite(.enabled(if: Machine.compiler != nil, "needs a C compiler"))
struct PAMStackTests {
  private let scratch = Scratch()
  private let module: TestModule
  private let daemon: DaemonProcess
  private let client: WireClient
  private let answering: WireClient

  init() throws {
    module = try TestModule()
    daemon = try DaemonProcess(home: scratch.file("home"), .init(arguments: ["--pam-limit", "1"]))
    client = try daemon.connect()
    answering = try daemon.connect()
  }

  private func makeDevice(_ service: String, name: String = "sim") throws {
    try client.create(name, passcode: nil, module.passcode(of: service))
  }

  /// Evaluates, answering each question of PAM's with the next of `answers`.
  private func evaluate(_ answers: [String], on device: String = "sim") throws -> Evaluated {
    try client.send(
      Interface.authentication + "Evaluate",
      WireClient.evaluation("passcode", on: device),
      more: true
    )
    var replies: [WireClient.Reply] = []
    var rest = answers[...]
    while true {
      let reply = try client.receive()
      replies.append(reply)
      guard reply.continues else { return Evaluated(replies: replies) }
      if let prompt = reply.prompt, prompt["passcodePrompt"]?.string != nil,
        let answer = rest.popFirst()
      {
        let said = try answering.respond(
          prompt["nonce"]?.string ?? "",
          ["passcode": .text(answer)]
        )
        #expect(said.error == nil)
      }
    }
  }

  @Test func permissionNeedsNoAnswer() throws {
    try makeDevice("permit")
    let result = try evaluate([])
    #expect(result.outcome == "success")
    #expect(result.result?["method"]?.string == "pam")
  }

  @Test func denialCountsAlthoughNobodyWasAsked() throws {
    try makeDevice("deny")
    for wrong in 1...4 {
      let result = try evaluate([])
      #expect(result.outcome == "authenticationFailed" && result.attempts == 1)
      #expect(try answering.status("sim").wrongPasscodes == wrong)
      #expect(try answering.status("default").wrongPasscodes == wrong, "one account, one count")
    }
    #expect(try evaluate([]).outcome == "passcodeThrottled")
    #expect(try evaluate([]).attempts == 0)
  }

  @Test func everyQuestionAndMessageReachesThePerson() throws {
    try module.describe("twice", auth: "ask-twice ask")
    try makeDevice("twice")
    let result = try evaluate(["blue", "1234"])
    #expect(result.outcome == "success")
    let questions = result.prompts.filter { $0["passcodePrompt"]?.string != nil }
    #expect(questions.compactMap { $0["passcodePrompt"]?.string } == ["Color: ", "Password: "])
    #expect(questions.compactMap { $0["passcodeEchoes"]?.boolean } == [true, false])
    #expect(
      result.replies.compactMap(\.notice).first?["text"]?.string == "Look at the light"
    )
  }

  @Test func wrongAnswersCountAndAreSaidSo() throws {
    try module.describe("twice", auth: "ask-twice ask")
    try makeDevice("twice")
    let result = try evaluate(["red", "blue", "1234"])
    #expect(result.outcome == "success" && result.attempts == 2)
    let notices = result.replies.compactMap(\.notice)
    let complaint = try #require(notices.first { $0["text"]?.string == "No such color" })
    #expect(complaint["kind"]?.string == "error")
    #expect(notices.count { $0["kind"]?.string == "miss" } == 1)
    #expect(try answering.status("sim").wrongPasscodes == 0)
  }

  @Test func emptyAnswerIsGivenToTheModuleAndCounts() throws {
    try module.describe("ask", auth: "ask")
    try makeDevice("ask")
    let result = try evaluate(["", "1234"])
    #expect(result.outcome == "success" && result.attempts == 2)
    #expect(result.replies.compactMap(\.notice).count { $0["kind"]?.string == "miss" } == 1)
  }

  @Test func moduleThatHangsIsEndedWithAllItStarted() throws {
    try module.describe("hang", auth: "child=\(module.file("child")) hang")
    try makeDevice("hang")
    let result = try evaluate([])
    #expect(result.outcome == "timeout")
    let child = try #require(Int32(try Files.text(module.file("child"))))
    #expect(try Processes.waitForEnd(of: child), "the helper of the module still runs")
    try expectAlive()
  }

  @Test func moduleThatHangsAfterTheAnswerCostsAnAttempt() throws {
    try module.describe("hang", auth: "ask hang")
    try makeDevice("hang")
    #expect(try evaluate(["1234"]).outcome == "timeout")
    #expect(try answering.status("sim").wrongPasscodes == 1)
    try expectAlive()
  }

  @Test(arguments: ["crash", "ask crash"]) func moduleThatCrashesTakesOnlyItsWorkerAlong(
    _ words: String
  ) throws {
    try module.describe("crash", auth: words)
    try makeDevice("crash")
    let result = try evaluate(["1234"])
    #expect(result.outcome == "internalError")
    #expect(result.result?["exit"]?.integer == 70)
    try expectAlive()
  }

  @Test func moduleThatKillsTheDaemonFindsTheAttemptCounted() throws {
    // The module is asked only once the charge is durable: dying now gives nothing back.
    try module.describe("kill", auth: "ask kill-daemon")
    try makeDevice("kill")
    #expect(throws: WireClient.Failure.self) { try evaluate(["1234"]) }
    #expect(try daemon.program.waitForExit() == .signal(SIGKILL))
    let next = try DaemonProcess(home: scratch.file("home"))
    #expect(try next.connect().status("sim").wrongPasscodes == 1)
  }

  @Test func questionThatIsNotAnsweredCostsNothing() throws {
    try module.describe("ask", auth: "ask")
    try makeDevice("ask")
    let prompt = try client.beginEvaluation("passcode", on: "sim")
    let asking =
      prompt["passcodePrompt"]?.string == nil
      ? try client.receivePrompt { $0["passcodePrompt"]?.string != nil } : prompt
    _ = try answering.respond(asking["nonce"]?.string ?? "", ["action": "cancel"])
    #expect(try client.receiveResult().outcome == "userCancel")
    #expect(try evaluate(["1234"]).outcome == "success")
    #expect(try answering.status("sim").wrongPasscodes == 0)
  }

  /// The daemon's children, which are its workers.
  private func workers() throws -> [Int32] {
    let process = daemon.processID
    return try Files.text("/proc/\(process)/task/\(process)/children").split(separator: " ")
      .compactMap { Int32($0) }
  }

  @Test func attemptThatIsBrokenOffAfterAnAnswerIsCountedAndTheWorkerUsedAgain() throws {
    try module.describe("twice", auth: "ask-twice ask")
    try makeDevice("twice")
    let first = try client.beginPasscodeQuestion(on: "sim")
    let worker = try workers()
    #expect(worker.count == 1)
    #expect(try answering.respond(first, ["passcode": "blue"]).error == nil)
    let second = try client.receivePrompt { $0["passcodePrompt"]?.string == "Password: " }
    let nonce = second["nonce"]?.string ?? ""
    #expect(try answering.respond(nonce, ["action": "cancel"]).error == nil)
    #expect(try client.receiveResult().outcome == "userCancel")
    #expect(try answering.status("sim").wrongPasscodes == 1)
    // The end of the attempt is known to the daemon before the worker is asked anything else.
    try module.describe("twice", auth: "ask")
    #expect(try evaluate(["1234"]).outcome == "success")
    #expect(try workers() == worker)
  }

  @Test func workerThatGoesOnAfterAnAttemptWasBrokenOffIsKilled() throws {
    try module.describe("hang", auth: "ask child=\(module.file("child")) hang")
    try makeDevice("hang")
    let leaving = try daemon.connect()
    let nonce = try leaving.beginPasscodeQuestion(on: "sim")
    #expect(try answering.respond(nonce, ["passcode": "1234"]).error == nil)
    let deadline = Deadline.after(.seconds(30))
    while (try? Files.text(module.file("child"))).flatMap(Int32.init) == nil,
      !deadline.hasPassed
    { sched_yield() }
    let child = try #require(Int32(try Files.text(module.file("child"))))
    leaving.close()
    #expect(try Processes.waitForEnd(of: child), "the helper of the module still runs")
    #expect(try answering.status("sim").wrongPasscodes == 1)
    try expectAlive()
  }

  @Test(arguments: [("expired", "expired"), ("new-token", "password must be changed")])
  func rightPasswordOfAnUnusableAccountProvesNothing(_ account: String, _ word: String) throws {
    try module.describe("unusable", auth: "ask", account: account)
    try makeDevice("unusable")
    let result = try evaluate(["1234"])
    #expect(result.outcome == "authenticationFailed")
    #expect(result.result?["message"]?.string?.contains(word) == true, "\(result.result ?? nil)")
  }

  @Test func serviceThatIsNotThereIsAConfigurationError() throws {
    try makeDevice("nobody")
    let result = try evaluate([])
    #expect(result.outcome == "badConfiguration" && result.result?["exit"]?.integer == 78)
  }

  @Test func twoConversationsGoOnAtOnce() throws {
    try module.describe("ask", auth: "ask")
    try makeDevice("ask", name: "one")
    try makeDevice("ask", name: "two")
    let other = try daemon.connect()
    let first = try client.beginPasscodeQuestion(on: "one")
    let second = try other.beginPasscodeQuestion(on: "two")
    #expect(try answering.respond(second, ["passcode": "1234"]).error == nil)
    #expect(try other.receiveResult().outcome == "success")
    #expect(try answering.respond(first, ["passcode": "1234"]).error == nil)
    #expect(try client.receiveResult().outcome == "success")
  }

  /// The daemon goes on, and so does PAM.
  private func expectAlive() throws {
    #expect(daemon.program.isRunning)
    try makeDevice("permit", name: "other")
    #expect(try evaluate([], on: "other").outcome == "success")
  }
}

extension WireClient {
  /// Begins an evaluation of `passcode` and returns the nonce of PAM's first question.
  func beginPasscodeQuestion(on device: String, _ more: [String: JSONValue] = [:]) throws -> String
  {
    try send(
      Interface.authentication + "Evaluate",
      Self.evaluation("passcode", on: device, more),
      more: true
    )
    return try receivePrompt { $0["passcodePrompt"]?.string != nil }["nonce"]?.string ?? ""
  }
}
