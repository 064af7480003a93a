import LocalAuthJSON
import LocalAuthUnix
import Testing

/// What becomes of a prompt when its client goes.
@Suite struct VanishingClientTests {
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

  @Test func clientThatVanishesGivesThePromptToTheNext() throws {
    let prompt = try asked.beginEvaluation(on: "sim")
    let evaluation = prompt["evaluation"]?.string
    let next = try daemon.connect()
    try next.send(
      Interface.authentication + "Evaluate",
      WireClient.evaluation("biometrics", on: "sim"),
      more: true
    )
    #expect(try next.receive().parameters["queued"]?.integer == 1)
    asked.close()
    _ = try next.receivePrompt()
    #expect(
      try answering.call(
        Interface.sensor + "Touch",
        ["device": "sim", "finger": "right-index-finger"]
      ).parameters["effect"]?.string == "match"
    )
    #expect(try next.receiveResult().outcome == "success")
    let line = try answering.audit("sim").first { $0["evaluation"]?.string == evaluation }
    #expect(line?["outcome"]?.string == "appCancel")
  }

  @Test func clientThatVanishesAfterAMissKeepsTheMiss() throws {
    _ = try asked.beginEvaluation(on: "sim")
    let effect = try answering.call(
      Interface.sensor + "Touch",
      ["device": "sim", "finger": "left-thumb"]
    )
    #expect(effect.parameters["effect"]?.string == "miss")
    asked.close()
    #expect(try answering.evaluate(on: "sim", script: "miss,cancel").attempts == 1)
    #expect(try answering.status("sim").attemptsLeft == 1)
  }

  @Test func clientThatVanishesWhileItWaitsIsForgotten() throws {
    let crowd = try (0..<8).map { _ in try daemon.connect() }
    _ = try asked.beginEvaluation(on: "sim")
    for client in crowd {
      try client.send(
        Interface.authentication + "Evaluate",
        WireClient.evaluation("biometrics", on: "sim"),
        more: true
      )
      #expect(try client.receive().parameters["queued"] != nil)
    }
    for client in crowd.dropLast() { client.close() }
    asked.close()
    _ = try crowd[7].receivePrompt()
  }
}
