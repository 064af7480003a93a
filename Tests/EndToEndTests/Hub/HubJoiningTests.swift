import LocalAuthCrypto
import LocalAuthHub
import LocalAuthSync
import Testing

/// How devices get to a hub and leave it.
@Suite(.enabled(if: PostgreSQLServer.isPossible, "needs root and PostgreSQL 15"))
struct HubJoiningTests {
  private static let joiner = "localauth_" + String(repeating: "0", count: 31) + "2"
  /// A verifier of the password `joins`, which PostgreSQL made.
  private let verifier: String
  private let hub: HubDevice

  init() throws {
    hub = try HubDevice()
    let administrator = try hub.server.administrator()
    try administrator.runScript("create role example password 'joins'")
    verifier = try HubDevice.verifier(of: "example", administrator)
  }

  private func joining() throws -> HubClient {
    HubClient(try hub.server.connect(Self.joiner, "joins"), MessageHash())
  }

  @Test func invitedDeviceAsksAndIsLetIn() throws {
    let sponsor = try hub.client()
    try sponsor.invite(Self.joiner, verifier: verifier, offer: [1])
    let joiner = try joining()
    #expect(try joiner.offer() == [1])
    #expect(throws: HubError.self) { try joiner.pull(.items, after: 0) }
    #expect(throws: HubError.self) { try joiner.requests() }
    try joiner.ask([2])
    try joiner.ask([3])
    let requests = try sponsor.requests()
    #expect(requests.count == 1 && requests[0].role == Self.joiner && requests[0].request == [2])
    #expect(try joiner.reply() == nil)
    try sponsor.admit(Self.joiner, answer: [4])
    #expect(try joiner.reply() == [4])
    #expect(try joiner.pull(.items, after: 0).answer.entries.isEmpty)
    #expect(try sponsor.requests().isEmpty)
  }

  @Test(arguments: [
    ("postgres", "SCRAM-SHA-256$4096:aaaa$bbbb:cccc"),
    ("localauth_hub", "SCRAM-SHA-256$4096:aa$b:c"),
    ("localauth_0000000000000000000000000000000x", "SCRAM-SHA-256$4096:aaaa$bbbb:cccc"),
    ("localauth_00000000000000000000000000000003", "a password"),
    ("localauth_00000000000000000000000000000003", "SCRAM-SHA-256$1:a$b:c' superuser --"),
    ("localauth_00000000000000000000000000000001", "SCRAM-SHA-256$4096:aaaa$bbbb:cccc"),
  ])
  func nobodyIsInvitedUnderAnotherName(_ role: String, _ verifier: String) throws {
    let sponsor = try hub.client()
    #expect(throws: HubError.self) { try sponsor.invite(role, verifier: verifier, offer: []) }
    #expect(try sponsor.pull(.items, after: 0).answer.entries.isEmpty, "its own role is as it was")
  }

  @Test func circlesDoNotMeetEachOther() throws {
    let other = "localauth_" + String(repeating: "0", count: 31) + "9"
    try HubSchema.found(hub.server.administrator(), role: other, verifier: "pw")
    let stranger = HubClient(try hub.server.connect(other, "pw"), MessageHash())
    let sponsor = try hub.client()
    try sponsor.invite(Self.joiner, verifier: verifier, offer: [1])
    try joining().ask([2])
    #expect(try stranger.requests().isEmpty)
    #expect(throws: HubError.self) { try stranger.admit(Self.joiner, answer: []) }
    let entry = HubDevice.entry([HubDevice.change(10, to: [1])], batch: 1)
    _ = try sponsor.push(entry, [HubDevice.name(10): [1]])
    #expect(try stranger.pull(.items, after: 0).bodies.isEmpty)
    #expect(throws: HubError.self) {
      try stranger.push(HubDevice.removal(of: []), removing: HubDevice.role)
    }
    #expect(try sponsor.pull(.items, after: 0).answer.entries == [entry])
  }

  @Test func removalIsTakenAtTheHeadsThatItNamesAndDisconnects() throws {
    let sponsor = try hub.client()
    try sponsor.invite(Self.joiner, verifier: verifier, offer: [1])
    let joiner = try joining()
    try joiner.ask([2])
    try sponsor.admit(Self.joiner, answer: [])
    let entry = HubDevice.entry([HubDevice.change(10, to: [1])], batch: 1)
    _ = try joiner.push(entry, [HubDevice.name(10): [1]])
    let early = HubDevice.removal(of: [])
    #expect(try sponsor.push(early, removing: Self.joiner) == .refused)
    #expect(try joiner.pull(.items, after: 0).answer.entries == [entry])
    let removal = HubDevice.removal(of: [ZoneHead(.items, entry.place(MessageHash()))])
    let place = removal.place(MessageHash())
    #expect(try sponsor.push(removal, removing: Self.joiner) == .accepted(place))
    #expect(throws: HubError.self) { try joiner.pull(.items, after: 0) }
    #expect(throws: HubError.self) { _ = try joining() }
    #expect(try sponsor.circleEntries(after: 0) == [removal])
  }
}
