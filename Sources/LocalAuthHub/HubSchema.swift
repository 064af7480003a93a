public import LocalAuthSync

/// The schema of a hub in a PostgreSQL database, for its administrator.
///
/// The roles `localauth_hub`, which owns it, and `localauth_device`, which devices belong to, are made with it. Only a
/// superuser can do that, because the hub makes and ends the roles of devices.
public enum HubSchema {
  /// What a database has of it.
  public struct Status: Hashable, Sendable {
    /// The newest migration that was made; nil if there is no hub.
    public let version: Int?
    /// Those that are missing, by their names.
    public let missing: [String]
    /// PostgreSQL's version, as 150018 for 15.18.
    public let server: Int
  }

  /// The oldest PostgreSQL that a hub runs on.
  public static let serverMin = 150_000

  /// The version that this program speaks.
  public static var newest: Int { HubMigration.newest }

  /// Says what is there.
  ///
  /// - Throws: ``HubError``.
  public static func status(
    _ connection: borrowing HubConnection
  ) throws(HubError) -> Status {
    let server = try connection.run("select current_setting('server_version_num')::int")
    let found = try connection.run("select to_regclass('localauth.migration') is not null")
    var version: Int?
    if try found.boolean(0, 0) {
      let newest = try connection.run("select coalesce(max(number), 0) from localauth.migration")
      version = Int(try newest.number(0, 0))
    }
    return Status(
      version: version,
      missing: HubMigration.all.filter { $0.number > version ?? 0 }.map { $0.name },
      server: Int(try server.number(0, 0))
    )
  }

  /// Makes a hub in a database that has none.
  ///
  /// - Throws: ``HubError``, `unexpected` if there is one; the database is as it was then.
  public static func install(
    _ connection: borrowing HubConnection
  ) throws(HubError) -> [String] {
    if let version = try status(connection).version {
      throw .unexpected("there is a hub of version \(version) already")
    }
    return try upgrade(connection)
  }

  /// Makes what is missing, in one transaction; returns the names of what was made.
  ///
  /// The sessions of devices end: they looked at the schema's version when they began, and look again.
  ///
  /// - Throws: ``HubError``; the database is as it was then, unless the error says that the sessions are what failed.
  public static func upgrade(
    _ connection: borrowing HubConnection
  ) throws(HubError) -> [String] {
    let before = try status(connection)
    guard before.server >= serverMin else {
      throw .unexpected("PostgreSQL \(before.server / 10_000) is too old; a hub needs 15")
    }
    guard before.version ?? 0 <= HubMigration.newest else {
      throw .schema(found: before.version, wanted: HubMigration.newest)
    }
    guard !before.missing.isEmpty else { return [] }
    if before.version == nil { try requireNoOther(connection) }
    try connection.runScript("begin")
    do throws(HubError) {
      try connection.runScript(preparation + beginning)
      for migration in HubMigration.all where migration.number > before.version ?? 0 {
        try connection.runScript(migration.script)
        _ = try connection.run(
          "insert into migration (number, name) values ($1, $2)",
          [.number(Int64(migration.number)), .text(migration.name)]
        )
      }
      try connection.runScript(rights)
      try connection.runScript("commit")
    } catch {
      try? connection.runScript("rollback")
      throw error
    }
    if before.version != nil { try endSessions(connection) }
    return before.missing
  }

  /// Ends the sessions of all devices, once what they would do by the old schema is not done any more.
  private static func endSessions(_ connection: borrowing HubConnection) throws(HubError) {
    do throws(HubError) {
      try connection.runScript(
        """
        begin;
        set local role localauth_hub;
        select pg_terminate_backend(a.pid, 5000) from pg_stat_activity a join localauth.device d on d.role = a.usename;
        commit
        """
      )
    } catch {
      try? connection.runScript("rollback")
      throw .unexpected(
        "the hub is upgraded, but the sessions of devices did not end, and they work by the old version: restart PostgreSQL"
      )
    }
  }

  /// What else is called as a hub's schema would neither become one nor stay what it is.
  private static func requireNoOther(_ connection: borrowing HubConnection) throws(HubError) {
    let found = try connection.run("select to_regnamespace('localauth') is not null")
    guard try found.boolean(0, 0) else { return }
    throw .unexpected(
      "the database has a schema localauth that is no hub's: make the hub in a database of its own"
    )
  }

  /// Makes a circle, and the role of its first device.
  ///
  /// - Parameters:
  ///   - connection: The administrator's.
  ///   - role: The role, which has a day to log in and choose another password.
  ///   - verifier: What PostgreSQL keeps of its password.
  ///   - room: How many bytes the circle may have.
  /// - Throws: ``HubError``.
  public static func found(
    _ connection: borrowing HubConnection,
    role: HubRole,
    verifier: String,
    room: Int64 = 10 << 30
  ) throws(HubError) {
    _ = try connection.run(
      "select localauth.found_circle($1::text::name, $2, $3)",
      [.text(role.text), .text(verifier), .number(room)]
    )
  }

  /// The roles, and what nobody may do in the database, nor how much.
  private static let preparation = """
    do $$ begin
      if not exists (select from pg_roles where rolname = 'localauth_hub') then
        create role localauth_hub nologin createrole;
      end if;
      if not exists (select from pg_roles where rolname = 'localauth_device') then
        create role localauth_device nologin;
      end if;
    end $$;
    grant pg_signal_backend, pg_read_all_stats to localauth_hub;
    grant localauth_device to localauth_hub with admin option;
    -- What everybody may do in a database by default, and what fills disks past each circle's share.
    do $$ begin
      execute format('revoke temporary, create on database %I from public', current_database());
    end $$;
    revoke execute on function lo_creat(integer), lo_create(oid), lo_from_bytea(oid, bytea), lo_open(oid, integer)
      from public;
    -- A sort writes to the disk, too, and any role may sort. Whoever administers the hub makes indexes by sorts; a limit that
    -- is there stays.
    do $$
    declare
      here oid := (select oid from pg_database where datname = current_database());
    begin
      if not exists (
        select from pg_db_role_setting s, unnest(s.setconfig) as c
          where s.setdatabase = here and s.setrole = 0 and c ~ '^temp_file_limit='
      ) then
        execute format('alter database %I set temp_file_limit = %L', current_database(), '256MB');
        execute format('alter role %I in database %I set temp_file_limit = -1', session_user, current_database());
      end if;
    end $$;

    """

  /// Two administrators wait for each other, by a table that no device can lock; everything belongs to a role that nobody logs in as.
  static let beginning = """
    create schema if not exists localauth authorization localauth_hub;
    set local role localauth_hub;
    set local search_path = localauth;
    create table if not exists migration (
      number integer primary key,
      name text not null,
      made timestamptz not null default now()
    );
    lock table migration in exclusive mode;
    """

  /// Devices call these functions and see no table.
  static let rights = """
    revoke all on all functions in schema localauth from public;
    grant usage on schema localauth to localauth_device;
    grant execute on function schema_version, circle_push, circle_pull, zone_push, zone_pull, zone_records, heads, tell, channel,
      share_put, shares, older_put, older, checkpoint_put, checkpoint_of, manifest_part, heartbeat_put, heartbeats,
      invite, revoke, offer, ask, requests, admit, reply, verifier_put
      to localauth_device;
    """
}
