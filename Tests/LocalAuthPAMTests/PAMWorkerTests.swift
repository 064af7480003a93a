import LocalAuthCore
import LocalAuthPAM
import LocalAuthWire
import Testing

/// Attempts that a worker process judges, over libpam and a module compiled for the test.
@Suite struct PAMWorkerTests {
  private let stack: PAMStack
  private let worker: SpawnedWorker
  private static let password = Arming.Word.asks(text: "Password: ", echoes: false)

  init() throws {
    stack = try PAMStack()
    worker = try SpawnedWorker(stack)
  }

  @Test func saysWhatItIs() throws {
    let reply = try #require(try worker.describes())
    #expect(reply.kind == AuthenticatorKind.password.name && reply.asks == "text")
    #expect(!reply.simulated && !reply.reportsPresence && reply.exclusive == nil)
  }

  @Test func saysThatItCanJudgeAndHoldsTheCall() throws {
    let watches = try (0..<6).map { _ in try CallSocket(connectedTo: worker.path) }
    for watch in watches {
      try watch.call(Methods.watchProgram, ServiceMessages.Empty())
      let reply = try watch.reply(AuthenticatorMessages.WatchReply.self)
      guard case .reply(let state, true)? = reply else {
        Issue.record("\(String(describing: reply))")
        continue
      }
      #expect(state.state == "available")
    }
    // The oldest make room; the others stay open while the worker judges.
    #expect(watches[0].isAtEnd && watches[1].isAtEnd)
    try stack.script(auth: "")
    #expect(try worker.judge() == .match)
  }

  @Test func accountsThatExistHaveAPassword() throws {
    for (user, labels) in [("root", ["password"]), ("no-such-account-of-localauth", [])] {
      let socket = try CallSocket(connectedTo: worker.path)
      var parameters = AuthenticatorMessages.EnrolledCall()
      parameters.user = user
      try socket.call(Methods.enrolledAtProgram, parameters)
      guard
        case .reply(let reply, false)? = try socket.reply(
          AuthenticatorMessages.EnrolledReply.self
        )
      else {
        Issue.record("\(user)")
        continue
      }
      #expect(reply.labels == labels, "\(user)")
    }
  }

  @Test func rightAnswerIsProof() throws {
    try stack.script(auth: "[ask=Password: ] expect=tulip")
    try worker.start()
    #expect(try worker.next() == Self.password)
    try worker.respond("tulip")
    #expect(try worker.finish() == .match)
  }

  @Test func wrongAnswerIsNone() throws {
    try stack.script(auth: "[ask=Password: ] expect=tulip")
    for answer in ["", "tulip ", "Tulip", String(repeating: "x", count: 511)] {
      try worker.start()
      #expect(try worker.next() == Self.password)
      try worker.respond(answer)
      #expect(try worker.finish() == .miss)
    }
  }

  @Test func answersArriveAsTheyWereTyped() throws {
    let answer = "q\"uote\\back\ttab \u{1} \u{7F} \u{E9} \u{540D} "
    try stack.script(auth: "[ask=Password: ] expect-size=\(answer.utf8.count)")
    try worker.start()
    #expect(try worker.next() == Self.password)
    try worker.respond(answer)
    #expect(try worker.finish() == .match)
  }

  @Test func visiblePromptSaysSo() throws {
    try stack.script(auth: "[ask-visible=Token: ] expect=123456")
    try worker.start()
    #expect(try worker.next() == .asks(text: "Token: ", echoes: true))
    try worker.respond("123456")
    #expect(try worker.finish() == .match)
  }

  @Test func severalMessagesOfOneCallKeepTheirOrder() throws {
    try stack.script(auth: "ask-two")
    try worker.start()
    #expect(try worker.next() == .tells(text: "first a word", isError: false))
    #expect(try worker.next() == .asks(text: "One: ", echoes: true))
    try worker.respond("one")
    #expect(try worker.next() == .tells(text: "then a warning", isError: true))
    #expect(try worker.next() == .asks(text: "Two: ", echoes: false))
    try worker.respond("two")
    #expect(try worker.finish() == .match)
  }

  @Test func answersToEarlierAttemptsAreRefused() throws {
    try stack.script(auth: "[ask=Password: ] expect=tulip")
    try worker.start()
    let earlier = worker.attempt
    #expect(try worker.next() == Self.password)
    worker.abort()
    try worker.waitForTheEnd(of: earlier)
    #expect(try worker.refusal(of: "tulip", to: earlier) == "NoSuchAttempt")
    try worker.start()
    #expect(try worker.next() == Self.password)
    #expect(try worker.refusal(of: "tulip", to: earlier) == "NoSuchAttempt")
    #expect(try worker.refusal(of: "tulip", to: WorkerConnection.freshName()) == "NoSuchAttempt")
    try worker.respond("rose")
    #expect(try worker.finish() == .miss)
  }

  @Test func answerThatNobodyAskedForIsRefused() throws {
    try stack.script(auth: "")
    #expect(try worker.refusal(of: "tulip", to: WorkerConnection.freshName()) == "NoSuchAttempt")
    #expect(try worker.judge() == .match)
    #expect(try worker.refusal(of: "tulip", to: worker.attempt) == "NoSuchAttempt")
  }

  @Test func abortEndsTheAttemptAndNotTheWorker() throws {
    try stack.script(auth: "[ask=Password: ] [ask=Again: ]")
    try worker.start()
    #expect(try worker.next() != nil)
    worker.abort()
    #expect(try worker.describes() != nil)
    try worker.start()
    #expect(try worker.next() != nil)
    try worker.respond("first guess")
    #expect(try worker.next() == .asks(text: "Again: ", echoes: false))
    worker.abort()
    #expect(try worker.describes() != nil)
    try stack.script(auth: "")
    #expect(try worker.judge() == .match)
  }

  @Test func moduleThatSucceedsAfterAnAbortProvesNothing() throws {
    try stack.script(auth: "ignore-errors [ask=Password: ] [ask=Again: ] return=0")
    try worker.start()
    #expect(try worker.next() == Self.password)
    worker.abort()
    // No second question: an attempt that was ended stays ended, and the worker is idle again.
    try worker.waitForTheEnd(of: worker.attempt)
    #expect(try worker.describes() != nil)
    #expect(try worker.refusal(of: "tulip", to: worker.attempt) == "NoSuchAttempt")
  }

  @Test func changedUserIsNoProof() throws {
    try stack.script(auth: "user=root")
    #expect(try worker.judge() == .miss)
    try stack.script(auth: "", account: "user=root")
    #expect(try worker.judge() == .miss)
  }

  @Test func equivalentSpellingOfTheUserIsAnotherUser() throws {
    try stack.script(auth: "user=ren\u{E9}")
    #expect(try worker.judge("rene\u{301}") == .miss)
    #expect(try worker.judge("ren\u{E9}") == .match)
  }

  @Test func askedDelayIsNotWaitedFor() throws {
    try stack.script(auth: "delay=3600000000 return=7")
    #expect(try worker.judge() == .miss)
  }

  @Test func accountIsCheckedAfterAuthentication() throws {
    let endings: [(Int, Arming.Ending)] = [
      (6, .miss), (7, .miss), (12, .refused("The password must be changed; use passwd(1).")),
      (13, .refused("The account has expired.")), (27, .refused("The password has expired.")),
      (10, .miss),
    ]
    for (code, ending) in endings {
      try stack.script(auth: "", account: "return=\(code)")
      #expect(try worker.judge() == ending)
    }
  }

  @Test func failedAuthenticationTellsNothingAboutTheAccount() throws {
    try stack.script(auth: "return=7", account: "[info=this account has expired] return=13")
    #expect(try worker.judge() == .miss)
  }

  @Test func oneWorkerHasNoLeakAfterAHundredAttempts() throws {
    try stack.script(auth: "report-fd [ask=Password: ] expect=tulip")
    var descriptors: Set<String> = []
    for number in 1...100 {
      try worker.start()
      if case .tells(let text, _) = try worker.next() { descriptors.insert(text) }
      #expect(try worker.next() != nil)
      let isRight = number.isMultiple(of: 2)
      try worker.respond(isRight ? "tulip" : "rose")
      #expect(try worker.finish() == (isRight ? .match : .miss))
    }
    #expect(descriptors.count == 1, "the lowest free descriptor moved: \(descriptors)")
  }

  @Test func twoWorkersStayApart() throws {
    try stack.script(auth: "[ask=Password: ] item-user=anna expect=tulip", named: "anna")
    try stack.script(auth: "[ask=Password: ] item-user=bert expect=rose", named: "bert")
    let anna = try SpawnedWorker(stack, service: "anna")
    let bert = try SpawnedWorker(stack, service: "bert")
    try anna.start("anna")
    try bert.start("bert")
    #expect(try bert.next() != nil)
    #expect(try anna.next() != nil)
    try anna.respond("tulip")
    try bert.respond("tulip")
    #expect(try bert.finish() == .miss)
    #expect(try anna.finish() == .match)
  }
}
