import LocalAuthJSON
import LocalAuthUnix
import Testing

/// Scripts whose events take their effect at once, before anything is judged.
@Suite struct ScriptTests {
  private let scratch = Scratch()
  private let daemon: DaemonProcess
  private let client: WireClient

  init() throws {
    daemon = try DaemonProcess(home: scratch.file("home"))
    client = try daemon.connect()
    try client.create("sim", passcode: "1234")
  }

  private func expect(
    _ script: String,
    _ outcome: String,
    attempts: Int = 0,
    left: Int = 0,
    policy: String = "biometrics"
  ) throws {
    let result = try client.evaluate(policy, on: "sim", script: script)
    #expect(result.outcome == outcome, "\(script)")
    #expect(result.attempts == attempts, "\(script)")
    #expect(result.result?["scriptEventsLeft"]?.integer == left, "\(script)")
  }

  @Test func poorSamplesAreNotedAndThenTheFingerMatches() throws {
    let result = try client.evaluate(
      on: "sim",
      script: "retry:partial,retry:too-fast,interact,match"
    )
    #expect(result.outcome == "success" && result.attempts == 1)
    let kinds = result.replies.compactMap { $0.notice?["kind"]?.string }
    #expect(kinds.filter { $0 == "retry" }.count == 2)
  }

  @Test func thousandPoorSamplesCostNoMemory() throws {
    let script = Array(repeating: "retry:partial", count: 999).joined(separator: ",") + ",match"
    try expect(script, "success", attempts: 1)
  }

  @Test func faultsEndTheEvaluation() throws {
    try expect("error:timeout", "timeout")
    try expect("error:unable-to-process", "sensorError")
    try expect("error:general,match", "sensorError", left: 1)
    try expect("unplug", "biometryDisconnected")
    try expect("plug,match", "biometryDisconnected", left: 2)
  }

  @Test func eventsOfAPersonWaitForTheirTurn() throws {
    try expect("fallback", "userFallback")
    try expect("fallback,passcode:1234", "success", attempts: 1, policy: "device-owner")
    try expect("passcode:1234", "success", attempts: 1, policy: "device-owner")
    try expect("miss,passcode:0000,passcode:1234", "success", attempts: 3, policy: "device-owner")
    try expect(
      "match,passcode:1234",
      "success",
      attempts: 2,
      policy: "biometrics-and-passcode"
    )
    try expect("error:timeout,passcode:1234", "success", attempts: 1, policy: "device-owner")
    try expect("sleep:1ms,match", "success", attempts: 1)
    try expect("match,match", "success", attempts: 1, left: 1)
  }

  @Test func refusedPasscodeDoesNotHoldTheScriptUp() throws {
    // Three wrong ones end an evaluation, and the fourth in a row is followed by a refusal.
    try expect(
      "passcode:1,passcode:2,passcode:3,passcode:4",
      "authenticationFailed",
      attempts: 3,
      left: 1,
      policy: "passcode"
    )
    try expect(
      "passcode:4,passcode:1234",
      "passcodeThrottled",
      attempts: 1,
      left: 1,
      policy: "passcode"
    )
    try expect("passcode:1234", "passcodeThrottled", left: 1, policy: "passcode")
  }
}
