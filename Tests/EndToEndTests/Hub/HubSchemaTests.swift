import LocalAuthCrypto
import LocalAuthHub
import LocalAuthSync
import Testing

/// What an administrator does to a database that becomes a hub.
@Suite(.enabled(if: PostgreSQLServer.isPossible, "needs root and PostgreSQL 15"))
struct HubSchemaTests {
  private let server: PostgreSQLServer

  /// What came behind the first version.
  private static let newer = [
    "values of a mebibyte", "roles of members", "late shares", "late older keys",
    "nobody is left behind", "invitations are revoked", "room for removals",
    "what a removed device leaves",
  ]

  init() throws { server = try PostgreSQLServer() }

  @Test func hubIsMadeOnceAndStaysAsItIs() throws {
    let connection = try server.administrator()
    #expect(try HubSchema.status(connection).version == nil)
    #expect(try HubSchema.upgrade(connection) == ["circles and zones"] + Self.newer)
    let status = try HubSchema.status(connection)
    #expect(status.version == 9 && status.missing.isEmpty && status.server >= 150_000)
    #expect(try HubSchema.upgrade(connection).isEmpty)
  }

  @Test func schemaOfANewerProgramIsLeftAlone() throws {
    let connection = try server.administrator()
    _ = try HubSchema.upgrade(connection)
    try connection.runScript("insert into localauth.migration values (99, 'of the future')")
    #expect(throws: HubError.schema(found: 99, wanted: 9)) { try HubSchema.upgrade(connection) }
  }

  @Test func hubOfTheFirstVersionIsUpgradedAndKeepsWhatItHas() throws {
    let connection = try server.administrator()
    _ = try HubSchema.upgrade(connection)
    let password = HubPassword.generate()
    try HubSchema.found(connection, role: HubDevice.role(1), verifier: password.verifier())
    let device = try server.connect(HubDevice.role(1), password.text)
    try connection.runScript(
      """
      set role localauth_hub;
      delete from localauth.migration where number > 1;
      alter table localauth.device drop column entry, drop column sponsor, drop column by_role;
      alter table localauth.circle_entry drop column pusher;
      drop index localauth.key_share_receiver;
      drop function localauth.row_size;
      alter table localauth.key_share drop constraint key_share_body_check1;
      alter table localauth.key_share drop column head;
      alter table localauth.older_key drop column head;
      drop function localauth.admit, localauth.circle_push, localauth.share_put, localauth.older_put,
        localauth.revoke, localauth.charge, localauth.reserve, localauth.removal_room, localauth.refuse_past_reserve;
      alter table localauth.circle drop column removals_room;
      create function localauth.charge(bigint, bigint) returns void language sql as '';
      create function localauth.share_put(text, bigint, bytea[], bytea[]) returns void language sql as '';
      create function localauth.older_put(text, bigint, bigint[], bytea[]) returns void language sql as '';
      create function localauth.admit(name, bytea) returns void language sql as '';
      create function localauth.circle_push(bigint, bytea, bytea, name, text[], bigint[], bytea[]) returns void
        language sql as '';
      alter table localauth.record drop constraint record_body_check;
      alter table localauth.record add check (length(body) <= 1048576);
      reset role
      """
    )
    #expect(try HubSchema.status(connection).missing == Self.newer)
    #expect(throws: HubError.schema(found: 1, wanted: 9)) { try HubSchema.verify(connection) }
    #expect(try device.text("select 'here'") == "here")
    #expect(try HubSchema.upgrade(connection) == Self.newer)
    #expect(throws: HubError.self, "it looked at the version when it began") {
      try device.text("select 'here'")
    }
    #expect(try HubSchema.census(connection).circles == 1)
    #expect(try HubSchema.verify(connection).allSatisfy { $0.contains("is off") })
    let devices = "select count(*)::text from localauth.device"
    #expect(try connection.text(devices) == "1")
  }

  /// Any role may sort, and PostgreSQL writes to the disk what does not fit into memory.
  @Test func deviceFillsNoDiskByASort() throws {
    let hub = try HubDevice(server)
    let device = try server.connect(hub.role, hub.password.text)
    #expect(try device.text("show temp_file_limit") == "256MB")
    let more = "set temp_file_limit = -1"
    #expect(HubDevice.refusal { try device.runScript(more) } == "42501")
    let administrator = try server.administrator()
    #expect(try administrator.text("show temp_file_limit") == "-1", "who makes indexes")
    try administrator.runScript("alter database postgres set temp_file_limit = '1MB'")
    let limited = try server.connect(hub.role, hub.password.text)
    let sort =
      "select count(*) from (select from generate_series(1, 400000) n order by md5(n::text)) s"
    #expect(HubDevice.refusal { try limited.runScript(sort) } == "53400")
  }

  @Test func limitOfSortsThatTheAdministratorSetStays() throws {
    try server.administrator().runScript("alter database postgres set temp_file_limit = '1GB'")
    let hub = try HubDevice(server)
    let device = try server.connect(hub.role, hub.password.text)
    #expect(try device.text("show temp_file_limit") == "1GB")
  }

  @Test func upgradeThatFailsLeavesTheDatabaseAsItWas() throws {
    let connection = try server.administrator()
    try connection.runScript("create schema localauth; create table localauth.circle (a int)")
    #expect(throws: HubError.self) { try HubSchema.upgrade(connection) }
    #expect(try HubSchema.status(connection).version == nil)
    let roles = "select count(*)::text from pg_roles where rolname ~ '^localauth'"
    #expect(try connection.text(roles) == "0")
  }

  @Test func upgradeThatFailsHalfwayLeavesTheHubAsItWas() throws {
    let connection = try server.administrator()
    _ = try HubSchema.upgrade(connection)
    try connection.runScript("delete from localauth.migration where number > 8")
    #expect(throws: HubError.self) { try HubSchema.upgrade(connection) }
    #expect(try HubSchema.status(connection).version == 8)
  }
}
