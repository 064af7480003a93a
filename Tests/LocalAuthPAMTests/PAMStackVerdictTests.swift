import Glibc
import LocalAuthCore
import LocalAuthPAM
import Testing

/// What a worker makes of stacks that refuse, are incomplete or misbehave.
@Suite struct PAMStackVerdictTests {
  private let stack: PAMStack
  private let worker: SpawnedWorker

  init() throws {
    stack = try PAMStack()
    worker = try SpawnedWorker(stack)
  }

  /// What the worker says of a verdict; nil stands for any reason why it cannot judge.
  private func ending(of verdict: PAMVerdict) -> Arming.Ending? {
    switch verdict {
    case .success: .match
    case .wrongCredential, .userUnknown, .permissionDenied, .maxTries, .userChanged, .other: .miss
    case .accountExpired: .refused("The account has expired.")
    case .credentialExpired: .refused("The password has expired.")
    case .passwordChangeRequired: .refused("The password must be changed; use passwd(1).")
    case .authInfoUnavailable, .aborted: nil
    }
  }

  @Test func codeOfARequiredModuleBecomesItsVerdict() throws {
    // libpam itself turns IGNORE, and what is no code at all, into a refusal.
    let changed: [Int32: PAMVerdict] = [25: .permissionDenied]
    for (code, verdict) in PAMVerdictCodeTests.verdicts where code != 0 {
      try stack.script(auth: "return=\(code)")
      let ended = try worker.judge()
      let expected = ending(of: changed[code, default: verdict])
      #expect(expected.map { $0 == ended } ?? ended.isFailure, "code \(code): \(ended)")
    }
  }

  @Test func codesThatDoNotExistAreRefusals() throws {
    for code in [-1, 32, 77, 1000, Int(Int32.max)] {
      try stack.script(auth: "return=\(code)")
      #expect(try worker.judge() == .miss, "code \(code)")
      try stack.script(auth: "", account: "return=\(code)")
      #expect(try worker.judge() == .miss, "code \(code)")
    }
  }

  @Test func stackWithoutAccountModulesIsARefusal() throws {
    try stack.write("auth required \(stack.module)\n")
    #expect(try worker.judge() != .match)
  }

  @Test func stackInWhichAllModulesIgnoreIsARefusal() throws {
    try stack.script(auth: "", account: "return=25")
    #expect(try worker.judge() == .miss)
  }

  @Test func missingModuleIsABrokenSystem() throws {
    try stack.write("auth required /nonexistent/pam_gone.so\naccount required \(stack.module)\n")
    #expect(try worker.judge().isFailure)
  }

  @Test func missingServiceDoesNotFallBackToOther() throws {
    try stack.script(auth: "", named: "other")
    guard case .failed(let reason) = try worker.judge() else {
      Issue.record("it judged")
      return
    }
    #expect(reason.contains("\(stack.folder)/service"), "\(reason)")
    try stack.script(auth: "return=7")
    #expect(try worker.judge() == .miss)
  }

  @Test(.enabled(if: getuid() != 0, "needs an ordinary user: root reads every file"))
  func unreadableServiceDoesNotFallBackToOther() throws {
    try stack.script(auth: "", named: "other")
    try stack.script(auth: "")
    try #require(unsafe chmod("\(stack.folder)/service", 0) == 0)
    #expect(try worker.judge().isFailure)
  }

  @Test func emptyServiceFileIsARefusal() throws {
    try stack.write("")
    #expect(try worker.judge() != .match)
  }

  @Test func changedServiceFileCountsAtOnce() throws {
    try stack.script(auth: "")
    #expect(try worker.judge() == .match)
    try stack.script(auth: "return=7")
    #expect(try worker.judge() == .miss)
  }

  @Test func promptsBeyondTheLimitEndTheAttempt() throws {
    try stack.script(auth: "ignore-errors ask-many=40 return=0")
    try worker.start()
    for _ in 0..<ConversationLimits.promptsMax {
      #expect(try worker.next() == .asks(text: "again", echoes: false))
      try worker.respond("guess")
    }
    #expect(try worker.finish() == .miss)
  }

  @Test func textsBeyondTheLimitEndTheAttempt() throws {
    try stack.script(auth: "ignore-errors say-many=100 return=0")
    try worker.start()
    for _ in 0..<ConversationLimits.linesMax {
      #expect(try worker.next() == .tells(text: "again", isError: false))
    }
    #expect(try worker.finish() == .miss)
  }

  @Test func textsThatAreNotShownAnyMoreLeaveRoomForTheRest() throws {
    let (texts, prompts) = (ConversationLimits.textsMax, ConversationLimits.promptsMax)
    try stack.script(auth: "say-many=\(texts) ask-many=\(prompts)")
    try worker.start()
    for _ in 0..<ConversationLimits.linesMax {
      #expect(try worker.next() == .tells(text: "again", isError: false))
    }
    for _ in 0..<prompts {
      #expect(try worker.next() == .asks(text: "again", echoes: false))
      try worker.respond("guess")
    }
    #expect(try worker.finish() == .match)
  }

  @Test func oversizedTextIsCut() throws {
    try stack.script(auth: "big-info=100000")
    try worker.start()
    let text = String(repeating: "x", count: ConversationLimits.textSizeMax)
    #expect(try worker.next() == .tells(text: text, isError: false))
    #expect(try worker.finish() == .match)
  }

  @Test func longestAnswerArrivesWhole() throws {
    try stack.script(auth: "ask=all expect-size=511")
    try worker.start()
    #expect(try worker.next() != nil)
    try worker.respond(String(repeating: "x", count: Arming.answerSizeMax))
    #expect(try worker.finish() == .match)
  }

  @Test func messageStyleNobodyReadsIsRefused() throws {
    try stack.script(auth: "ask-binary")
    #expect(try worker.judge() == .miss)
  }
}
