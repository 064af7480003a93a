import LocalAuthPAM
import LocalAuthWire
import Testing

/// Conversations with a worker process, over libpam and a module compiled for the test.
@Suite struct PAMWorkerTests {
  private let stack: PAMStack
  private let worker: SpawnedWorker

  init() throws {
    stack = try PAMStack()
    worker = try SpawnedWorker()
  }

  @Test func rightAnswerIsProof() throws {
    try stack.script(auth: "[ask=Password: ] expect=tulip")
    try worker.start(stack.request())
    #expect(try worker.next() == .prompt(conversation: 1, echo: false, text: "Password: "))
    worker.respond("tulip")
    #expect(
      try worker.finish()
        == PAMJudgement(verdict: .success, user: "somebody", message: "Success")
    )
  }

  @Test func wrongAnswerIsNone() throws {
    try stack.script(auth: "[ask=Password: ] expect=tulip")
    for answer in ["", "tulip ", "Tulip", String(repeating: "x", count: 511)] {
      try worker.start(stack.request())
      #expect(try worker.next() == .prompt(conversation: 1, echo: false, text: "Password: "))
      worker.respond(answer)
      #expect(try worker.finish().verdict == .wrongCredential)
    }
  }

  @Test func visiblePromptSaysSo() throws {
    try stack.script(auth: "[ask-visible=Token: ] expect=123456")
    try worker.start(stack.request())
    #expect(try worker.next() == .prompt(conversation: 1, echo: true, text: "Token: "))
    worker.respond("123456")
    #expect(try worker.finish().verdict == .success)
  }

  @Test func severalMessagesOfOneCallKeepTheirOrder() throws {
    try stack.script(auth: "ask-two")
    try worker.start(stack.request(), conversation: 9)
    #expect(try worker.next() == .info(conversation: 9, text: "first a word"))
    #expect(try worker.next() == .prompt(conversation: 9, echo: true, text: "One: "))
    worker.respond("one", conversation: 9)
    #expect(try worker.next() == .error(conversation: 9, text: "then a warning"))
    #expect(try worker.next() == .prompt(conversation: 9, echo: false, text: "Two: "))
    worker.respond("two", conversation: 9)
    #expect(try worker.finish(conversation: 9).verdict == .success)
  }

  @Test func answersToEarlierConversationsAreDropped() throws {
    try stack.script(auth: "[ask=Password: ] expect=tulip")
    worker.abort(conversation: 1)
    worker.respond("tulip", conversation: 1)
    try worker.start(stack.request(), conversation: 2)
    #expect(try worker.next() == .prompt(conversation: 2, echo: false, text: "Password: "))
    worker.respond("tulip", conversation: 1)
    worker.abort(conversation: 1)
    worker.respond("rose", conversation: 2)
    #expect(try worker.finish(conversation: 2).verdict == .wrongCredential)
  }

  @Test func abortEndsTheConversationAndNotTheWorker() throws {
    try stack.script(auth: "[ask=Password: ] [ask=Again: ]")
    try worker.start(stack.request())
    #expect(try worker.next() != nil)
    worker.abort()
    #expect(try worker.finish().verdict == .aborted(afterAnswer: false))
    try worker.start(stack.request(), conversation: 2)
    #expect(try worker.next() != nil)
    worker.respond("first guess", conversation: 2)
    #expect(try worker.next() == .prompt(conversation: 2, echo: false, text: "Again: "))
    worker.abort(conversation: 2)
    #expect(try worker.finish(conversation: 2).verdict == .aborted(afterAnswer: true))
  }

  @Test func moduleThatSucceedsAfterAnAbortProvesNothing() throws {
    try stack.script(auth: "ignore-errors [ask=Password: ] [ask=Again: ] return=0")
    try worker.start(stack.request())
    #expect(try worker.next() == .prompt(conversation: 1, echo: false, text: "Password: "))
    worker.abort()
    // No second prompt: a conversation that was ended stays ended.
    #expect(try worker.finish().verdict == .aborted(afterAnswer: false))
  }

  @Test func changedUserIsNoProof() throws {
    try stack.script(auth: "user=root")
    #expect(
      try worker.judge(stack.request())
        == PAMJudgement(verdict: .userChanged, user: "root", message: "Success")
    )
    try stack.script(auth: "", account: "user=root")
    #expect(try worker.judge(stack.request()).verdict == .userChanged)
  }

  @Test func equivalentSpellingOfTheUserIsAnotherUser() throws {
    try stack.script(auth: "user=ren\u{E9}")
    #expect(try worker.judge(stack.request(user: "rene\u{301}")).verdict == .userChanged)
  }

  @Test func modulesSeeWhoAsks() throws {
    try stack.script(auth: "item-user=somebody ruser=asker tty=/dev/pts/7")
    let request = try PAMRequest(
      service: "service",
      user: "somebody",
      configurationDirectory: stack.folder,
      remoteUser: "asker",
      terminal: "/dev/pts/7"
    )
    #expect(try worker.judge(request).verdict == .success)
  }

  @Test func askedDelayIsNotWaitedFor() throws {
    try stack.script(auth: "delay=3600000000 return=7")
    #expect(try worker.judge(stack.request()).verdict == .wrongCredential)
  }

  @Test func accountIsCheckedAfterAuthentication() throws {
    for (code, verdict) in [
      (6, PAMVerdict.permissionDenied), (7, .wrongCredential), (12, .passwordChangeRequired),
      (13, .accountExpired), (27, .credentialExpired), (10, .userUnknown),
    ] {
      try stack.script(auth: "", account: "return=\(code)")
      #expect(try worker.judge(stack.request()).verdict == verdict)
    }
  }

  @Test func failedAuthenticationTellsNothingAboutTheAccount() throws {
    try stack.script(auth: "return=7", account: "[info=this account has expired] return=13")
    #expect(try worker.judge(stack.request()).verdict == .wrongCredential)
  }

  @Test func oneWorkerHasNoLeakAfterAHundredConversations() throws {
    try stack.script(auth: "report-fd [ask=Password: ] expect=tulip")
    var descriptors: Set<String> = []
    for conversation in UInt64(1)...100 {
      try worker.start(stack.request(), conversation: conversation)
      if case .info(_, let text) = try worker.next() { descriptors.insert(text) }
      #expect(try worker.next() != nil)
      let isRight = conversation.isMultiple(of: 2)
      worker.respond(isRight ? "tulip" : "rose", conversation: conversation)
      #expect(
        try worker.finish(conversation: conversation).verdict
          == (isRight ? .success : .wrongCredential)
      )
    }
    #expect(descriptors.count == 1, "the lowest free descriptor moved: \(descriptors)")
  }

  @Test func twoConversationsAtOnceStayApart() throws {
    let other = try SpawnedWorker()
    try stack.script(auth: "[ask=Password: ] item-user=anna expect=tulip", named: "anna")
    try stack.script(auth: "[ask=Password: ] item-user=bert expect=rose", named: "bert")
    try worker.start(stack.request(user: "anna", service: "anna"))
    try other.start(stack.request(user: "bert", service: "bert"))
    #expect(try other.next() != nil)
    #expect(try worker.next() != nil)
    worker.respond("tulip")
    other.respond("tulip")
    #expect(try other.finish().verdict == .wrongCredential)
    #expect(try worker.finish().user == "anna")
  }
}
