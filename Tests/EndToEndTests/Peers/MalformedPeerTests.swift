import LocalAuthJSON
import LocalAuthTestSupport
import LocalAuthUnix
import LocalAuthWire
import Testing

/// Peers that break the protocol lose their connection and nothing else.
@Suite struct MalformedPeerTests {
  private let scratch = Scratch()
  private let daemon: DaemonProcess
  /// Somebody who behaves, and is served whatever the others do.
  private let bystander: WireClient

  init() throws {
    daemon = try DaemonProcess(
      home: scratch.file("home"),
      .init(arguments: ["--partial-frame-limit", "1"])
    )
    bystander = try daemon.connect()
    try bystander.create("sim")
  }

  private func expectOthersAreServed() throws {
    #expect(try bystander.evaluate(on: "sim", script: "match").outcome == "success")
    #expect(try daemon.connect().call(Interface.service + "GetInfo").error == nil)
    #expect(daemon.anonymousKilobytes < 64 * 1024 || Sanitizer.isActive)
  }

  static let brokenFrames = [
    "", "hello", "[]", "7", "null", "\"text\"", "{", "{}", "{\"method\":7}", "{\"method\":null}",
    "{\"method\":\"a.b\",\"method\":\"c.d\"}", "{\"method\":\"a.b\"} trailing",
    "{\"method\":\"a.b\",\"more\":1}", "{\"method\":\"a.b\",\"parameters\":{\"a\":}}",
    "{\"method\":\"\\ud800\"}", "{'method':'a.b'}",
    String(repeating: "[", count: 100_000),
    "{\"method\":\"a.b\",\"parameters\":" + String(repeating: "{\"a\":", count: 5_000) + "}",
  ]

  @Test(arguments: brokenFrames) func frameThatIsNoCallClosesItsConnection(_ frame: String) throws {
    let client = try daemon.connect()
    try client.send(frame: frame)
    #expect(client.isClosedByPeer())
    try expectOthersAreServed()
  }

  @Test func textThatIsNotUnicodeClosesItsConnection() throws {
    for bytes: [UInt8] in [[0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80]] {
      let client = try daemon.connect()
      try client.send(Array("{\"method\":\"".utf8) + bytes + Array("\"}".utf8) + [0])
      #expect(client.isClosedByPeer())
    }
    try expectOthersAreServed()
  }

  @Test func parametersOfTheWrongTypeAreNamed() throws {
    let client = try daemon.connect()
    for (method, parameters, wrong): (String, JSONValue, String) in [
      ("Evaluate", ["policy": 7, "reason": "x"], "policy"),
      ("Evaluate", ["reason": "x"], "policy"),
      ("Evaluate", ["policy": "biometrics", "reason": "x", "interactive": "yes"], "interactive"),
      ("Evaluate", ["policy": "biometrics", "reason": "x", "nobody": 1], "nobody"),
      (
        "Evaluate", ["policy": "biometrics", "reason": "x", "timeoutMilliseconds": -1],
        "timeoutMilliseconds"
      ),
      (
        "Evaluate", ["policy": "biometrics", "reason": "x", "timeoutMilliseconds": 1.5],
        "timeoutMilliseconds"
      ),
      ("Respond", ["nonce": "short", "action": "cancel"], "nonce"),
      ("Respond", ["nonce": "00000000000000000000000000000000"], "action"),
      ("Respond", ["nonce": "00000000000000000000000000000000", "action": "allow"], "action"),
      ("Respond", [], "parameters"), ("Respond", 7, "parameters"), ("Respond", nil, "parameters"),
    ] {
      let reply = try client.call(Interface.authentication + method, parameters)
      #expect(reply.error == Interface.service + "InvalidParameter", "\(parameters)")
      #expect(reply.parameters["parameter"]?.string == wrong, "\(parameters)")
    }
  }

  @Test func unknownNamesAreNamed() throws {
    let client = try daemon.connect()
    let method = try client.call(Interface.authentication + "Guess")
    #expect(method.error == Interface.service + "MethodNotFound")
    #expect(method.parameters["method"]?.string == Interface.authentication + "Guess")
    for name in ["io.nobody.Nothing.Call", "nodots", "", ".", "io.localauth.Authentication"] {
      let interface = try client.call(name)
      #expect(interface.error == Interface.service + "InterfaceNotFound", "\(name)")
    }
    let description = try client.call(
      Interface.service + "GetInterfaceDescription",
      ["interface": "io.nobody"]
    )
    #expect(description.error == Interface.service + "InterfaceNotFound")
  }

  @Test func longestFrameIsServedAndALongerOneIsNot() throws {
    let limit = WireLimits().frameBytesMax
    let call = Array("{\"method\":\"org.varlink.service.GetInfo\"}".utf8)
    let client = try daemon.connect()
    try client.send(call + [UInt8](repeating: 0x20, count: limit - call.count) + [0])
    #expect(try client.receive().error == nil)
    // One byte more, and no end in sight: the daemon does not wait for it.
    for ending: [UInt8] in [[], [0]] {
      let client = try daemon.connect()
      try? client.send(call + [UInt8](repeating: 0x20, count: limit + 1 - call.count) + ending)
      #expect(client.isClosedByPeer())
    }
    try expectOthersAreServed()
  }

  @Test func floodsAreCutOff() throws {
    for flood: [UInt8] in [
      [UInt8](repeating: 0, count: 4 << 20), [UInt8](repeating: 0x7b, count: 4 << 20),
    ] {
      let client = try daemon.connect()
      // The daemon closes somewhere in the middle of it.
      try? client.send(flood)
      #expect(client.isClosedByPeer())
    }
    try expectOthersAreServed()
  }

  @Test func clientThatNeverReadsIsCutOff() throws {
    let client = try daemon.connect()
    let call =
      Array("{\"method\":\"org.varlink.service.GetInterfaceDescription\",".utf8)
      + Array("\"parameters\":{\"interface\":\"io.localauth.Devices\"}}".utf8) + [0]
    let calls = Array(repeatElement(call, count: 100).joined())
    let error = #expect(throws: WireClient.Failure.self) {
      for _ in 0..<1000 { try client.send(calls) }
    }
    guard case .closed = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    try expectOthersAreServed()
  }

  @Test func slowLorisIsCutOff() throws {
    let loris = try daemon.connect()
    try loris.send(Array("{\"method\":\"org.varl".utf8))
    #expect(loris.isClosedByPeer())
    let dripping = try daemon.connect()
    // Each further byte does not buy more time.
    while (try? dripping.send([0x20])) != nil {
      guard try Poll.wait(for: dripping.descriptor, until: .after(.milliseconds(100))) else {
        continue
      }
      #expect(dripping.isClosedByPeer())
      break
    }
    try expectOthersAreServed()
  }

  @Test func clientThatOnlyStopsSendingGetsItsAnswer() throws {
    let client = try daemon.connect()
    try client.send(Interface.service + "GetInfo")
    client.finishSending()
    #expect(try client.receive().error == nil)
  }

  @Test func noiseBreaksNothing() throws {
    var generator = Settings.generator("noise")
    let templates = [
      "{\"method\":\"io.localauth.Authentication.Evaluate\",\"parameters\":{\"policy\":\"biometrics\",\"reason\":\"x\",\"device\":\"sim\",\"script\":\"miss,match\",\"allowSimulated\":true},\"more\":true}",
      "{\"method\":\"io.localauth.Sensor.Script\",\"parameters\":{\"device\":\"sim\",\"events\":\"match\"}}",
      "{\"method\":\"io.localauth.Policies.Check\",\"parameters\":{\"file\":\"x.json\",\"source\":\"{}\"}}",
    ]
    for round in 0..<300 {
      let client = try daemon.connect()
      var bytes = Array(templates[Int(generator.next() % 3)].utf8)
      for _ in 0..<(generator.next() % 6) {
        let place = Int(generator.next() % UInt64(bytes.count))
        switch generator.next() % 3 {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: generator.next())
        case 1: bytes.remove(at: place)
        default: bytes.insert(UInt8(truncatingIfNeeded: generator.next()), at: place)
        }
      }
      try? client.send(bytes + [0])
      #expect(daemon.program.isRunning, "SEED=\(Settings.seed) round \(round)")
    }
    try bystander.administer("Delete", "sim")
    #expect(try daemon.connect().call(Interface.service + "GetInfo").error == nil)
  }
}
