import LocalAuthCrypto
import LocalAuthHub
import LocalAuthSecret
import LocalAuthSync
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
        "select string_agg(rolname, ' ' order by rolname) from pg_roles where rolname ~ '^localauth_0'"
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

  private func isTaken(_ answer: PushAnswer) -> Bool {
    if case .accepted = answer { true } else { false }
  }

  @Test func rolesThatBelongToNobodyWhoRemainsGoWithIt() throws {
    let (ghost, paper, invited) = (HubDevice.role(3), HubDevice.role(4), HubDevice.role(5))
    try letIn(ghost, .generate(), entry: nil, by: hub.client(member, password.text))
    try letIn(paper, .generate(), entry: nil, by: hub.client())
    try hub.client().invite(invited, verifier: HubPassword.generate().verifier(), offer: [1])
    #expect(isTaken(try remove(keeping: [paper])))
    #expect(try roles == [hub.role, paper, invited].map(\.text).joined(separator: " "))
  }

  @Test func whoRemainsIsKnownByTheEntryThatAddedIt() throws {
    var head = ChainPlace.beginning
    for _ in 1...3 {
      let entry = HubDevice.removal(of: [], behind: head)
      head = entry.place(MessageHash())
      _ = try hub.client().push(entry)
    }
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
}
