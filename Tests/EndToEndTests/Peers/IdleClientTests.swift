import LocalAuthJSON
import LocalAuthTestSupport
import LocalAuthUnix
import LocalAuthWire
import Testing

/// Clients that connect and say nothing; each takes one descriptor of the daemon's.
@Suite(.serialized) struct IdleClientTests {
  private let scratch = Scratch()

  @Test(.enabled(if: Machine.descriptorLimit > 1200, "needs 1,200 open files"))
  func oneMoreThanTheLimitIsTurnedAwayWithAWord() throws {
    let daemon = try DaemonProcess(home: scratch.file("home"))
    let limit = WireLimits().connectionsPerUserMax
    var clients = try connect(limit, to: daemon)
    let refused = try daemon.connect()
    let reply = try refused.receive()
    #expect(reply.error == Interface.authentication + "LimitReached")
    #expect(refused.isClosedByPeer())
    for client in [clients[0], clients[limit / 2], clients[limit - 1]] {
      #expect(try client.call(Interface.service + "GetInfo").error == nil)
    }
    clients.removeLast()
    try expectRoom(at: daemon)
  }

  @Test(.enabled(if: Machine.descriptorLimit > 10_400, "needs 10,400 open files"))
  func tenThousandCostLittleAndDisturbNobody() throws {
    let daemon = try DaemonProcess(
      home: scratch.file("home"),
      .init(arguments: ["--connections-max", "10100"])
    )
    let worker = try daemon.connect()
    try worker.create("sim")
    #expect(try worker.evaluate(on: "sim", script: "match").outcome == "success")
    let before = daemon.anonymousKilobytes
    let clients = try connect(10_000, to: daemon)
    #expect(try worker.evaluate(on: "sim", script: "match").outcome == "success")
    let bytes = (daemon.anonymousKilobytes - before) * 1024 / clients.count
    print(
      "anonymous memory: daemon \(before) KiB, each of \(clients.count) idle clients \(bytes) B"
    )
    #expect(bytes < 16 * 1024 || Sanitizer.isActive)
  }

  private func connect(_ count: Int, to daemon: DaemonProcess) throws -> [WireClient] {
    let clients = try (0..<count).map { _ in try daemon.connect() }
    // An answer to the last one means that all before it were accepted.
    #expect(try clients[count - 1].call(Interface.service + "GetInfo").error == nil)
    return clients
  }

  /// A connection that was closed makes room, once the daemon has noticed.
  private func expectRoom(at daemon: DaemonProcess) throws {
    for _ in 0..<1000 {
      let client = try daemon.connect()
      if try client.call(Interface.service + "GetInfo").error == nil { return }
    }
    Issue.record("no room was made")
  }
}
