import LocalAuthCrypto
import LocalAuthHub
import LocalAuthSecret
import LocalAuthSync
import LocalAuthUnix
import Testing

/// A member that prepares for its removal with what its role may do at the hub.
@Suite(.enabled(if: PostgreSQLServer.isPossible, "needs root and PostgreSQL 15"))
struct HubRemovalTests {
  private let hub: HubDevice
  private let member = HubDevice.role(2)
  private let password = HubPassword.generate()

  init() throws {
    hub = try HubDevice()
    try letIn(member, password, entry: nil, by: hub.client())
  }

  /// Makes a role and lets it in, with nobody's signature.
  private func letIn(
    _ role: HubRole,
    _ password: HubPassword,
    entry: UInt64?,
    by sponsor: borrowing HubClient
  ) throws {
    try sponsor.invite(role, verifier: password.verifier(), offer: [1])
    try hub.client(role, password.text).ask([2])
    try sponsor.admit(role, answer: [3], entry: entry)
  }

  private var roles: String? {
    get throws {
      try hub.server.administrator().text(
        "select string_agg(rolname, ' ' order by rolname) from pg_roles where rolname ~ '^localauth_0{20}'"
      )
    }
  }

  /// Removes the member, where the first device and these roles remain.
  private func remove(
    keeping roles: [HubRole] = [],
    entries: [UInt64] = [1],
    heads: [ZoneHead] = [],
    behind previous: ChainPlace = .beginning
  ) throws -> PushAnswer {
    let remaining = HubRemaining(entries: entries, roles: roles, heads: heads)
    return try hub.client().push(
      HubDevice.removal(of: [], behind: previous),
      removing: HubRemoval(entry: 99, role: member, remaining: remaining)
    )
  }

  /// Appends an entry that adds nobody whom the hub could know.
  private func push(by author: borrowing HubClient) throws -> ChainPlace {
    let entry = HubDevice.removal(of: [], behind: try author.heads().circle)
    #expect(isTaken(try author.push(entry)))
    return entry.place(MessageHash())
  }

  /// The role of a recovery key that the first device makes: it is let in, and then the log has the key.
  private func makeRecoveryKey() throws -> (role: HubRole, place: ChainPlace) {
    _ = try push(by: hub.client())
    let role = HubRole(ofRecovery: try HubDevice.recoveryKeys().identifier(MessageHash()))
    try letIn(role, .generate(), entry: nil, by: hub.client())
    let entry = try HubDevice.recovery(behind: hub.client().heads().circle)
    #expect(isTaken(try hub.client().push(entry)))
    return (role, entry.place(MessageHash()))
  }

  private func hasRole(_ role: HubRole) throws -> Bool {
    try hub.server.administrator().text(
      "select count(*)::text from pg_roles where rolname = '\(role.text)'"
    ) == "1"
  }

  private func isTaken(_ answer: PushAnswer) -> Bool {
    if case .accepted = answer { true } else { false }
  }

  @Test func rolesThatBelongToNobodyWhoRemainsGoWithIt() throws {
    let (ghost, invited) = (HubDevice.role(3), HubDevice.role(5))
    try letIn(ghost, .generate(), entry: nil, by: hub.client(member, password.text))
    let paper = try makeRecoveryKey()
    try hub.client().invite(invited, verifier: HubPassword.generate().verifier(), offer: [1])
    #expect(isTaken(try remove(entries: [1, paper.place.number], behind: paper.place)))
    #expect(try roles == [hub.role, invited].map(\.text).joined(separator: " "))
    #expect(try hasRole(paper.role))
  }

  /// What a heartbeat's role is called anybody can have said, so who removes may name the wrong one.
  @Test func roleThatIsNamedAndHasNoEntryGoesWithIt() throws {
    let ghost = HubDevice.role(3)
    try letIn(ghost, .generate(), entry: nil, by: hub.client(member, password.text))
    #expect(isTaken(try remove(keeping: [ghost])))
    #expect(try roles == hub.role.text)
  }

  @Test func recoveryKeyOfBeforeRemainsByItsRole() throws {
    let paper = HubDevice.role(4)
    try letIn(paper, .generate(), entry: nil, by: hub.client())
    let mark = "update localauth.device set by_role = true where role = '\(paper.text)'"
    try hub.server.administrator().runScript(mark)
    #expect(isTaken(try remove(keeping: [paper])))
    #expect(try roles == [hub.role, paper].map(\.text).joined(separator: " "))
  }

  /// A member sees the key's public halves, and so its role.
  @Test func roleOfARecoveryKeyThatAMemberMadeAnewGoesWithIt() throws {
    let paper = try makeRecoveryKey()
    let thief = try hub.client(member, password.text)
    let entry = HubDevice.removal(of: [], behind: paper.place)
    #expect(isTaken(try thief.push(entry, removing: HubRemoval(entry: 0, role: paper.role))))
    try letIn(paper.role, .generate(), entry: nil, by: thief)
    let place = entry.place(MessageHash())
    let answer = try remove(keeping: [paper.role], entries: [1, paper.place.number], behind: place)
    #expect(isTaken(answer))
    #expect(try !hasRole(paper.role))
  }

  @Test func anotherRecoveryKeyEndsEveryRoleThatCameByTheOneBefore() throws {
    let paper = try makeRecoveryKey()
    let ghost = HubDevice.role(3)
    try letIn(ghost, .generate(), entry: nil, by: hub.client())
    let next = HubRole(ofRecovery: try HubDevice.recoveryKeys(8).identifier(MessageHash()))
    try letIn(next, .generate(), entry: nil, by: hub.client())
    let remaining = HubRemaining(entries: [1], roles: [], heads: [])
    let answer = try hub.client().push(
      HubDevice.recovery(8, behind: paper.place),
      removing: HubRemoval(entry: 0, role: paper.role, remaining: remaining)
    )
    #expect(isTaken(answer))
    #expect(try roles == hub.role.text, "neither the member nor the other one has an entry")
    #expect(try hasRole(next) && !hasRole(paper.role))
  }

  /// The entry that adds a device is in the log before its sponsor lets it in.
  @Test func nobodyIsLetInByAnEntryOfAnothers() throws {
    let (joiner, ghost) = (HubDevice.role(3), HubDevice.role(4))
    let sponsor = try hub.client()
    let thief = try hub.client(member, password.text)
    _ = try push(by: sponsor)
    let place = try push(by: sponsor)
    try sponsor.invite(joiner, verifier: HubPassword.generate().verifier(), offer: [1])
    let refused = HubDevice.refusal {
      try letIn(ghost, .generate(), entry: place.number, by: thief)
    }
    #expect(refused == "22023")
    let early = HubDevice.refusal { try thief.admit(ghost, answer: [3], entry: place.number + 1) }
    #expect(early == "22023", "the log has no such entry yet")
    let stolen = HubDevice.refusal { try thief.admit(joiner, answer: [3]) }
    #expect(stolen == "22023", "it is another one's guest")
    try sponsor.admit(joiner, answer: [3], entry: place.number)
    #expect(isTaken(try remove(entries: [1, place.number], behind: place)))
    let expected = [hub.role, joiner, ghost].map(\.text).joined(separator: " ")
    #expect(
      try roles == expected,
      "who was only invited has ten minutes, and nobody who lets it in"
    )
  }

  @Test func entryOfBeforeTheUpgradeLetsNobodyIn() throws {
    let place = try push(by: hub.client())
    try hub.server.administrator().runScript("update localauth.circle_entry set pusher = null")
    let refused = HubDevice.refusal {
      try letIn(HubDevice.role(3), .generate(), entry: place.number, by: hub.client())
    }
    #expect(refused == "22023")
  }

  @Test func nobodySaysWhatAnotherRoleHasSaid() throws {
    let beat = try #require(HubDevice.heartbeat(1))
    let client = try hub.client()
    try client.put(beat)
    let thief = try hub.client(member, password.text)
    #expect(HubDevice.refusal { try thief.put(beat) } == "22023")
    try client.put(beat)
    #expect(try client.heartbeats(after: nil).heartbeats == [HubHeartbeat(hub.role, beat)])
  }

  /// A session that begins while the removal is under way waits for the locks that this has.
  @Test(arguments: [
    "select localauth.zone_push('items', 0, decode(repeat('00', 32), 'hex'), decode(repeat('01', 16), 'hex'), '', '{}', '{}')",
    "select localauth.circle_push(1, sha256('removed'), 'bad')",
    "select localauth.share_put('items', 1, 1, array[decode(repeat('00', 16), 'hex')], array[decode(repeat('00', 64), 'hex')])",
    "select localauth.older_put('items', 2, 1, '{1}', array['x'::bytea])",
  ])
  func whatARemovedDeviceAskedMeanwhileIsRefused(_ statement: String) throws {
    let zone = "insert into localauth.zone (circle, name) select id, 'items' from localauth.circle"
    try hub.server.administrator().runScript(zone)
    let codes = try concurrently(2) { [hub, member, password] index -> String in
      let watch = try hub.server.administrator()
      func wait(for condition: String) throws {
        let count = "select count(*)::text from pg_stat_activity where \(condition)"
        let deadline = Deadline.after(.seconds(60))
        while try watch.text(count) == "0" { try #require(!deadline.hasPassed) }
      }
      if index == 0 {
        try wait(for: "usename = '\(hub.role.text)' and state = 'idle in transaction'")
        let late = try hub.server.connect(member, password.text)
        return HubDevice.refusal { try late.runScript(statement) } ?? "taken"
      }
      let remover = try hub.server.connect(hub.role, hub.password.text)
      try remover.runScript(
        """
        begin;
        select localauth.circle_push(0, decode(repeat('00', 32), 'hex'), 'removed', removed => '\(member.text)',
          zones => '{}', numbers => '{}', digests => '{}', members => '{1}', roles => '{}')
        """
      )
      try wait(for: "usename = '\(member.text)' and wait_event_type = 'Lock'")
      try remover.runScript("commit")
      return "removed"
    }
    #expect(codes == ["42501", "removed"])
    let rows =
      "(select count(*) from localauth.zone_entry) + (select count(*) from localauth.circle_entry)"
      + " + (select count(*) from localauth.key_share) + (select count(*) from localauth.older_key)"
    #expect(try hub.server.administrator().text("select (\(rows))::text") == "1")
  }

  @Test func whatARemovedDeviceLeftForOthersGoesAndItsRoomIsFree() throws {
    let used = "select bytes::text from localauth.circle"
    let administrator = try hub.server.administrator()
    let client = try hub.client()
    let entry = HubDevice.entry([HubDevice.change(10, to: [1])], batch: 1)
    _ = try client.push(entry, [HubDevice.name(10): [1]])
    let before = try #require(Int(administrator.text(used)))
    let thief = try hub.server.connect(member, password.text)
    try thief.runScript(
      """
      select localauth.share_put('z' || n, n, 1, array[decode(repeat('07', 16), 'hex')],
        array[decode(repeat('00', 64), 'hex')]) from generate_series(1, 100) n;
      select localauth.checkpoint_put('items', h.number, h.digest, 'word', 0, 1, 'lines')
        from localauth.heads() h where zone = 'items';
      """
    )
    #expect(try #require(Int(administrator.text(used))) > before + 50_000)
    let removal = HubDevice.removal(of: [])
    #expect(isTaken(try remove()))
    #expect(try #require(Int(administrator.text(used))) == before + removal.bytes.count + 400)
    let left =
      "(select count(*) from localauth.key_share) + (select count(*) from localauth.checkpoint)"
    #expect(try administrator.text("select (\(left))::text") == "0")
  }

  @Test func whoRemainsIsKnownByTheEntryThatAddedIt() throws {
    var head = try push(by: hub.client())
    for _ in 2...3 { head = try push(by: hub.client(member, password.text)) }
    let (other, ghost) = (HubDevice.role(3), HubDevice.role(4))
    try letIn(other, .generate(), entry: 2, by: hub.client(member, password.text))
    try letIn(ghost, .generate(), entry: 3, by: hub.client(member, password.text))
    #expect(isTaken(try remove(entries: [1, 2], behind: head)))
    #expect(try roles == [hub.role, other].map(\.text).joined(separator: " "))
  }

  /// PostgreSQL drops no role that something depends on, and any role may make such a thing.
  @Test func whatARoleSetForItselfKeepsItFromNothing() throws {
    let set = "alter default privileges grant select on tables to public"
    try hub.server.connect(member, password.text).runScript(set)
    #expect(isTaken(try remove()))
    #expect(try roles == hub.role.text)
    #expect(try HubSchema.verify(hub.server.administrator()).allSatisfy { $0.contains("is off") })
  }

  @Test func whatAnInvitedRoleSetForItselfKeepsNobodyFromInviting() throws {
    let (invited, secret) = (HubDevice.role(3), HubPassword.generate())
    try hub.client().invite(invited, verifier: secret.verifier(), offer: [1])
    let set = "alter default privileges grant select on tables to public"
    try hub.server.connect(invited, secret.text).runScript(set)
    let expire = "update localauth.device set expires = now() where role = '\(invited.text)'"
    try hub.server.administrator().runScript(expire)
    let next = HubDevice.role(4)
    try hub.client().invite(next, verifier: HubPassword.generate().verifier(), offer: [1])
    #expect(try roles == [hub.role, member, next].map(\.text).joined(separator: " "))
  }

  /// In another database the hub cannot take anything back.
  @Test func aRoleThatCannotGoLogsInNoMore() throws {
    let administrator = try hub.server.administrator()
    try administrator.runScript("create database other")
    let other = try HubConnection(
      [
        ("host", hub.server.directory), ("port", "5432"), ("user", member.text),
        ("dbname", "other"),
      ],
      password: password.text
    )
    try other.runScript("alter default privileges grant select on tables to public")
    #expect(isTaken(try remove()))
    #expect(throws: HubError.self) { _ = try hub.client(member, password.text) }
    #expect(throws: HubError.self) { try other.runScript("select 1") }
    let left = "select count(*)::text from pg_auth_members where member = '\(member.text)'::regrole"
    #expect(try administrator.text(left) == "0")
  }

  @Test func aZoneThatNobodyKnowsKeepsNobodyFromRemovingIt() throws {
    let zeros = "decode(repeat('00', 32), 'hex')"
    try hub.server.connect(member, password.text).runScript(
      "select localauth.zone_push('zzz', 0, \(zeros), decode(repeat('01', 16), 'hex'), 'x', '{}', '{}')"
    )
    #expect(isTaken(try remove(heads: [ZoneHead(.items, .beginning)])))
  }

  @Test func whoIsGoneAlreadyKeepsNobodyFromMakingAnotherRecoveryKey() throws {
    let entry = HubDevice.removal(of: [])
    let removal = HubRemoval(entry: 99, role: member)
    #expect(isTaken(try hub.client().push(entry, removing: removal)))
    let key = try HubDevice.recovery(behind: entry.place(MessageHash()))
    #expect(isTaken(try hub.client().push(key, removing: removal)))
  }

  /// A row of nothing takes its room on the disk all the same.
  @Test func recordsWithoutBytesCountAgainstTheShare() throws {
    let zeros = "decode(repeat('00', 32), 'hex')"
    let used = "select bytes::text from localauth.circle"
    let names = (10..<30).map { "decode(repeat('\($0)', 32), 'hex')" }.joined(separator: ", ")
    try hub.server.connect(member, password.text).runScript(
      """
      select localauth.zone_push('items', 0, \(zeros), decode(repeat('01', 16), 'hex'), '',
        array[\(names)], array_fill(''::bytea, array[20]))
      """
    )
    #expect(try hub.server.administrator().text(used) == "4400")
  }

  @Test func aShareThatIsNoneCountsNothingAndIsRefused() throws {
    let connection = try hub.server.connect(member, password.text)
    let code = HubDevice.refusal {
      try connection.runScript(
        "select localauth.share_put('items', 1, 1, array[decode(repeat('00', 16), 'hex')], array[''::bytea])"
      )
    }
    #expect(code == "23514")
  }

  /// What was true at its beginning is true to the end of such a transaction, also that it is a device.
  @Test(arguments: ["repeatable read", "serializable"])
  func deviceThatWouldNotSeeItsRemovalIsRefused(_ isolation: String) throws {
    let device = try hub.server.connect(member, password.text)
    for call in ["heads()", "zone_records('items', 1)", "shares('\\x01')"] {
      try device.runScript("begin isolation level \(isolation)")
      let select = "select * from localauth.\(call)"
      #expect(HubDevice.refusal { try device.runScript(select) } == "0A000")
      try device.runScript("rollback")
    }
  }
}
