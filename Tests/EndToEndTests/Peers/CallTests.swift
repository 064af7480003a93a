import LocalAuthJSON
import LocalAuthUnix
import Testing

/// How calls are taken, and what a prompt is told without being asked.
@Suite struct CallTests {
  private let scratch = Scratch()
  private let daemon: DaemonProcess
  private let asked: WireClient
  private let answering: WireClient

  init() throws {
    daemon = try DaemonProcess(home: scratch.file("home"))
    asked = try daemon.connect()
    answering = try daemon.connect()
    try asked.create("sim", passcode: "1234")
  }

  @Test func callsAreAnsweredInTheirOrder() throws {
    let client = try daemon.connect()
    for index in 0..<50 {
      try client.send(
        Interface.service + "GetInterfaceDescription",
        ["interface": .text("io.nobody.N\(index)")]
      )
    }
    for index in 0..<50 {
      #expect(try client.receive().parameters["interface"]?.string == "io.nobody.N\(index)")
    }
  }

  @Test func callBehindAnEvaluationWaitsForItsResult() throws {
    let client = try daemon.connect()
    try client.send(
      Interface.authentication + "Evaluate",
      WireClient.evaluation("biometrics", on: "sim", script: "miss,match"),
      more: true
    )
    try client.send(Interface.service + "GetInfo")
    #expect(try client.receiveResult().outcome == "success")
    #expect(try client.receive().parameters["vendor"]?.string == "LocalAuth")
  }

  @Test func callWithoutMoreAsksNobody() throws {
    let reply = try asked.call(
      Interface.authentication + "Evaluate",
      WireClient.evaluation("biometrics", on: "sim")
    )
    #expect(reply.result?["outcome"]?.string == "notInteractive")
    #expect(
      try asked.evaluate(on: "sim", ["interactive": false]).outcome == "notInteractive"
    )
  }

  @Test func onewayCallHasNoReply() throws {
    try asked.send(Interface.service + "GetInfo", oneway: true)
    #expect(try asked.call(Interface.policies + "List").parameters["policies"] != nil)
  }

  @Test func touchWaitsForThePrompt() throws {
    try answering.send(
      Interface.sensor + "Touch",
      [
        "device": "sim", "finger": "right-index-finger", "wait": true,
        "timeoutMilliseconds": 60_000,
      ]
    )
    // The touch waits already when this is answered: calls of all clients are taken in turn.
    #expect(try asked.call(Interface.service + "GetInfo").error == nil)
    #expect(try asked.evaluate(on: "sim").outcome == "success")
    #expect(try answering.receive().parameters["effect"]?.string == "match")
  }

  @Test func touchWithoutAPromptIsDropped() throws {
    let touch: JSONValue = ["device": "sim", "finger": "right-index-finger"]
    #expect(try answering.call(Interface.sensor + "Touch", touch).errorName == "NotArmed")
    #expect(
      try answering.call(
        Interface.sensor + "Touch",
        touch.setting(["wait": true, "timeoutMilliseconds": 1])
      ).errorName == "NotArmed"
    )
  }

  @Test func simulatedSuccessCountsOnlyWhereItWasAllowed() throws {
    let result = try asked.evaluate(on: "sim", script: "match", ["allowSimulated": false])
    #expect(result.outcome == "simulatedNotAllowed")
    #expect(result.result?["exit"]?.integer == 77)
    #expect(try asked.status("sim").attemptsLeft == 3)
  }

  @Test func promptTimesOut() throws {
    #expect(
      try asked.evaluate(on: "sim", ["timeoutMilliseconds": 50]).outcome == "timeout"
    )
  }
}
