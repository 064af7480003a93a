public import LocalAuthSync

extension HubSchema {
  /// What an administrator sees of all circles together.
  public struct Census: Hashable, Sendable {
    /// How many circles there are.
    public let circles: Int
    /// How many devices have joined one.
    public let devices: Int
    /// How many zones there are.
    public let zones: Int
    /// How many records they have.
    public let records: Int
    /// How many bytes are counted against the circles' shares.
    public let bytes: Int64
  }

  /// Counts what there is.
  ///
  /// - Throws: ``HubError``.
  public static func census(_ connection: borrowing HubConnection) throws(HubError) -> Census {
    let rows = try connection.run(
      """
      select (select count(*) from localauth.circle), (select count(*) from localauth.device where expires is null),
        (select count(*) from localauth.zone), (select count(*) from localauth.record),
        (select coalesce(sum(bytes), 0)::bigint from localauth.circle)
      """
    )
    return Census(
      circles: Int(try rows.number(0, 0)),
      devices: Int(try rows.number(0, 1)),
      zones: Int(try rows.number(0, 2)),
      records: Int(try rows.number(0, 3)),
      bytes: try rows.number(0, 4)
    )
  }

  /// Looks for what should not be: other functions, tables, rights and roles than the migrations make, ways in, settings,
  /// and chains that do not hold together.
  ///
  /// It reads every entry of every chain, and no record: devices verify those.
  ///
  /// - Returns: a sentence for each problem.
  /// - Throws: ``HubError``, `schema` for another version or none.
  public static func verify(_ connection: borrowing HubConnection) throws(HubError) -> [String] {
    let status = try status(connection)
    guard status.version == newest else { throw .schema(found: status.version, wanted: newest) }
    var problems = try differences(connection)
    for statement in [database, roles, waysIn, settings, chains] {
      let rows = try connection.run(statement)
      for row in 0..<rows.count {
        if let problem = try rows.text(row, 0) { problems.append(problem) }
      }
    }
    return problems
  }

  private static let database: StaticString = """
    select format('%s may %s in this database, past the share of a circle.',
        case a.grantee when 0 then 'Everybody' else a.grantee::regrole::text end,
        case a.privilege_type when 'CREATE' then 'make schemas' else 'make temporary tables' end)
      from pg_database d, aclexplode(coalesce(d.datacl, acldefault('d', d.datdba))) a
      where d.datname = current_database() and a.privilege_type in ('CREATE', 'TEMPORARY')
        and (a.grantee = 0 or a.grantee::regrole::text ~ '^localauth_')
    union all
    select 'Everybody may make large objects in this database, past the share of a circle.'
      where exists (select from pg_proc p, aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
        where a.grantee = 0 and p.pronamespace = 'pg_catalog'::regnamespace
          and p.proname in ('lo_creat', 'lo_create', 'lo_from_bytea', 'lo_open'))
    union all
    select format('The database has the event trigger %s.', evtname) from pg_event_trigger
    """

  private static let waysIn: StaticString = """
    select format('Line %s of pg_hba.conf lets devices in by %s.', h.line_number, h.auth_method)
      from pg_hba_file_rules h
      where h.error is null and h.auth_method not in ('scram-sha-256', 'cert', 'reject', 'peer')
        and (h.user_name && array['all', '+localauth_device'] or exists (
          select from localauth.device d where d.role = any (h.user_name)))
    union all
    select format('Line %s of pg_hba.conf lets devices in over a network without TLS.', h.line_number)
      from pg_hba_file_rules h
      where h.error is null and h.type in ('host', 'hostnossl', 'hostgssenc') and h.auth_method <> 'reject'
        and coalesce(h.address, '') not in ('127.0.0.1', '::1', 'samehost')
        and (h.user_name && array['all', '+localauth_device'] or exists (
          select from localauth.device d where d.role = any (h.user_name)))
    union all
    select format('Line %s of pg_hba.conf lets others in without a password.', h.line_number)
      from pg_hba_file_rules h
      where h.error is null and h.auth_method = 'trust'
        and not (h.user_name && array['all', '+localauth_device'] or exists (
          select from localauth.device d where d.role = any (h.user_name)))
    """

  private static let settings: StaticString = """
    select format('%s is off: what devices were told is kept can be lost.', name) from pg_settings
      where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off'
    union all
    select 'It listens to a network without TLS.' from pg_settings
      where name = 'ssl' and setting = 'off' and current_setting('listen_addresses') <> ''
    union all
    select format('Any device can fill the disk by a sort: say alter database %I set temp_file_limit = ''256MB''.', d.datname)
      from pg_database d
      where d.datname = current_database() and not exists (
        select from pg_db_role_setting s, unnest(s.setconfig) as c
          where s.setdatabase = d.oid and s.setrole = 0 and c ~ '^temp_file_limit=[^-]'
      )
    union all
    select format('The device %s has a temp_file_limit of its own.', d.role)
      from pg_db_role_setting s, unnest(s.setconfig) as c, localauth.device d
      where c ~ '^temp_file_limit=' and d.role = (select r.rolname from pg_roles r where r.oid = s.setrole)
    """

  private static let chains: StaticString = """
    select format('The chain of the zone %s of circle %s does not hold together.', z.name, z.circle)
      from localauth.zone z left join lateral (
        select count(*) as entries, max(e.number) as last, bool_and(e.digest = sha256(e.body)) as fits
          from localauth.zone_entry e where e.zone = z.id
      ) e on true
      where e.entries <> z.head or coalesce(e.last, 0) <> z.head or not coalesce(e.fits, true)
        or z.head > 0 and not exists (select from localauth.zone_entry l
          where l.zone = z.id and l.number = z.head and l.digest = z.head_digest)
        or exists (select from localauth.record r where r.zone = z.id and r.number > z.head)
    union all
    select format('The log of circle %s does not hold together.', c.id)
      from localauth.circle c left join lateral (
        select count(*) as entries, max(e.number) as last, bool_and(e.digest = sha256(e.body)) as fits
          from localauth.circle_entry e where e.circle = c.id
      ) e on true
      where e.entries <> c.head or coalesce(e.last, 0) <> c.head or not coalesce(e.fits, true)
        or c.head > 0 and not exists (select from localauth.circle_entry l
          where l.circle = c.id and l.number = c.head and l.digest = c.head_digest)
    """
}
