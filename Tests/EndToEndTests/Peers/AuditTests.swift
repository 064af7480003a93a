import LocalAuthJSON
import Testing

/// How an audit is read that is longer than one answer.
@Suite struct AuditTests {
  private let scratch = Scratch()
  private let daemon: DaemonProcess
  private let client: WireClient

  init() throws {
    daemon = try DaemonProcess(home: scratch.file("home"))
    client = try daemon.connect()
    try client.create("sim", passcode: "1234")
  }

  private func evaluate(_ number: Int, filler: String) throws {
    let result = try client.evaluate(
      on: "sim",
      ["interactive": false, "reason": .text("\(number) " + filler)]
    )
    #expect(result.outcome == "notInteractive")
  }

  @Test func linesThatDoNotFitAreLeftOutAndCounted() throws {
    // Each quotation mark is two bytes on the wire: this is about three times what fits.
    let filler = String(repeating: "\"", count: 1_000)
    for number in 1...800 { try evaluate(number, filler: filler) }
    let all = try client.audit("sim", limit: 10_000)
    let reply = try client.call(
      Interface.devices + "Audit",
      ["device": "sim", "limit": 10_000]
    )
    let lines = try #require(reply.parameters["lines"]?.elements)
    let omitted = try #require(reply.parameters["omitted"]?.integer)
    #expect(lines.count == all.count)
    #expect(lines.count > 100 && omitted > 100)
    // The device's own creation is a line too.
    #expect(lines.count + Int(omitted) == 801)
    #expect(lines.last?["reason"]?.string == "800 " + filler)
  }

  @Test func whatFitsIsWhole() throws {
    for number in 1...20 { try evaluate(number, filler: "") }
    let reply = try client.call(Interface.devices + "Audit", ["device": "sim", "limit": 100])
    #expect(reply.parameters["lines"]?.elements.count == 21)
    #expect(reply.parameters["omitted"]?.integer == 0)
  }

  @Test func linesThatWereNotAskedForAreNotCounted() throws {
    for number in 1...20 { try evaluate(number, filler: "") }
    let reply = try client.call(Interface.devices + "Audit", ["device": "sim", "limit": 5])
    #expect(reply.parameters["lines"]?.elements.count == 5)
    #expect(reply.parameters["omitted"]?.integer == 0)
  }
}
