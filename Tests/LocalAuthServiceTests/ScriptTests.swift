import LocalAuthCore
import LocalAuthService
import Synchronization
import Testing

@Suite struct ScriptTests {
  /// What a caller without a user interface hears, where no agent is registered.
  private func outcome(of rig: Rig, queueing script: String?) throws -> OutcomeCode? {
    if let script {
      let source = ScriptSource(text: .of(script), isArgument: true)
      _ = try rig.engine.queueScript(source, times: 1, on: "sim", caller: rig.caller)
    }
    var request = EvaluationRequest(policy: "biometrics", reason: "test", device: "sim")
    request.allowsSimulated = true
    request.asksAgent = true
    let hearing = Hearing()
    hearing.id = try rig.engine.evaluate(request, caller: rig.caller) { hearing.events.append($0) }
    rig.run()
    return hearing.result?.outcome.code
  }

  @Test func oneThatWaitsAnswersWhereNobodyCanBeAsked() throws {
    let rig = Rig()
    rig.makeDevice()
    #expect(try outcome(of: rig, queueing: nil) == .notInteractive)
    #expect(try outcome(of: rig, queueing: "miss,match") == .success)
    #expect(try outcome(of: rig, queueing: "miss,cancel") == .userCancel)
    #expect(try outcome(of: rig, queueing: "miss") == .notInteractive, "nobody goes on")
    #expect(try outcome(of: rig, queueing: nil) == .notInteractive)
  }

  @Test(
    arguments: [
      ("biometrics", "match", OutcomeCode.success, 0),
      ("biometrics", "match,match", .success, 1),
      ("biometrics", "cancel", .userCancel, 0),
      ("biometrics", "cancel:system", .systemCancel, 0),
      ("biometrics", "cancel:app", .appCancel, 0),
      ("biometrics", "fallback", .userFallback, 0),
      ("biometrics", "error:general", .sensorError, 0),
      ("biometrics", "error:unavailable", .biometryNotAvailable, 0),
      ("biometrics", "unplug", .biometryDisconnected, 0),
      ("biometrics", "touch:left-thumb,touch:right-index", .success, 0),
      ("biometrics", "passcode:1234,match", .success, 1),
      ("device-owner", "fallback,passcode:1234", .success, 0),
      ("device-owner", "passcode:1234", .success, 0),
      ("device-owner", "unplug,passcode:1234", .success, 0),
      ("device-owner", "fallback,match,passcode:1234", .success, 1),
      ("device-owner-parallel", "match", .success, 0),
      ("device-owner-parallel", "miss,passcode:1234", .success, 0),
      ("biometrics-and-passcode", "match,passcode:1234", .success, 0),
      ("biometrics-and-passcode", "match,passcode:0,passcode:1234", .success, 0),
      ("biometrics-and-passcode", "match,cancel", .userCancel, 0),
      ("passcode", "passcode:0,passcode:0,passcode:0", .authenticationFailed, 0),
    ]) func playsInOrderAndCountsWhatIsLeft(
      policy: String,
      script: String,
      code: OutcomeCode,
      left: Int
    ) throws
  {
    let rig = Rig()
    rig.makeDevice()
    let hearing = try rig.evaluate(policy, script: script)
    rig.run()
    #expect(hearing.result?.outcome.code == code)
    #expect(hearing.result?.scriptEventsLeft == left)
  }

  @Test func aQueuedScriptAnswersTheNextEvaluationOnly() throws {
    let rig = Rig()
    rig.makeDevice()
    let source = ScriptSource(text: .of("miss,match"), isArgument: true)
    #expect(try rig.engine.queueScript(source, times: 1, on: "sim", caller: rig.caller) == 2)
    #expect(try rig.outcome() == .success)
    let second = try rig.evaluate()
    rig.run()
    #expect(second.result == nil)
  }

  @Test(arguments: [1, 0]) func aQueuedScriptIsNotLostToAnIdleEnd(times: Int) throws {
    let rig = Rig()
    rig.makeDevice(passcode: nil)
    #expect(rig.engine.isIdle)
    let source = ScriptSource(text: .of("match"), isArgument: true)
    _ = try rig.engine.queueScript(source, times: times, on: "sim", caller: rig.caller)
    #expect(!rig.engine.isIdle)
    #expect(try rig.outcome() == .success)
    #expect(rig.engine.isIdle == (times == 1))
  }

  @Test func sensorEventsNeedASimulatedSensor() {
    let rig = Rig()
    var request = EvaluationRequest(policy: "biometrics", reason: "test")
    request.script = ScriptSource(text: .of("match"), isArgument: true)
    #expect(throws: EngineError.self) {
      try rig.engine.evaluate(request, caller: rig.caller) { _ in }
    }
  }

  @Test func anAccountsPasswordIsRefusedOnACommandLine() throws {
    let rig = Rig()
    rig.makeDevice(passcode: nil, pam: "login")
    #expect(throws: EngineError.self) {
      try rig.evaluate("passcode", script: "passcode:secret")
    }
  }

  @Test func aScriptCannotEnrolWhileAPasscodeIsSet() throws {
    let rig = Rig()
    rig.makeDevice()
    #expect(throws: EngineError.self) { try rig.evaluate(script: "insert:left-thumb,match") }
  }

  @Test func aMalformedScriptIsOneClearErrorAndStartsNothing() {
    let rig = Rig()
    rig.makeDevice()
    for script in ["mach", "match:", "match:toe", "sleep:never", "retry:nonsense"] {
      #expect(throws: EngineError.self, "\(script)") { try rig.evaluate(script: script) }
    }
    #expect(rig.store.waiting.withLock { $0.isEmpty })
  }
}
