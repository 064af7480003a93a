import LocalAuthCrypto
import LocalAuthHub
import LocalAuthSync
import Testing

/// What the functions of a hub do for one device, on a real PostgreSQL.
@Suite(.enabled(if: PostgreSQLServer.isPossible, "needs root and PostgreSQL 15"))
struct HubFunctionsTests {
  private let hub: HubDevice

  init() throws { hub = try HubDevice() }

  @Test func pushedRecordsArePulledWithTheirEntries() throws {
    let client = try hub.client()
    let bodies = [HubDevice.name(10): [1, 2, 3], HubDevice.name(11): [UInt8]()]
    let entry = HubDevice.entry(
      [HubDevice.change(10, to: [1, 2, 3]), HubDevice.change(11, to: [])],
      batch: 1
    )
    let place = entry.place(MessageHash())
    #expect(try client.push(entry, bodies) == .accepted(place))
    let pulled = try client.pull(.items, after: 0)
    #expect(pulled.entries == [entry] && pulled.head == place)
    #expect(pulled.bodies == bodies)
    #expect(try client.pull(.items, after: 1).entries.isEmpty)
  }

  @Test func sameBatchGetsTheSameAnswerAndAnotherIsRefused() throws {
    let client = try hub.client()
    let entry = HubDevice.entry([HubDevice.change(10, to: [1])], batch: 1)
    let place = entry.place(MessageHash())
    for _ in 0..<5 {
      #expect(try client.push(entry, [HubDevice.name(10): [1]]) == .accepted(place))
    }
    let other = HubDevice.entry([HubDevice.change(10, to: [2])], batch: 2)
    #expect(try client.push(other, [HubDevice.name(10): [2]]) == .refused)
    #expect(try client.pull(.items, after: 0).bodies == [HubDevice.name(10): [1]])
  }

  @Test func laterBodyTakesTheEarliersPlaceAndAPurgeLeavesNone() throws {
    let client = try hub.client()
    let first = HubDevice.entry(
      [HubDevice.change(10, to: [1]), HubDevice.change(11, to: [2])],
      batch: 1
    )
    _ = try client.push(first, [HubDevice.name(10): [1], HubDevice.name(11): [2]])
    let second = HubDevice.entry(
      [HubDevice.change(10, to: [3]), HubDevice.change(11, to: nil)],
      after: first.place(MessageHash()),
      batch: 2
    )
    _ = try client.push(second, [HubDevice.name(10): [3]])
    let pulled = try client.pull(.items, after: 0)
    #expect(pulled.entries == [first, second])
    #expect(pulled.bodies == [HubDevice.name(10): [3]])
    let page = try client.pull(.items, after: 0, limit: 1)
    #expect(
      page.entries == [first] && !page.isLast && page.bodies.isEmpty,
      "a later page has the body"
    )
    #expect(page.head == second.place(MessageHash()))
  }

  /// Whoever has the role's password can call functions, and see no table.
  @Test(arguments: [
    "select * from localauth.record", "select * from localauth.device",
    "delete from localauth.zone",
    "create table localauth.mine (a int)", "create role another", "select localauth.own_circle()",
    "select localauth.drop_device(1, 'postgres')", "select localauth.charge(1, -1000000)",
    "select localauth.found_circle('localauth_00000000000000000000000000000009', 'x')",
    "set role localauth_hub", "copy (select 1) to program 'id'",
  ])
  func deviceDoesNothingButCallItsFunctions(_ statement: String) throws {
    let connection = try hub.server.connect(hub.role, hub.password.text)
    #expect(throws: HubError.self) { try connection.runScript(statement) }
    do throws(HubError) { try connection.runScript(statement) } catch {
      guard case .refused("42501", _) = error else {
        Issue.record("\(error)")
        return
      }
    }
  }

  @Test func strangerIsRefused() throws {
    try hub.server.administrator().runScript("create role stranger login password 'x'")
    let stranger = HubClient(try hub.server.connect("stranger", "x"))
    #expect(throws: HubError.self) { try stranger.pull(.items, after: 0) }
    #expect(throws: HubError.self) { _ = try hub.server.connect(hub.role.text, "wrong") }
  }

  @Test func twoWhoPushAtOnceAreOrdered() throws {
    let outcomes = try concurrently(4) { [hub] index -> PushAnswer in
      let client = try hub.client()
      let entry = HubDevice.entry([HubDevice.change(10, to: [UInt8(index)])], batch: UInt64(index))
      return try client.push(entry, [HubDevice.name(10): [UInt8(index)]])
    }
    #expect(outcomes.filter { $0 != .refused }.count == 1, "\(outcomes)")
  }
}
