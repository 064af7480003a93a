import LocalAuthCrypto
import LocalAuthHub
import LocalAuthSync
import Testing

/// What `authctl hub verify` finds in a hub that somebody changed by hand.
@Suite(.enabled(if: PostgreSQLServer.isPossible, "needs root and PostgreSQL 15"))
struct HubVerificationTests {
  private let server: PostgreSQLServer

  init() throws { server = try PostgreSQLServer(["fsync=on"]) }

  /// What a hub is found to have after a statement.
  private func problems(after statement: String) throws -> [String] {
    let administrator = try server.administrator()
    _ = try HubSchema.install(administrator)
    try HubSchema.found(
      administrator,
      role: HubDevice.role(1),
      verifier: HubPassword.generate().verifier()
    )
    #expect(try HubSchema.verify(administrator) == [], "before anything was changed")
    try administrator.runScript("create role weak; \(statement)")
    let found = try HubSchema.verify(administrator)
    #expect(try HubSchema.verify(administrator) == found, "looking changes nothing")
    return found
  }

  @Test(arguments: [
    (
      "grant create on schema localauth to localauth_device",
      "localauth_device may make things in the schema."
    ),
    (
      "revoke usage on schema localauth from localauth_device",
      "localauth_device may not use the schema."
    ),
    (
      "revoke execute on function localauth.tell() from localauth_device",
      "localauth_device may not call the function tell."
    ),
    (
      "grant execute on function localauth.charge to weak", "weak may call the function charge."
    ),
    (
      "grant select (name) on localauth.zone to weak",
      "weak may select the column name of the table zone."
    ),
    (
      "alter default privileges for role localauth_hub grant select on tables to weak",
      "What the owner of the hub makes is given to others"
    ),
    (
      "revoke connect on database postgres from public", "Devices may not connect to this database."
    ),
    (
      "grant create on database postgres to localauth_device",
      "localauth_device may make schemas in this database"
    ),
    (
      "grant execute on function lo_create(oid) to localauth_device",
      "localauth_device has rights on the function lo_create(oid)."
    ),
    (
      "grant create on schema public to public", "Devices may make things in the schema public"
    ),
  ])
  func rightsThatAreTooManyOrMissingAreNamed(_ statement: String, _ sentence: String) throws {
    let found = try problems(after: statement)
    #expect(found.count == 1 && found[0].hasPrefix(sentence), "\(found)")
  }

  @Test(arguments: [
    (
      "grant postgres to localauth_device",
      "The role localauth_device is that of all devices and may do more: what postgres may."
    ),
    (
      "alter role localauth_device login",
      "The role localauth_device is that of all devices and may do more: log in."
    ),
    ("grant localauth_hub to weak", "The role weak may do what localauth_hub may."),
    (
      "grant \(HubDevice.role(1).text) to weak",
      "The role weak may do what \(HubDevice.role(1).text) may."
    ),
    (
      "grant pg_monitor to \(HubDevice.role(1).text)",
      "The role \(HubDevice.role(1).text) is that of a device and may do more."
    ),
    (
      // Since version 16 what one role has granted another one does not revoke.
      "revoke localauth_device from \(HubDevice.role(1).text) granted by localauth_hub",
      "The role \(HubDevice.role(1).text) is that of a device and may not log in, or not call what devices call."
    ),
    ("grant pg_monitor to localauth_hub", "The owner of the hub may do what pg_monitor may."),
    (
      "revoke pg_signal_backend from localauth_hub",
      "The owner of the hub may not do what pg_signal_backend may."
    ),
    (
      "alter role localauth_hub nocreaterole",
      "The owner of the hub may make no roles, so nobody can be let in."
    ),
  ])
  func rolesThatMayMoreOrLessAreNamed(_ statement: String, _ sentence: String) throws {
    #expect(try problems(after: statement) == [sentence])
  }

  @Test(arguments: [
    (
      "alter function localauth.tell security invoker",
      "The function tell runs with the rights of who calls it."
    ),
    (
      "alter function localauth.tell set search_path = public",
      "The function tell has the settings search_path=public."
    ),
    (
      "alter table localauth.zone_entry set unlogged",
      "The table zone_entry is unlogged: it is empty after a crash."
    ),
    (
      "create rule nothing as on delete to localauth.zone_entry do instead nothing",
      "The table zone_entry has the rule nothing."
    ),
    (
      """
      create function public.f() returns trigger language plpgsql as 'begin return null; end';
      create trigger nothing before insert on localauth.record for each row execute function public.f()
      """, "The table record has the trigger nothing."
    ),
    (
      "alter table localauth.record disable trigger all",
      "A reference of the table record is not watched."
    ),
    (
      "alter table localauth.record enable row level security",
      "Not everybody sees all rows of the table record."
    ),
    (
      "create table public.heir () inherits (localauth.record)",
      "What is in public.heir counts as in the table record."
    ),
    (
      "drop index localauth.record_number",
      "The table record has no whole index CREATE INDEX ON localauth.record USING btree (zone, number)."
    ),
    (
      "alter table localauth.record drop constraint record_body_check",
      "The table record has no condition CHECK ((length(body) <= 1310720))."
    ),
    (
      "alter table localauth.circle alter column bytes drop not null",
      "The column bytes of the table circle is declared in another way."
    ),
    (
      "create operator localauth.+ (leftarg = int, rightarg = int, function = int4pl)",
      "The hub has the operator localauth.+(integer,integer), which is none of this version's."
    ),
    ("alter schema localauth owner to postgres", "The schema belongs to postgres."),
    (
      "alter function localauth.tell owner to postgres", "The function tell belongs to postgres."
    ),
  ])
  func functionsAndTablesThatAreOthersAreNamed(_ statement: String, _ sentence: String) throws {
    let found = try problems(after: statement)
    #expect(found.contains(sentence), "\(found)")
  }

  @Test(arguments: ["reset temp_file_limit", "set temp_file_limit = -1"])
  func sortsWithoutALimitAreNamed(_ change: String) throws {
    #expect(
      try problems(after: "alter database postgres \(change)") == [
        "Any device can fill the disk by a sort: say alter database postgres set temp_file_limit = '256MB'."
      ]
    )
    let role = HubDevice.role(1).text
    try server.administrator().runScript(
      "alter database postgres set temp_file_limit = '1GB'; alter role \(role) set temp_file_limit = -1"
    )
    #expect(
      try HubSchema.verify(server.administrator()) == [
        "The device \(role) has a temp_file_limit of its own."
      ]
    )
  }

  /// The body that a later version put another one in the place of is one of no version.
  @Test func functionOfAnEarlierVersionIsNotTheOneOfThisVersion() throws {
    let administrator = try server.administrator()
    _ = try HubSchema.install(administrator)
    let body = "select max(number) from migration"
    try administrator.runScript(
      "set check_function_bodies = off; create or replace function localauth.page_max() returns integer language sql immutable as '\(body)'"
    )
    #expect(
      try HubSchema.verify(administrator) == [
        "The function page_max is not the one of this version."
      ]
    )
  }

  /// Devices verify what records say, and notice if one is gone.
  @Test func rowsOfDataAreNotLookedAt() throws {
    let hub = try HubDevice(server)
    let entry = HubDevice.entry([HubDevice.change(10, to: [1])], batch: 1)
    _ = try hub.client().push(entry, [HubDevice.name(10): [1]])
    let administrator = try server.administrator()
    try administrator.runScript("delete from localauth.record")
    #expect(try HubSchema.verify(administrator) == [])
  }

  /// Devices go on meanwhile: what is made to be compared with is never committed, and locks nothing of theirs.
  @Test func whoPushesMeanwhileIsNotKept() throws {
    let hub = try HubDevice(server)
    let outcomes = try concurrently(4) { [hub, server] index -> Bool in
      guard index > 0 else { return try HubSchema.verify(server.administrator()) == [] }
      let zone = "z\(index)"
      let device = try hub.server.connect(hub.role, hub.password.text)
      try device.runScript(
        """
        do $$ declare a localauth.answer := (true, 0, decode(repeat('00', 32), 'hex')); begin
          for n in 1..50 loop
            a := localauth.zone_push('\(zone)', a.number, a.digest, decode(md5(n::text), 'hex'), 'x', '{}', '{}');
          end loop;
        end $$
        """
      )
      return true
    }
    #expect(outcomes == [true, true, true, true])
  }
}
