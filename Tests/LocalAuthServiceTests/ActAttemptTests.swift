import LocalAuthCore
import LocalAuthSecret
import LocalAuthService
import Synchronization
import Testing

/// What the attempt of an act costs, and what the audit says of it.
@Suite struct ActAttemptTests {
  private func failure(
    _ rig: Rig,
    _ body: (@escaping (Result<Void, EngineError>) -> Void) -> Void
  ) -> EngineError? {
    var heard: Result<Void, EngineError>?
    body { heard = $0 }
    rig.run()
    if case .failure(let error) = heard { return error }
    if heard == nil { Issue.record("nothing was heard") }
    return nil
  }

  /// The line has the uid of the caller, which is root for everybody who comes through su(1) or sshd(8).
  @Test(arguments: [
    (Origin.user(1003), "asked for by user 1003"),
    (.host("192.0.2.1"), "asked for from host 192.0.2.1"),
    (.host(""), ""), (.owner, ""),
  ])
  func theAuditSaysWhoAskedThroughTheCaller(_ origin: Origin, _ words: String) throws {
    let rig = Rig()
    rig.makeDevice()
    var caller = rig.caller
    caller.origin = origin
    var ending: Result<Void, EngineError>?
    rig.engine.setLockout("fido", delays: nil, on: "sim", passcode: .of("0"), caller: caller) {
      ending = $0
    }
    rig.run()
    #expect(ending != nil)
    let act = try #require(rig.store.auditLines.last)
    #expect(act.outcome == .authenticationFailed && act.detail == words)
    var request = EvaluationRequest(policy: "passcode", reason: "su", device: "sim")
    request.isInteractive = false
    request.allowsSimulated = true
    _ = try rig.engine.evaluate(request, caller: caller) { _ in }
    rig.run()
    let evaluation = try #require(rig.store.auditLines.last)
    #expect(evaluation.action == "evaluate" && evaluation.detail.hasPrefix(words))
  }

  /// Whoever fills the queue of those that are judged could lock a device for good.
  @Test func aPasscodeThatFindsNoRoomInTheQueueCostsNoTry() throws {
    let rig = Rig()
    rig.makeDevice()
    rig.vaults.turnsAway.store(true, ordering: .relaxed)
    for _ in 0..<12 {
      let error = failure(rig) {
        rig.engine.unlock("sim", passcode: .of("0000"), caller: rig.caller, then: $0)
      }
      guard case .refused(let outcome) = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(outcome.code == .busy)
      let hearing = try rig.evaluate("passcode", script: "passcode:0000,cancel")
      rig.run()
      #expect(hearing.result != nil)
    }
    #expect(rig.store.device?.attempts.throttle.tally.failures == 0)
    rig.vaults.turnsAway.store(false, ordering: .relaxed)
    #expect(
      failure(rig) {
        rig.engine.unlock("sim", passcode: .of("1234"), caller: rig.caller, then: $0)
      } == nil
    )
  }

  /// A right one would be refused after so many wrong ones.
  @Test func aPasscodeThatIsTooLongIsRefusedByEveryActAndChargedByNone() throws {
    let rig = Rig()
    rig.makeDevice()
    let long = String(repeating: "1", count: 512)
    let refusal = EngineError.invalidArgument("A passcode has at most 511 bytes.")
    for _ in 0..<3 {
      #expect(
        failure(rig) {
          rig.engine.setPasscode(
            .of("new"),
            on: "sim",
            passcode: .of(long),
            caller: rig.caller,
            then: $0
          )
        } == refusal
      )
      #expect(
        failure(rig) {
          rig.engine.removePasscode(on: "sim", passcode: .of(long), caller: rig.caller, then: $0)
        } == refusal
      )
      #expect(
        failure(rig) {
          rig.engine.setLockout(
            "fido",
            delays: nil,
            on: "sim",
            passcode: .of(long),
            caller: rig.caller,
            then: $0
          )
        } == refusal
      )
    }
    #expect(try rig.outcome("passcode", script: "passcode:1234") == .success)
  }
}
