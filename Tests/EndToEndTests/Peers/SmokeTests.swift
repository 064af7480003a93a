import LocalAuthUnix
import Testing

@Suite struct SmokeTests {
  @Test func servesAndEnds() throws {
    let scratch = Scratch()
    let daemon = try DaemonProcess(home: scratch.file("home"))
    let client = try daemon.connect()
    try client.create("sim")
    #expect(try client.evaluate(on: "sim", script: "miss,match").outcome == "success")
    #expect(try daemon.stop() == .status(0))
  }
}
