import LocalAuthCrypto
import LocalAuthHub
import LocalAuthSync
import Testing

/// How devices get to a hub and leave it.
@Suite(.enabled(if: PostgreSQLServer.isPossible, "needs root and PostgreSQL 15"))
struct HubJoiningTests {
  private let hub: HubDevice
  /// What the sponsor shows and a person types into the other device.
  private let code = InvitationCode.generate()
  private let joiner: HubRole
  private let verifier: String

  init() throws {
    hub = try HubDevice()
    joiner = try #require(code.hubRole())
    verifier = try #require(code.hubPassword()).verifier()
  }

  private func joining() throws -> HubClient {
    try hub.client(joiner, #require(code.hubPassword()).text)
  }

  @Test func invitedDeviceAsksAndIsLetIn() throws {
    let sponsor = try hub.client()
    try sponsor.invite(joiner, verifier: verifier, offer: [1])
    let joiner = try joining()
    #expect(try joiner.offer() == [1])
    #expect(throws: HubError.self) { try joiner.pull(.items, after: 0) }
    #expect(throws: HubError.self) { try joiner.requests() }
    try joiner.ask([2])
    try joiner.ask([3])
    #expect(try sponsor.requests() == [self.joiner: [2]])
    #expect(try joiner.answer() == nil)
    try sponsor.admit(self.joiner, answer: [4])
    #expect(try joiner.answer() == [4])
    #expect(try joiner.pull(.items, after: 0).entries.isEmpty)
    #expect(try sponsor.requests().isEmpty)
  }

  @Test func sponsorTakesAnInvitationBack() throws {
    let sponsor = try hub.client()
    try sponsor.invite(joiner, verifier: verifier, offer: [1])
    let waiting = try joining()
    try waiting.ask([2])
    try sponsor.revoke(joiner)
    try sponsor.revoke(joiner)
    #expect(throws: HubError.self) { try waiting.answer() }
    let denial = #expect(throws: HubError.self) { _ = try joining() }
    #expect(denial?.isDenial == true, "\(String(describing: denial))")
    #expect(try sponsor.requests().isEmpty)
    #expect(throws: HubError.self) { try sponsor.admit(joiner, answer: [3]) }
  }

  @Test func nobodyTakesBackWhatIsNotTheirs() throws {
    let sponsor = try hub.client()
    try sponsor.invite(joiner, verifier: verifier, offer: [1])
    let member = try joining()
    try member.ask([2])
    try sponsor.admit(joiner, answer: [3])
    try sponsor.revoke(joiner)
    #expect(try member.heads().zones.isEmpty, "it has joined")
    let other = HubDevice.role(3)
    try member.invite(other, verifier: verifier, offer: [4])
    for role in [other, hub.role] { try sponsor.revoke(role) }
    let invited = try hub.client(other, #require(code.hubPassword()).text)
    #expect(try invited.offer() == [4])
    #expect(throws: HubError.self, "it is in no circle yet") { try invited.revoke(other) }
  }

  /// What a server says by its code, in whatever language.
  @Test func whoMayNotLogInIsTold() throws {
    let administrator = try hub.server.administrator()
    try administrator.runScript("alter role \(hub.role.text) nologin")
    let denial = #expect(throws: HubError.self) { _ = try hub.client() }
    #expect(denial?.isDenial == true, "\(String(describing: denial))")
    try administrator.runScript("alter role \(hub.role.text) login connection limit 0")
    let limit = #expect(throws: HubError.self) { _ = try hub.client() }
    guard case .unreachable(let reason) = limit else {
      Issue.record("\(String(describing: limit))")
      return
    }
    #expect(reason.contains("FATAL: too many connections"), "the code is no part of it")
  }

  /// Whoever speaks to the server without our client says what it likes.
  @Test(arguments: [
    ("postgres", "SCRAM-SHA-256$4096:aaaa$bbbb:cccc"),
    ("localauth_hub", "SCRAM-SHA-256$4096:aa$b:c"),
    ("localauth_0000000000000000000000000000000x", "SCRAM-SHA-256$4096:aaaa$bbbb:cccc"),
    ("localauth_00000000000000000000000000000003", "a password"),
    ("localauth_00000000000000000000000000000003", "SCRAM-SHA-256$1:a$b:c'' superuser --"),
    ("localauth_00000000000000000000000000000001", "SCRAM-SHA-256$4096:aaaa$bbbb:cccc"),
  ])
  func nobodyIsInvitedUnderAnotherName(_ role: String, _ verifier: String) throws {
    let connection = try hub.server.connect(hub.role, hub.password.text)
    let code = HubDevice.refusal {
      try connection.runScript("select localauth.invite('\(role)', '\(verifier)', '')")
    }
    #expect(["22023", "42710"].contains(code))
    #expect(try hub.client().pull(.items, after: 0).entries.isEmpty, "its own role is as it was")
  }

  @Test func deviceChoosesAPasswordThatItsSponsorDoesNotKnow() throws {
    let sponsor = try hub.client()
    try sponsor.invite(joiner, verifier: verifier, offer: [1])
    let invited = try joining()
    let own = HubPassword.generate()
    #expect(throws: HubError.self, "an invited device has none yet") {
      try invited.setVerifier(own.verifier())
    }
    try invited.ask([2])
    try sponsor.admit(joiner, answer: [])
    try invited.setVerifier(own.verifier())
    #expect(throws: HubError.self) { _ = try joining() }
    #expect(try hub.client(joiner, own.text).heads().zones.isEmpty)
  }

  @Test func circlesDoNotMeetEachOther() throws {
    let other = HubDevice.role(9)
    let password = HubPassword.generate()
    try HubSchema.found(hub.server.administrator(), role: other, verifier: password.verifier())
    let stranger = try hub.client(other, password.text)
    let sponsor = try hub.client()
    try sponsor.invite(joiner, verifier: verifier, offer: [1])
    try joining().ask([2])
    #expect(try stranger.requests().isEmpty)
    #expect(throws: HubError.self) { try stranger.admit(joiner, answer: []) }
    let entry = HubDevice.entry([HubDevice.change(10, to: [1])], batch: 1)
    _ = try sponsor.push(entry, [HubDevice.name(10): [1]])
    #expect(try stranger.pull(.items, after: 0).bodies.isEmpty)
    let removal = HubDevice.removal(of: [])
    #expect(
      try stranger.push(removal, removing: HubRemoval(entry: 9, role: hub.role))
        == .accepted(removal.place(MessageHash())),
      "its own circle's log says so, and nobody else is gone"
    )
    #expect(try sponsor.pull(.items, after: 0).entries == [entry])
  }

  /// Otherwise a device that is about to be removed could put that off for as long as it likes.
  @Test func deviceThatHoldsTheHubsLocksIsRemovedAllTheSame() throws {
    let sponsor = try hub.client()
    try sponsor.invite(joiner, verifier: verifier, offer: [1])
    try joining().ask([2])
    try sponsor.admit(joiner, answer: [])
    let password = try #require(code.hubPassword())
    let holder = try hub.server.connect(joiner, password.text)
    let zeros = "decode(repeat('00', 32), 'hex')"
    try holder.runScript(
      """
      begin;
      select localauth.circle_push(0, \(zeros), '\\x01');
      select localauth.zone_push('items', 0, \(zeros), decode(repeat('01', 16), 'hex'), '\\x01', '{}', '{}');
      """
    )
    let removal = HubDevice.removal(of: [])
    let place = removal.place(MessageHash())
    #expect(
      try sponsor.push(removal, removing: HubRemoval(entry: 2, role: joiner)) == .accepted(place)
    )
    #expect(throws: HubError.self) { try holder.runScript("commit") }
    #expect(try sponsor.pull(.items, after: 0).entries.isEmpty)
  }

  /// What a role can lock that is its own.
  @Test(arguments: [
    "select localauth.heads()", "select localauth.heartbeat_put('\\x01')",
    "alter role current_user password 'x'",
  ])
  func deviceThatHoldsItsOwnRowsIsRemovedAllTheSame(_ statement: String) throws {
    let sponsor = try hub.client()
    try sponsor.invite(joiner, verifier: verifier, offer: [1])
    try joining().ask([2])
    try sponsor.admit(joiner, answer: [])
    let administrator = try hub.server.administrator()
    try administrator.runScript("update localauth.device set seen = now() - interval '1 hour'")
    let holder = try hub.server.connect(joiner, #require(code.hubPassword()).text)
    try holder.runScript("begin; \(statement)")
    let removal = HubDevice.removal(of: [])
    let isTaken = try sponsor.push(removal, removing: HubRemoval(entry: 2, role: joiner))
    #expect(isTaken == .accepted(removal.place(MessageHash())))
    #expect(throws: HubError.self) { try holder.runScript("commit") }
    #expect(throws: HubError.self) { _ = try joining() }
  }

  @Test(arguments: ["select localauth.ask('x')", "alter role current_user password 'x'"])
  func invitedDeviceThatHoldsItsOwnRowsHoldsNobodyUp(_ statement: String) throws {
    let sponsor = try hub.client()
    try sponsor.invite(joiner, verifier: verifier, offer: [1])
    let holder = try hub.server.connect(joiner, #require(code.hubPassword()).text)
    try holder.runScript("begin; \(statement)")
    try sponsor.revoke(joiner)
    #expect(throws: HubError.self) { try holder.runScript("commit") }
    let late = HubDevice.role(4)
    try sponsor.invite(late, verifier: verifier, offer: [1])
    let open = try hub.server.connect(late, #require(code.hubPassword()).text)
    try open.runScript("begin; \(statement)")
    let expire = "update localauth.device set expires = now() where expires is not null"
    try hub.server.administrator().runScript(expire)
    try sponsor.invite(HubDevice.role(5), verifier: verifier, offer: [1])
    #expect(throws: HubError.self) { try open.runScript("commit") }
    let roles = "select count(*)::text from pg_roles where rolname = '\(late.text)'"
    #expect(try hub.server.administrator().text(roles) == "0")
  }

  /// A device may say nothing of itself, or what another one said.
  @Test(arguments: [nil, HubDevice.role(3)]) func deviceIsRemovedByTheEntryThatAddedIt(
    _ said: HubRole?
  ) throws {
    let sponsor = try hub.client()
    let other = HubDevice.role(3)
    for role in [joiner, other] { try sponsor.invite(role, verifier: verifier, offer: [1]) }
    try joining().ask([2])
    #expect(throws: HubError.self, "the log has no such entry yet") {
      try sponsor.admit(joiner, answer: [], entry: 1)
    }
    var head = ChainPlace.beginning
    for _ in 1...2 {
      let entry = HubDevice.removal(of: [], behind: head)
      head = entry.place(MessageHash())
      #expect(try sponsor.push(entry) == .accepted(head))
    }
    #expect(throws: HubError.self, "the founder was added by it") {
      try sponsor.admit(joiner, answer: [], entry: 1)
    }
    try sponsor.admit(joiner, answer: [], entry: 2)
    #expect(throws: HubError.self, "another device was added by it") {
      try sponsor.admit(other, answer: [], entry: 2)
    }
    try sponsor.admit(other, answer: [])
    let removal = HubDevice.removal(of: [], behind: head)
    let place = removal.place(MessageHash())
    let isTaken = try sponsor.push(removal, removing: HubRemoval(entry: 2, role: said))
    #expect(isTaken == .accepted(place))
    #expect(throws: HubError.self) { _ = try joining() }
    let left = try hub.server.administrator().text(
      "select string_agg(role, ' ' order by role) from localauth.device"
    )
    #expect(left == [hub.role, other].map(\.text).sorted().joined(separator: " "))
  }

  @Test func removalIsTakenAtTheHeadsThatItNamesAndDisconnects() throws {
    let sponsor = try hub.client()
    try sponsor.invite(joiner, verifier: verifier, offer: [1])
    let joiner = try joining()
    try joiner.ask([2])
    try sponsor.admit(self.joiner, answer: [])
    let entry = HubDevice.entry([HubDevice.change(10, to: [1])], batch: 1)
    _ = try joiner.push(entry, [HubDevice.name(10): [1]])
    let early = HubDevice.removal(of: [])
    func removing(_ heads: [ZoneHead]) -> HubRemoval {
      HubRemoval(
        entry: 2,
        role: self.joiner,
        remaining: HubRemaining(entries: [1], roles: [], heads: heads)
      )
    }
    let beginning = [ZoneHead(.items, .beginning)]
    #expect(try sponsor.push(early, removing: removing(beginning)) == .refused)
    #expect(try joiner.pull(.items, after: 0).entries == [entry])
    let removal = HubDevice.removal(of: [ZoneHead(.items, entry.place(MessageHash()))])
    let place = removal.place(MessageHash())
    let heads = [ZoneHead(.items, entry.place(MessageHash())), ZoneHead(.tables, .beginning)]
    #expect(try sponsor.push(removal, removing: removing(heads)) == .accepted(place))
    #expect(throws: HubError.self) { try joiner.pull(.items, after: 0) }
    #expect(throws: HubError.self) { _ = try joining() }
    #expect(try sponsor.circleEntries(after: 0) == [removal])
  }

  /// It has written nothing, so nobody has to know where the zones end.
  @Test func theRoleOfARecoveryKeyEndsWithTheEntryThatHasAnotherOne() throws {
    let sponsor = try hub.client()
    try sponsor.invite(joiner, verifier: verifier, offer: [1])
    try sponsor.admit(joiner, answer: [1])
    let entry = HubDevice.entry([HubDevice.change(10, to: [1])], batch: 1)
    _ = try sponsor.push(entry, [HubDevice.name(10): [1]])
    let key = try HubDevice.recovery()
    let removal = HubRemoval(entry: 2, role: joiner)
    let late = try HubDevice.recovery(behind: key.place(MessageHash()))
    #expect(try sponsor.push(late, removing: removal) == .refused)
    #expect(try joining().heads().circle == .beginning, "what was refused ends nothing")
    #expect(try sponsor.push(key, removing: removal) == .accepted(key.place(MessageHash())))
    #expect(throws: HubError.self) { _ = try joining() }
  }
}
