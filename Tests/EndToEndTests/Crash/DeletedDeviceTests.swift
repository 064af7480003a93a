import LocalAuthJSON
import LocalAuthUnix
import Testing

/// The service outlives its devices: nothing of one that was deleted falls due later.
@Suite struct DeletedDeviceTests {
  @Test func aLockedDeviceThatIsDeletedTakesNobodyWithIt() throws {
    let scratch = Scratch()
    let daemon = try DaemonProcess(home: scratch.file("home"))
    let client = try daemon.connect()
    try client.create("bystander")
    try client.create("gone", passcode: "1234")
    try client.administer("Lock", "gone")
    // Nothing that takes the passcode: judging it would take longer than is left.
    try client.administer("Erase", "gone")
    // All but a moment of the ten seconds after which its keys are sealed.
    try client.administer("AdvanceClock", "gone", ["milliseconds": 9_700])
    try client.administer("Delete", "gone")
    let evaluated = try client.evaluate(on: "bystander", script: "sleep:500ms,match")
    #expect(evaluated.outcome == "success")
    #expect(try daemon.stop() == .status(0))
  }

  @Test func everyWaitOfADeletedDeviceIsAnswered() throws {
    let scratch = Scratch()
    let daemon = try DaemonProcess(home: scratch.file("home"))
    let (client, toucher, enroller) = (
      try daemon.connect(), try daemon.connect(), try daemon.connect()
    )
    try client.create("gone")
    try enroller.send(
      Interface.sensor + "Enroll",
      ["device": "gone", "finger": "left-thumb", "manual": true],
      more: true
    )
    try toucher.send(
      Interface.sensor + "Touch",
      ["device": "gone", "finger": "left-thumb", "wait": true, "timeoutMilliseconds": 600_000]
    )
    // The service reads what arrived first first.
    try client.administer("Delete", "gone")
    #expect(try toucher.receive().errorName == "DeviceNotFound")
    #expect(try enroller.receiveRest().last?.errorName == "EnrollmentFailed")
    #expect(try daemon.stop() == .status(0))
  }
}
