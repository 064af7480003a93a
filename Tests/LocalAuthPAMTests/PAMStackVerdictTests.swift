import Glibc
import LocalAuthPAM
import LocalAuthWire
import Testing

/// What a worker makes of stacks that refuse, are incomplete or misbehave.
@Suite struct PAMStackVerdictTests {
  private let stack: PAMStack
  private let worker: SpawnedWorker

  init() throws {
    stack = try PAMStack()
    worker = try SpawnedWorker()
  }

  @Test func codeOfARequiredModuleBecomesItsVerdict() throws {
    // libpam itself turns IGNORE, and what is no code at all, into a refusal.
    let changed: [Int32: PAMVerdict] = [25: .permissionDenied]
    for (code, verdict) in PAMVerdictCodeTests.verdicts where code != 0 {
      try stack.script(auth: "return=\(code)")
      #expect(
        try worker.judge(stack.request()).verdict == changed[code, default: verdict],
        "code \(code)"
      )
    }
  }

  @Test func codesThatDoNotExistAreRefusals() throws {
    for code in [-1, 32, 77, 1000, Int(Int32.max)] {
      try stack.script(auth: "return=\(code)")
      #expect(try worker.judge(stack.request()).verdict == .permissionDenied, "code \(code)")
      try stack.script(auth: "", account: "return=\(code)")
      #expect(try worker.judge(stack.request()).verdict == .permissionDenied, "code \(code)")
    }
  }

  @Test func stackWithoutAccountModulesIsARefusal() throws {
    try stack.write("auth required \(stack.module)\n")
    #expect(try worker.judge(stack.request()).verdict != .success)
  }

  @Test func stackInWhichAllModulesIgnoreIsARefusal() throws {
    try stack.script(auth: "", account: "return=25")
    #expect(try worker.judge(stack.request()).verdict == .permissionDenied)
  }

  @Test func missingModuleIsABrokenSystem() throws {
    try stack.write("auth required /nonexistent/pam_gone.so\naccount required \(stack.module)\n")
    #expect(try worker.judge(stack.request()).verdict == .authInfoUnavailable)
  }

  @Test func missingServiceDoesNotFallBackToOther() throws {
    try stack.script(auth: "", named: "other")
    let judgement = try worker.judge(stack.request())
    #expect(judgement.verdict == .authInfoUnavailable)
    #expect(judgement.message.contains("\(stack.folder)/service"))
    try stack.script(auth: "return=7")
    #expect(try worker.judge(stack.request()).verdict == .wrongCredential)
  }

  @Test(.enabled(if: getuid() != 0, "needs an ordinary user: root reads every file"))
  func unreadableServiceDoesNotFallBackToOther() throws {
    try stack.script(auth: "", named: "other")
    try stack.script(auth: "")
    try #require(unsafe chmod("\(stack.folder)/service", 0) == 0)
    #expect(try worker.judge(stack.request()).verdict == .authInfoUnavailable)
  }

  @Test func emptyServiceFileIsARefusal() throws {
    try stack.write("")
    #expect(try worker.judge(stack.request()).verdict != .success)
  }

  @Test func changedServiceFileCountsAtOnce() throws {
    try stack.script(auth: "")
    #expect(try worker.judge(stack.request()).verdict == .success)
    try stack.script(auth: "return=7")
    #expect(try worker.judge(stack.request()).verdict == .wrongCredential)
  }

  @Test func promptsBeyondTheLimitEndTheConversation() throws {
    try stack.script(auth: "ignore-errors ask-many=40 return=0")
    try worker.start(stack.request())
    for _ in 0..<WorkerMessage.promptLimit {
      #expect(try worker.next() == .prompt(conversation: 1, echo: false, text: "again"))
      worker.respond("guess")
    }
    #expect(try worker.finish().verdict == .maxTries)
  }

  @Test func textsBeyondTheLimitEndTheConversation() throws {
    try stack.script(auth: "ignore-errors say-many=100 return=0")
    try worker.start(stack.request())
    for _ in 0..<WorkerMessage.noticeLimit {
      #expect(try worker.next() == .info(conversation: 1, text: "again"))
    }
    #expect(try worker.finish().verdict == .maxTries)
  }

  @Test func oversizedTextIsCut() throws {
    try stack.script(auth: "big-info=100000")
    try worker.start(stack.request())
    let text = String(repeating: "x", count: WorkerMessage.textLimit)
    #expect(try worker.next() == .info(conversation: 1, text: text))
    #expect(try worker.finish().verdict == .success)
  }

  @Test func longestAnswerArrivesWhole() throws {
    try stack.script(auth: "ask=all expect-size=511")
    try worker.start(stack.request())
    #expect(try worker.next() != nil)
    worker.respond(String(repeating: "x", count: WorkerMessage.answerLimit))
    #expect(try worker.finish().verdict == .success)
  }

  @Test func messageStyleNobodyReadsIsRefused() throws {
    try stack.script(auth: "ask-binary")
    #expect(try worker.judge(stack.request()).verdict == .other(code: 19))
  }
}
