import LocalAuthJSON
import LocalAuthUnix
import Testing

/// Turning the clock, rebooting and restarting gain nothing.
@Suite struct ClockTests {
  private let scratch = Scratch()
  private let daemon: DaemonProcess
  private let client: WireClient

  init() throws {
    daemon = try DaemonProcess(home: scratch.file("home"))
    client = try daemon.connect()
  }

  private func advance(hours: Int) throws {
    try client.administer("AdvanceClock", "sim", ["milliseconds": .number(hours * 3_600_000)])
  }

  @Test func neitherTimeNorRebootClearsMisses() throws {
    try client.create("sim")
    #expect(try client.evaluate(on: "sim", script: "miss,miss,cancel").outcome == "userCancel")
    try advance(hours: 24 * 365)
    try client.administer("Reboot", "sim")
    #expect(try client.status("sim").attemptsLeft == 1)
    #expect(try client.evaluate(on: "sim", script: "miss").outcome == "biometryLockout")
    try advance(hours: 24 * 365)
    try client.administer("Reboot", "sim")
    #expect(try client.evaluate(on: "sim", script: "match").outcome == "biometryLockout")
  }

  @Test func rebootAsksForThePasscodeFirst() throws {
    try client.create("sim", passcode: "1234")
    #expect(try client.evaluate(on: "sim", script: "match").outcome == "success")
    try client.administer("Reboot", "sim")
    #expect(try client.status("sim").lockState == "beforeFirstUnlock")
    #expect(try client.evaluate(on: "sim", script: "match").outcome == "biometryLockout")
    let unlock = try client.stream(
      Interface.devices + "Unlock",
      ["device": "sim", "script": "match"]
    )
    #expect(unlock.last?.errorName == "Refused")
    #expect(
      try client.evaluate("device-owner", on: "sim", script: "passcode:1234").outcome == "success"
    )
    #expect(try client.evaluate(on: "sim", script: "match").outcome == "success")
  }

  @Test func throttleStartsOverInFullAfterReboot() throws {
    try client.create("sim", passcode: "1234", ["passcodeDelays": "apple"])
    for guess in ["1", "2", "3", "4"] {
      _ = try client.call(
        Interface.devices + "Unlock",
        ["device": "sim", "passcode": .text(guess)]
      )
    }
    // A clock that any program of the user may turn shortens no refusal of passcodes.
    try client.administer("AdvanceClock", "sim", ["milliseconds": 86_400_000])
    #expect((30...60).contains(try refusedSeconds()))
    try client.administer("Reboot", "sim")
    #expect((50...60).contains(try refusedSeconds()), "and a reboot starts it over")
    let reply = try client.call(
      Interface.devices + "AdvanceClock",
      ["device": "sim", "milliseconds": 60_000, "passcode": "1234"]
    )
    #expect(reply.parameters["outcome"]?.string == "passcodeThrottled")
    try daemon.crash()
    let next = try DaemonProcess(home: scratch.file("home"))
    let other = try next.connect()
    let after = try other.call(
      Interface.devices + "Unlock",
      ["device": "sim", "passcode": "1234"]
    )
    #expect(after.parameters["outcome"]?.string == "passcodeThrottled")
    #expect(try other.status("sim").passcodeAttemptsLeft == 6)
  }

  @Test func timedLockoutOfAProfileStartsOverInFullAfterReboot() throws {
    try client.create("sim", passcode: nil, ["lockout": "android"])
    #expect(
      try client.evaluate(on: "sim", script: "miss,miss,miss,miss,miss").outcome
        == "biometryLockout"
    )
    try client.administer("AdvanceClock", "sim", ["milliseconds": 25_000])
    try client.administer("Reboot", "sim")
    let left = try client.evaluate(on: "sim", script: "match").result?["retryAfterSeconds"]
    #expect((25...30).contains(left?.integer ?? 0))
    try client.administer("AdvanceClock", "sim", ["milliseconds": 30_000])
    #expect(try client.evaluate(on: "sim", script: "match").outcome == "success")
  }

  /// faillock forgets after a pause of 15 minutes, and once its refusal of 10 minutes has passed.
  @Test func timeForgetsAndNeitherRebootNorKillHurriesIt() throws {
    func missTwice(_ client: WireClient) throws -> String {
      try client.evaluate(on: "sim", script: "miss,miss,cancel").outcome
    }
    func wait(seconds: Int, _ client: WireClient) throws {
      try client.administer("AdvanceClock", "sim", ["milliseconds": .number(seconds * 1000)])
    }
    try client.create("sim", passcode: nil, ["lockout": "faillock"])
    #expect(try missTwice(client) == "userCancel")
    try wait(seconds: 900, client)
    #expect(try missTwice(client) == "userCancel")
    try wait(seconds: 890, client)
    try client.administer("Reboot", "sim")
    try wait(seconds: 890, client)
    try daemon.crash()
    let next = try DaemonProcess(home: scratch.file("home"))
    let other = try next.connect()
    let refused = try other.evaluate(on: "sim", script: "miss")
    #expect(refused.outcome == "biometryLockout")
    #expect((590...600).contains(refused.result?["retryAfterSeconds"]?.integer ?? 0))
    try wait(seconds: 580, other)
    #expect(try missTwice(other) == "biometryLockout")
    try wait(seconds: 20, other)
    #expect(try missTwice(other) == "userCancel")
  }

  @Test func clockNeverGoesBack() throws {
    try client.create("sim")
    let reply = try client.call(
      Interface.devices + "AdvanceClock",
      ["device": "sim", "milliseconds": -1]
    )
    #expect(reply.errorName == "InvalidArgument")
  }

  @Test func realMachineHasNoClockToTurn() throws {
    for verb in ["Reboot", "AdvanceClock"] {
      let parameters: JSONValue =
        verb == "Reboot" ? ["device": "default"] : ["device": "default", "milliseconds": 1]
      #expect(
        try client.call(Interface.devices + verb, parameters).errorName == "NotPermitted"
      )
    }
  }

  private func refusedSeconds() throws -> Int {
    let reply = try client.call(
      Interface.devices + "Unlock",
      ["device": "sim", "passcode": "1234"]
    )
    #expect(reply.parameters["outcome"]?.string == "passcodeThrottled")
    return reply.parameters["retryAfterSeconds"]?.integer ?? 0
  }
}
