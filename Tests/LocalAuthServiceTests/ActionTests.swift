import LocalAuthCore
import LocalAuthService
import Synchronization
import Testing

/// What is approved is shown, digested and audited, and nothing earlier stands in for it.
@Suite struct ActionTests {
  private func digest(_ text: String) -> [UInt8] { PlainHash().sha256(of: Array(text.utf8)) }

  private func lines(_ rig: Rig) -> [AuditRecord] {
    rig.store.commits.withLock { commits in
      commits.flatMap(\.changes).compactMap { if case .audit(let line) = $0 { line } else { nil } }
    }
  }

  @Test func digestIsInResultAndAudit() throws {
    let rig = Rig()
    rig.makeDevice()
    let hearing = try rig.evaluate(script: "match", action: "pay 10")
    rig.run()
    let result = try #require(hearing.result)
    #expect(result.outcome == .success)
    #expect(result.actionDigest == digest("pay 10"))
  }

  @Test func lineHasTheDigestBeforeAnythingIsJudgedAndBesideTheReasonOfAFailure() throws {
    let rig = Rig()
    rig.makeDevice()
    _ = try rig.evaluate(action: "pay 10")
    rig.touch(.rightIndex)
    _ = rig.store.finishNext(.success(()))
    let word = "action sha256 \(String(hexadecimal: digest("pay 10")))"
    let line = try #require(lines(rig).first)
    #expect(line.outcome == nil)
    #expect(line.detail == word)
  }

  @Test func evaluationWithoutOneHasNoDigest() throws {
    let rig = Rig()
    rig.makeDevice()
    let hearing = try rig.evaluate(script: "match")
    rig.run()
    #expect(try #require(hearing.result).actionDigest == nil)
  }

  @Test func lineHasTheWordsOnceAPromptShowedThem() throws {
    let rig = Rig()
    rig.makeDevice()
    _ = try rig.evaluate(action: "pay 10")
    rig.touch(.rightIndex)
    _ = rig.store.finishNext(.success(()))
    #expect(try #require(lines(rig).first).shownAction == "pay 10")
  }

  @Test func lineHasNoWordsThatNobodyWasShown() throws {
    let rig = Rig()
    rig.makeDevice()
    let hearing = try rig.evaluate(isInteractive: false, action: "pay 10")
    rig.run()
    #expect(hearing.result?.outcome.code == .notInteractive)
    let line = try #require(lines(rig).last)
    #expect(line.shownAction.isEmpty)
    #expect(line.detail.hasPrefix("action sha256 "))
  }

  @Test func unlockDoesNotStandInForAnAction() throws {
    let rig = Rig()
    rig.makeDevice()
    try rig.unlockWithFinger()
    #expect(try rig.outcome(reuse: .seconds(60)) == .success)
    let hearing = try rig.evaluate(isInteractive: true, reuse: .seconds(60), action: "pay 10")
    rig.run()
    #expect(hearing.result == nil)
    #expect(hearing.prompts.count == 1)
  }
}
