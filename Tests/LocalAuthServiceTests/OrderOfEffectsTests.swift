import LocalAuthCore
import LocalAuthService
import Synchronization
import Testing

/// The promise behind every success and every lockout: charge, commit, judge, settle, answer.
@Suite struct OrderOfEffectsTests {
  @Test func aTouchIsChargedDurablyBeforeItIsJudged() throws {
    let rig = Rig()
    rig.makeDevice()
    let hearing = try rig.evaluate()
    rig.touch(.rightIndex)
    #expect(rig.store.waiting.withLock { $0.count } == 1)
    #expect(rig.store.waiting.withLock { $0.first?.kind } == .guarded)
    #expect(hearing.result == nil)
    #expect(try rig.status().attemptsLeft == 2)
    _ = rig.store.finishNext(.success(()))
    #expect(rig.store.device?.attempts.lockout.tally.failures == 1)
    rig.engine.completionsArrived()
    #expect(hearing.result == nil, "the verdict waits for its settlement")
    rig.run()
    #expect(hearing.result?.outcome == .success)
    #expect(rig.store.device?.attempts.lockout.tally.failures == 0)
  }

  @Test(arguments: ["unplug", "busy", "lockout"])
  func aSensorThatIsLostWhileItsTouchIsJudgedLeavesThePasscode(_ event: String) throws {
    let rig = Rig()
    rig.makeDevice()
    let hearing = try rig.evaluate("device-owner-parallel")
    rig.touch(.leftThumb)
    rig.engine.present(
      event: ScriptSource(text: .of(event), isArgument: true),
      on: "sim",
      caller: rig.caller
    ) { _ in }
    rig.run()
    let nonce = try #require(hearing.prompts.last?.nonce)
    #expect(rig.respond(nonce, .passcode(.of("1234"))))
    rig.run()
    #expect(hearing.result?.outcome == .success)
  }

  @Test func aPasscodeIsNotJudgedBeforeItsChargeIsDurable() throws {
    let rig = Rig()
    rig.makeDevice()
    let hearing = try rig.evaluate("passcode")
    let nonce = try #require(hearing.prompts.last?.nonce)
    #expect(rig.respond(nonce, .passcode(.of("1234"))))
    #expect(!rig.vaults.isAsked)
    rig.finishCommit(.success(()))
    #expect(rig.vaults.isAsked)
    #expect(rig.store.device?.attempts.throttle.tally.failures == 1)
    rig.run()
    #expect(hearing.result?.outcome == .success)
    #expect(rig.store.device?.attempts.throttle.tally.failures == 0)
  }

  @Test func nothingIsJudgedWhenTheChargeCannotBeStored() throws {
    let rig = Rig()
    rig.makeDevice()
    let hearing = try rig.evaluate()
    rig.touch(.rightIndex)
    rig.finishCommit(.failure(.full))
    rig.run()
    #expect(hearing.result?.outcome.code == .internalError)
  }

  @Test func aMatchWhoseSettlementCannotBeStoredIsNoSuccess() throws {
    let rig = Rig()
    rig.makeDevice()
    let hearing = try rig.evaluate()
    rig.touch(.rightIndex)
    rig.finishCommit(.success(()))
    rig.finishCommit(.failure(.full))
    rig.run()
    #expect(hearing.result?.outcome.code == .internalError)
    #expect(rig.store.device?.attempts.lockout.tally.failures == 1, "the charge stays")
  }

  @Test func afterAFailureNothingIsAllowedUntilTheStateCanBeWrittenAgain() throws {
    let rig = Rig()
    rig.makeDevice()
    _ = try rig.evaluate()
    rig.touch(.leftThumb)
    rig.finishCommit(.failure(.full))
    rig.run()
    let refused = try rig.evaluate()
    rig.finishCommit(.failure(.full))
    rig.run()
    #expect(refused.result?.outcome.code == .internalError)
    #expect(try rig.outcome(script: "match") == .success)
  }

  @Test func cancellingWhileATouchIsChargedDoesNotGiveTheAttemptBack() throws {
    let rig = Rig()
    rig.makeDevice()
    let hearing = try rig.evaluate()
    rig.touch(.rightIndex)
    rig.engine.cancel(hearing.id)
    rig.run()
    #expect(hearing.result?.outcome.code == .appCancel)
    #expect(rig.store.device?.attempts.lockout.tally.failures == 1)
  }

  @Test func threeCancelledTouchesLockTheSensor() throws {
    let rig = Rig()
    rig.makeDevice()
    for _ in 1...3 {
      let hearing = try rig.evaluate()
      rig.touch(.leftThumb)
      rig.engine.cancel(hearing.id)
      rig.run()
    }
    #expect(try rig.outcome(script: "match")?.code == .biometryLockout)
  }

  @Test func theVerdictAndTheAuditLineItLeadsToBecomeDurableTogether() throws {
    let rig = Rig()
    rig.makeDevice()
    _ = try rig.outcome(script: "match")
    let kinds = rig.store.commits.withLock { $0.map(\.kind) }
    #expect(kinds == [.guarded, .ordinary])
    let line = try #require(rig.store.auditLines.last)
    #expect(line.outcome == .success)
    #expect(line.method == "fingerprint")
    #expect(line.finger == .rightIndex)
    #expect(line.attempts == 1)
    #expect(line.isSimulated)
  }

  @Test func theAuditHasTheBeginningBeforeAnythingIsJudged() throws {
    let rig = Rig()
    rig.makeDevice()
    _ = try rig.evaluate()
    rig.touch(.rightIndex)
    _ = rig.store.finishNext(.success(()))
    let line = try #require(rig.store.auditLines.last)
    #expect(line.outcome == nil)
    #expect(line.reason == "test")
    #expect(line.callerPID == 42)
  }

  @Test func anEvaluationThatJudgesNothingIsAuditedToo() throws {
    let rig = Rig()
    rig.makeDevice()
    let hearing = try rig.evaluate(isInteractive: false)
    rig.run()
    #expect(hearing.result?.outcome.code == .notInteractive)
    #expect(rig.store.auditLines.last?.outcome == .notInteractive)
  }

  private func wish(_ rig: Rig) -> GrantRequest {
    let process = CallerScope.ProcessStamp(id: rig.caller.pid, start: 1)
    let scope = CallerScope(uid: 1000, bounds: .process(process), program: nil)
    return GrantRequest(caller: scope, maxAge: .seconds(300))
  }

  @Test func successThatCannotBeRememberedIsNoneAndLeavesNothing() throws {
    let rig = Rig()
    rig.makeDevice()
    let hearing = try rig.evaluate(grant: wish(rig))
    rig.touch(.rightIndex)
    for _ in ["charge", "settlement"] {
      rig.finishCommit(.success(()))
    }
    #expect(try rig.engine.grants(on: "sim", caller: rig.caller).count == 1)
    rig.finishCommit(.failure(.full))
    #expect(hearing.result?.outcome.code == .internalError)
    #expect(try rig.engine.grants(on: "sim", caller: rig.caller).isEmpty)
  }

  @Test func successWithoutItsAuditLineIsNone() throws {
    let rig = Rig()
    rig.makeDevice()
    try rig.unlockWithFinger()
    let hearing = try rig.evaluate(isInteractive: false, reuse: .seconds(60))
    #expect(hearing.result == nil, "nobody was judged, so the line is written by itself")
    rig.finishCommit(.failure(.full))
    #expect(hearing.result?.outcome.code == .internalError)
  }
}
