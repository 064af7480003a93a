import Foundation
import Glibc
import LocalAuthHub
import LocalAuthTestSupport
import Testing

/// Connections that break, and daemons that are killed, at every place of a push, a pull, a join and a roll.
///
/// `SYNC_CUTS` says at how many places of each; `make nightly` asks for many.
@Suite(.serialized, .enabled(if: PostgreSQLServer.isPossible, "needs root and PostgreSQL 15"))
struct SyncNetworkTests {
  private let server: PostgreSQLServer
  private let scratch = Scratch()
  private let proxy: HubProxy
  /// Reaches the hub through the proxy.
  private let first: SyncedMachine
  private let second: SyncedMachine

  private static let cuts =
    ProcessInfo.processInfo.environment["SYNC_CUTS"].flatMap { Int($0) } ?? 2

  init() throws {
    server = try PostgreSQLServer()
    proxy = try HubProxy(before: server)
    let administrator = SyncHubAdministrator(server, scratch)
    try administrator.install()
    second = try SyncedMachine("server", in: scratch, server)
    try second.found(try administrator.code())
    first = try SyncedMachine("laptop", in: scratch, hub: proxy.directory)
    try second.letIn(first)
    for machine in [first, second] { try machine.synchronizeAtLast() }
  }

  /// Places between the first and the last byte of what passes while `body` is done.
  private func places(
    _ cuts: Int,
    _ body: () throws -> Void
  ) throws -> [(side: HubProxy.Side, count: Int)] {
    proxy.begin(.none)
    try body()
    let passed = proxy.passed
    return HubProxy.Side.allCases.flatMap { side in
      let bytes = passed.bytes[side] ?? 0
      return (0..<cuts).map { (side, bytes * (2 * $0 + 1) / (2 * cuts)) }
    }
  }

  /// Joins and rolls take longer, so there are fewer of them.
  private static let fewCuts = (cuts + 2) / 3

  private var entries: Int {
    get throws {
      let text = try server.administrator().text("select count(*)::text from localauth.zone_entry")
      return try #require(Int(text))
    }
  }

  /// The hub has these items, each sent once.
  private func expectOnce(_ count: Int) throws {
    #expect(try entries == count)
    let records = try server.administrator().text("select count(*)::text from localauth.record")
    #expect(records == "\(count)")
  }

  private func push(_ account: String) throws {
    try first.add(account, account)
    try first.synchronizeAtLast()
  }

  private func pull(_ account: String) throws {
    try second.add(account, account)
    try second.synchronizeAtLast()
    #expect(try first.has(account, account))
  }

  @Test func connectionThatBreaksInAPushLosesAndRepeatsNothing() throws {
    var count = 1
    for (side, place) in try places(Self.cuts, { try push("item-0") }) {
      proxy.begin(.trip(side, after: place))
      try push("item-\(count)")
      // Whoever is not told looks once a minute; the test does not wait so long.
      try second.synchronizeAtLast()
      #expect(try second.has("item-\(count)", "item-\(count)"), "\(side) \(place)")
      count += 1
    }
    try expectOnce(count)
  }

  @Test func connectionThatBreaksInAPullLosesNothing() throws {
    var count = 1
    for (side, place) in try places(Self.cuts, { try pull("item-0") }) {
      proxy.begin(.trip(side, after: place))
      try pull("item-\(count)")
      count += 1
    }
    try expectOnce(count)
  }

  @Test func connectionThatBreaksInAJoinLetsTheDeviceInAtLast() throws {
    try second.add("mail", "hunter2")
    try second.synchronizeAtLast()
    var number = 0
    func join() throws {
      number += 1
      let phone = try SyncedMachine("phone-\(number)", in: scratch, hub: proxy.directory)
      try second.letIn(phone)
      try phone.synchronizeAtLast()
      #expect(try phone.has("mail", "hunter2"))
      try phone.daemon.stop()
    }
    try first.daemon.stop()
    for (side, place) in try places(Self.fewCuts, join) {
      proxy.begin(.trip(side, after: place))
      try join()
    }
  }

  @Test func daemonThatIsKilledBetweenTwoRequestsOfAPushLosesAndRepeatsNothing() throws {
    proxy.begin(.none)
    try push("item-0")
    var count = 1
    for request in steps(proxy.passed.requests) {
      let account = "item-\(count)"
      try killing(at: request) {
        _ = try first.run(["keychain", "add", account, "--synchronizable", "--stdin"], account)
      }
      // The request may have been another one, before it was added.
      if try first.run(["keychain", "get", account]).status == 20 { try push(account) }
      #expect(try second.has("item-\(count)", "item-\(count)"), "request \(request)")
      count += 1
    }
    try expectOnce(count)
  }

  @Test func daemonThatIsKilledBetweenTwoRequestsOfAPullLosesNothing() throws {
    proxy.begin(.none)
    try pull("item-0")
    var count = 1
    for request in steps(proxy.passed.requests) {
      try killing(at: request) {
        try second.add("item-\(count)", "item-\(count)")
        try second.synchronizeAtLast()
      }
      #expect(try first.has("item-\(count)", "item-\(count)"), "request \(request)")
      count += 1
    }
    try expectOnce(count)
  }

  @Test func daemonThatIsKilledWhileKeysRollLosesNothing() throws {
    try first.add("before", "1")
    try first.synchronizeAtLast()
    func roll(_ number: Int) throws {
      let phone = try SyncedMachine("phone-\(number)", in: scratch, server)
      try second.letIn(phone)
      try phone.daemon.stop()
      _ = try first.run(["sync", "now"])
      let removal = ["sync", "remove", "phone-\(number)", "--yes", "--passcode-stdin"]
      _ = try first.run(removal, "1234\n")
    }
    proxy.begin(.none)
    try roll(0)
    try first.synchronizeAtLast()
    for (number, request) in steps(proxy.passed.requests, Self.fewCuts).enumerated() {
      try killing(at: request) { try roll(number + 1) }
      // A person whose command was cut off looks, and types it again.
      if try first.status.contains("phone-\(number + 1)") {
        try first.type(
          ["sync", "remove", "phone-\(number + 1)", "--yes", "--passcode-stdin"],
          "1234\n"
        )
      }
      for machine in [first, second, first] { try machine.synchronizeAtLast() }
      try second.add("after-\(number)", "2")
      #expect(try first.has("after-\(number)", "2") && second.has("before", "1"))
      #expect(try !first.status.contains("changed what a device sent"))
    }
  }

  /// Numbers of requests at which something is to happen.
  private func steps(_ requests: Int, _ cuts: Int = cuts) -> [Int] {
    let count = min(cuts * 2, requests)
    return (0..<count).map { 1 + $0 * (requests - 1) / max(1, count - 1) }
  }

  /// Kills the first machine's daemon at a request, and starts another when `body` is done.
  private func killing(at request: Int, _ body: () throws -> Void) throws {
    let processID = first.daemon.processID
    proxy.begin(.atRequest(request) { kill(processID, SIGKILL) })
    // A command whose daemon is killed fails; what it did counts.
    try? body()
    _ = try? first.run(["sync", "now"])
    proxy.begin(.none)
    try first.crash()
    try first.synchronizeAtLast()
  }
}
